--- @include "clock"
--- @include "tickets"
--- @include "limits"
--- @include "notices"
--- @include "mixed"
--- @include "release"

-- The one queue of the fleet.

-- Tickets of silent owners put aside, and of dead owners thrown away, in one call at most.
local PASS_PER_CALL = 500
local passed = 0

-- The front of the queue as it was read, and how far it has been taken. Taken tickets are removed in one call. A look takes
-- in what is expected to start, and one more, which does not fit.
local PAGE = 128
local page, page_at = {}, 1
-- How many starts are expected; nil when nobody knows.
local expected
-- Nothing is in the queue behind this page.
local page_is_last = false
-- Tickets taken: the first ones of the queue.
local taken = 0

local function remove_taken()
  if taken > 0 then redis.call('ZREMRANGEBYRANK', queue_key, '0', string.format('%d', taken - 1)) end
  taken = 0
end

--- To be called before the queue is looked at or changed in any other way.
local function close_page()
  remove_taken()
  page, page_at, page_is_last = {}, 1, false
end

--- The ticket at the front, or nil.
local function front()
  if page[page_at] then return page[page_at] end
  remove_taken()
  if page_is_last then return nil end
  local last = math.min(expected or (page_at == 1 and 1 or PAGE), PAGE)
  page = redis.call('ZRANGE', queue_key, '0', string.format('%d', last))
  page_at = 1
  page_is_last = #page <= last
  return page[1]
end

local function take(count)
  page_at = page_at + count
  taken = taken + count
end

--- The score of a ticket in the queue. Asked for where it is needed: to print it costs more than to find it.
local function queued_score(text)
  return redis.call('ZSCORE', queue_key, text)
end

--- Tickets waiting that may ever start. Ghosts are tickets of dead owners that nobody has thrown away yet.
local function queue_length()
  return math.max(0, redis.call('ZCARD', queue_key) - taken - S.rb_ghosts)
end

--- The first ticket whose owner can be told to start it: text, client, seq, weight, expiration, index in the job hashes;
--- nil for none. Tickets of owners who do not listen are put aside with their scores until the owner is heard of.
local function head(exact)
  while true do
    local text = front()
    if not text then return nil end
    local client, seq, weight, expiration, index = parse_ticket(text)
    local record = client and record_of(client)
    if record and is_listening(client, exact) then return text, client, seq, weight, expiration, index end
    passed = passed + 1
    if passed > PASS_PER_CALL then return nil end
    if record then redis.call('ZADD', parked_key, queued_score(text), text)
    elseif S.rb_ghosts > 0 then set('rb_ghosts', S.rb_ghosts - 1) end
    take(1)
  end
end

-- Started tickets of this call, for one write at its end.
local new_weights, new_clients, new_expirations = {}, {}, {}

