-- Changes settings, or adds to the reservoir, for all processes at once; then starts what fits now.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client id exact now increment fields ...
--   increment  what to add to the reservoir; empty for nothing
--   fields     how many names and values of settings follow
--
-- Returns {code, reservoir}: code 1: no settings; the reservoir before anything was started from it, as a text, empty
-- for unlimited
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
if ARGV[5] ~= '' then set('reservoir', settle((S.reservoir or 0) + tonumber(ARGV[5]))) end
for i = 7, 6 + tonumber(ARGV[6]), 2 do
  local field = ARGV[i]
  if field == 'rb_bucketCapacity' then set('rb_bucketTime', now) end
  set(field, tonumber(ARGV[i + 1]))
end
if not S.rb_bucketCapacity then set('rb_bucketTokens', nil)
else set('rb_bucketTokens', math.min(S.rb_bucketTokens or S.rb_bucketCapacity, S.rb_bucketCapacity)) end
if not S.rb_windowMax then redis.call('DEL', starts_key) end
use_exact_min_time()
-- An interval that is new here may have passed already.
tick(now)

local reservoir = S.reservoir and string.format('%.17g', S.reservoir) or ''
obey_block()
start_waiting(now, exact)
if real then real.leave(now, head_score ~= nil) end
save_starts()
save_records(now)
save_settings()
send_messages()
-- Ours have been told what they start; real clients try by themselves.
if real then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:' .. real.left()) end
refresh_ttl(now)
return { 0, reservoir }
