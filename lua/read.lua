-- Tells how a limiter stands, after what time has changed.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client id exact now weight
--   weight     for `check`
--
-- Returns {code, running, done, queued, delayed, reservoir, check, now, nextRequest, unblockTime, lastReservoirRefresh, lastReservoirIncrease, settings, runningJobs}
--   code 1: no settings. Numbers come as texts, an unlimited reservoir as the empty one.
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
promote_due(now)
obey_block()
start_waiting(now, exact)
leave_real(now, head_score ~= nil)
save_starts()
save_records(now)
save_settings()
send_messages()

local queued = 0
local valid = redis.call('ZRANGEBYSCORE', client_last_seen_key, math.floor(now + ahead - S.clientTimeout), '+inf')
for i = 1, #valid, MAX_ARGS do
  local counts = redis.call('HMGET', client_num_queued_key, unpack(valid, i, math.min(i + MAX_ARGS - 1, #valid)))
  for j = 1, #counts do queued = queued + math.max(0, tonumber(counts[j]) or 0) end
end

local function text(number)
  if number == nil then return '' end
  return string.format('%.17g', number)
end

return {
  0, text(S.running), text(S.done), queued, redis.call('ZCARD', delayed_key), text(S.reservoir),
  starts_at_once(now, tonumber(ARGV[5])) and 1 or 0, text(now), text(S.nextRequest), text(S.unblockTime),
  text(S.lastReservoirRefresh), text(S.lastReservoirIncrease), redis.call('HGETALL', settings_key), redis.call('HLEN', job_weights_key),
}
