-- A worker pool tells that it lives, or leaves; those that have been silent for too long are taken out.
--
-- KEYS: pools
-- ARGV: pool info visibility now
--   pool        id of the pool; empty to only look
--   info        what there is to know of it, as JSON; empty to leave
--   visibility  ms of silence after which it counts as dead
--   now         ms, only for tests; empty for the server's time
--
-- Returns {now, dead, live}: the time; ids of pools that were taken out as dead just now; id, time of the last sign of
-- life, visibility and info of each live one
--
--- @include "clock"

if redis.replicate_commands then redis.replicate_commands() end
local pools_key = KEYS[1]
local pool, info, visibility, now = ARGV[1], ARGV[2], ARGV[3], math.floor(read_clock(ARGV[4]))

if pool ~= '' then
  if info ~= '' then redis.call('HSET', pools_key, pool, string.format('%d:%s:', now, visibility) .. info)
  else redis.call('HDEL', pools_key, pool) end
end

local dead, live, longest = {}, {}, 0
local entries = redis.call('HGETALL', pools_key)
for i = 1, #entries, 2 do
  local seen, lease, about = string.match(entries[i + 1], '^(%d+):([%d%.]+):(.*)$')
  if seen and now - tonumber(seen) < tonumber(lease) then
    for _, value in ipairs({ entries[i], seen, lease, about }) do live[#live + 1] = value end
    longest = math.max(longest, tonumber(lease))
  else
    redis.call('HDEL', pools_key, entries[i])
    dead[#dead + 1] = entries[i]
  end
end
-- When all of them die, nobody is left to take the last one out.
if longest > 0 then redis.call('PEXPIRE', pools_key, math.ceil(2 * longest)) end
return { string.format('%d', now), dead, live }