--- The ticket leaves the queue (or never was in it: QUEUED_AND_STARTED) and takes its slot.
local function start(now, kind, client, number, weight, expiration, index)
  local wait = take_slot(now, weight)
  local record = record_of(client)
  record.started = true
  change(client, record, kind == STARTED and -1 or 0, weight)
  local n = #new_weights
  new_weights[n + 1] = index
  new_weights[n + 2] = weight == 1 and '1' or weight
  new_clients[n + 1] = index
  new_clients[n + 2] = client
  local leave = leave_until(now, wait, expiration)
  if leave then
    new_expirations[#new_expirations + 1] = string.format('%.0f', math.ceil(leave))
    new_expirations[#new_expirations + 1] = index
    has_expirations = true
  end
  notify(client, kind, number, micros(wait), S.reservoir and exact_number(S.reservoir) or '')
end

-- Score of the head that did not fit when the queue was last looked at; nil for an empty queue.
local head_score

--- How many plain tickets (of weight 1, without expiration) may start now, one after the other, and none of them waits.
--- 0 also where each start changes when the next one may: then they go one by one.
local function free_starts(now)
  if real or S.minTime > 0 or S.rb_windowMax or S.rb_bucketTokens then return 0 end
  return starts_at_once(now, 1) and math.floor(capacity() or MAX_ARGS) or 0
end

--- How many numbers from the i-th on follow each other.
local function run_length(numbers, i, last)
  local to = i
  while to < last and numbers[to + 1] == numbers[to] + 1 do to = to + 1 end
  return to - i + 1
end

--- The same as `start` for each of some plain tickets of a client, from one place to another in the lists of their
--- indexes in the job hashes and their numbers.
local function start_plain(kind, client, indexes, numbers, from, to)
  local count = to - from + 1
  set('running', settle(S.running + count))
  local left = S.reservoir
  if left then set('reservoir', settle(left - count)) end
  local record = record_of(client)
  record.started = true
  change(client, record, kind == STARTED and -count or 0, count)
  local n = #new_weights
  for i = from, to do
    local index = indexes[i]
    new_weights[n + 1] = index
    new_weights[n + 2] = '1'
    new_clients[n + 1] = index
    new_clients[n + 2] = client
    n = n + 2
  end
  local told = notices_to(client, count)
  local i = from
  while i <= to do
    local run = left and 1 or run_length(numbers, i, to)
    if left then left = settle(left - run) end
    append(told, kind, numbers[i], run, 0, left and exact_number(left) or '')
    i = i + run
  end
end

--- Takes the tickets of a client from the front, up to `most`, as long as they are plain and read already. Returns their
--- indexes and their numbers.
local function take_plain(client, most)
  local its_own = '^' .. string.gsub(client, '%W', '%%%0') .. ':(%w+)$'
  local indexes, numbers = {}, {}
  local last = math.min(#page, page_at + most - 1)
  for i = page_at, last do
    local seq = string.match(page[i], its_own)
    if not seq then break end
    local n = #indexes + 1
    indexes[n] = page[i]
    numbers[n] = number_of(seq)
  end
  take(#indexes)
  return indexes, numbers
end

--- Starts from the head of the queue while it fits, whoever owns it.
local function start_waiting(now, exact)
  while true do
    local free = free_starts(now)
    expected = free > 1 and free or nil
    local text, client, seq, weight, expiration, index = head(exact)
    if not text or not may_start(now, weight) or not fair_turn(now, client, weight) then
      head_score = text and tonumber(queued_score(text))
      return
    end
    local behind = page[page_at + 1]
    if free > 1 and index == text and behind and string.sub(behind, 1, #client) == client then
      local indexes, numbers = take_plain(client, free)
      start_plain(STARTED, client, indexes, numbers, 1, #indexes)
    else
      take(1)
      start(now, STARTED, client, number_of(seq), weight, expiration, index)
    end
  end
end

-- Redis keeps hashes of a few hundred short values as lists, and searches them from the start for each field. A longer
-- value, be it only for a moment, makes it a table. That many values at once are worth it.
local LONG_VALUE, MANY_VALUES = string.rep('-', 65), 16

local function save_started(key, values)
  local many = #values > 2 * MANY_VALUES
  if many then redis.call('HSET', key, '', LONG_VALUE) end
  write_all('HSET', key, values)
  if many then redis.call('HDEL', key, '') end
end

local function save_starts()
  remove_taken()
  save_started(job_weights_key, new_weights)
  save_started(job_clients_key, new_clients)
  write_all('ZADD', job_expirations_key, new_expirations)
end

--- Moves tickets whose time has come from the delayed queue into the queue.
local function promote_due(now)
  if not S.rb_delayed then return end
  close_page()
  local due = redis.call('ZRANGEBYSCORE', delayed_key, '-inf', string.format('%.3f', now), 'LIMIT', 0, 500)
  if #due == 0 then return end
  local queued = {}
  for i = 1, #due do
    local priority, text = parse_delayed(due[i])
    local client = parse_ticket(text or '')
    local record = client and record_of(client)
    if record then
      change(client, record, 1, 0)
      queued[#queued + 1] = score_of(priority, next_arrival(now))
      queued[#queued + 1] = text
    end
  end
  write_all('ZADD', queue_key, queued)
  redis.call('ZREM', delayed_key, unpack(due))
end
