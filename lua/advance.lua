-- Moves a limiter: finished work leaves, waiting work starts, new work comes in. One call carries a whole batch.
-- Twin of `advance` in lib/store/memory/transitions.ts. Safe to run twice: a step that was taken is only answered again.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client step id exact now holds completed withdrawn renewed submitted ...
--   client     whose step it is
--   step       its number: 1, 2, 3 ...
--   id         of the limiter, as it stands in channel names
--   exact      1 when PUBLISH and NUMSUB tell about the whole server, 0 on a cluster
--   now        ms, only for tests; empty for the server's time
--   holds      how many tickets the client believes to have here, without those of this step
--   completed, withdrawn, renewed, submitted   how many of each follow, in that order:
--   ...        completed: run of tickets of weight 1, or `seq:` for another; withdrawn: seq, priority, ticket text; renewed: seq, expiresIn, or
--              `weight:expiresIn` (empty for never) of a slot that its owner still has;
--              submitted: run, then priority, or `priority:weight:expiration:delay` (empty for 1, none, 0; `@` and a
--              time of the server for when it is due), for a job with a name followed by `:` and its details
--              run: a seq, or `seq+count` for as many tickets numbered in a row
--
-- Returns {code, epoch, nextIn, notices, firstNotice, running, effects, queuedHere, runningHere, mixed}
--   code         0; 1 no settings: run init, then again; 2 unknown client: register under a new id; 3 the same, and
--                this state lacks something: it is an old one, without steps that the client took, or its queue is gone
--   epoch        changes when the state was lost: reconcile
--   nextIn       us until a step is due though nothing happens, or -1
--   notices      how many were addressed to this client so far; firstNotice: number of the first in effects, or 0
--   running      weight running after the completions
--   effects      five values each: kind, seq, count, a, b
--   queuedHere, runningHere   tickets queued and weight running of this client: must agree with what it has
--   mixed        1 while real Bottleneck clients are registered
--
--- @include "clock"
--- @include "mixed"
--- @include "release"
--- @include "reservoir"
--- @include "shedding"
--- @include "wakeup"

local client, step, exact = ARGV[1], tonumber(ARGV[2]), ARGV[4] == '1'
local now = read_clock(ARGV[5])
local holds = tonumber(ARGV[6])
local completed, withdrawn, renewed, submitted = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local at = 11

--- This state lacked something, and began anew: every process is to tell what it has.
local function lost_some()
  save_settings()
  return { 3, S.rb_epoch }
end

if not load_settings() then return { 1 } end
S.id = ARGV[3]
CALLER = client
local record = record_of(client)
if not record then
  -- An idle client is forgotten after a while. One that has tickets was given up as dead: it must not go on as if not.
  if holds > 0 then return { 2, S.rb_epoch } end
  record = new_record(client)
end
if step <= record.step then
  --- An answer that is given again: what there was to wait for has come nearer.
  local function grown_older(answer, by)
    local function less(wait) return math.max(0, wait - micros(by)) end
    if answer[3] > 0 then answer[3] = less(answer[3]) end
    local told = answer[7]
    for i = 1, #told, 5 do
      if told[i] == STARTED or told[i] == QUEUED_AND_STARTED then told[i + 3] = less(told[i + 3]) end
    end
    return answer
  end

  local kept = redis.call('HGET', clients_key, 'r:' .. client)
  if kept then
    local kept_step, answer, answered_at = cmsgpack.unpack(kept)
    if kept_step == step then return grown_older(answer, now - (answered_at or now)) end
  end
  return { 0, S.rb_epoch, 0, record.notices, 0, tostring(S.running), {}, record.queued, tostring(record.running) }
end
-- A server that was restarted, or a replica that was promoted, may have come back in the past.
if holds > 0 and record.step > 0 and step > record.step + 1 then return { 3, S.rb_epoch } end
record.step = step
touched[client] = true

meet_real(now, client, exact)
if holds > 0 and record.seen > 0 and record.seen < now - S.clientTimeout then open_reclaim().spare_silent(now) end
saw(client, now)
tick(now)
release_expired(now)
if bury_or_begin_anew(now, client) then return lost_some() end
obey_block()

-- Completed
if completed > 0 then
  local ones, others = {}, {}
  for i = at, at + completed - 1 do
    local other = string.match(ARGV[i], '^(%w+):$')
    if other then add_run(others, client, other) else add_run(ones, client, ARGV[i]) end
  end
  at = at + completed
  local total = settle(release_ones(ones, client) + release(others, client))
  if total ~= 0 then set('done', settle(S.done + total)) end
end
local running_now = S.running

-- Withdrawn: queued, delayed, parked or started; the owner need not know which.
if withdrawn > 0 then close_page() end
for _ = 1, withdrawn do
  local seq, priority, text = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  at = at + 3
  if redis.call('ZREM', queue_key, text) == 1 or redis.call('ZREM', parked_key, text) == 1 then change(client, record, -1, 0)
  elseif redis.call('ZREM', delayed_key, delayed_member(priority, text)) == 0 then release({ client .. ':' .. seq }) end
  forget_jobs({ client .. ':' .. seq })
end

-- Renewed: a retry holds its slot for longer than its expiration said.
for _ = 1, renewed do
  local index, expires_in = client .. ':' .. ARGV[at], tonumber(ARGV[at + 1])
  if not expires_in then (real or open_real()).renew(now, client, record, ARGV[at], ARGV[at + 1])
  elseif redis.call('HEXISTS', job_weights_key, index) == 1 then
    redis.call('ZADD', job_expirations_key, leave_until(now, 0, expires_in), index)
    has_expirations = true
  end
  at = at + 2
end

