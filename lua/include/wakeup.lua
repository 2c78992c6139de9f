--- @include "clock"
--- @include "queue"
--- @include "reservoir"

-- Who takes the next step though nothing happens. One client holds the timer for the time at which the head of the queue
-- may start: several processes would all call at the same moment. The others get a later time, in case it dies.

-- The functions of `open_timer` once it was called, else nil.
local timer

--- Makes those functions, which only limiters need that wait for a time.
local function open_timer()
  if timer then return timer end
  --- @inline "timer"
  timer = { plan = plan }
  return timer
end

--- Whether nothing but a completion can free a place for a head of that weight.
local function waits_for_completion(weight)
  return S.maxConcurrent and weight > S.maxConcurrent - S.running and has_expirations == false
end

--- us until the caller should take a step, or -1.
local function plan_wakeup(now, client, exact)
  -- More of a dead client is left than one call may take out.
  if passed > PASS_PER_CALL or not S.rb_buryAt or S.rb_buryAt <= now then return 0 end
  local text, _, _, weight = head(exact)
  if S.rb_delayed or real or (text and not waits_for_completion(weight)) then return open_timer().plan(now, client, text and weight) end
  if S.rb_wakeAt then set('rb_wakeAt', nil) end
  return -1
end
