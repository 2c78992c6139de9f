-- A client tells what it has, because Redis or the network lost something: what Redis does not know is put back.
-- Queued tickets get their old place; started ones get their slot back, even above the limits, since they do run.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client id exact now abandon epoch lost lastStart reservoir seen started queued ...
--   abandon    the id that the client had before: whatever is there under it is freed and thrown away first; empty for none
--   epoch      that the client knows; empty where another one is no loss
--   lost       1: the client knows that this state lacks something, though the epoch is the same
--   lastStart  when its last job was to begin, ms ago; empty for none
--   reservoir, seen   what it last knew of the reservoir, and how many ms ago; empty for nothing
--   started, queued   how many of each follow:
--   ...        started: seq, weight, expiresIn (ms, empty for none), name;
--              queued: seq, priority, arrival (empty: unknown), dueIn (empty: not delayed), ticket text, name,
--              started (1: was told of its start, but has not begun; else 0)
--              name: `priority:weight:expiration:details` of a job with a name, else empty
--
-- Returns {code, epoch, notices, effects}: code 1: no settings; 2: the client is not known: it must abandon its id.
-- Effects are STARTED for those of `queued` that are started here; all others of them are in the queue now.
--
--- @include "clock"
--- @include "mixed"
--- @include "release"
--- @include "reservoir"
--- @include "notices"

local client, exact, now = ARGV[1], ARGV[3] == '1', read_clock(ARGV[4])
if not load_settings() then return { 1 } end
S.id = ARGV[2]
CALLER = nil
local abandoned, started, queued = ARGV[5], tonumber(ARGV[11]), tonumber(ARGV[12])
-- Where a state was lost on purpose, by clearDatastore, there is a hold, of no time.
if ARGV[6] ~= '' and ARGV[6] ~= S.rb_epoch then
  if not S.rb_holdUntil then hold_starts(now) end
elseif ARGV[7] == '1' then open_reclaim().begin_anew(now) end
local record = record_of(client)
if not record then
  -- It was given up as dead: what stands in the queue under its id are ghosts.
  if abandoned == '' and started + queued > 0 then return { 2, S.rb_epoch, 0, {} } end
  record = new_record(client)
end
meet_real(now, client, exact)
saw(client, now)
tick(now)
release_expired(now)

-- What the lost state knew of past starts, as far as clients know it.
if hold_wait(now) > 0 then
  local last_start, reservoir, seen = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
  if last_start and S.minTime > 0 then set('nextRequest', math.max(S.nextRequest, now - last_start + S.minTime)) end
  local refreshed = S.reservoirRefreshInterval and seen and seen >= S.reservoirRefreshInterval
  if S.reservoir and reservoir and not refreshed and now - seen > (S.rb_reservoirSeen or 0) then
    set('reservoir', reservoir)
    set('rb_reservoirSeen', now - seen)
  end
end

if abandoned ~= '' then
  while not open_reclaim().release_client(abandoned) do end
  open_jobs().clear(abandoned, nil, client)
  open_reclaim().give_up(abandoned, record_of(abandoned))
end

local at = 13

for _ = 1, started do
  local index, weight, expires_in = client .. ':' .. ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  open_jobs().remember_again(now, client, ARGV[at], ARGV[at + 3])
  at = at + 4
  if redis.call('HEXISTS', job_weights_key, index) == 0 then
    redis.call('HSET', job_weights_key, index, weight)
    redis.call('HSET', job_clients_key, index, client)
    local leave = leave_until(now, 0, expires_in)
    if leave then redis.call('ZADD', job_expirations_key, leave, index) end
    set('running', settle(S.running + weight))
    change(client, record, 0, weight)
  end
end

--- A start whose message was lost may begin at once, unless its time is one that others wait for, too: with minTime it
--- is taken back. What it took of the reservoir is lost, as with a dead process, where a refresh makes up for it.
local function takes_back(index, was_told)
  if was_told or S.minTime == 0 then return false end
  local weight = release({ index }, client)
  if S.reservoir and not S.reservoirRefreshInterval then set('reservoir', settle(S.reservoir + weight)) end
  return true
end

for _ = 1, queued do
  local seq, priority, arrival, due_in, text = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), ARGV[at + 4]
  local name, was_told = ARGV[at + 5], ARGV[at + 6] == '1'
  at = at + 7
  local index = client .. ':' .. seq
  if open_jobs().was_cancelled(client, seq) then note(DROPPED, number_of(seq), TAKEN_OUT, 0)
  elseif redis.call('HEXISTS', job_weights_key, index) == 1 and not takes_back(index, was_told) then
    open_jobs().remember_again(now, client, seq, name)
    note(STARTED, number_of(seq), 0, '')
  elseif due_in then
    open_jobs().remember_again(now, client, seq, name)
    local member = delayed_member(priority, text)
    if not redis.call('ZSCORE', delayed_key, member) and not redis.call('ZSCORE', queue_key, text) then
      redis.call('ZADD', delayed_key, string.format('%.3f', now + due_in), member)
      set('rb_delayed', 1)
    end
  elseif not redis.call('ZSCORE', queue_key, text) then
    open_jobs().remember_again(now, client, seq, name)
    redis.call('ZREM', delayed_key, delayed_member(priority, text))
    if redis.call('ZREM', parked_key, text) == 0 then change(client, record, 1, 0) end
    arrival = arrival or next_arrival(now)
    if arrival > S.rb_arrival then set('rb_arrival', arrival) end
    redis.call('ZADD', queue_key, score_of(priority, arrival), text)
  end
end

if real then real.leave(now, true) end
open_jobs().save()
save_records(now)
save_settings()
refresh_ttl(now)
return { 0, S.rb_epoch, record.notices, effects }
