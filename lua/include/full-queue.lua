-- Shedding load, and blocked mode. Part of `open_shedding` in shedding.lua.

--- The oldest of the least important tickets, unless all are more important than `priority`: text, client, seq.
local function least_important(priority)
  close_page()
  while true do
    local last = redis.call('ZREVRANGE', queue_key, '0', '0', 'WITHSCORES')
    if not last[1] then return nil end
    local lowest = priority_of(tonumber(last[2]))
    if lowest < priority then return nil end
    local oldest = redis.call('ZRANGEBYSCORE', queue_key, string.format('%d', score_of(lowest, 0)), '+inf', 'LIMIT', '0', '1')
    local client, seq = parse_ticket(oldest[1])
    if client and record_of(client) then return oldest[1], client, seq end
    redis.call('ZREM', queue_key, oldest[1])
    if S.rb_ghosts > 0 then set('rb_ghosts', S.rb_ghosts - 1) end
  end
end

local function drop_queued(text, client, seq, reason)
  redis.call('ZREM', queue_key, text)
  change(client, record_of(client), -1, 0)
  notify(client, DROPPED, number_of(seq), reason, 1)
  forget_jobs({ client .. ':' .. seq })
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
        notify(client, DROPPED, number_of(seq), BLOCKED, 1)
        forget_jobs({ client .. ':' .. seq })
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

--- For a ticket that comes when the queue is full, or while it is blocked. True when the ticket may go into the queue.
local function admit(now, number, priority)
  if S.strategy == BLOCK then
    block(now)
    note(DROPPED, number, BLOCKED, 0)
    return false
  end
  if not shed(priority) then
    note(DROPPED, number, SHED, 0)
    return false
  end
  return true
end
