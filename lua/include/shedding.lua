--- @include "queue"
--- @include "jobs"

-- What happens when the queue is full. Twin of `admit` in lib/store/memory/transitions.ts.

local LEAK, OVERFLOW, BLOCK, OVERFLOW_PRIORITY = 1, 2, 3, 4
-- `penalty` unless it is set (Bottleneck's README).
local PENALTY_PER_MIN_TIME, DEFAULT_PENALTY = 15, 5000


--- The oldest of the least important tickets, unless all are more important than `priority`: text, client, seq.
local function least_important(priority)
  close_page()
  while true do
    local last = redis.call('ZREVRANGE', queue_key, 0, 0, 'WITHSCORES')
    if not last[1] then return nil end
    local lowest = priority_of(tonumber(last[2]))
    if lowest < priority then return nil end
    local oldest = redis.call('ZRANGEBYSCORE', queue_key, string.format('%.0f', score_of(lowest, 0)), '+inf', 'LIMIT', 0, 1)
    local client, seq = parse_ticket(oldest[1])
    if client and record_of(client) then return oldest[1], client, seq end
    redis.call('ZREM', queue_key, oldest[1])
    if S.rb_ghosts > 0 then set('rb_ghosts', S.rb_ghosts - 1) end
  end
end

local function drop_queued(text, client, seq, reason)
  redis.call('ZREM', queue_key, text)
  change(client, record_of(client), -1, 0)
  notify(client, DROPPED, seq, reason, 1)
  jobs.forget({ client .. ':' .. seq })
end

--- Makes room for a ticket of that priority. False when the newcomer itself has to go.
local function shed(priority)
  local from
  if S.strategy == LEAK or S.strategy == nil then from = priority
  elseif S.strategy == OVERFLOW_PRIORITY then from = priority + 1
  else return false end
  local text, client, seq = least_important(from)
  if not text then return false end
  drop_queued(text, client, seq, SHED)
  return true
end

--- Drops everything that waits in the queue, a bounded number at a time.
local function drop_all()
  close_page()
  head_score = nil
  while true do
    local texts = redis.call('ZRANGE', queue_key, 0, 999)
    if #texts == 0 then break end
    for i = 1, #texts do
      local client, seq = parse_ticket(texts[i])
      local record = client and record_of(client)
      if record then
        change(client, record, -1, 0)
        notify(client, DROPPED, seq, BLOCKED, 1)
        jobs.forget({ client .. ':' .. seq })
      end
    end
    redis.call('ZREM', queue_key, unpack(texts))
  end
  set('rb_ghosts', 0)
end

--- Blocked mode: nothing waits, and nothing is accepted until `penalty` ms passed without a submission.
local function block(now)
  local penalty = S.penalty
  if not penalty then penalty = S.minTime == 0 and DEFAULT_PENALTY or PENALTY_PER_MIN_TIME * S.minTime end
  set('unblockTime', math.ceil(now + penalty))
  set('rb_unblockSeen', S.unblockTime)
  set('nextRequest', S.unblockTime + S.minTime)
  drop_all()
  local counts = redis.call('HKEYS', client_num_queued_key)
  local zeros = {}
  for i = 1, #counts do
    zeros[#zeros + 1] = counts[i]
    zeros[#zeros + 1] = 0
  end
  write_all('HSET', client_num_queued_key, zeros)
  redis.call('PUBLISH', 'b_' .. S.id, 'blocked:')
end

--- Whether a ticket would start at once, and so never wait in the queue.
local function passes_through(now, priority, weight)
  return (not head_score or priority < priority_of(head_score)) and starts_at_once(now, weight)
end

--- A real client began blocked mode: what waits is dropped before anything new is admitted.
local function obey_block()
  if not S.rb_unblockSeen or S.unblockTime == S.rb_unblockSeen then return end
  drop_all()
  set('rb_unblockSeen', S.unblockTime)
end

--- Admits a submission or sheds load. True when the ticket may go into the queue; then `full` tells whether it was.
local function admit(now, seq, priority, weight)
  local full = S.highWater and queue_length() >= S.highWater and not passes_through(now, priority, weight)
  if S.strategy == BLOCK and (full or S.unblockTime >= now) then
    block(now)
    note(DROPPED, seq, BLOCKED, 0)
    return false
  end
  if full and not shed(priority) then
    note(DROPPED, seq, SHED, 0)
    return false
  end
  return true, full
end
