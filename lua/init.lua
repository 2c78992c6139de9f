-- Makes a limiter, or joins it: stores the settings of whoever comes first, repairs what older versions left, and
-- registers the client.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client clear now version lost fields ...
--   clear      1: delete everything the limiter has stored before
--   now        ms, only for tests; empty for the server's time
--   version    stored when the limiter is made: the version of Bottleneck whose format this is
--   lost       1: the client has had this limiter, which cannot have ended by itself; 2: the same, nobody else of its
--              process uses it, and every other process that does is listening
--   fields     how many names and values of settings follow
--
-- Returns {epoch, stored settings as names and values, 1 when real Bottleneck clients may be registered}
--
--- @include "clock"
--- @include "reservoir"
--- @include "mixed"

local client, clear, now, version, lost = ARGV[1], ARGV[2], read_clock(ARGV[3]), ARGV[4], ARGV[5]
local given = {}
for i = 1, tonumber(ARGV[6]) do given[i] = ARGV[6 + i] end

-- A key of another type can only be somebody's mistake, and every script would fail on it for ever. One may have ended
-- halfway: all but the settings begins anew, and every process tells what it has.
local TYPES = { 'hash', 'hash', 'zset', 'hash', 'zset', 'hash', 'zset', 'zset', 'zset', 'zset', 'zset', 'list', 'zset', 'hash', 'hash' }
for i = 1, #KEYS do
  local kind = redis.call('TYPE', KEYS[i])
  kind = kind.ok or kind
  if kind ~= 'none' and kind ~= TYPES[i] then
    redis.call('DEL', KEYS[i], unpack(KEYS, 2))
    if redis.call('EXISTS', settings_key) == 1 then
      redis.call('HSET', settings_key, 'running', 0)
      redis.call('HDEL', settings_key, 'rb_epoch')
    end
    break
  end
end

-- Clients that are listening stay registered: they go on with the new settings, and tell what they have.
local staying = {}
if clear == '1' then
  local known = redis.call('HKEYS', clients_key)
  for i = 1, math.min(#known, 1000) do
    local one = known[i]
    if string.sub(one, 1, 2) ~= 'r:' and redis.call('PUBSUB', 'NUMSUB', channel_of(one))[2] > 0 then staying[#staying + 1] = one end
  end
  redis.call('DEL', unpack(KEYS))
end

local is_new = redis.call('HEXISTS', settings_key, 'rb_epoch') == 0
if redis.call('EXISTS', settings_key) == 0 then
  -- What is left of a limiter whose settings were deleted counts for nothing; its processes will tell what they have.
  redis.call('DEL', unpack(KEYS))
  redis.call('HSET', settings_key, unpack(given))
  redis.call('HSET', settings_key, 'version', version, 'nextRequest', math.floor(now), 'lastReservoirRefresh', math.floor(now),
    'lastReservoirIncrease', math.floor(now), 'running', 0, 'done', 0, 'unblockTime', 0, 'capacityPriorityCounter', 0)
else
  -- Fields that older versions did not have, or that were lost.
  for i = 1, #given, 2 do redis.call('HSETNX', settings_key, given[i], given[i + 1]) end
  for _, field in ipairs({ 'running', 'done', 'unblockTime', 'capacityPriorityCounter' }) do
    redis.call('HSETNX', settings_key, field, 0)
  end
  for _, field in ipairs({ 'nextRequest', 'lastReservoirRefresh', 'lastReservoirIncrease' }) do
    if not tonumber(redis.call('HGET', settings_key, field)) then redis.call('HSET', settings_key, field, math.floor(now)) end
  end
  local stored = redis.call('HGET', settings_key, 'version')
  local minor = stored and tonumber(string.match(stored, '^%d+%.(%d+)'))
  if not minor then redis.call('HSET', settings_key, 'version', version)
  -- The last format that Bottleneck migrates to, and names so.
  elseif minor < 18 then redis.call('HSET', settings_key, 'version', '2.18.0') end
end

if is_new then
  -- A real client may have made the settings anew: what is left of the old ones counts for nothing then, too.
  redis.call('DEL', unpack(KEYS, 9))
  redis.call('HDEL', settings_key, 'rb_holdUntil', 'rb_reservoirSeen')
  redis.call('HSET', settings_key, 'rb_epoch', string.format('%.3f', now), 'rb_ours', 0, 'rb_unblockSeen', redis.call('HGET', settings_key, 'unblockTime'))
end

load_settings()
S.id = redis.call('HGET', settings_key, 'id')
for i = 1, #staying do
  new_record(staying[i])
  saw(staying[i], now)
end
if not record_of(client) then new_record(client) end
saw(client, now)
tick(now)
if is_new then open_real().restore(now) end
-- Where nobody else has anything to tell there is a hold, of no time.
local is_alone = lost == '2' and redis.call('PUBSUB', 'NUMSUB', 'b_' .. S.id)[2] <= 1
if clear == '1' or (is_new and is_alone) then set('rb_holdUntil', 0)
elseif is_new and lost ~= '0' then hold_starts(now) end
save_records(now)
save_settings()
refresh_ttl(now)
return { S.rb_epoch, redis.call('HGETALL', settings_key), redis.call('ZCARD', client_last_seen_key) == S.rb_ours and 0 or 1 }
