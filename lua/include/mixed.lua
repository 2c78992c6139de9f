--- @include "clients"

-- Sharing a limiter with processes that still run Bottleneck. Everything in here is idle while none is registered.

--- Until when a started ticket may hold its slot without being renewed, or nil.
local function leave_until(now, wait, expiration)
  if expiration then return now + wait + expiration end
  return nil
end

--- Whether the next start is ours.
local function fair_turn()
  return true
end
