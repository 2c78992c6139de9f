-- Notes that a client lives: a heartbeat from another thread of its process, while its own may be busy.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client now
--   now        ms, only for tests; empty for the server's time
--
-- Returns 1, or 0 when the client is not known
--
--- @include "clock"
--- @include "clients"

local client, now = ARGV[1], read_clock(ARGV[2])
if not load_settings() or not record_of(client) then return 0 end
saw(client, now)
save_records(now)
save_settings()
return 1
