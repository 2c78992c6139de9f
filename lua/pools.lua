-- A worker pool tells that it lives, or leaves. Those that have been silent for too long count as dead; that stays known
-- for a while, so that every other pool hears of it.
--
-- KEYS: pools
-- ARGV: pool info visibility now
--   pool        id of the pool; empty to only look
--   info        what there is to know of it, as JSON; empty to leave
--   visibility  ms of silence after which it counts as dead
--   now         ms, only for tests; empty for the server's time
--
-- Returns {now, dead, live}: the time; ids of the pools that died lately; id, time of the last sign of life, and info of
-- each live one
--
--- @include "clock"

if redis.replicate_commands then redis.replicate_commands() end
local pools_key = KEYS[1]
local pool, info, visibility, now = ARGV[1], ARGV[2], ARGV[3], math.floor(read_clock(ARGV[4]))

-- ms for which a death stays known at least: several heartbeats of whoever is to hear of it.
local DEAD_KNOWN_FOR = 3
local LEAST_KNOWN_FOR = 60000

if pool ~= '' then
  if info ~= '' then redis.call('HSET', pools_key, pool, string.format('%d:%s:', now, visibility) .. info)
  else redis.call('HDEL', pools_key, pool) end
end

local dead, live, longest = {}, {}, 0
local entries = redis.call('HGETALL', pools_key)
for i = 1, #entries, 2 do
  local seen, lease, about = string.match(entries[i + 1], '^(%d+):([%d%.]+):(.*)$')
  local silence = seen and now - tonumber(seen) or math.huge
  lease = tonumber(lease) or 0
  if silence < lease then
    live[#live + 1] = entries[i]
    live[#live + 1] = seen
    live[#live + 1] = about
    longest = math.max(longest, lease)
  elseif silence < lease + math.max(DEAD_KNOWN_FOR * lease, LEAST_KNOWN_FOR) then dead[#dead + 1] = entries[i]
  else redis.call('HDEL', pools_key, entries[i]) end
end
-- The last one to leave takes the dead along, and when all of them die, nobody is left to.
if #live == 0 then redis.call('DEL', pools_key)
elseif longest > 0 then redis.call('PEXPIRE', pools_key, math.ceil(2 * longest)) end
return { string.format('%d', now), dead, live }
