--- @include "settings"

-- What time alone changes. Twin of `tick` in lib/store/memory/transitions.ts.

local function increase_reservoir(amount)
  local reservoir = S.reservoir or 0
  local increase = amount
  if S.reservoirIncreaseMaximum then increase = math.min(amount, S.reservoirIncreaseMaximum - reservoir) end
  if increase > 0 then set('reservoir', reservoir + increase) end
end

local function refill_bucket(now)
  local capacity, rate = S.rb_bucketCapacity, S.rb_bucketRefillPerSecond
  if not capacity or not rate then return end
  local tokens = S.rb_bucketTokens or capacity
  set('rb_bucketTokens', math.min(capacity, tokens + math.max(0, now - (S.rb_bucketTime or now)) * rate / 1000))
  set('rb_bucketTime', now)
end

local function tick(now)
  local refresh, increase = S.reservoirRefreshInterval, S.reservoirIncreaseInterval
  if refresh and S.reservoirRefreshAmount then
    local last = S.lastReservoirRefresh or now
    if not S.lastReservoirRefresh then set('lastReservoirRefresh', math.floor(now)) end
    if now >= last + refresh then
      set('lastReservoirRefresh', last + math.floor((now - last) / refresh) * refresh)
      set('reservoir', S.reservoirRefreshAmount)
    end
  end
  if increase and S.reservoirIncreaseAmount then
    local last = S.lastReservoirIncrease or now
    if not S.lastReservoirIncrease then set('lastReservoirIncrease', math.floor(now)) end
    if now >= last + increase then
      local intervals = math.floor((now - last) / increase)
      set('lastReservoirIncrease', last + intervals * increase)
      increase_reservoir(S.reservoirIncreaseAmount * intervals)
    end
  end
  refill_bucket(now)
end

--- When the reservoir changes by itself next, or nil for never.
local function next_refill()
  local refresh = S.reservoirRefreshInterval and S.reservoirRefreshAmount and S.lastReservoirRefresh + S.reservoirRefreshInterval
  local increase = S.reservoirIncreaseInterval and S.reservoirIncreaseAmount and S.lastReservoirIncrease + S.reservoirIncreaseInterval
  if refresh and increase then return math.min(refresh, increase) end
  return refresh or increase or nil
end
