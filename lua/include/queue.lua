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

-- The front of the queue as it was read, and how far it has been taken. Taken tickets are removed in one call. The first
-- look takes in two: what starts, and what does not fit.
local FIRST_PAGE, FIRST_PAGE_END, PAGE, PAGE_END = 2, '1', 64, '63'
local page, page_at = {}, 1
-- Nothing is in the queue behind this page.
local page_is_last = false
local taken = {}

local function remove_taken()
  if #taken > 0 then redis.call('ZREM', queue_key, unpack(taken)) end
  taken = {}
end

--- To be called before the queue is looked at or changed in any other way.
local function close_page()
  remove_taken()
  page, page_at, page_is_last = {}, 1, false
end

--- The ticket at the front and its score, or nil.
local function front()
  if page[page_at] then return page[page_at], page[page_at + 1] end
  remove_taken()
  if page_is_last then return nil end
  local is_first = page_at == 1
  page = redis.call('ZRANGE', queue_key, '0', is_first and FIRST_PAGE_END or PAGE_END, 'WITHSCORES')
  page_at = 1
  page_is_last = #page < 2 * (is_first and FIRST_PAGE or PAGE)
  return page[1], page[2]
end

local function take(text)
  page_at = page_at + 2
  taken[#taken + 1] = text
end

--- Tickets waiting that may ever start. Ghosts are tickets of dead owners that nobody has thrown away yet.
local function queue_length()
  return math.max(0, redis.call('ZCARD', queue_key) - #taken - S.rb_ghosts)
end

--- The first ticket whose owner can be told to start it: text, client, seq, weight, expiration, index in the job hashes,
--- score as a text; nil for none.
--- Tickets of owners who do not listen are put aside with their scores until the owner is heard of.
local function head(exact)
  while true do
    local text, score = front()
    if not text then return nil end
    local client, seq, weight, expiration, index = parse_ticket(text)
    local record = client and record_of(client)
    if record and is_listening(client, exact) then return text, client, seq, weight, expiration, index, score end
    passed = passed + 1
    if passed > PASS_PER_CALL then return nil end
    if record then redis.call('ZADD', parked_key, score, text)
    elseif S.rb_ghosts > 0 then set('rb_ghosts', S.rb_ghosts - 1) end
    take(text)
  end
end

-- Started tickets of this call, for one write at its end.
local new_weights, new_clients, new_expirations = {}, {}, {}

--- The ticket leaves the queue (or never was in it: QUEUED_AND_STARTED) and takes its slot.
local function start(now, kind, client, seq, weight, expiration, index)
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
  notify(client, kind, seq, micros(wait), S.reservoir and exact_number(S.reservoir) or '')
end

-- Score of the head that did not fit when the queue was last looked at; nil for an empty queue.
local head_score

--- Starts from the head of the queue while it fits, whoever owns it.
local function start_waiting(now, exact)
  while true do
    local text, client, seq, weight, expiration, index, score = head(exact)
    if not text or not may_start(now, weight) or not fair_turn(now, client, weight) then
      head_score = score and tonumber(score)
      return
    end
    take(text)
    start(now, STARTED, client, seq, weight, expiration, index)
  end
end

local function write_all(command, key, args)
  for i = 1, #args, MAX_ARGS do redis.call(command, key, unpack(args, i, math.min(i + MAX_ARGS - 1, #args))) end
end

local function save_starts()
  remove_taken()
  write_all('HSET', job_weights_key, new_weights)
  write_all('HSET', job_clients_key, new_clients)
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