promote_due(now)
start_waiting(now, exact)
-- Tickets of this client are in a queue that is not there.
if record.queued > 0 and not head_score and #new_weights == 0 and redis.call('EXISTS', queue_key, parked_key) == 0 then
  open_reclaim().begin_anew(now)
  return lost_some()
end

-- Submitted. Tickets for the queue gather in `entries`, to be added in one call.
local entries = {}
-- Whether one of them comes before all that were in the queue.
local head_is_new = false

if submitted > 0 then
  local function remember(priority, job)
    if not job.details then return end
    open_jobs().remember(now, client, job.seq, priority, job.weight_text, job.expiration_text, job.details)
  end

  local function look_at_queue()
    close_page()
    write_all('ZADD', queue_key, entries)
    entries = {}
    start_waiting(now, exact)
  end

  --- `index` in the job hashes and `text` in the queue are of the ticket `number`. What it has beside a priority stands
  --- in `job`: weight, expiration, delay, and with details what they need.
  local function submit(number, index, text, priority, job)
    local weight = job.weight
    if S.maxConcurrent and weight > S.maxConcurrent then return note(OVERWEIGHT, number, exact_number(S.maxConcurrent), 0) end
    if job.details and open_jobs().is_taken(client, job.seq, job.details) then return note(DUPLICATE, number, 0, 0) end
    if job.delay > 0 then
      redis.call('ZADD', delayed_key, string.format('%.3f', now + job.delay), delayed_member(priority, text))
      set('rb_delayed', 1)
      remember(priority, job)
      return note(QUEUED, number, 0, string.format('@%.3f', job.delay))
    end
    local full = false
    if S.highWater or S.strategy == BLOCK then
      if #entries > 0 then look_at_queue() end
      local admitted
      admitted, full = admit(now, number, priority, weight)
      if not admitted then return end
    end
    remember(priority, job)
    local arrival = next_arrival(now)
    if not full and not head_score and may_start(now, weight) and fair_turn(now, client, weight) then
      return start(now, QUEUED_AND_STARTED, client, number, weight, job.expiration, index)
    end
    local score = score_of(priority, arrival)
    local n = #entries
    entries[n + 1] = string.format('%d', score)
    entries[n + 2] = text
    change(client, record, 1, 0)
    note(QUEUED, number, full and 1 or 0, arrival)
    -- Only a new head can start now. (When load was shed, the old head may be gone.)
    if full then look_at_queue()
    elseif not head_score or score < head_score then
      head_score, head_is_new = score, true
      if may_start(now, weight) then look_at_queue() end
    end
  end

  --- The same for as many tickets of a run as can be dealt with at once, from the i-th on, of those that have a priority
  --- and nothing else: those that start, or all of them when what waits comes before them. Returns how many.
  local function submit_plain(indexes, first, i, last, priority)
    if i == last or S.highWater or S.strategy == BLOCK or (S.maxConcurrent and S.maxConcurrent < 1) then return 0 end
    local count = last - i + 1
    if not head_score then
      count = math.min(count, free_starts(now))
      if count < 2 then return 0 end
      next_arrivals(now, count)
      local numbers = {}
      for j = i, i + count - 1 do numbers[j] = first + j - 1 end
      start_plain(QUEUED_AND_STARTED, client, indexes, numbers, i, i + count - 1)
      return count
    end
    if priority < priority_of(head_score) then return 0 end
    local arrival = next_arrivals(now, count)
    local n, score = #entries, score_of(priority, arrival)
    for j = i, last do
      entries[n + 1] = string.format('%d', score)
      entries[n + 2] = indexes[j]
      n, score = n + 2, score + 1
    end
    change(client, record, count, 0)
    append(effects, QUEUED, first + i - 1, count, 0, arrival)
    return count
  end

  --- priority, and what a ticket has beside it: `suffix` is what comes after its index in its text.
  local function unpack_job(packed, seq)
    local priority, weight, expiration, delay, details = string.match(packed, '^(%d+):([^:]*):([^:]*):([^:]*):?(.*)$')
    local due = tonumber(string.match(delay, '^@(.*)$'))
    return tonumber(priority), {
      seq = seq, weight = tonumber(weight) or 1, weight_text = weight, expiration = tonumber(expiration), expiration_text = expiration,
      delay = due and math.max(0, due - now) or tonumber(delay) or 0, details = details ~= '' and details or nil,
      suffix = ticket_suffix(weight, expiration),
    }
  end

  local plain = { weight = 1, delay = 0, suffix = '' }
  for _ = 1, submitted do
    local run, packed = ARGV[at], ARGV[at + 1]
    at = at + 2
    local priority, job = tonumber(packed), plain
    if not priority then priority, job = unpack_job(packed, run) end
    local indexes = {}
    local count, first = add_run(indexes, client, run)
    local i = 1
    while i <= count do
      local done = job == plain and submit_plain(indexes, first, i, count, priority) or 0
      if done == 0 then
        done = 1
        submit(first + i - 1, indexes[i], indexes[i] .. job.suffix, priority, job)
      end
      i = i + done
    end
  end
end
if head_is_new then close_page() else remove_taken() end
write_all('ZADD', queue_key, entries)

if real then real.leave(now, head_score ~= nil) end
local next_in = plan_wakeup(now, client, exact)
save_starts()
if jobs then jobs.save() end
local answer = { 0, S.rb_epoch, next_in, record.notices, record.first_notice or 0, exact_number(running_now), effects, record.queued,
  exact_number(record.running), real and 1 or 0 }
-- Kept in case the answer is lost and the step comes again.
if #effects > 0 then save_records(now, 'r:' .. client, cmsgpack.pack(step, answer, now))
else save_records(now) end
save_settings()
send_messages()
refresh_ttl(now)
return answer
