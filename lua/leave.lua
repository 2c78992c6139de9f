-- A client leaves. What it has running stays until it expires or the client counts as dead: it may still be executing.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client id now
--
-- Returns the weight left running, as a text
--
--- @include "clock"
--- @include "release"

local client, now = ARGV[1], read_clock(ARGV[3])
if not load_settings() then return '0' end
local record = record_of(client)
if not record then return '0' end
if S.rb_wakeClient == client then redis.call('HDEL', settings_key, 'rb_wakeClient', 'rb_wakeAt') end

if S.rb_named then open_jobs().clear(client, nil, nil) end
if record.running == 0 then
  open_reclaim().give_up(client, record)
  save_settings()
  return '0'
end
-- Its tickets are ghosts from now on. The entries that its slots hang on stay until they are free.
if record.queued > 0 then set('rb_ghosts', S.rb_ghosts + record.queued) end
redis.call('HDEL', clients_key, client, 'r:' .. client)
redis.call('HSET', client_num_queued_key, client, 0)
save_settings()
open_reclaim().end_grace(client)
-- The others may all be idle, and then nobody would notice when its jobs expire.
local first = redis.call('ZRANGE', job_expirations_key, 0, 0, 'WITHSCORES')[2]
if first then redis.call('PUBLISH', 'b_' .. ARGV[2], 'rebottle-expiry:' .. math.max(0, math.ceil(tonumber(first) - now))) end
return string.format('%.15g', record.running)
