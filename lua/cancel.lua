-- Takes a waiting job out, or asks a running one to end. Its process is told, whichever it is.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client id exact now job
--   job        the id of the job
--
-- Returns {code, state}: code 1: no settings; where the job was: ready, delayed, executing, or empty for no such job
--
--- @include "clock"
--- @include "mixed"
--- @include "release"
--- @include "reservoir"
--- @include "queue"
--- @include "jobs"

local client, exact, now = ARGV[1], ARGV[3] == '1', read_clock(ARGV[4])
if not load_settings() then return { 1 } end
S.id = ARGV[2]
-- Told by messages, to the caller too: it may be amid a step.
CALLER = nil

if not record_of(client) then new_record(client) end
meet_real(now, client, exact)
saw(client, now)
tick(now)
release_expired(now)
bury_dead(now, client)

local function cancel(job)
  local index = redis.call('HGET', jobs_key, 'i' .. job)
  local entry = index and redis.call('HGET', jobs_key, 't' .. index)
  local priority, weight, expiration = open_jobs().parse_entry(entry or '')
  if not priority then return '' end
  local owner, seq = string.match(index, '^([^:]*):(.*)$')
  if redis.call('HEXISTS', job_weights_key, index) == 1 then
    notify(owner, CANCELLED, number_of(seq), 0, 0)
    return 'executing'
  end
  local state = open_jobs().take_out(owner, priority, ticket_text(owner, seq, weight, expiration))
  forget_jobs({ index })
  if not state then return '' end
  if not is_listening(owner, exact) then open_jobs().mark(index) end
  notify(owner, DROPPED, number_of(seq), TAKEN_OUT, 1)
  return state
end

local state = cancel(ARGV[5])
start_waiting(now, exact)
save_starts()
if real then real.leave(now, head_score ~= nil) end
save_records(now)
save_settings()
send_messages()
refresh_ttl(now)
return { 0, state }
