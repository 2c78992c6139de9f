-- Refreshes and increases of the reservoir, and the bucket. Part of `open_refills` in reservoir.lua.

-- ms between two refreshes or increases, at least.
local SHORTEST_INTERVAL = 1

--- An interval of 0 means all the time; no division by it.
local function interval_of(setting)
  return setting and math.max(setting, SHORTEST_INTERVAL)
end

local function add_to_reservoir(amount)
  local reservoir = S.reservoir or 0
  local increase = amount
  if S.reservoirIncreaseMaximum then increase = math.min(amount, S.reservoirIncreaseMaximum - reservoir) end
  if increase > 0 then set('reservoir', reservoir + increase) end
end

--- Returns when the refresh that counts was due, or nil when none was.
local function refresh_reservoir(now)
  local interval = interval_of(S.reservoirRefreshInterval)
  if not interval or not S.reservoirRefreshAmount then return nil end
  if not S.lastReservoirRefresh then set('lastReservoirRefresh', math.floor(now)) end
  local last = S.lastReservoirRefresh
  if now < last + interval then return nil end
  set('lastReservoirRefresh', last + math.floor((now - last) / interval) * interval)
  set('reservoir', S.reservoirRefreshAmount)
  return S.lastReservoirRefresh
end

--- Increases that were due before a refresh are gone with it; one due at the same moment comes after it.
local function increase_reservoir(now, refreshed_at)
  local interval = interval_of(S.reservoirIncreaseInterval)
  if not interval or not S.reservoirIncreaseAmount then return end
  if not S.lastReservoirIncrease then set('lastReservoirIncrease', math.floor(now)) end
  local last = S.lastReservoirIncrease
  if now < last + interval then return end
  local intervals = math.floor((now - last) / interval)
  set('lastReservoirIncrease', last + intervals * interval)
  local lost = 0
  if refreshed_at and refreshed_at > last then lost = math.max(0, math.ceil((refreshed_at - last) / interval) - 1) end
  add_to_reservoir(S.reservoirIncreaseAmount * (intervals - lost))
end

local function refill_bucket(now)
  local capacity, rate = S.rb_bucketCapacity, S.rb_bucketRefillPerSecond
  if not capacity or not rate then return end
  local tokens = S.rb_bucketTokens or capacity
  set('rb_bucketTokens', math.min(capacity, tokens + math.max(0, now - (S.rb_bucketTime or now)) * rate / 1000))
  set('rb_bucketTime', now)
end

local function refill(now)
  increase_reservoir(now, refresh_reservoir(now))
  refill_bucket(now)
end

--- When the reservoir changes by itself next, or nil for never.
local function next_refill()
  local refresh_every, increase_every = interval_of(S.reservoirRefreshInterval), interval_of(S.reservoirIncreaseInterval)
  local refresh = refresh_every and S.reservoirRefreshAmount and S.lastReservoirRefresh + refresh_every
  local increase = increase_every and S.reservoirIncreaseAmount and S.lastReservoirIncrease + increase_every
  if refresh and increase then return math.min(refresh, increase) end
  return refresh or increase or nil
end
