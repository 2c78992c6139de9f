--- @include "keys"

-- Fields of the settings hash. Those with rb_ are ours; the others are Bottleneck's and are read by real clients too:
-- null is the empty text there, and running, done, reservoir and nextRequest must stay plain integers for them.
local FIELDS = {
  'maxConcurrent', 'minTime', 'highWater', 'strategy', 'penalty', 'reservoir',
  'reservoirRefreshInterval', 'reservoirRefreshAmount', 'lastReservoirRefresh',
  'reservoirIncreaseInterval', 'reservoirIncreaseAmount', 'reservoirIncreaseMaximum', 'lastReservoirIncrease',
  'running', 'done', 'nextRequest', 'unblockTime', 'groupTimeout', 'clientTimeout', 'capacityPriorityCounter',
  'rb_minTime', 'rb_nextRequest', 'rb_arrival', 'rb_ghosts', 'rb_wakeAt', 'rb_justInTime',
  'rb_windowMax', 'rb_windowDuration', 'rb_bucketCapacity', 'rb_bucketRefillPerSecond', 'rb_bucketTokens', 'rb_bucketTime',
  'rb_ours', 'rb_unblockSeen', 'rb_named',
}

-- Fields of text, read after those above.
local TEXT_FIELDS = { 'rb_epoch', 'rb_wakeClient', 'rb_mixed' }

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
  if sum == math.floor(sum) then return sum end
  return math.floor(sum * 1e9 + 0.5) / 1e9
end

--- The shared field holds minTime rounded up; ours holds it exactly, for as long as they agree.
local function use_exact_min_time()
  S.minTime = S.minTime or 0
  if S.rb_minTime and math.ceil(S.rb_minTime) == math.ceil(S.minTime) then S.minTime = S.rb_minTime end
end

--- False when there are no settings: never made, expired or deleted.
local function load_settings()
  local names = {}
  for i = 1, #FIELDS do names[i] = FIELDS[i] end
  for i = 1, #TEXT_FIELDS do names[#FIELDS + i] = TEXT_FIELDS[i] end
  local values = redis.call('HMGET', settings_key, unpack(names))
  for i = 1, #FIELDS do S[FIELDS[i]] = tonumber(values[i]) end
  for i = 1, #TEXT_FIELDS do S[TEXT_FIELDS[i]] = values[#FIELDS + i] or nil end
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

--- Writes what changed, in one call.
local function save_settings()
  local args = {}
  for field in pairs(dirty) do
    local value = S[field]
    if value == nil then value = '' end
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

--- Bottleneck's `timeout`: every key lives that long after the last use, or after the last start that was promised.
local function refresh_ttl(now)
  if not S.groupTimeout then return end
  local ttl = math.ceil(math.max(S.nextRequest - now, 0) + S.groupTimeout)
  for i = 1, #KEYS do redis.call('PEXPIRE', KEYS[i], ttl) end
end
