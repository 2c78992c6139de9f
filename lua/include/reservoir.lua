--- @include "settings"

-- What time alone changes. Twin of `tick` in lib/store/memory/transitions.ts.

-- The functions of `open_refills` once it was called, else nil.
local refills

--- Makes those functions, for limiters that anything is refilled of.
local function open_refills()
  if refills then return refills end
  --- @inline "refills"
  refills = { refill = refill, next = next_refill }
  return refills
end

local function tick(now)
  if S.reservoirRefreshInterval or S.reservoirIncreaseInterval or S.rb_bucketCapacity then open_refills().refill(now) end
end
