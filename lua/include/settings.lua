--- @include "keys"

-- Fields of the settings hash: those that begin with rb_ are ours, the others are Bottleneck's and read by real clients
-- too. null is the empty text there, and running, done, reservoir and nextRequest must stay plain integers for them.

-- Fields that are texts; all others are numbers.
local TEXT_FIELDS = { id = true, version = true, rb_epoch = true, rb_wakeClient = true, rb_mixed = true }

-- Times that real clients write too, each by its own clock.
local SHARED_TIMES = {
  nextRequest = true, unblockTime = true, rb_unblockSeen = true, lastReservoirRefresh = true, lastReservoirIncrease = true,
}
-- ms by which shared times are ahead of the server's clock: 0 unless a real client is; see real-clients.lua.
local ahead = 0

-- State of the limiter while a script runs: every field above, nil for null.
local S = {}
-- Fields that changed.
local dirty = {}

local function set(field, value)
  S[field] = value
  dirty[field] = true
end

--- Takes rounding errors out of sums of fractional weights, so that what went in comes out to exactly 0.
local function settle(sum)
  if sum % 1 == 0 then return sum end
  return math.floor(sum * 1e9 + 0.5) / 1e9
end

--- The shared field holds minTime rounded up; ours holds it exactly, for as long as they agree.
local function use_exact_min_time()
  S.minTime = S.minTime or 0
  if S.rb_minTime and math.ceil(S.rb_minTime) == math.ceil(S.minTime) then S.minTime = S.rb_minTime end
end

--- False when there are no settings: never made, expired or deleted.
local function load_settings()
  -- All of it: one pass over the small hash, where asking for each field would be one pass a field.
  local values = redis.call('HGETALL', settings_key)
  for i = 2, #values, 2 do
    local value = values[i]
    if value ~= '' then
      local field = values[i - 1]
      S[field] = TEXT_FIELDS[field] and value or tonumber(value)
    end
  end
  -- Garbage in a field must not stop the limiter for ever.
  S.running = S.running or 0
  S.done = S.done or 0
  S.unblockTime = S.unblockTime or 0
  S.clientTimeout = S.clientTimeout or 10000
  S.rb_arrival = S.rb_arrival or 0
  S.rb_ghosts = S.rb_ghosts or 0
  use_exact_min_time()
  -- nextRequest likewise.
  S.nextRequest = S.nextRequest or 0
  if S.rb_nextRequest and math.ceil(S.rb_nextRequest) == S.nextRequest then S.nextRequest = S.rb_nextRequest end
  return S.rb_epoch ~= nil
end

-- Part of clientTimeout within which every living process is heard of, with something to spare: heartbeats come three
-- times in it at least.
local TELLING_PART = 0.4

--- State was lost, all or some. Nothing starts until every process had the time to tell what it has: there may be much
--- that runs, or waits before what is known here.
local function hold_starts(now)
  set('rb_holdUntil', now + S.clientTimeout * TELLING_PART)
end

--- ms that starts are held for.
local function hold_wait(now)
  return S.rb_holdUntil and math.max(0, S.rb_holdUntil - now) or 0
end

--- Writes what changed, in one call.
local function save_settings()
  local args = {}
  for field in pairs(dirty) do
    local value = S[field]
    if value == nil then value = ''
    elseif SHARED_TIMES[field] then value = value + ahead end
    if field == 'nextRequest' then
      args[#args + 1] = 'rb_nextRequest'
      args[#args + 1] = value
      value = math.ceil(value)
    elseif field == 'minTime' then value = math.ceil(value)
    end
    args[#args + 1] = field
    args[#args + 1] = value
  end
  if #args > 0 then redis.call('HSET', settings_key, unpack(args)) end
  dirty = {}
end

--- Bottleneck's `timeout`: every key lives that long after the last use, or after the last start that was promised or
--- held. While anything runs or waits they live as long as its owners may be silent: those need not call more often.
local function refresh_ttl(now)
  if not S.groupTimeout then return end
  local life = S.groupTimeout
  if life < S.clientTimeout and (S.running > 0 or redis.call('EXISTS', queue_key, delayed_key, parked_key) > 0) then
    life = S.clientTimeout
  end
  local ttl = math.ceil(math.max(S.nextRequest - now, hold_wait(now)) + life)
  for i = 1, #KEYS do redis.call('PEXPIRE', KEYS[i], ttl) end
end
