--- @include "clock"
--- @include "queue"
--- @include "reservoir"

-- Who takes the next step though nothing happens. One client holds the timer for the time at which the head of the queue
-- may start: several processes would all call at the same moment. The others get a later time, in case it dies.

-- ms that a client without the timer waits longer than the one that has it.
local BACKUP_DELAY = 250

--- ms until time alone can free the head, or nil for never.
local function head_wait(now, weight)
  local wait = math.max(bucket_wait(weight), window_wait(now), hold_wait(now))
  if S.rb_justInTime then wait = math.max(wait, S.nextRequest - now) end
  if S.maxConcurrent and weight > S.maxConcurrent - S.running then return nil end
  if S.reservoir and weight > S.reservoir then
    local refill = next_refill()
    if not refill then return nil end
    wait = math.max(wait, refill - now)
  end
  if wait == math.huge then return nil end -- a bucket that is never refilled
  return math.max(0, wait)
end

--- ms until an expiration frees a slot, or nil.
local function expiry_wait(now)
  if has_expirations == false then return nil end
  local first = tonumber(redis.call('ZRANGE', job_expirations_key, 0, 0, 'WITHSCORES')[2])
  -- Those of this call are not written yet.
  for i = 1, #new_expirations, 2 do first = math.min(first or math.huge, tonumber(new_expirations[i])) end
  if not first then return nil end
  return math.max(0, first - ahead - now) + 1
end

local function earliest(a, b)
  if a and b then return math.min(a, b) end
  return a or b
end

--- us until the caller should take a step, or -1.
local function plan_wakeup(now, client, exact)
  -- More of a dead client is left than one call may take out.
  if passed > PASS_PER_CALL or not S.rb_buryAt or S.rb_buryAt <= now then return 0 end
  local wait
  local text, _, _, weight = head(exact)
  if text then
    wait = head_wait(now, weight)
    if not wait then wait = expiry_wait(now) end
  end
  local due = S.rb_delayed and redis.call('ZRANGE', delayed_key, 0, 0, 'WITHSCORES')[2]
  if S.rb_delayed and not due then set('rb_delayed', nil) end
  if due then wait = earliest(wait, math.max(0, tonumber(due) - now)) end
  if real then wait = real.wait(now, wait, text ~= nil) end
  if not wait then
    if S.rb_wakeAt then set('rb_wakeAt', nil) end
    return -1
  end
  local at = now + wait
  local holder = S.rb_wakeClient
  if holder and holder ~= client and S.rb_wakeAt and S.rb_wakeAt > now and S.rb_wakeAt <= at and record_of(holder) then
    return micros(wait + BACKUP_DELAY)
  end
  set('rb_wakeAt', at)
  set('rb_wakeClient', client)
  return micros(wait)
end
