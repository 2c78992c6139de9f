-- Answers real Bottleneck processes that offered capacity to a client of ours: takes what it may, tells what is left.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client id exact now ...
--   ...        the counters of the offers; each gets an answer of its own
--
-- Returns {code}: code 1: no settings
--
--- @include "clock"
--- @include "mixed"
--- @include "release"
--- @include "reservoir"
--- @include "shedding"

local client, exact, now = ARGV[1], ARGV[3] == '1', read_clock(ARGV[4])
if not load_settings() then return { 1 } end
S.id = ARGV[2]
-- What starts here is told by messages, to the caller too: it may be amid a step.
CALLER = nil

if not record_of(client) then new_record(client) end
meet_real(now, client, exact)
saw(client, now)
tick(now)
release_expired(now)
bury_dead(now, client)
obey_block()
promote_due(now)
start_waiting(now, exact)
if real then real.leave(now, head_score ~= nil) end
save_starts()
save_records(now)
save_settings()
send_messages()
refresh_ttl(now)
local left = real and real.left() or '0'
for i = 5, #ARGV do
  redis.call('PUBLISH', 'b_' .. S.id, 'capacity-priority:' .. left .. '::' .. ARGV[i])
end
return { 0 }
