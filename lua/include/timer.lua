-- When the next step is due, and whose it is. Part of `open_timer` in wakeup.lua.

-- ms that a client without the timer waits longer than the one that has it.
local BACKUP_DELAY = 250

--- ms until time alone can free the head, or nil for never.
local function head_wait(now, weight)
  local wait = math.max(bucket_wait(weight), window_wait(now), hold_wait(now))
  if S.rb_justInTime then wait = math.max(wait, S.nextRequest - now) end
  if S.maxConcurrent and weight > S.maxConcurrent - S.running then return nil end
  if S.reservoir and weight > S.reservoir then
    local refill = open_refills().next()
    if not refill then return nil end
    wait = math.max(wait, refill - now)
  end
  if wait == math.huge then return nil end -- a bucket that is never refilled
  return math.max(0, wait)
end

--- ms until an expiration frees a slot, or nil.
local function expiry_wait(now)
  if has_expirations == false then return nil end
  local first = tonumber(redis.call('ZRANGE', job_expirations_key, '0', '0', 'WITHSCORES')[2])
  -- Those of this call are not written yet.
  for i = 1, #new_expirations, 2 do first = math.min(first or math.huge, tonumber(new_expirations[i])) end
  if not first then return nil end
  return math.max(0, first - ahead - now) + 1
end

local function earliest(a, b)
  if a and b then return math.min(a, b) end
  return a or b
end

--- us until the caller should take a step, or -1. `weight`: of the head of the queue, nil when nothing waits there.
local function plan(now, client, weight)
  local wait
  if weight then
    wait = head_wait(now, weight)
    if not wait then wait = expiry_wait(now) end
  end
  local due = S.rb_delayed and redis.call('ZRANGE', delayed_key, '0', '0', 'WITHSCORES')[2]
  if S.rb_delayed and not due then set('rb_delayed', nil) end
  if due then wait = earliest(wait, math.max(0, tonumber(due) - now)) end
  if real then wait = real.wait(now, wait, weight ~= nil) end
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
