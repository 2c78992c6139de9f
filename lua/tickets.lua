-- Shows jobs: one by its id, or those in a state. Changes nothing.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: what offset limit
--   what           `=` and an id, or a state: ready, delayed, executing
--   offset, limit  of a state: how many to skip, and how many to tell at most
--
-- Returns {total, rows}: how many there are in all, and six values for each: state, ticket (client:seq, and weight and
-- expiration where they are known from there), priority, time at which it is due (ms) or empty, number of tickets before
-- it in the queue or empty, entry or empty (see lua/include/jobs.lua)
--
--- @include "jobs"

load_settings()
local rows = {}

local function entry_of(index)
  return S.rb_named and redis.call('HGET', jobs_key, 't' .. index) or ''
end

local function row(state, text, index, priority, due, place, entry)
  rows[#rows + 1] = state
  rows[#rows + 1] = text
  rows[#rows + 1] = priority
  rows[#rows + 1] = due
  rows[#rows + 1] = place
  rows[#rows + 1] = entry or entry_of(index)
end

local function index_of(text)
  return string.match(text, '^[^:]*:%w+') or text
end

--- The job of that id.
local function find(id)
  local index = redis.call('HGET', jobs_key, 'i' .. id)
  local entry = index and redis.call('HGET', jobs_key, 't' .. index)
  local priority, weight, expiration = open_jobs().parse_entry(entry or '')
  if not priority then return 0 end
  local client, seq = string.match(index, '^([^:]*):(.*)$')
  local text = ticket_text(client, seq, weight, expiration)
  if redis.call('HEXISTS', job_weights_key, index) == 1 then
    row('executing', text, index, priority, '', '', entry)
    return 1
  end
  local place = redis.call('ZRANK', queue_key, text)
  local due = redis.call('ZSCORE', delayed_key, delayed_member(priority, text))
  if place then row('ready', text, index, priority, '', place, entry)
  elseif due then row('delayed', text, index, priority, due, '', entry)
  elseif redis.call('ZSCORE', parked_key, text) then row('ready', text, index, priority, '', '', entry)
  else return 0 end
  return 1
end

--- Those whose owners do not listen are put aside, and come last.
local function list_ready(offset, limit)
  local in_queue, aside = redis.call('ZCARD', queue_key), redis.call('ZCARD', parked_key)
  local function list(key, from, first_place)
    local members = redis.call('ZRANGE', key, from, from + limit - #rows / 6 - 1, 'WITHSCORES')
    for i = 1, #members, 2 do
      row('ready', members[i], index_of(members[i]), priority_of(tonumber(members[i + 1])), '', first_place and first_place + (i - 1) / 2 or '')
    end
  end
  if offset < in_queue then list(queue_key, offset, offset) end
  if aside > 0 and #rows / 6 < limit then list(parked_key, math.max(0, offset - in_queue), nil) end
  return in_queue + aside
end

local function list_delayed(offset, limit)
  local members = redis.call('ZRANGE', delayed_key, offset, offset + limit - 1, 'WITHSCORES')
  for i = 1, #members, 2 do
    local priority, text = parse_delayed(members[i])
    if text then row('delayed', text, index_of(text), priority, members[i + 1], '') end
  end
  return redis.call('ZCARD', delayed_key)
end

local function list_executing(offset, limit)
  local indexes = redis.call('HKEYS', job_weights_key)
  table.sort(indexes)
  for i = offset + 1, math.min(offset + limit, #indexes) do
    row('executing', indexes[i] .. ':' .. redis.call('HGET', job_weights_key, indexes[i]) .. ':', indexes[i], '', '', '')
  end
  return #indexes
end

local what, offset, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local total
if string.sub(what, 1, 1) == '=' then total = find(string.sub(what, 2))
elseif what == 'ready' then total = list_ready(offset, limit)
elseif what == 'delayed' then total = list_delayed(offset, limit)
else total = list_executing(offset, limit) end
return { total, rows }
