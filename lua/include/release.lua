--- @include "jobs"

-- Frees what started tickets hold: when they are done, when their expiration has run out, when their process is dead.

local function hdel_all(key, fields)
  for i = 1, #fields, MAX_ARGS do redis.call('HDEL', key, unpack(fields, i, math.min(i + MAX_ARGS - 1, #fields))) end
end

-- ms for which Redis leaves a slot to a job that has expired: its process lets it go by itself, or keeps it for another
-- attempt. Only a process that cannot say so must be helped.
local EXPIRY_GRACE = 1000

-- False when nothing has an expiration, true or nil when something may have.
local has_expirations

--- Frees started tickets by their index in the job hashes; those that are not there hold nothing. Returns the weight.
--- `owner`: whose they all are, when that is known.
local function release(indexes, owner)
  if #indexes == 0 then return 0 end
  local weights = redis.call('HMGET', job_weights_key, unpack(indexes))
  local clients = not owner and redis.call('HMGET', job_clients_key, unpack(indexes))
  local total = 0
  local foreign = {}
  for i = 1, #indexes do
    local weight = tonumber(weights[i])
    if weight then
      -- Rounded one by one, as they were when they were added: a rounded sum would leave a rest in the account.
      total = settle(total + weight)
      -- Ours say in their index whose they are, should the other hash be lost.
      local client = owner or clients[i] or string.match(indexes[i], '^([^:]+):%d+$')
      local record = client and record_of(client)
      if record then change(client, record, 0, -weight)
      elseif client and weight ~= 0 then foreign[client] = (foreign[client] or 0) + weight end
    end
  end
  jobs.forget(indexes)
  hdel_all(job_weights_key, indexes)
  hdel_all(job_clients_key, indexes)
  if has_expirations ~= false then redis.call('ZREM', job_expirations_key, unpack(indexes)) end
  for client, weight in pairs(foreign) do
    if redis.call('ZSCORE', client_running_key, client) then redis.call('ZINCRBY', client_running_key, -weight, client) end
  end
  if total ~= 0 then set('running', math.max(0, settle(S.running - total))) end
  return total
end

--- Frees what has expired, a bounded number at a time. Counts as done, as with Bottleneck.
local function release_expired(now)
  local first = redis.call('ZRANGE', job_expirations_key, 0, 0, 'WITHSCORES')[2]
  has_expirations = first and true or false
  if not first or tonumber(first) >= now + ahead then return end
  local expired = redis.call('ZRANGEBYSCORE', job_expirations_key, '-inf', string.format('(%.3f', now + ahead), 'LIMIT', 0, 1000)
  local total = release(expired)
  redis.call('ZREM', job_expirations_key, unpack(expired))
  if total ~= 0 then set('done', settle(S.done + total)) end
end

-- A dead client's jobs are looked for in that many fields at a time.
local SCAN_COUNT = 1000
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
local function spare_silent(now, record)
  if record.seen > 0 and record.seen < now - S.clientTimeout then set('rb_buryAt', now + S.clientTimeout * TELLING_PART) end
end

--- Gives up clients of ours that were silent for clientTimeout: their slots are free, their queued tickets are ghosts
--- that are thrown away when they come to the head. A client with thousands of jobs takes several calls. True when it has
--- looked, and nothing is left to do.
local function bury_dead(now, caller)
  if S.rb_buryAt and now < S.rb_buryAt then return false end
  local all = true
  local dead = redis.call('ZRANGEBYSCORE', seen_key, '-inf', math.floor(now - S.clientTimeout), 'LIMIT', 0, DEAD_PER_CALL)
  for i = 1, #dead do
    local client = dead[i]
    if client ~= caller then
      local record = record_of(client)
      -- Idle clients fall silent by themselves: nothing is wrong with them, and nothing of them is left.
      local whole = jobs.clear(client, caller)
      if whole and redis.call('EXISTS', job_weights_key) == 1 then whole = release_client(client) end
      if whole then give_up(client, record) else all = false end
    end
  end
  -- A client found dead a little later than it was is no harm; looking at every step would be.
  if not all or #dead == DEAD_PER_CALL then return false end
  set('rb_buryAt', math.floor(now + seen_step()))
  return true
end
