-- Tells how a limiter stands, after what time has changed.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client id exact now weight ticket priority
--   weight     for `check`
--   ticket     absent, or a text: tells also what holds the queue, and where this ticket stands (empty for none)
--   priority   of the ticket
--
-- Returns {code, running, done, queued, delayed, reservoir, check, now, nextRequest, unblockTime, lastReservoirRefresh, lastReservoirIncrease, settings, runningJobs}
--   code 1: no settings. Numbers come as texts, an unlimited reservoir as the empty one.
--   With `ticket`, more: bucketTokens, windowStarts, head, asked, yields
--   head     ticket and priority of the next to start; empty for none
--   asked    place (queue, delayed, parked), tickets before it, score or due time, and the weights of the first of those
--            before it, in order; empty for a ticket that does not wait
--   yields   1 when the head would start, were it not the turn of processes that run Bottleneck
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
if bury_or_begin_anew(now, client) then
  new_record(client)
  saw(client, now)
end
promote_due(now)
obey_block()
start_waiting(now, exact)
local next_text, _, _, next_weight
if ARGV[6] then next_text, _, _, next_weight = head(exact) end
local next_score = next_text and queued_score(next_text)
if real then real.leave(now, head_score ~= nil) end
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

-- Weights told of what is before a ticket, at most.
local MOST_AHEAD = 1000

--- Where a ticket waits.
local function place_of(ticket, priority)
  local rank = redis.call('ZRANK', queue_key, ticket)
  if not rank then
    local due = redis.call('ZSCORE', delayed_key, delayed_member(priority, ticket))
    if due then return { 'delayed', '', due } end
    local score = redis.call('ZSCORE', parked_key, ticket)
    return score and { 'parked', '', score } or {}
  end
  local place = { 'queue', rank, redis.call('ZSCORE', queue_key, ticket) }
  if rank > 0 then
    local before = redis.call('ZRANGE', queue_key, 0, math.min(rank, MOST_AHEAD) - 1)
    for i = 1, #before do
      local _, _, weight = parse_ticket(before[i])
      place[#place + 1] = text(weight or 1)
    end
  end
  return place
end

local reply = {
  0, text(S.running), text(S.done), queued, redis.call('ZCARD', delayed_key), text(S.reservoir),
  starts_at_once(now, tonumber(ARGV[5])) and 1 or 0, text(now), text(S.nextRequest), text(S.unblockTime),
  text(S.lastReservoirRefresh), text(S.lastReservoirIncrease), redis.call('HGETALL', settings_key), redis.call('HLEN', job_weights_key),
}
if ARGV[6] then
  reply[#reply + 1] = text(S.rb_bucketTokens)
  reply[#reply + 1] = S.rb_windowMax and redis.call('LRANGE', starts_key, -S.rb_windowMax, -1) or {}
  reply[#reply + 1] = next_text and { next_text, priority_of(next_score) } or {}
  reply[#reply + 1] = ARGV[6] == '' and {} or place_of(ARGV[6], tonumber(ARGV[7]))
  reply[#reply + 1] = next_text and may_start(now, next_weight) and 1 or 0
end
return reply
