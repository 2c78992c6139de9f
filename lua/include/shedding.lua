--- @include "queue"
--- @include "jobs"

-- What happens when the queue is full. Twin of `admit` in lib/store/memory/transitions.ts.

local LEAK, OVERFLOW, BLOCK, OVERFLOW_PRIORITY = 1, 2, 3, 4
-- `penalty` unless it is set (Bottleneck's README).
local PENALTY_PER_MIN_TIME, DEFAULT_PENALTY = 15, 5000

-- The functions of `open_shedding` once it was called, else nil.
local shedding

--- Makes those functions, which only a full queue needs.
local function open_shedding()
  if shedding then return shedding end
  --- @inline "full-queue"
  shedding = { admit = admit, drop_all = drop_all }
  return shedding
end

--- A real client began blocked mode: what waits is dropped before anything new is admitted.
local function obey_block()
  if not S.rb_unblockSeen or S.unblockTime == S.rb_unblockSeen then return end
  open_shedding().drop_all()
  set('rb_unblockSeen', S.unblockTime)
end

--- Whether the queue has as many tickets as it may, and this one would not start at once, and so never wait in it.
local function is_full(now, priority, weight)
  if not S.highWater or queue_length() < S.highWater then return false end
  return (head_score ~= nil and priority >= priority_of(head_score)) or not starts_at_once(now, weight)
end

--- Admits a submission or sheds load. True when the ticket may go into the queue; then `full` tells whether it was.
local function admit(now, number, priority, weight)
  local full = is_full(now, priority, weight)
  if not full and not (S.strategy == BLOCK and S.unblockTime >= now) then return true, false end
  return open_shedding().admit(now, number, priority), full
end
