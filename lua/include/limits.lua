--- @include "settings"

-- What the limits allow. Twin of the functions of the same names in lib/store/memory/transitions.ts.

-- Below a billionth of a token is a rounding error of the refill, not a missing token.
local TOKEN_TOLERANCE = 1e-9

--- What maxConcurrent and the reservoir leave, or nil for no limit.
local function capacity()
  local free = S.maxConcurrent and S.maxConcurrent - S.running
  if free and S.reservoir then return math.min(free, S.reservoir) end
  return free or S.reservoir
end

--- ms until the bucket holds the price of a start. One that costs more than the bucket holds may overdraw it.
local function bucket_wait(weight)
  if not S.rb_bucketTokens or not S.rb_bucketCapacity or not S.rb_bucketRefillPerSecond then return 0 end
  local missing = math.min(weight, S.rb_bucketCapacity) - S.rb_bucketTokens
  if missing <= TOKEN_TOLERANCE then return 0 end
  return missing * 1000 / S.rb_bucketRefillPerSecond
end

--- ms until one more start keeps within the sliding window.
local function window_wait(now)
  if not S.rb_windowMax or not S.rb_windowDuration then return 0 end
  local oldest = redis.call('LINDEX', starts_key, -S.rb_windowMax)
  if not oldest then return 0 end
  return math.max(0, tonumber(oldest) + S.rb_windowDuration - math.max(S.nextRequest, now))
end

local function may_start(now, weight)
  local left = capacity()
  if left and weight > left then return false end
  if S.rb_justInTime and S.nextRequest > now then return false end
  if S.rb_holdUntil and S.rb_holdUntil > now then return false end
  return (not S.rb_bucketTokens or bucket_wait(weight) == 0) and (not S.rb_windowMax or window_wait(now) == 0)
end

--- Bottleneck's `check`: would a ticket of this weight be executing right away?
local function starts_at_once(now, weight)
  return S.nextRequest <= now and may_start(now, weight)
end

--- Takes one start's worth from every limit. Returns the ms to wait for it.
local function take_slot(now, weight)
  local at = math.max(S.nextRequest, now)
  set('running', settle(S.running + weight))
  if S.reservoir then set('reservoir', settle(S.reservoir - weight)) end
  if S.rb_bucketTokens then set('rb_bucketTokens', S.rb_bucketTokens - weight) end
  if S.rb_windowMax then
    -- With four digits it comes back as it was: three would be another number where minTime is a fraction.
    redis.call('RPUSH', starts_key, string.format('%.4f', at))
    redis.call('LTRIM', starts_key, -S.rb_windowMax, -1)
  end
  -- Without minTime nextRequest never holds a start back: it need not be written.
  if S.minTime > 0 or S.nextRequest > now then set('nextRequest', at + S.minTime) end
  return at - now
end
