-- Frees what nobody gives back: slots whose expiration has run out, and all of clients that are dead. Part of
-- `open_reclaim` in release.lua.

--- Frees what has expired, a bounded number at a time. Counts as done, as with Bottleneck.
local function expire(now)
  local expired = redis.call('ZRANGEBYSCORE', job_expirations_key, '-inf', string.format('(%.3f', now + ahead), 'LIMIT', 0, 1000)
  local total = release(expired)
  redis.call('ZREM', job_expirations_key, unpack(expired))
  if total ~= 0 then set('done', settle(S.done + total)) end
end

--- Takes a client out of every list. Its jobs must have been released before.
local function forget(client)
  records[client] = false
  touched[client] = nil
  redis.call('HDEL', clients_key, client, 'r:' .. client)
  redis.call('ZREM', seen_key, client)
  redis.call('ZREM', client_running_key, client)
  redis.call('HDEL', client_num_queued_key, client)
  redis.call('ZREM', client_last_registered_key, client)
  local was_there = redis.call('ZREM', client_last_seen_key, client) == 1
  -- See `saw`.
  if is_ours(client) and S.rb_ours then set('rb_ours', was_there and S.rb_ours - 1 or nil) end
end

--- Something of the limiter's state was lost, and nobody can say how much: the accounts begin anew under a new epoch, which
--- makes every process tell. What real clients run they would not tell again: beside them, accounts go on as they are.
local function begin_anew(now)
  set('rb_epoch', string.format('%.3f', now))
  hold_starts(now)
  if S.rb_mixed then return end
  for i = 2, #KEYS do
    if KEYS[i] ~= starts_key then redis.call('DEL', KEYS[i]) end
  end
  records, touched = {}, {}
  set('running', 0)
  set('rb_ghosts', 0)
  set('rb_ours', 0)
  set('rb_delayed', nil)
end

-- Dead clients looked at in one call.
local DEAD_PER_CALL = 20

--- All started tickets of a client, at most about `SCAN_COUNT` of them.
local function started_tickets(client)
  local found = {}
  local cursor = '0'
  repeat
    local page = redis.call('HSCAN', job_weights_key, cursor, 'MATCH', client .. ':*', 'COUNT', SCAN_COUNT)
    cursor = page[1]
    for i = 1, #page[2], 2 do found[#found + 1] = page[2][i] end
  until cursor == '0' or #found >= SCAN_COUNT
  return found, cursor == '0'
end

--- Frees all that a client has started, or a part of it when that is much: then false.
local function release_client(client)
  local indexes, whole = started_tickets(client)
  for from = 1, #indexes, MAX_ARGS do
    local part = {}
    for j = from, math.min(from + MAX_ARGS - 1, #indexes) do part[#part + 1] = indexes[j] end
    release(part)
  end
  return whole
end

--- Takes the grace from the expirations of a client that has left: nobody will speak for its jobs any more.
local function end_grace(client)
  local indexes = started_tickets(client)
  for i = 1, #indexes do
    if redis.call('ZSCORE', job_expirations_key, indexes[i]) then
      redis.call('ZINCRBY', job_expirations_key, -EXPIRY_GRACE, indexes[i])
    end
  end
end

--- Takes a client without running jobs out. Its tickets in the queue become ghosts, those put aside are removed.
local function give_up(client, record)
  local ghosts = record and record.queued or 0
  if redis.call('EXISTS', parked_key) == 1 then
    local cursor = '0'
    repeat
      local page = redis.call('ZSCAN', parked_key, cursor, 'MATCH', client .. ':*', 'COUNT', SCAN_COUNT)
      cursor = page[1]
      for i = 1, #page[2], 2 do ghosts = ghosts - redis.call('ZREM', parked_key, page[2][i]) end
    until cursor == '0'
  end
  if ghosts > 0 then set('rb_ghosts', S.rb_ghosts + ghosts) end
  -- All its jobs were released before: what still counts is of jobs whose weights were lost.
  local rest = record and record.running or tonumber(redis.call('ZSCORE', client_running_key, client) or 0)
  if rest > 0 then set('running', math.max(0, settle(S.running - rest))) end
  forget(client)
end

-- Far below any weight in use, far above what sums of them are off by.
local WEIGHT_TOLERANCE = 1e-6

--- Whether all that runs is known to run for somebody, who will be missed. Where keys were lost it may be for nobody,
--- and those who know better may be dead: then a slot would never come back. Only without real clients, and not before
--- all had the time to tell what they have, after accounts began anew.
local function accounts_agree(now)
  if now - tonumber(S.rb_epoch) < S.clientTimeout then return true end
  if entries_lost or (S.rb_ours and redis.call('ZCARD', seen_key) ~= S.rb_ours) then return false end
  local holders = redis.call('ZRANGEBYSCORE', client_running_key, '(0', '+inf', 'WITHSCORES')
  local sum = 0
  for i = 1, #holders, 2 do
    if not redis.call('ZSCORE', seen_key, holders[i]) then return false end
    sum = sum + tonumber(holders[i + 1])
  end
  -- What this script has changed already is written at its end.
  for client in pairs(touched) do
    local record = records[client]
    if record then sum = sum + record.running - (record.shown_running or 0) end
  end
  return math.abs(sum - S.running) < WEIGHT_TOLERANCE
end

--- The caller was silent for clientTimeout itself, and nobody has given it up: Redis was away, or all the processes were.
--- They get the time for a sign of life.
local function spare_silent(now)
  set('rb_buryAt', now + S.clientTimeout * TELLING_PART)
end

--- Gives up clients of ours that were silent for clientTimeout: their slots are free, their queued tickets are ghosts
--- that are thrown away when they come to the head. A client with thousands of jobs takes several calls. True when it has
--- looked, and nothing is left to do.
local function bury(now, caller)
  local all = true
  local dead = redis.call('ZRANGEBYSCORE', seen_key, '-inf', math.floor(now - S.clientTimeout), 'LIMIT', 0, DEAD_PER_CALL)
  for i = 1, #dead do
    local client = dead[i]
    if client ~= caller then
      local record = record_of(client)
      -- Idle clients fall silent by themselves: nothing is wrong with them, and nothing of them is left.
      local whole = not S.rb_named or open_jobs().clear(client, caller)
      if whole and redis.call('EXISTS', job_weights_key) == 1 then whole = release_client(client) end
      if whole then give_up(client, record) else all = false end
    end
  end
  -- A client found dead a little later than it was is no harm; looking at every step would be.
  if not all or #dead == DEAD_PER_CALL then return false end
  set('rb_buryAt', math.floor(now + seen_step()))
  return true
end
