--- @include "limits"
--- @include "release"
--- @include "reservoir"

-- Sharing a limiter with real Bottleneck clients. While none is registered, it costs one ZCARD a script to know that:
-- rb_ours counts our own entries in client_last_seen.

-- The functions of `open_real` while real clients are registered, else nil.
local real

--- Makes those functions. They are more than all the rest of a script, and making them takes time.
local function open_real()
  --- @inline "real-clients"
  --- @inline "fair-share"
  --- @inline "real-steps"

  return {
    meet = meet, leave = leave, fair_turn = take_turn, leave_until = lease_until, renew = renew, wait = wait_for_real, left = left,
    restore = restore,
  }
end

--- At the beginning of a script, when the caller's record is loaded and before anything is changed.
local function meet_real(now, client, exact)
  if not S.rb_mixed and redis.call('ZCARD', client_last_seen_key) == S.rb_ours then return end
  local functions = open_real()
  if functions.meet(now, client, exact) then real = functions end
end

--- Gives up dead clients. True when accounts that do not agree then had to begin anew; only without real clients.
local function bury_or_begin_anew(now, client)
  if not bury_dead(now, client) or real or open_reclaim().accounts_agree(now) then return false end
  open_reclaim().begin_anew(now)
  return true
end

--- Whether the next start is ours.
local function fair_turn(now, client, weight)
  return not real or real.fair_turn(now, client, weight)
end

--- Until when a started ticket may hold its slot without being renewed, by the shared clock, or nil for ever.
local function leave_until(now, wait, expiration)
  if real then return real.leave_until(now, wait, expiration) end
  return expiration and math.ceil(now + wait + expiration + EXPIRY_GRACE)
end
