// Generated from lua/ by scripts/build-lua.mjs: run "npm run lua:build" after a change there.

export interface PackedScript {
  /** What the script calls KEYS[1], KEYS[2] and so on; a last `...` means any number more. */
  readonly keys: readonly string[];
  /** The same for ARGV. */
  readonly args: readonly string[];
  /** SHA1 of the source: what EVALSHA takes. */
  readonly sha: string;
  /** What it consists of: `first+count` of the lines below, one after another. */
  readonly runs: string;
}

/** The lines of all scripts; what several share stands here once. */
const LINES = `local micros, write_all, SHARED_TIMES, ahead, S, set, settle, hold_wait, capacity, bucket_wait, window_wait, may_start, starts_at_once, take_slot, ticket_suffix, ticket_text, parse_ticket, number_of, front, score_of, priority_of, records, touched, record_of, counted, change, seen_step, entries_lost, is_ours, channel_of, open_jobs, jobs, page, forget_jobs, has_expirations, release, open_reclaim, open_refills, real, fair_turn, leave_until, effects, exact_number, append, note, is_listening, notices_to, notify, passed, page_at, remove_taken, close_page, head, new_weights, new_clients, new_expirations, start, start_plain, head_score, admit
return (function()
local add_run, bury_or_begin_anew, load_settings, meet_real, new_record, obey_block, plan_wakeup, promote_due, read_clock, refresh_ttl, release_expired, release_ones, save_records, save_settings, save_starts, saw, send_messages, start_waiting, tick, CALLER, bury_dead, delayed_member, free_starts, hold_starts, next_arrival, next_arrivals, open_real, parse_delayed, queue_length
do
function read_clock(given)
if given ~= '' then return tonumber(given) end
local time = redis.call('TIME')
return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end
function micros(ms)
return math.ceil(ms * 1000 - 0.001)
end
end
do
if redis.replicate_commands then redis.replicate_commands() end
function write_all(command, key, args)
local sum = 0
for i = 1, #args, 4000 do sum = sum + redis.call(command, key, unpack(args, i, math.min(i + 4000 - 1, #args))) end
return sum
end
end
do
local TEXT_FIELDS = { id = true, version = true, rb_epoch = true, rb_wakeClient = true, rb_mixed = true }
SHARED_TIMES = {
nextRequest = true, unblockTime = true, rb_unblockSeen = true, lastReservoirRefresh = true, lastReservoirIncrease = true,
}
ahead = 0
S = {}
local dirty = {}
function set(field, value)
S[field] = value
dirty[field] = true
end
function settle(sum)
if sum % 1 == 0 then return sum end
return math.floor(sum * 1e9 + 0.5) / 1e9
end
local function use_exact_min_time()
S.minTime = S.minTime or 0
if S.rb_minTime and math.ceil(S.rb_minTime) == math.ceil(S.minTime) then S.minTime = S.rb_minTime end
end
function load_settings()
local values = redis.call('HGETALL', KEYS[1])
for i = 2, #values, 2 do
local value = values[i]
if value ~= '' then
local field = values[i - 1]
S[field] = TEXT_FIELDS[field] and value or tonumber(value)
end
end
S.running = S.running or 0
S.done = S.done or 0
S.unblockTime = S.unblockTime or 0
S.clientTimeout = S.clientTimeout or 10000
S.rb_arrival = S.rb_arrival or 0
S.rb_ghosts = S.rb_ghosts or 0
use_exact_min_time()
S.nextRequest = S.nextRequest or 0
if S.rb_nextRequest and math.ceil(S.rb_nextRequest) == S.nextRequest then S.nextRequest = S.rb_nextRequest end
return S.rb_epoch ~= nil
end
function hold_starts(now)
set('rb_holdUntil', now + S.clientTimeout * 0.4)
end
function hold_wait(now)
return S.rb_holdUntil and math.max(0, S.rb_holdUntil - now) or 0
end
function save_settings()
local args = {}
for field in pairs(dirty) do
local value = S[field]
if value == nil then value = ''
elseif SHARED_TIMES[field] then value = value + ahead end
if field == 'nextRequest' then
args[#args + 1] = 'rb_nextRequest'
args[#args + 1] = value
value = math.ceil(value)
elseif field == 'minTime' then value = math.ceil(value)
end
args[#args + 1] = field
args[#args + 1] = value
end
if #args > 0 then redis.call('HSET', KEYS[1], unpack(args)) end
dirty = {}
end
function refresh_ttl(now)
if not S.groupTimeout then return end
local life = S.groupTimeout
if life < S.clientTimeout and (S.running > 0 or redis.call('EXISTS', KEYS[9], KEYS[10], KEYS[11]) > 0) then
life = S.clientTimeout
end
local ttl = math.ceil(math.max(S.nextRequest - now, hold_wait(now)) + life)
for i = 1, #KEYS do redis.call('PEXPIRE', KEYS[i], ttl) end
end
end
do
local TOKEN_TOLERANCE = 1e-9
function capacity()
local free = S.maxConcurrent and S.maxConcurrent - S.running
if free and S.reservoir then return math.min(free, S.reservoir) end
return free or S.reservoir
end
function bucket_wait(weight)
if not S.rb_bucketTokens or not S.rb_bucketCapacity or not S.rb_bucketRefillPerSecond then return 0 end
local missing = math.min(weight, S.rb_bucketCapacity) - S.rb_bucketTokens
if missing <= TOKEN_TOLERANCE then return 0 end
return missing * 1000 / S.rb_bucketRefillPerSecond
end
function window_wait(now)
if not S.rb_windowMax or not S.rb_windowDuration then return 0 end
local oldest = redis.call('LINDEX', KEYS[12], -S.rb_windowMax)
if not oldest then return 0 end
return math.max(0, tonumber(oldest) + S.rb_windowDuration - math.max(S.nextRequest, now))
end
function may_start(now, weight)
local left = capacity()
if left and weight > left then return false end
if S.rb_justInTime and S.nextRequest > now then return false end
if S.rb_holdUntil and S.rb_holdUntil > now then return false end
return (not S.rb_bucketTokens or bucket_wait(weight) == 0) and (not S.rb_windowMax or window_wait(now) == 0)
end
function starts_at_once(now, weight)
return S.nextRequest <= now and may_start(now, weight)
end
function take_slot(now, weight)
local at = math.max(S.nextRequest, now)
set('running', settle(S.running + weight))
if S.reservoir then set('reservoir', settle(S.reservoir - weight)) end
if S.rb_bucketTokens then set('rb_bucketTokens', S.rb_bucketTokens - weight) end
if S.rb_windowMax then
redis.call('RPUSH', KEYS[12], string.format('%.4f', at))
redis.call('LTRIM', KEYS[12], -S.rb_windowMax, -1)
end
if S.minTime > 0 or S.nextRequest > now then set('nextRequest', at + S.minTime) end
return at - now
end
end
do
local PRIORITY_STRIDE = 2 ^ 46
function ticket_suffix(weight, expiration)
if weight == '' and expiration == '' then return '' end
return ':' .. weight .. ':' .. expiration
end
function ticket_text(client, seq, weight, expiration)
return client .. ':' .. seq .. ticket_suffix(weight, expiration)
end
function parse_ticket(text)
local client, seq, rest = string.match(text, '^([^:]+):(%w+)(.*)$')
if not client then return nil end
if rest == '' then return client, seq, 1, nil, text end
local weight, expiration = string.match(rest, '^:([^:]*):([^:]*)$')
return client, seq, tonumber(weight) or 1, tonumber(expiration), client .. ':' .. seq
end
function delayed_member(priority, text)
local _, seq = parse_ticket(text)
return string.format('%02d%s %s %s', #seq, seq, priority, text)
end
function parse_delayed(member)
local priority, text = string.match(member, '^%w+ (%d+) (.*)$')
return tonumber(priority), text
end
local function base36(number)
local text = ''
repeat
local digit = number % 36
text = string.sub('0123456789abcdefghijklmnopqrstuvwxyz', digit + 1, digit + 1) .. text
number = (number - digit) / 36
until number == 0
return text
end
function number_of(seq)
return tonumber(seq, 36)
end
function add_run(list, client, run)
local n = #list
local first, count = string.match(run, '^(%w+)%+(%d+)$')
if not first then
list[n + 1] = client .. ':' .. run
return 1, number_of(run)
end
local front, number = client .. ':' .. string.sub(first, 1, -2), number_of(first)
local digit = number % 36
for i = 1, tonumber(count) do
list[n + i] = front .. string.sub('0123456789abcdefghijklmnopqrstuvwxyz', digit + 1, digit + 1)
digit = digit + 1
if digit == 36 then digit, front = 0, client .. ':' .. base36((number + i) / 36) end
end
return tonumber(count), number
end
function next_arrivals(now, count)
local arrival = math.max(S.rb_arrival + 1, math.floor((now - 1767225600000) * 100))
set('rb_arrival', arrival + count - 1)
return arrival
end
function next_arrival(now)
return next_arrivals(now, 1)
end
function score_of(priority, arrival)
return priority * PRIORITY_STRIDE + arrival
end
function priority_of(score)
return math.floor(score / PRIORITY_STRIDE)
end
end
do
records = {}
touched = {}
local function parse_record(text)
local step, notices, queued, running, seen, registered = string.match(text, '^(%d+):(%d+):(%d+):([%d%.e%-]+):(%d+):(%d+)$')
if not step then return nil end
queued, running = tonumber(queued), tonumber(running)
return {
step = tonumber(step), notices = tonumber(notices), queued = queued, running = running, seen = tonumber(seen),
registered = tonumber(registered), shown_queued = queued, shown_running = running, started = false, first_notice = false,
}
end
function record_of(client)
local record = records[client]
if record == nil then
local text = redis.call('HGET', KEYS[14], client)
record = text and parse_record(text) or false
if record and counted then record.running = counted[client] or 0 end
records[client] = record
end
return record or nil
end
function new_record(client)
local record = { step = 0, notices = 0, queued = 0, running = 0, seen = 0, registered = 0, fresh = true }
records[client] = record
touched[client] = true
return record
end
function change(client, record, queued, running)
if queued ~= 0 then record.queued = math.max(0, record.queued + queued) end
if running ~= 0 then record.running = math.max(0, settle(record.running + running)) end
touched[client] = true
end
function save_records(now, field, value)
local ours, queued, running, registered = {}, {}, {}, {}
for client in pairs(touched) do
local record = records[client]
if record then
local whole = record.fresh or S.rb_mixed
if whole or record.queued ~= record.shown_queued then
queued[#queued + 1] = client
queued[#queued + 1] = record.queued
end
if whole or record.running ~= record.shown_running then
running[#running + 1] = record.running
running[#running + 1] = client
end
if record.started and (S.rb_mixed or now - record.registered >= 10) then record.registered = math.floor(now)
else record.started = nil end
if record.started or record.fresh then
registered[#registered + 1] = record.started and record.registered + ahead or 0
registered[#registered + 1] = client
end
ours[#ours + 1] = client
ours[#ours + 1] = string.format('%d:%d:%d:%.15g:%d:%d', record.step, record.notices, record.queued, record.running, record.seen, record.registered)
end
end
if field then
ours[#ours + 1] = field
ours[#ours + 1] = value
end
if #ours == 0 then return end
redis.call('HSET', KEYS[14], unpack(ours))
if #queued > 0 then redis.call('HSET', KEYS[6], unpack(queued)) end
if #running > 0 then redis.call('ZADD', KEYS[5], unpack(running)) end
if #registered > 0 then redis.call('ZADD', KEYS[7], unpack(registered)) end
end
function seen_step()
return math.min(500, S.clientTimeout / 20)
end
entries_lost = false
function saw(client, now)
local record = record_of(client)
if record then
if not counted and now - record.seen < seen_step() then return end
record.seen = math.floor(now)
touched[client] = true
end
redis.call('ZADD', KEYS[13], math.floor(now), client)
local is_new = redis.call('ZADD', KEYS[8], math.floor(now + ahead), client) == 1
if is_new and S.rb_ours then set('rb_ours', (not record or record.fresh) and S.rb_ours + 1 or nil) end
end
function is_ours(client)
return string.find(client, '.', 1, true) ~= nil
end
function channel_of(client)
return 'b_rebottle:' .. string.match(client, '^[^.]*')
end
end
do
function open_jobs()
if jobs then return jobs end
jobs = {}
jobs.PER_MESSAGE, jobs.PER_CALL = 100, 1000
jobs.MARK = 'x'
function jobs.id_in(details)
local bytes, rest = string.match(details, '^%d+:(%d+):(.*)$')
return bytes and string.sub(rest, 1, tonumber(bytes))
end
function jobs.parse_entry(entry)
return string.match(entry, '^(%d+):([^:]*):([^:]*):(%d+):(.*)$')
end
jobs.fresh, jobs.fresh_ids = {}, {}
function jobs.save()
local fields = jobs.fresh
if #fields == 0 then return end
write_all('HSET', KEYS[15], fields)
jobs.fresh, jobs.fresh_ids = {}, {}
end
function jobs.is_taken(client, seq, details)
if not S.rb_named then return false end
local id = jobs.id_in(details)
if jobs.fresh_ids[id] then return true end
if string.sub(id, 1, #client + 1) == client .. '-' then return false end
local other = redis.call('HGET', KEYS[15], 'i' .. id)
if not other or other == client .. ':' .. seq then return false end
return record_of(string.match(other, '^[^:]*')) ~= nil and redis.call('HEXISTS', KEYS[15], 't' .. other) == 1
end
function jobs.remember(now, client, seq, priority, weight, expiration, details)
local index = client .. ':' .. seq
local entry = string.format('%d:%s:%s:%d:', priority, weight, expiration, math.floor(now)) .. details
local id = jobs.id_in(details)
jobs.fresh_ids[id] = true
local fresh, n = jobs.fresh, #jobs.fresh
fresh[n + 1], fresh[n + 2], fresh[n + 3], fresh[n + 4] = 't' .. index, entry, 'i' .. id, index
if not S.rb_named then set('rb_named', 1) end
end
function jobs.remember_again(now, client, seq, name)
if name == '' or redis.call('HEXISTS', KEYS[15], 't' .. client .. ':' .. seq) == 1 then return end
local priority, weight, expiration, details = string.match(name, '^(%d+):([^:]*):([^:]*):(.*)$')
jobs.remember(now, client, seq, tonumber(priority), weight, expiration, details)
end
function jobs.forget(indexes)
jobs.save()
for from = 1, #indexes, 4000 / 4 do jobs.forget_some(indexes, from, math.min(from + 4000 / 4 - 1, #indexes)) end
end
function jobs.forget_some(indexes, from, to)
local tickets, gone, ids, owners = {}, {}, {}, {}
for i = from, to do tickets[#tickets + 1] = 't' .. indexes[i] end
local entries = redis.call('HMGET', KEYS[15], unpack(tickets))
for i = 1, #entries do
if entries[i] then
gone[#gone + 1] = tickets[i]
local _, _, _, _, details = jobs.parse_entry(entries[i])
if details then
ids[#ids + 1] = 'i' .. jobs.id_in(details)
owners[#owners + 1] = indexes[from + i - 1]
end
end
end
if #ids > 0 then
local current = redis.call('HMGET', KEYS[15], unpack(ids))
for i = 1, #ids do
if current[i] == owners[i] then gone[#gone + 1] = ids[i] end
end
end
if #gone > 0 then redis.call('HDEL', KEYS[15], unpack(gone)) end
end
function jobs.take_out(client, priority, text)
local record = record_of(client)
if redis.call('ZREM', KEYS[9], text) == 1 or redis.call('ZREM', KEYS[11], text) == 1 then
if record then change(client, record, -1, 0) end
return 'ready'
end
return redis.call('ZREM', KEYS[10], delayed_member(priority, text)) == 1 and 'delayed' or nil
end
function jobs.mark(index)
redis.call('HSET', KEYS[15], 't' .. index, jobs.MARK)
end
function jobs.was_cancelled(client, seq)
if not S.rb_named then return false end
local field = 't' .. client .. ':' .. seq
return redis.call('HGET', KEYS[15], field) == jobs.MARK and redis.call('HDEL', KEYS[15], field) == 1
end
function jobs.send_orphans(client, caller, orphans)
for i = 1, #orphans, jobs.PER_MESSAGE do
local part = { unpack(orphans, i, math.min(i + jobs.PER_MESSAGE - 1, #orphans)) }
redis.call('PUBLISH', 'b_' .. S.id, 'rebottle-orphaned:' .. cjson.encode({ by = caller, client = client, jobs = part }))
end
end
function jobs.clear(client, caller, heir)
if not S.rb_named then return true end
local cursor, seen, orphans = '0', 0, {}
repeat
local page = redis.call('HSCAN', KEYS[15], cursor, 'MATCH', 't' .. client .. ':*', 'COUNT', 1000)
cursor = page[1]
for i = 1, #page[2], 2 do
local index, entry = string.sub(page[2][i], 2), page[2][i + 1]
local priority, weight, expiration = jobs.parse_entry(entry)
local seq = string.match(index, ':(.*)$')
if not priority then
redis.call('HDEL', KEYS[15], 't' .. index)
if heir then jobs.mark(heir .. ':' .. seq) end
else
local runs = redis.call('HEXISTS', KEYS[2], index) == 1
if caller or not runs then
local state = runs and 'executing' or jobs.take_out(client, priority, ticket_text(client, seq, weight, expiration))
if state then orphans[#orphans + 1] = { state, index, entry } end
jobs.forget({ index })
end
end
seen = seen + 1
end
until cursor == '0' or (caller and seen >= jobs.PER_CALL)
if caller then jobs.send_orphans(client, caller, orphans) end
return cursor == '0'
end
return jobs
end
function forget_jobs(indexes)
if S.rb_named then open_jobs().forget(indexes) end
end
end
do
local function take_fields(key, fields)
local values = {}
for from = 1, #fields, 16 do
local to = math.min(from + 16 - 1, #fields)
local part = redis.call('HMGET', key, unpack(fields, from, to))
redis.call('HDEL', key, unpack(fields, from, to))
for i = 1, #part do values[from + i - 1] = part[i] end
end
return values
end
local function forget_started(indexes)
forget_jobs(indexes)
if has_expirations ~= false then write_all('ZREM', KEYS[3], indexes) end
end
function release(indexes, owner)
if #indexes == 0 then return 0 end
local weights = take_fields(KEYS[2], indexes)
local clients = not owner and take_fields(KEYS[4], indexes)
local total = 0
local foreign = {}
for i = 1, #indexes do
local weight = tonumber(weights[i])
if weight then
total = settle(total + weight)
local client = owner or clients[i] or string.match(indexes[i], '^([^:]+):%w+$')
local record = client and record_of(client)
if record then change(client, record, 0, -weight)
elseif client and weight ~= 0 then foreign[client] = (foreign[client] or 0) + weight end
end
end
if owner then write_all('HDEL', KEYS[4], indexes) end
forget_started(indexes)
for client, weight in pairs(foreign) do
if redis.call('ZSCORE', KEYS[5], client) then redis.call('ZINCRBY', KEYS[5], -weight, client) end
end
if total ~= 0 then set('running', math.max(0, settle(S.running - total))) end
return total
end
function release_ones(indexes, client)
if #indexes == 0 then return 0 end
local total = write_all('HDEL', KEYS[2], indexes)
write_all('HDEL', KEYS[4], indexes)
forget_started(indexes)
change(client, record_of(client), 0, -total)
if total ~= 0 then set('running', math.max(0, settle(S.running - total))) end
return total
end
local reclaim
function open_reclaim()
if reclaim then return reclaim end
local function expire(now)
local expired = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', string.format('(%.3f', now + ahead), 'LIMIT', 0, 1000)
local total = release(expired)
redis.call('ZREM', KEYS[3], unpack(expired))
if total ~= 0 then set('done', settle(S.done + total)) end
end
local function forget(client)
records[client] = false
touched[client] = nil
redis.call('HDEL', KEYS[14], client, 'r:' .. client)
redis.call('ZREM', KEYS[13], client)
redis.call('ZREM', KEYS[5], client)
redis.call('HDEL', KEYS[6], client)
redis.call('ZREM', KEYS[7], client)
local was_there = redis.call('ZREM', KEYS[8], client) == 1
if is_ours(client) and S.rb_ours then set('rb_ours', was_there and S.rb_ours - 1 or nil) end
end
local function begin_anew(now)
set('rb_epoch', string.format('%.3f', now))
hold_starts(now)
if S.rb_mixed then return end
for i = 2, #KEYS do
if KEYS[i] ~= KEYS[12] then redis.call('DEL', KEYS[i]) end
end
records, touched = {}, {}
set('running', 0)
set('rb_ghosts', 0)
set('rb_ours', 0)
set('rb_delayed', nil)
end
local DEAD_PER_CALL = 20
local function started_tickets(client)
local found = {}
local cursor = '0'
repeat
local page = redis.call('HSCAN', KEYS[2], cursor, 'MATCH', client .. ':*', 'COUNT', 1000)
cursor = page[1]
for i = 1, #page[2], 2 do found[#found + 1] = page[2][i] end
until cursor == '0' or #found >= 1000
return found, cursor == '0'
end
local function release_client(client)
local indexes, whole = started_tickets(client)
for from = 1, #indexes, 4000 do
local part = {}
for j = from, math.min(from + 4000 - 1, #indexes) do part[#part + 1] = indexes[j] end
release(part)
end
return whole
end
local function end_grace(client)
local indexes = started_tickets(client)
for i = 1, #indexes do
if redis.call('ZSCORE', KEYS[3], indexes[i]) then
redis.call('ZINCRBY', KEYS[3], -1000, indexes[i])
end
end
end
local function give_up(client, record)
local ghosts = record and record.queued or 0
if redis.call('EXISTS', KEYS[11]) == 1 then
local cursor = '0'
repeat
local page = redis.call('ZSCAN', KEYS[11], cursor, 'MATCH', client .. ':*', 'COUNT', 1000)
cursor = page[1]
for i = 1, #page[2], 2 do ghosts = ghosts - redis.call('ZREM', KEYS[11], page[2][i]) end
until cursor == '0'
end
if ghosts > 0 then set('rb_ghosts', S.rb_ghosts + ghosts) end
local rest = record and record.running or tonumber(redis.call('ZSCORE', KEYS[5], client) or 0)
if rest > 0 then set('running', math.max(0, settle(S.running - rest))) end
forget(client)
end
local WEIGHT_TOLERANCE = 1e-6
local function accounts_agree(now)
if now - tonumber(S.rb_epoch) < S.clientTimeout then return true end
if entries_lost or (S.rb_ours and redis.call('ZCARD', KEYS[13]) ~= S.rb_ours) then return false end
local holders = redis.call('ZRANGEBYSCORE', KEYS[5], '(0', '+inf', 'WITHSCORES')
local sum = 0
for i = 1, #holders, 2 do
if not redis.call('ZSCORE', KEYS[13], holders[i]) then return false end
sum = sum + tonumber(holders[i + 1])
end
for client in pairs(touched) do
local record = records[client]
if record then sum = sum + record.running - (record.shown_running or 0) end
end
return math.abs(sum - S.running) < WEIGHT_TOLERANCE
end
local function spare_silent(now)
set('rb_buryAt', now + S.clientTimeout * 0.4)
end
local function bury(now, caller)
local all = true
local dead = redis.call('ZRANGEBYSCORE', KEYS[13], '-inf', math.floor(now - S.clientTimeout), 'LIMIT', 0, DEAD_PER_CALL)
for i = 1, #dead do
local client = dead[i]
if client ~= caller then
local record = record_of(client)
local whole = not S.rb_named or open_jobs().clear(client, caller)
if whole and redis.call('EXISTS', KEYS[2]) == 1 then whole = release_client(client) end
if whole then give_up(client, record) else all = false end
end
end
if not all or #dead == DEAD_PER_CALL then return false end
set('rb_buryAt', math.floor(now + seen_step()))
return true
end
reclaim = {
expire = expire, bury = bury, spare_silent = spare_silent, release_client = release_client, end_grace = end_grace,
give_up = give_up, forget = forget, begin_anew = begin_anew, accounts_agree = accounts_agree,
}
return reclaim
end
function release_expired(now)
local first = redis.call('ZRANGE', KEYS[3], '0', '0', 'WITHSCORES')[2]
has_expirations = first and true or false
if first and tonumber(first) < now + ahead then open_reclaim().expire(now) end
end
function bury_dead(now, caller)
return (not S.rb_buryAt or now >= S.rb_buryAt) and open_reclaim().bury(now, caller)
end
end
do
local refills
function open_refills()
if refills then return refills end
local SHORTEST_INTERVAL = 1
local function interval_of(setting)
return setting and math.max(setting, SHORTEST_INTERVAL)
end
local function add_to_reservoir(amount)
local reservoir = S.reservoir or 0
local increase = amount
if S.reservoirIncreaseMaximum then increase = math.min(amount, S.reservoirIncreaseMaximum - reservoir) end
if increase > 0 then set('reservoir', reservoir + increase) end
end
local function refresh_reservoir(now)
local interval = interval_of(S.reservoirRefreshInterval)
if not interval or not S.reservoirRefreshAmount then return nil end
if not S.lastReservoirRefresh then set('lastReservoirRefresh', math.floor(now)) end
local last = S.lastReservoirRefresh
if now < last + interval then return nil end
set('lastReservoirRefresh', last + math.floor((now - last) / interval) * interval)
set('reservoir', S.reservoirRefreshAmount)
return S.lastReservoirRefresh
end
local function increase_reservoir(now, refreshed_at)
local interval = interval_of(S.reservoirIncreaseInterval)
if not interval or not S.reservoirIncreaseAmount then return end
if not S.lastReservoirIncrease then set('lastReservoirIncrease', math.floor(now)) end
local last = S.lastReservoirIncrease
if now < last + interval then return end
local intervals = math.floor((now - last) / interval)
set('lastReservoirIncrease', last + intervals * interval)
local lost = 0
if refreshed_at and refreshed_at > last then lost = math.max(0, math.ceil((refreshed_at - last) / interval) - 1) end
add_to_reservoir(S.reservoirIncreaseAmount * (intervals - lost))
end
local function refill_bucket(now)
local capacity, rate = S.rb_bucketCapacity, S.rb_bucketRefillPerSecond
if not capacity or not rate then return end
local tokens = S.rb_bucketTokens or capacity
set('rb_bucketTokens', math.min(capacity, tokens + math.max(0, now - (S.rb_bucketTime or now)) * rate / 1000))
set('rb_bucketTime', now)
end
local function refill(now)
increase_reservoir(now, refresh_reservoir(now))
refill_bucket(now)
end
local function next_refill()
local refresh_every, increase_every = interval_of(S.reservoirRefreshInterval), interval_of(S.reservoirIncreaseInterval)
local refresh = refresh_every and S.reservoirRefreshAmount and S.lastReservoirRefresh + refresh_every
local increase = increase_every and S.reservoirIncreaseAmount and S.lastReservoirIncrease + increase_every
if refresh and increase then return math.min(refresh, increase) end
return refresh or increase or nil
end
refills = { refill = refill, next = next_refill }
return refills
end
function tick(now)
if S.reservoirRefreshInterval or S.reservoirIncreaseInterval or S.rb_bucketCapacity then open_refills().refill(now) end
end
end
do
function open_real()
local mixed
local view
local CLOCK_KEPT, CLOCK_CAP, CLOCK_NOTABLE = 30000, 60000, 1000
local SHORTEST_REAL_ID = 8
local function by_member(key)
local found = {}
local entries = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
for i = 1, #entries, 2 do found[entries[i]] = tonumber(entries[i + 1]) end
return found
end
local function look_at_clients()
view = {
seen = by_member(KEYS[8]), running = by_member(KEYS[5]),
registered = by_member(KEYS[7]), queued = {}, living = {},
}
local counts = redis.call('HGETALL', KEYS[6])
for i = 1, #counts, 2 do view.queued[counts[i]] = tonumber(counts[i + 1]) end
end
local function private_channel(client)
return 'b_' .. S.id .. '_' .. client
end
local function register_real(client, now)
redis.call('ZADD', KEYS[5], 0, client)
redis.call('HSET', KEYS[6], client, 0)
redis.call('ZADD', KEYS[7], 0, client)
redis.call('ZADD', KEYS[8], math.floor(now + ahead), client)
end
local function bury_real(client)
local cursor, found = '0', {}
repeat
local page = redis.call('HSCAN', KEYS[4], cursor, 'COUNT', 1000)
cursor = page[1]
for i = 1, #page[2], 2 do
if page[2][i + 1] == client then found[#found + 1] = page[2][i] end
end
until cursor == '0' or #found >= 1000
for from = 1, #found, 4000 do release({ unpack(found, from, math.min(from + 4000 - 1, #found)) }) end
if cursor ~= '0' then return end
open_reclaim().forget(client)
view.seen[client] = nil
mixed.real[client] = nil
end
local function count_listeners(ids)
local counts = {}
for from = 1, #ids, 4000 do
local channels = {}
for i = from, math.min(from + 4000 - 1, #ids) do channels[#channels + 1] = private_channel(ids[i]) end
local reply = redis.call('PUBSUB', 'NUMSUB', unpack(channels))
for i = 2, #reply, 2 do counts[#counts + 1] = tonumber(reply[i]) end
end
return counts
end
local function gives_signs(client, state, now)
if state.seen ~= view.seen[client] then
state.seen, state.at = view.seen[client], now
end
return state.at ~= nil and now - state.at < S.clientTimeout
end
local function judge_real(now, exact)
local ids = {}
for client in pairs(view.seen) do
if not is_ours(client) and not mixed.real[client] then mixed.real[client] = {} end
end
for client in pairs(mixed.real) do ids[#ids + 1] = client end
local listeners = exact and count_listeners(ids)
for i = 1, #ids do
local client = ids[i]
local state = mixed.real[client]
local lives
if exact then lives = listeners[i] > 0 else lives = gives_signs(client, state, now) end
if lives then
state.gone = nil
if exact and not view.seen[client] then
register_real(client, now)
state.healed = true
view.seen[client], view.running[client], view.registered[client], view.queued[client] = now + ahead, 0, 0, 0
end
view.living[#view.living + 1] = client
elseif not view.seen[client] then mixed.real[client] = nil
else
state.gone = state.gone or now
if now - state.gone >= S.clientTimeout then bury_real(client) end
end
end
end
local function follow_clocks(now)
local fastest = 0
for i = 1, #view.living do fastest = math.max(fastest, (view.seen[view.living[i]] or 0) - now) end
local clock = mixed.clock or { at = now, recent = 0, before = 0, told = 0 }
mixed.clock = clock
if now - clock.at > CLOCK_KEPT then
clock.before = now - clock.at > 2 * CLOCK_KEPT and 0 or clock.recent
clock.recent, clock.at = 0, now
end
clock.recent = math.max(clock.recent, math.ceil(math.min(fastest, CLOCK_CAP)))
ahead = math.max(clock.recent, clock.before)
if ahead < CLOCK_NOTABLE then clock.told = 0
elseif ahead > clock.told + CLOCK_NOTABLE then
clock.told = ahead
redis.call('PUBLISH', 'b_' .. S.id, 'rebottle-clock:' .. ahead)
end
end
local function read_shared_times(now)
for field in pairs(SHARED_TIMES) do
if S[field] then S[field] = S[field] - ahead end
end
if S.minTime == 0 and S.unblockTime < now and S.nextRequest > now then S.nextRequest = now end
end
local function correct_records()
counted = view.running
for client, record in pairs(records) do
if record and not record.fresh then record.running = counted[client] or 0 end
end
end
local function register_ours()
for client in pairs(touched) do
local record = records[client]
if record then
if not view.registered[client] then record.fresh = true end
if not view.seen[client] then
local seen = redis.call('ZSCORE', KEYS[13], client)
if seen then
redis.call('ZADD', KEYS[8], 'NX', math.floor(tonumber(seen) + ahead), client)
view.seen[client] = tonumber(seen)
end
end
end
end
end
local function register_all()
local ours = redis.call('ZRANGE', KEYS[13], 0, -1)
for i = 1, #ours do
local record = record_of(ours[i])
if record then
touched[ours[i]] = true
record.fresh = true
end
end
register_ours()
local count = 0
for client in pairs(view.seen) do
if is_ours(client) then count = count + 1 end
end
set('rb_ours', count)
end
local function heal_real(now)
local prefix = 'b_' .. S.id .. '_'
local pattern = string.gsub(prefix, '[%*%?%[%]%^\\\\]', '\\\\%0') .. '*'
local channels = redis.call('PUBSUB', 'CHANNELS', pattern)
local found = {}
local parents = {}
for i = 1, #channels do
local rest = string.sub(channels[i], #prefix + 1)
local parent = string.match(rest, '^(.*)_[0-9a-z]+$')
if parent then parents[parent] = true
elseif #rest >= SHORTEST_REAL_ID and string.find(rest, '^[0-9a-z]+$') then found[#found + 1] = rest end
end
local base = string.sub(KEYS[1], 1, -#'_settings' - 1)
local healed = false
for i = 1, #found do
local client = found[i]
local is_limiter = parents[client] or redis.pcall('EXISTS', base .. '_' .. client .. '_settings') == 1
if not is_limiter then
healed = true
if not redis.call('ZSCORE', KEYS[8], client) then register_real(client, now) end
end
end
return healed
end
local HOLD, LONGEST_HOLD, HOLD_REST, GATHER = 150, 1000, 30, 1000
local NEED_KEPT = 10000
local FIRST_BACKOFF, LONGEST_BACKOFF = 1000, 30000
local MOST_CREDIT = 4
local UNKNOWN_QUEUE = 5
local share
local function has_queue(client)
return (view.queued[client] or 0) ~= 0 or mixed.real[client].healed == true
end
local function wants(client, now)
local state = mixed.real[client]
if not state or state.gone or (state.off and now < state.off) then return false end
return has_queue(client)
end
local function count_ours(client)
if share.working[client] then return end
share.working[client] = true
share.ours_count = share.ours_count + 1
local record = records[client]
share.ours = share.ours + (record and record.running or view.running[client] or 0)
end
local function weigh_up(now)
if share then return share end
share = { real = 0, real_count = 0, ours = 0, ours_count = 0, working = {}, held = 0, held_for = {} }
for i = 1, #mixed.offers do
local offer = mixed.offers[i]
share.held = share.held + offer.k
share.held_for[offer.c] = (share.held_for[offer.c] or 0) + offer.k
end
for i = 1, #view.living do
local client = view.living[i]
if wants(client, now) then
share.real_count = share.real_count + 1
share.real = share.real + (view.running[client] or 0)
end
end
for client, queued in pairs(view.queued) do
if is_ours(client) then
local record = records[client]
if record then queued = record.queued end
if queued > 0 then count_ours(client) end
end
end
return share
end
local function ours_are_behind()
local theirs = (share.real + share.held) / share.real_count
local ours = share.ours / math.max(1, share.ours_count)
if theirs ~= ours then return ours < theirs end
return mixed.credit >= 0
end
local function room_for(client)
local queued = view.queued[client] or 0
local most = queued > 0 and math.max(queued, mixed.real[client].need or 1) or UNKNOWN_QUEUE
return most - (share.held_for[client] or 0)
end
local function neediest(now)
local best, best_load, best_time
for i = 1, #view.living do
local client = view.living[i]
if wants(client, now) and room_for(client) > 0 then
local load = (view.running[client] or 0) + (share.held_for[client] or 0)
local time = view.registered[client] or 0
if not best or load < best_load or (load == best_load and time < best_time) then
best, best_load, best_time = client, load, time
end
end
end
return best
end
local function new_offer(client)
for i = 1, #mixed.offers do
local offer = mixed.offers[i]
if offer.c == client and offer.told == 0 then return offer end
end
end
local function offer_more(now)
local client = neediest(now)
if not client then return false end
local offer, amount = new_offer(client), 1
if not offer then
local state = mixed.real[client]
if state.need and now - state.needed > NEED_KEPT then state.need = nil end
amount = state.need or 1
offer = { c = client, due = 0, k = 0, told = 0, took = 0, ends = now + GATHER, registered = view.registered[client] or 0 }
mixed.offers[#mixed.offers + 1] = offer
end
offer.due, offer.k = offer.due + 1, offer.k + amount
share.held = share.held + amount
share.held_for[client] = (share.held_for[client] or 0) + amount
return true
end
local function hold_of(client)
return math.min(LONGEST_HOLD, HOLD * 2 ^ (mixed.real[client].tries or 0))
end
local function send_offers(now)
local left = capacity() or math.huge
for i = 1, #mixed.offers do
local offer = mixed.offers[i]
local there = math.max(0, math.min(offer.k, math.floor(left)))
left = left - offer.k
if there > offer.told then
offer.told = there
if there == offer.k then offer.ends = now + hold_of(offer.c) end
redis.call('PUBLISH', private_channel(offer.c), string.format('capacity:%d', there))
end
end
end
local function was_used(offer, state, now)
state.off, state.tries = nil, nil
if offer.took > 1 and state.need then state.need, state.needed = math.min(state.need, offer.took), now end
end
local function was_in_vain(client, state, now)
local most = S.maxConcurrent or S.reservoir or 1
local need = state.need or 1
if need < most then
state.need, state.needed = math.min(2 * need, most), now
return
end
state.need = nil
state.tries = (state.tries or 0) + 1
state.off = now + math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ^ (state.tries - 1))
state.registered = view.registered[client] or 0
end
local function review_offers(now, growth)
local kept = {}
for i = 1, #mixed.offers do
local offer = mixed.offers[i]
local state = mixed.real[offer.c]
local took = math.min(growth, offer.k)
growth = growth - took
offer.k, offer.told, offer.took = offer.k - took, offer.told - took, offer.took + took
if took > 0 then offer.used, offer.ends = true, now + HOLD_REST
elseif (view.registered[offer.c] or 0) ~= offer.registered then offer.used = true end
local over = offer.took >= offer.due or now >= offer.ends
if state and wants(offer.c, now) and not over then kept[#kept + 1] = offer
elseif state and offer.used then was_used(offer, state, now)
elseif state and over then was_in_vain(offer.c, state, now) end
end
mixed.offers = kept
end
local function end_backoffs()
for i = 1, #view.living do
local client = view.living[i]
local state = mixed.real[client]
if state.off and view.registered[client] ~= state.registered then state.off, state.tries = nil, nil end
end
end
local PACE_WINDOW, PACE_STEP, PACE_NEAR = 60, 10, 50
local HANDFUL = 5
local function count_bookings(now, growth)
local pace = mixed.pace or { last = 0, at = 0, theirs = 0, mine = 0 }
mixed.pace = pace
if growth == 0 then return end
if now - pace.last > PACE_WINDOW then pace.theirs, pace.mine = 0, 0 end
pace.theirs, pace.last = pace.theirs + growth, now
end
local function booking_count(now)
local count = 0
for i = 1, #view.living do
if (view.registered[view.living[i]] or 0) > now + ahead - 1000 then count = count + 1 end
end
return math.max(1, count)
end
local function is_paced(now)
if S.minTime == 0 or S.nextRequest - now <= PACE_NEAR then return false end
local pace = mixed.pace
local most = HANDFUL
if now - pace.last <= PACE_WINDOW then
most = most + pace.theirs * math.max(1, weigh_up(now).ours_count) / booking_count(now)
elseif now - pace.at >= PACE_STEP then
pace.at, pace.mine, pace.theirs = now, 0, 0
end
if pace.mine >= most then return true end
pace.mine = pace.mine + 1
return false
end
local function earn(credit)
mixed.credit = math.max(-MOST_CREDIT, math.min(MOST_CREDIT, mixed.credit + credit))
end
local function look_back(now)
local total = S.done + S.running
local growth = mixed.total and math.max(0, total - mixed.total) or 0
end_backoffs()
review_offers(now, growth)
count_bookings(now, growth)
local waiting = weigh_up(now).real_count
share = nil
if waiting == 0 then mixed.credit = 0
else earn(growth / waiting) end
end
local function is_our_turn(now, client, weight)
local left = capacity()
weigh_up(now)
count_ours(client)
if not left or weight == 0 then return true end
while true do
if weight > left - share.held then return false end
if share.real_count == 0 or ours_are_behind() or not offer_more(now) then return true end
end
end
local function count_start(weight)
share.ours = share.ours + weight
if share.real_count > 0 then earn(-weight / share.ours_count) end
mixed.since = nil
end
local function tell_all(free)
for i = 1, #view.living do
if has_queue(view.living[i]) then return redis.call('PUBLISH', 'b_' .. S.id, string.format('capacity:%d', free)) end
end
end
local function pass_on(now, waiting)
local left = capacity()
if not left then
if view.had then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:') end
return
end
if not waiting then
if left > 0 and (not view.had or left > view.had or #mixed.offers > 0) then tell_all(left) end
mixed.offers = {}
return
end
if weigh_up(now).real_count == 0 or left <= share.held or view.paced then return end
if ours_are_behind() then
mixed.since = mixed.since or now
if now - mixed.since < GATHER then return end
end
while left > share.held and offer_more(now) do end
end
local LEASE = 2
local function meet(now, client, exact)
local state = S.rb_mixed and cjson.decode(S.rb_mixed)
mixed = state or { real = {}, offers = {}, credit = 0 }
look_at_clients()
local had = capacity()
view.had = had
if records[client] then touched[client] = true end
correct_records()
judge_real(now, exact)
if next(mixed.real) == nil then
mixed, counted = nil, nil
if state then set('rb_mixed', nil) elseif S.rb_ours then entries_lost = true end
register_all()
return false
end
follow_clocks(now)
read_shared_times(now)
look_back(now)
S.rb_justInTime = nil
return true
end
local function leave(now, waiting)
pass_on(now, waiting)
send_offers(now)
register_ours()
mixed.total = S.done + S.running
set('rb_mixed', cjson.encode(mixed))
end
local function take_turn(now, client, weight)
if is_paced(now) then
view.paced = true
return false
end
if not is_our_turn(now, client, weight) then
view.held_back = true
return false
end
count_start(weight)
return true
end
local function lease_until(now, wait, expiration)
local ends = expiration and now + wait + expiration + 1000
if mixed then ends = math.min(ends or math.huge, now + LEASE * S.clientTimeout) end
return ends and math.ceil(ends + ahead)
end
local function renew(now, client, record, seq, text)
local index = client .. ':' .. seq
local weight, expires_in = string.match(text, '^([^:]*):([^:]*)$')
weight, expires_in = tonumber(weight), tonumber(expires_in)
if redis.call('HEXISTS', KEYS[2], index) == 0 then
if expires_in and expires_in <= 0 then return end
redis.call('HSET', KEYS[2], index, weight)
redis.call('HSET', KEYS[4], index, client)
set('running', settle(S.running + weight))
change(client, record, 0, weight)
end
local ends = lease_until(now, 0, expires_in)
if ends then
redis.call('ZADD', KEYS[3], string.format('%.0f', ends), index)
has_expirations = true
else redis.call('ZREM', KEYS[3], index) end
end
local function wait_for_real(now, wait, waiting)
local function by(time)
local span = math.max(1, time - now)
if not wait or span < wait then wait = span end
end
if view.held_back then wait = nil
elseif view.paced then wait = PACE_STEP end
if waiting then
for i = 1, #mixed.offers do by(mixed.offers[i].ends) end
if mixed.since then by(mixed.since + GATHER) end
end
for _, state in pairs(mixed.real) do
if state.gone then by(state.gone + S.clientTimeout) end
end
local refill = weigh_up(now).real_count > 0 and open_refills().next()
if refill then by(refill) end
return wait
end
local function left()
local free = capacity()
if not free then return '' end
for i = 1, mixed and #mixed.offers or 0 do free = free - mixed.offers[i].k end
return string.format('%d', math.max(0, math.floor(free)))
end
local function restore(now)
if heal_real(now) then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:' .. left()) end
end
return {
meet = meet, leave = leave, fair_turn = take_turn, leave_until = lease_until, renew = renew, wait = wait_for_real, left = left,
restore = restore,
}
end
function meet_real(now, client, exact)
if not S.rb_mixed and redis.call('ZCARD', KEYS[8]) == S.rb_ours then return end
local functions = open_real()
if functions.meet(now, client, exact) then real = functions end
end
function bury_or_begin_anew(now, client)
if not bury_dead(now, client) or real or open_reclaim().accounts_agree(now) then return false end
open_reclaim().begin_anew(now)
return true
end
function fair_turn(now, client, weight)
return not real or real.fair_turn(now, client, weight)
end
function leave_until(now, wait, expiration)
if real then return real.leave_until(now, wait, expiration) end
return expiration and math.ceil(now + wait + expiration + 1000)
end
end
do
effects = {}
function exact_number(number)
return number == math.floor(number) and number or string.format('%.15g', number)
end
local function goes_on(kind, first, count, b)
if type(b) ~= 'number' or type(first) ~= 'number' then return b == first end
if kind == 1 then return b == first + count end
if kind == 2 or kind == 5 then return b == first - count end
return b == first
end
function append(list, kind, number, count, a, b)
local n = #list
local before = list[n - 2]
if list[n - 4] == kind and list[n - 3] + before == number and list[n - 1] == a and goes_on(kind, list[n], before, b) then
list[n - 2] = before + count
return
end
list[n + 1] = kind
list[n + 2] = number
list[n + 3] = count
list[n + 4] = a
list[n + 5] = b
end
function note(kind, number, a, b)
append(effects, kind, number, 1, a, b)
end
local messages
local function open_messages()
if messages then return messages end
local outbox, by_client = {}, {}
local listening = {}
local function effects_of(client, record)
local message = by_client[client]
if not message then
message = { c = client, n = record and record.first_notice or 0, e = {} }
by_client[client] = message
outbox[#outbox + 1] = message
end
return message.e
end
local function send()
for i = 1, #outbox do redis.call('PUBLISH', channel_of(outbox[i].c), cjson.encode(outbox[i])) end
end
local function is_listening(client)
local channel = channel_of(client)
if listening[channel] == nil then
listening[channel] = redis.call('PUBSUB', 'NUMSUB', channel)[2] > 0
end
return listening[channel]
end
messages = { effects_of = effects_of, send = send, is_listening = is_listening }
return messages
end
function notices_to(client, count)
local record = record_of(client)
if record then
record.first_notice = record.first_notice or record.notices + 1
record.notices = record.notices + count
touched[client] = true
end
return client == CALLER and effects or open_messages().effects_of(client, record)
end
function notify(client, kind, number, a, b)
append(notices_to(client, 1), kind, number, 1, a, b)
end
function send_messages()
if messages then messages.send() end
end
function is_listening(client, exact)
return not exact or client == CALLER or open_messages().is_listening(client)
end
end
do
passed = 0
page, page_at = {}, 1
local expected
local page_is_last = false
local taken = 0
function remove_taken()
if taken > 0 then redis.call('ZREMRANGEBYRANK', KEYS[9], '0', string.format('%d', taken - 1)) end
taken = 0
end
function close_page()
remove_taken()
page, page_at, page_is_last = {}, 1, false
end
function front()
if page[page_at] then return page[page_at] end
remove_taken()
if page_is_last then return nil end
local last = math.min(expected or (page_at == 1 and 1 or 128), 128)
page = redis.call('ZRANGE', KEYS[9], '0', string.format('%d', last))
page_at = 1
page_is_last = #page <= last
return page[1]
end
local function take(count)
page_at = page_at + count
taken = taken + count
end
local function queued_score(text)
return redis.call('ZSCORE', KEYS[9], text)
end
function queue_length()
return math.max(0, redis.call('ZCARD', KEYS[9]) - taken - S.rb_ghosts)
end
function head(exact)
while true do
local text = front()
if not text then return nil end
local client, seq, weight, expiration, index = parse_ticket(text)
local record = client and record_of(client)
if record and is_listening(client, exact) then return text, client, seq, weight, expiration, index end
passed = passed + 1
if passed > 500 then return nil end
if record then redis.call('ZADD', KEYS[11], queued_score(text), text)
elseif S.rb_ghosts > 0 then set('rb_ghosts', S.rb_ghosts - 1) end
take(1)
end
end
new_weights, new_clients, new_expirations = {}, {}, {}
function start(now, kind, client, number, weight, expiration, index)
local wait = take_slot(now, weight)
local record = record_of(client)
record.started = true
change(client, record, kind == 2 and -1 or 0, weight)
local n = #new_weights
new_weights[n + 1] = index
new_weights[n + 2] = weight == 1 and '1' or weight
new_clients[n + 1] = index
new_clients[n + 2] = client
local leave = leave_until(now, wait, expiration)
if leave then
new_expirations[#new_expirations + 1] = string.format('%.0f', math.ceil(leave))
new_expirations[#new_expirations + 1] = index
has_expirations = true
end
notify(client, kind, number, micros(wait), S.reservoir and exact_number(S.reservoir) or '')
end
function free_starts(now)
if real or S.minTime > 0 or S.rb_windowMax or S.rb_bucketTokens then return 0 end
return starts_at_once(now, 1) and math.floor(capacity() or 4000) or 0
end
local function run_length(numbers, i, last)
local to = i
while to < last and numbers[to + 1] == numbers[to] + 1 do to = to + 1 end
return to - i + 1
end
function start_plain(kind, client, indexes, numbers, from, to)
local count = to - from + 1
set('running', settle(S.running + count))
local left = S.reservoir
if left then set('reservoir', settle(left - count)) end
local record = record_of(client)
record.started = true
change(client, record, kind == 2 and -count or 0, count)
local n = #new_weights
for i = from, to do
local index = indexes[i]
new_weights[n + 1] = index
new_weights[n + 2] = '1'
new_clients[n + 1] = index
new_clients[n + 2] = client
n = n + 2
end
local told = notices_to(client, count)
local i = from
while i <= to do
local run = left and 1 or run_length(numbers, i, to)
if left then left = settle(left - run) end
append(told, kind, numbers[i], run, 0, left and exact_number(left) or '')
i = i + run
end
end
local function take_plain(client, most)
local its_own = '^' .. string.gsub(client, '%W', '%%%0') .. ':(%w+)$'
local indexes, numbers = {}, {}
local last = math.min(#page, page_at + most - 1)
for i = page_at, last do
local seq = string.match(page[i], its_own)
if not seq then break end
local n = #indexes + 1
indexes[n] = page[i]
numbers[n] = number_of(seq)
end
take(#indexes)
return indexes, numbers
end
function start_waiting(now, exact)
while true do
local free = free_starts(now)
expected = free > 1 and free or nil
local text, client, seq, weight, expiration, index = head(exact)
if not text or not may_start(now, weight) or not fair_turn(now, client, weight) then
head_score = text and tonumber(queued_score(text))
return
end
local behind = page[page_at + 1]
if free > 1 and index == text and behind and string.sub(behind, 1, #client) == client then
local indexes, numbers = take_plain(client, free)
start_plain(2, client, indexes, numbers, 1, #indexes)
else
take(1)
start(now, 2, client, number_of(seq), weight, expiration, index)
end
end
end
local LONG_VALUE, MANY_VALUES = string.rep('-', 65), 16
local function save_started(key, values)
local many = #values > 2 * MANY_VALUES
if many then redis.call('HSET', key, '', LONG_VALUE) end
write_all('HSET', key, values)
if many then redis.call('HDEL', key, '') end
end
function save_starts()
remove_taken()
save_started(KEYS[2], new_weights)
save_started(KEYS[4], new_clients)
write_all('ZADD', KEYS[3], new_expirations)
end
function promote_due(now)
if not S.rb_delayed then return end
close_page()
local due = redis.call('ZRANGEBYSCORE', KEYS[10], '-inf', string.format('%.3f', now), 'LIMIT', 0, 500)
if #due == 0 then return end
local queued = {}
for i = 1, #due do
local priority, text = parse_delayed(due[i])
local client = parse_ticket(text or '')
local record = client and record_of(client)
if record then
change(client, record, 1, 0)
queued[#queued + 1] = score_of(priority, next_arrival(now))
queued[#queued + 1] = text
end
end
write_all('ZADD', KEYS[9], queued)
redis.call('ZREM', KEYS[10], unpack(due))
end
end
do
local shedding
local function open_shedding()
if shedding then return shedding end
local function least_important(priority)
close_page()
while true do
local last = redis.call('ZREVRANGE', KEYS[9], '0', '0', 'WITHSCORES')
if not last[1] then return nil end
local lowest = priority_of(tonumber(last[2]))
if lowest < priority then return nil end
local oldest = redis.call('ZRANGEBYSCORE', KEYS[9], string.format('%d', score_of(lowest, 0)), '+inf', 'LIMIT', '0', '1')
local client, seq = parse_ticket(oldest[1])
if client and record_of(client) then return oldest[1], client, seq end
redis.call('ZREM', KEYS[9], oldest[1])
if S.rb_ghosts > 0 then set('rb_ghosts', S.rb_ghosts - 1) end
end
end
local function drop_queued(text, client, seq, reason)
redis.call('ZREM', KEYS[9], text)
change(client, record_of(client), -1, 0)
notify(client, 3, number_of(seq), reason, 1)
forget_jobs({ client .. ':' .. seq })
end
local function shed(priority)
local from
if S.strategy == 1 or S.strategy == nil then from = priority
elseif S.strategy == 4 then from = priority + 1
else return false end
local text, client, seq = least_important(from)
if not text then return false end
drop_queued(text, client, seq, 0)
return true
end
local function drop_all()
close_page()
head_score = nil
while true do
local texts = redis.call('ZRANGE', KEYS[9], 0, 999)
if #texts == 0 then break end
for i = 1, #texts do
local client, seq = parse_ticket(texts[i])
local record = client and record_of(client)
if record then
change(client, record, -1, 0)
notify(client, 3, number_of(seq), 1, 1)
forget_jobs({ client .. ':' .. seq })
end
end
redis.call('ZREM', KEYS[9], unpack(texts))
end
set('rb_ghosts', 0)
end
local function block(now)
local penalty = S.penalty
if not penalty then penalty = S.minTime == 0 and 5000 or 15 * S.minTime end
set('unblockTime', math.ceil(now + penalty))
set('rb_unblockSeen', S.unblockTime)
set('nextRequest', S.unblockTime + S.minTime)
drop_all()
local counts = redis.call('HKEYS', KEYS[6])
local zeros = {}
for i = 1, #counts do
zeros[#zeros + 1] = counts[i]
zeros[#zeros + 1] = 0
end
write_all('HSET', KEYS[6], zeros)
redis.call('PUBLISH', 'b_' .. S.id, 'blocked:')
end
local function admit(now, number, priority)
if S.strategy == 3 then
block(now)
note(3, number, 1, 0)
return false
end
if not shed(priority) then
note(3, number, 0, 0)
return false
end
return true
end
shedding = { admit = admit, drop_all = drop_all }
return shedding
end
function obey_block()
if not S.rb_unblockSeen or S.unblockTime == S.rb_unblockSeen then return end
open_shedding().drop_all()
set('rb_unblockSeen', S.unblockTime)
end
local function is_full(now, priority, weight)
if not S.highWater or queue_length() < S.highWater then return false end
return (head_score ~= nil and priority >= priority_of(head_score)) or not starts_at_once(now, weight)
end
function admit(now, number, priority, weight)
local full = is_full(now, priority, weight)
if not full and not (S.strategy == 3 and S.unblockTime >= now) then return true, false end
return open_shedding().admit(now, number, priority), full
end
end
do
local timer
local function open_timer()
if timer then return timer end
local BACKUP_DELAY = 250
local function head_wait(now, weight)
local wait = math.max(bucket_wait(weight), window_wait(now), hold_wait(now))
if S.rb_justInTime then wait = math.max(wait, S.nextRequest - now) end
if S.maxConcurrent and weight > S.maxConcurrent - S.running then return nil end
if S.reservoir and weight > S.reservoir then
local refill = open_refills().next()
if not refill then return nil end
wait = math.max(wait, refill - now)
end
if wait == math.huge then return nil end
return math.max(0, wait)
end
local function expiry_wait(now)
if has_expirations == false then return nil end
local first = tonumber(redis.call('ZRANGE', KEYS[3], '0', '0', 'WITHSCORES')[2])
for i = 1, #new_expirations, 2 do first = math.min(first or math.huge, tonumber(new_expirations[i])) end
if not first then return nil end
return math.max(0, first - ahead - now) + 1
end
local function earliest(a, b)
if a and b then return math.min(a, b) end
return a or b
end
local function plan(now, client, weight)
local wait
if weight then
wait = head_wait(now, weight)
if not wait then wait = expiry_wait(now) end
end
local due = S.rb_delayed and redis.call('ZRANGE', KEYS[10], '0', '0', 'WITHSCORES')[2]
if S.rb_delayed and not due then set('rb_delayed', nil) end
if due then wait = earliest(wait, math.max(0, tonumber(due) - now)) end
if real then wait = real.wait(now, wait, weight ~= nil) end
if not wait then
if S.rb_wakeAt then set('rb_wakeAt', nil) end
return -1
end
local at = now + wait
local holder = S.rb_wakeClient
if holder and holder ~= client and S.rb_wakeAt and S.rb_wakeAt > now and S.rb_wakeAt <= at and record_of(holder) then
return micros(wait + BACKUP_DELAY)
end
set('rb_wakeAt', at)
set('rb_wakeClient', client)
return micros(wait)
end
timer = { plan = plan }
return timer
end
local function waits_for_completion(weight)
return S.maxConcurrent and weight > S.maxConcurrent - S.running and has_expirations == false
end
function plan_wakeup(now, client, exact)
if passed > 500 or not S.rb_buryAt or S.rb_buryAt <= now then return 0 end
local text, _, _, weight = head(exact)
if S.rb_delayed or real or (text and not waits_for_completion(weight)) then return open_timer().plan(now, client, text and weight) end
if S.rb_wakeAt then set('rb_wakeAt', nil) end
return -1
end
end
local client, step, exact = ARGV[1], tonumber(ARGV[2]), ARGV[4] == '1'
local now = read_clock(ARGV[5])
local holds = tonumber(ARGV[6])
local completed, withdrawn, renewed, submitted = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local at = 11
local function lost_some()
save_settings()
return { 3, S.rb_epoch }
end
if not load_settings() then return { 1 } end
S.id = ARGV[3]
CALLER = client
local record = record_of(client)
if not record then
if holds > 0 then return { 2, S.rb_epoch } end
record = new_record(client)
end
if step <= record.step then
local function grown_older(answer, by)
local function less(wait) return math.max(0, wait - micros(by)) end
if answer[3] > 0 then answer[3] = less(answer[3]) end
local told = answer[7]
for i = 1, #told, 5 do
if told[i] == 2 or told[i] == 5 then told[i + 3] = less(told[i + 3]) end
end
return answer
end
local kept = redis.call('HGET', KEYS[14], 'r:' .. client)
if kept then
local kept_step, answer, answered_at = cmsgpack.unpack(kept)
if kept_step == step then return grown_older(answer, now - (answered_at or now)) end
end
return { 0, S.rb_epoch, 0, record.notices, 0, tostring(S.running), {}, record.queued, tostring(record.running) }
end
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
if withdrawn > 0 then close_page() end
for _ = 1, withdrawn do
local seq, priority, text = ARGV[at], ARGV[at + 1], ARGV[at + 2]
at = at + 3
if redis.call('ZREM', KEYS[9], text) == 1 or redis.call('ZREM', KEYS[11], text) == 1 then change(client, record, -1, 0)
elseif redis.call('ZREM', KEYS[10], delayed_member(priority, text)) == 0 then release({ client .. ':' .. seq }) end
forget_jobs({ client .. ':' .. seq })
end
for _ = 1, renewed do
local index, expires_in = client .. ':' .. ARGV[at], tonumber(ARGV[at + 1])
if not expires_in then (real or open_real()).renew(now, client, record, ARGV[at], ARGV[at + 1])
elseif redis.call('HEXISTS', KEYS[2], index) == 1 then
redis.call('ZADD', KEYS[3], leave_until(now, 0, expires_in), index)
has_expirations = true
end
at = at + 2
end
promote_due(now)
start_waiting(now, exact)
if record.queued > 0 and not head_score and #new_weights == 0 and redis.call('EXISTS', KEYS[9], KEYS[11]) == 0 then
open_reclaim().begin_anew(now)
return lost_some()
end
local entries = {}
local head_is_new = false
if submitted > 0 then
local function remember(priority, job)
if not job.details then return end
open_jobs().remember(now, client, job.seq, priority, job.weight_text, job.expiration_text, job.details)
end
local function look_at_queue()
close_page()
write_all('ZADD', KEYS[9], entries)
entries = {}
start_waiting(now, exact)
end
local function submit(number, index, text, priority, job)
local weight = job.weight
if S.maxConcurrent and weight > S.maxConcurrent then return note(4, number, exact_number(S.maxConcurrent), 0) end
if job.details and open_jobs().is_taken(client, job.seq, job.details) then return note(6, number, 0, 0) end
if job.delay > 0 then
redis.call('ZADD', KEYS[10], string.format('%.3f', now + job.delay), delayed_member(priority, text))
set('rb_delayed', 1)
remember(priority, job)
return note(1, number, 0, string.format('@%.3f', job.delay))
end
local full = false
if S.highWater or S.strategy == 3 then
if #entries > 0 then look_at_queue() end
local admitted
admitted, full = admit(now, number, priority, weight)
if not admitted then return end
end
remember(priority, job)
local arrival = next_arrival(now)
if not full and not head_score and may_start(now, weight) and fair_turn(now, client, weight) then
return start(now, 5, client, number, weight, job.expiration, index)
end
local score = score_of(priority, arrival)
local n = #entries
entries[n + 1] = string.format('%d', score)
entries[n + 2] = text
change(client, record, 1, 0)
note(1, number, full and 1 or 0, arrival)
if full then look_at_queue()
elseif not head_score or score < head_score then
head_score, head_is_new = score, true
if may_start(now, weight) then look_at_queue() end
end
end
local function submit_plain(indexes, first, i, last, priority)
if i == last or S.highWater or S.strategy == 3 or (S.maxConcurrent and S.maxConcurrent < 1) then return 0 end
local count = last - i + 1
if not head_score then
count = math.min(count, free_starts(now))
if count < 2 then return 0 end
next_arrivals(now, count)
local numbers = {}
for j = i, i + count - 1 do numbers[j] = first + j - 1 end
start_plain(5, client, indexes, numbers, i, i + count - 1)
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
append(effects, 1, first + i - 1, count, 0, arrival)
return count
end
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
write_all('ZADD', KEYS[9], entries)
if real then real.leave(now, head_score ~= nil) end
local next_in = plan_wakeup(now, client, exact)
save_starts()
if jobs then jobs.save() end
local answer = { 0, S.rb_epoch, next_in, record.notices, record.first_notice or 0, exact_number(running_now), effects, record.queued,
exact_number(record.running), real and 1 or 0 }
if #effects > 0 then save_records(now, 'r:' .. client, cmsgpack.pack(step, answer, now))
else save_records(now) end
save_settings()
send_messages()
refresh_ttl(now)
return answer
end)()

local micros, write_all, SHARED_TIMES, ahead, S, set, settle, hold_starts, save_settings, capacity, may_start, starts_at_once, take_slot, ticket_text, parse_ticket, delayed_member, parse_delayed, number_of, front, next_arrival, score_of, priority_of, records, touched, record_of, counted, change, save_records, seen_step, entries_lost, saw, is_ours, channel_of, open_jobs, page, forget_jobs, has_expirations, release, open_reclaim, release_expired, bury_dead, open_refills, tick, real, fair_turn, leave_until, exact_number, append, note, is_listening, notices_to, CALLER, notify, send_messages, page_at, close_page, queue_length, start_waiting, head_score, save_starts
return (function()
local load_settings, meet_real, new_record, obey_block, promote_due, read_clock, refresh_ttl
local function hold_wait(now)
local function bucket_wait(weight)
local function window_wait(now)
local function ticket_suffix(weight, expiration)
local function add_run(list, client, run)
local function next_arrivals(now, count)
local jobs
local function release_ones(indexes, client)
local function open_real()
local function bury_or_begin_anew(now, client)
local effects = {}
local passed = 0
local function remove_taken()
local function head(exact)
local new_weights, new_clients, new_expirations = {}, {}, {}
local function start(now, kind, client, number, weight, expiration, index)
local function free_starts(now)
local function start_plain(kind, client, indexes, numbers, from, to)
local function admit(now, number, priority, weight)
local client, exact, now = ARGV[1], ARGV[3] == '1', read_clock(ARGV[4])
if not load_settings() then return { 1 } end
S.id = ARGV[2]
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
end)()

local read_clock, ahead, S, set, settle, load_settings, save_settings, record_of, save_records, saw
return (function()
local function micros(ms)
local function write_all(command, key, args)
local SHARED_TIMES = {
local function hold_starts(now)
set('rb_holdUntil', now + S.clientTimeout * 0.4)
end
local function hold_wait(now)
local function refresh_ttl(now)
local records = {}
local touched = {}
local counted
local function new_record(client)
local function change(client, record, queued, running)
local function seen_step()
return math.min(500, S.clientTimeout / 20)
end
local entries_lost = false
local function is_ours(client)
return string.find(client, '.', 1, true) ~= nil
end
local function channel_of(client)
return 'b_rebottle:' .. string.match(client, '^[^.]*')
end
end
local client, now = ARGV[1], read_clock(ARGV[2])
if not load_settings() or not record_of(client) then return 0 end
saw(client, now)
save_records(now)
save_settings()
return 1
end)()

local read_clock, micros, write_all, SHARED_TIMES, ahead, S, set, settle, load_settings, hold_starts, save_settings, refresh_ttl, capacity, may_start, starts_at_once, take_slot, ticket_text, parse_ticket, delayed_member, parse_delayed, number_of, front, next_arrival, score_of, records, touched, record_of, counted, new_record, change, save_records, seen_step, entries_lost, saw, is_ours, channel_of, open_jobs, page, forget_jobs, has_expirations, release, open_reclaim, release_expired, bury_dead, open_refills, tick, real, fair_turn, leave_until, meet_real, exact_number, append, is_listening, notices_to, CALLER, notify, send_messages, page_at, start_waiting, save_starts
return (function()
local head_score
local function hold_wait(now)
local function bucket_wait(weight)
local function window_wait(now)
local function ticket_suffix(weight, expiration)
local function add_run(list, client, run)
local function next_arrivals(now, count)
local function priority_of(score)
local jobs
local function release_ones(indexes, client)
local function open_real()
local function bury_or_begin_anew(now, client)
local effects = {}
local function note(kind, number, a, b)
local passed = 0
local function remove_taken()
if taken > 0 then redis.call('ZREMRANGEBYRANK', KEYS[9], '0', string.format('%d', taken - 1)) end
taken = 0
end
local function close_page()
local function queue_length()
return math.max(0, redis.call('ZCARD', KEYS[9]) - taken - S.rb_ghosts)
end
local function head(exact)
local new_weights, new_clients, new_expirations = {}, {}, {}
local function start(now, kind, client, number, weight, expiration, index)
local function free_starts(now)
local function start_plain(kind, client, indexes, numbers, from, to)
local function promote_due(now)
local function cancel(job)
local index = redis.call('HGET', KEYS[15], 'i' .. job)
local entry = index and redis.call('HGET', KEYS[15], 't' .. index)
local priority, weight, expiration = open_jobs().parse_entry(entry or '')
if not priority then return '' end
local owner, seq = string.match(index, '^([^:]*):(.*)$')
if redis.call('HEXISTS', KEYS[2], index) == 1 then
notify(owner, 7, number_of(seq), 0, 0)
return 'executing'
end
local state = open_jobs().take_out(owner, priority, ticket_text(owner, seq, weight, expiration))
forget_jobs({ index })
if not state then return '' end
if not is_listening(owner, exact) then open_jobs().mark(index) end
notify(owner, 3, number_of(seq), 2, 1)
return state
end
local state = cancel(ARGV[5])
start_waiting(now, exact)
save_starts()
if real then real.leave(now, head_score ~= nil) end
return { 0, state }
end)()

local read_clock, write_all, SHARED_TIMES, ahead, S, set, settle, load_settings, hold_starts, save_settings, refresh_ttl, open_refills, capacity, tick, ticket_text, delayed_member, records, touched, record_of, counted, new_record, change, save_records, seen_step, entries_lost, saw, is_ours, channel_of, open_jobs, forget_jobs, has_expirations, release, open_reclaim, bury_dead, open_real
return (function()
local function micros(ms)
local function hold_wait(now)
local function bucket_wait(weight)
local function window_wait(now)
local function may_start(now, weight)
local function starts_at_once(now, weight)
return S.nextRequest <= now and may_start(now, weight)
end
local function take_slot(now, weight)
local function ticket_suffix(weight, expiration)
local function parse_ticket(text)
local function parse_delayed(member)
local function number_of(seq)
return tonumber(seq, 36)
end
local function add_run(list, client, run)
local function next_arrivals(now, count)
local function next_arrival(now)
return next_arrivals(now, 1)
end
local function score_of(priority, arrival)
return priority * PRIORITY_STRIDE + arrival
end
local function priority_of(score)
local jobs
local function release_ones(indexes, client)
local function release_expired(now)
local real
local function meet_real(now, client, exact)
local function bury_or_begin_anew(now, client)
local function fair_turn(now, client, weight)
return not real or real.fair_turn(now, client, weight)
end
local function leave_until(now, wait, expiration)
local client, clear, now, version, lost = ARGV[1], ARGV[2], read_clock(ARGV[3]), ARGV[4], ARGV[5]
local given = {}
for i = 1, tonumber(ARGV[6]) do given[i] = ARGV[6 + i] end
local TYPES = { 'hash', 'hash', 'zset', 'hash', 'zset', 'hash', 'zset', 'zset', 'zset', 'zset', 'zset', 'list', 'zset', 'hash', 'hash' }
for i = 1, #KEYS do
local kind = redis.call('TYPE', KEYS[i])
kind = kind.ok or kind
if kind ~= 'none' and kind ~= TYPES[i] then
redis.call('DEL', KEYS[i], unpack(KEYS, 2))
if redis.call('EXISTS', KEYS[1]) == 1 then
redis.call('HSET', KEYS[1], 'running', 0)
redis.call('HDEL', KEYS[1], 'rb_epoch')
end
break
end
end
local staying = {}
if clear == '1' then
local known = redis.call('HKEYS', KEYS[14])
for i = 1, math.min(#known, 1000) do
local one = known[i]
if string.sub(one, 1, 2) ~= 'r:' and redis.call('PUBSUB', 'NUMSUB', channel_of(one))[2] > 0 then staying[#staying + 1] = one end
end
redis.call('DEL', unpack(KEYS))
end
local is_new = redis.call('HEXISTS', KEYS[1], 'rb_epoch') == 0
if redis.call('EXISTS', KEYS[1]) == 0 then
redis.call('DEL', unpack(KEYS))
redis.call('HSET', KEYS[1], unpack(given))
redis.call('HSET', KEYS[1], 'version', version, 'nextRequest', math.floor(now), 'lastReservoirRefresh', math.floor(now),
'lastReservoirIncrease', math.floor(now), 'running', 0, 'done', 0, 'unblockTime', 0, 'capacityPriorityCounter', 0)
else
for i = 1, #given, 2 do redis.call('HSETNX', KEYS[1], given[i], given[i + 1]) end
for _, field in ipairs({ 'running', 'done', 'unblockTime', 'capacityPriorityCounter' }) do
redis.call('HSETNX', KEYS[1], field, 0)
end
for _, field in ipairs({ 'nextRequest', 'lastReservoirRefresh', 'lastReservoirIncrease' }) do
if not tonumber(redis.call('HGET', KEYS[1], field)) then redis.call('HSET', KEYS[1], field, math.floor(now)) end
end
local stored = redis.call('HGET', KEYS[1], 'version')
local minor = stored and tonumber(string.match(stored, '^%d+%.(%d+)'))
if not minor then redis.call('HSET', KEYS[1], 'version', version)
elseif minor < 18 then redis.call('HSET', KEYS[1], 'version', '2.18.0') end
end
if is_new then
redis.call('DEL', unpack(KEYS, 9))
redis.call('HDEL', KEYS[1], 'rb_holdUntil', 'rb_reservoirSeen')
redis.call('HSET', KEYS[1], 'rb_epoch', string.format('%.3f', now), 'rb_ours', 0, 'rb_unblockSeen', redis.call('HGET', KEYS[1], 'unblockTime'))
end
load_settings()
S.id = redis.call('HGET', KEYS[1], 'id')
for i = 1, #staying do
new_record(staying[i])
saw(staying[i], now)
end
if not record_of(client) then new_record(client) end
saw(client, now)
tick(now)
if is_new then open_real().restore(now) end
local is_alone = lost == '2' and redis.call('PUBSUB', 'NUMSUB', 'b_' .. S.id)[2] <= 1
if clear == '1' or (is_new and is_alone) then set('rb_holdUntil', 0)
elseif is_new and lost ~= '0' then hold_starts(now) end
save_records(now)
save_settings()
refresh_ttl(now)
return { S.rb_epoch, redis.call('HGETALL', KEYS[1]), redis.call('ZCARD', KEYS[8]) == S.rb_ours and 0 or 1 }
end)()

local read_clock, write_all, ahead, S, set, settle, load_settings, hold_starts, save_settings, ticket_text, delayed_member, records, touched, record_of, change, seen_step, entries_lost, is_ours, open_jobs, forget_jobs, open_reclaim
return (function()
local function micros(ms)
local SHARED_TIMES = {
local function hold_wait(now)
local function refresh_ttl(now)
local PRIORITY_STRIDE = 2 ^ 46
local function ticket_suffix(weight, expiration)
local function parse_ticket(text)
local function parse_delayed(member)
local function next_arrivals(now, count)
local counted
local function new_record(client)
local function save_records(now, field, value)
local function saw(client, now)
do
local jobs
local has_expirations
local function release(indexes, owner)
local function release_ones(indexes, client)
local function release_expired(now)
local function bury_dead(now, caller)
return (not S.rb_buryAt or now >= S.rb_buryAt) and open_reclaim().bury(now, caller)
end
end
local client, now = ARGV[1], read_clock(ARGV[3])
if not load_settings() then return '0' end
local record = record_of(client)
if not record then return '0' end
if S.rb_wakeClient == client then redis.call('HDEL', KEYS[1], 'rb_wakeClient', 'rb_wakeAt') end
if S.rb_named then open_jobs().clear(client, nil, nil) end
if record.running == 0 then
open_reclaim().give_up(client, record)
save_settings()
return '0'
end
if record.queued > 0 then set('rb_ghosts', S.rb_ghosts + record.queued) end
redis.call('HDEL', KEYS[14], client, 'r:' .. client)
redis.call('HSET', KEYS[6], client, 0)
save_settings()
open_reclaim().end_grace(client)
local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
if first then redis.call('PUBLISH', 'b_' .. ARGV[2], 'rebottle-expiry:' .. math.max(0, math.ceil(tonumber(first) - now))) end
return string.format('%.15g', record.running)
end)()

local read_clock
return (function()
local function micros(ms)
return math.ceil(ms * 1000 - 0.001)
end
end
if redis.replicate_commands then redis.replicate_commands() end
local pool, info, visibility, now = ARGV[1], ARGV[2], ARGV[3], math.floor(read_clock(ARGV[4]))
if pool ~= '' then
if info ~= '' then redis.call('HSET', KEYS[1], pool, string.format('%d:%s:', now, visibility) .. info)
else redis.call('HDEL', KEYS[1], pool) end
end
local dead, live, longest = {}, {}, 0
local entries = redis.call('HGETALL', KEYS[1])
for i = 1, #entries, 2 do
local seen, lease, about = string.match(entries[i + 1], '^(%d+):([%d%.]+):(.*)$')
local silence = seen and now - tonumber(seen) or math.huge
lease = tonumber(lease) or 0
if silence < lease then
live[#live + 1] = entries[i]
live[#live + 1] = seen
live[#live + 1] = about
longest = math.max(longest, lease)
elseif silence < lease + math.max(3 * lease, 60000) then dead[#dead + 1] = entries[i]
else redis.call('HDEL', KEYS[1], entries[i]) end
end
if #live == 0 then redis.call('DEL', KEYS[1])
elseif longest > 0 then redis.call('PEXPIRE', KEYS[1], math.ceil(2 * longest)) end
return { string.format('%d', now), dead, live }
end)()

return redis.call('PUBLISH', ARGV[1], ARGV[2])

local micros, write_all, SHARED_TIMES, ahead, S, set, settle, hold_starts, save_settings, capacity, may_start, starts_at_once, take_slot, ticket_text, parse_ticket, delayed_member, parse_delayed, number_of, front, next_arrival, score_of, priority_of, records, touched, record_of, counted, change, seen_step, entries_lost, saw, is_ours, channel_of, open_jobs, page, forget_jobs, has_expirations, release, open_reclaim, bury_dead, open_refills, tick, real, fair_turn, leave_until, exact_number, append, note, is_listening, notices_to, CALLER, notify, send_messages, page_at, close_page, queued_score, queue_length, head, start_waiting, head_score, save_starts
return (function()
local bury_or_begin_anew, load_settings, meet_real, new_record, obey_block, promote_due, read_clock, release_expired, save_records
local function hold_wait(now)
local function refresh_ttl(now)
local function bucket_wait(weight)
local function window_wait(now)
local function ticket_suffix(weight, expiration)
local function add_run(list, client, run)
local function next_arrivals(now, count)
local jobs
local function release_ones(indexes, client)
local function open_real()
local effects = {}
local passed = 0
function queued_score(text)
local new_weights, new_clients, new_expirations = {}, {}, {}
local function start(now, kind, client, number, weight, expiration, index)
local function free_starts(now)
local function start_plain(kind, client, indexes, numbers, from, to)
local function admit(now, number, priority, weight)
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
local queued = 0
local valid = redis.call('ZRANGEBYSCORE', KEYS[8], math.floor(now + ahead - S.clientTimeout), '+inf')
for i = 1, #valid, 4000 do
local counts = redis.call('HMGET', KEYS[6], unpack(valid, i, math.min(i + 4000 - 1, #valid)))
for j = 1, #counts do queued = queued + math.max(0, tonumber(counts[j]) or 0) end
end
local function text(number)
if number == nil then return '' end
return string.format('%.17g', number)
end
local function place_of(ticket, priority)
local rank = redis.call('ZRANK', KEYS[9], ticket)
if not rank then
local due = redis.call('ZSCORE', KEYS[10], delayed_member(priority, ticket))
if due then return { 'delayed', '', due } end
local score = redis.call('ZSCORE', KEYS[11], ticket)
return score and { 'parked', '', score } or {}
end
local place = { 'queue', rank, redis.call('ZSCORE', KEYS[9], ticket) }
if rank > 0 then
local before = redis.call('ZRANGE', KEYS[9], 0, math.min(rank, 1000) - 1)
for i = 1, #before do
local _, _, weight = parse_ticket(before[i])
place[#place + 1] = text(weight or 1)
end
end
return place
end
local reply = {
0, text(S.running), text(S.done), queued, redis.call('ZCARD', KEYS[10]), text(S.reservoir),
starts_at_once(now, tonumber(ARGV[5])) and 1 or 0, text(now), text(S.nextRequest), text(S.unblockTime),
text(S.lastReservoirRefresh), text(S.lastReservoirIncrease), redis.call('HGETALL', KEYS[1]), redis.call('HLEN', KEYS[2]),
}
if ARGV[6] then
reply[#reply + 1] = text(S.rb_bucketTokens)
reply[#reply + 1] = S.rb_windowMax and redis.call('LRANGE', KEYS[12], -S.rb_windowMax, -1) or {}
reply[#reply + 1] = next_text and { next_text, priority_of(next_score) } or {}
reply[#reply + 1] = ARGV[6] == '' and {} or place_of(ARGV[6], tonumber(ARGV[7]))
reply[#reply + 1] = next_text and may_start(now, next_weight) and 1 or 0
end
return reply
end)()

local read_clock, write_all, SHARED_TIMES, ahead, S, set, settle, load_settings, hold_starts, hold_wait, save_settings, refresh_ttl, capacity, ticket_text, delayed_member, number_of, next_arrival, score_of, records, touched, record_of, counted, new_record, change, save_records, seen_step, entries_lost, saw, is_ours, channel_of, open_jobs, forget_jobs, has_expirations, release, open_reclaim, release_expired, bury_dead, open_refills, tick, real, leave_until, meet_real, effects, note, CALLER
return (function()
local function bucket_wait(weight)
local function window_wait(now)
local function may_start(now, weight)
local function ticket_suffix(weight, expiration)
local function parse_ticket(text)
local function parse_delayed(member)
local function add_run(list, client, run)
local function next_arrivals(now, count)
local function priority_of(score)
local jobs
local function release_ones(indexes, client)
local function open_real()
local function bury_or_begin_anew(now, client)
local function fair_turn(now, client, weight)
local function exact_number(number)
local function append(list, kind, number, count, a, b)
local function notices_to(client, count)
local function notify(client, kind, number, a, b)
append(notices_to(client, 1), kind, number, 1, a, b)
end
local function send_messages()
if messages then messages.send() end
end
local function is_listening(client, exact)
return not exact or client == CALLER or open_messages().is_listening(client)
end
end
local abandoned, started, queued = ARGV[5], tonumber(ARGV[11]), tonumber(ARGV[12])
if ARGV[6] ~= '' and ARGV[6] ~= S.rb_epoch then
if not S.rb_holdUntil then hold_starts(now) end
elseif ARGV[7] == '1' then open_reclaim().begin_anew(now) end
local record = record_of(client)
if not record then
if abandoned == '' and started + queued > 0 then return { 2, S.rb_epoch, 0, {} } end
record = new_record(client)
end
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
if redis.call('HEXISTS', KEYS[2], index) == 0 then
redis.call('HSET', KEYS[2], index, weight)
redis.call('HSET', KEYS[4], index, client)
local leave = leave_until(now, 0, expires_in)
if leave then redis.call('ZADD', KEYS[3], leave, index) end
set('running', settle(S.running + weight))
change(client, record, 0, weight)
end
end
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
if open_jobs().was_cancelled(client, seq) then note(3, number_of(seq), 2, 0)
elseif redis.call('HEXISTS', KEYS[2], index) == 1 and not takes_back(index, was_told) then
open_jobs().remember_again(now, client, seq, name)
note(2, number_of(seq), 0, '')
elseif due_in then
open_jobs().remember_again(now, client, seq, name)
local member = delayed_member(priority, text)
if not redis.call('ZSCORE', KEYS[10], member) and not redis.call('ZSCORE', KEYS[9], text) then
redis.call('ZADD', KEYS[10], string.format('%.3f', now + due_in), member)
set('rb_delayed', 1)
end
elseif not redis.call('ZSCORE', KEYS[9], text) then
open_jobs().remember_again(now, client, seq, name)
redis.call('ZREM', KEYS[10], delayed_member(priority, text))
if redis.call('ZREM', KEYS[11], text) == 0 then change(client, record, 1, 0) end
arrival = arrival or next_arrival(now)
if arrival > S.rb_arrival then set('rb_arrival', arrival) end
redis.call('ZADD', KEYS[9], score_of(priority, arrival), text)
end
end
if real then real.leave(now, true) end
open_jobs().save()
save_records(now)
save_settings()
refresh_ttl(now)
return { 0, S.rb_epoch, record.notices, effects }
end)()

local read_clock, write_all, SHARED_TIMES, ahead, S, set, settle, load_settings, hold_starts, save_settings, refresh_ttl, capacity, ticket_text, parse_ticket, delayed_member, parse_delayed, number_of, records, touched, record_of, counted, new_record, change, save_records, seen_step, entries_lost, saw, is_ours, channel_of, open_jobs, forget_jobs, has_expirations, release, open_reclaim, release_expired, bury_dead, open_refills, real, meet_real, is_listening, CALLER, notify, send_messages
return (function()
local function hold_wait(now)
local function bucket_wait(weight)
local function window_wait(now)
local function may_start(now, weight)
local function ticket_suffix(weight, expiration)
local function add_run(list, client, run)
local function next_arrivals(now, count)
local jobs
local function release_ones(indexes, client)
local function tick(now)
local function open_real()
local function bury_or_begin_anew(now, client)
local effects = {}
local function exact_number(number)
local function append(list, kind, number, count, a, b)
local function note(kind, number, a, b)
local function notices_to(client, count)
release_expired(now)
bury_dead(now, client)
local count = 0
local function take_all(key, is_delayed)
while count < 2000 do
local members = redis.call('ZRANGE', key, 0, math.min(1000, 2000 - count) - 1)
if #members == 0 then return end
redis.call('ZREM', key, unpack(members))
local indexes = {}
for i = 1, #members do
local text = members[i]
if is_delayed then text = select(2, parse_delayed(text)) end
local owner, seq = parse_ticket(text or '')
local record = owner and record_of(owner)
if record then
local index = owner .. ':' .. seq
if not is_delayed then change(owner, record, -1, 0) end
indexes[#indexes + 1] = index
notify(owner, 3, number_of(seq), 3, 1)
count = count + 1
end
end
forget_jobs(indexes)
for i = 1, S.rb_named and #indexes or 0 do
if not is_listening(string.match(indexes[i], '^[^:]*'), exact) then open_jobs().mark(indexes[i]) end
end
end
end
take_all(KEYS[9], false)
take_all(KEYS[11], false)
take_all(KEYS[10], true)
local function begin_anew()
for i = 6, 5 + tonumber(ARGV[5]), 2 do set(ARGV[i], tonumber(ARGV[i + 1])) end
redis.call('DEL', KEYS[12])
set('rb_bucketTokens', S.rb_bucketCapacity)
set('rb_bucketTime', now)
set('done', 0)
set('nextRequest', math.floor(now))
set('unblockTime', 0)
set('rb_unblockSeen', 0)
set('rb_ghosts', 0)
set('lastReservoirRefresh', math.floor(now))
set('lastReservoirIncrease', math.floor(now))
end
if count < 2000 then begin_anew() end
if real then real.leave(now, false) end
save_records(now)
save_settings()
send_messages()
if real then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:' .. real.left()) end
refresh_ttl(now)
return { 0, count }
end)()

local write_all, ahead, S, set, settle, load_settings, ticket_text, delayed_member, parse_delayed, priority_of, record_of, change, open_jobs
return (function()
local SHARED_TIMES = {
return S.rb_holdUntil and math.max(0, S.rb_holdUntil - now) or 0
end
local function save_settings()
local function refresh_ttl(now)
local PRIORITY_STRIDE = 2 ^ 46
local function ticket_suffix(weight, expiration)
local function parse_ticket(text)
local function next_arrivals(now, count)
local records = {}
local touched = {}
local counted
local function new_record(client)
local function save_records(now, field, value)
local function saw(client, now)
do
local jobs
local function forget_jobs(indexes)
if S.rb_named then open_jobs().forget(indexes) end
end
end
load_settings()
local rows = {}
local function entry_of(index)
return S.rb_named and redis.call('HGET', KEYS[15], 't' .. index) or ''
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
local function find(id)
local index = redis.call('HGET', KEYS[15], 'i' .. id)
local entry = index and redis.call('HGET', KEYS[15], 't' .. index)
local priority, weight, expiration = open_jobs().parse_entry(entry or '')
if not priority then return 0 end
local client, seq = string.match(index, '^([^:]*):(.*)$')
local text = ticket_text(client, seq, weight, expiration)
if redis.call('HEXISTS', KEYS[2], index) == 1 then
row('executing', text, index, priority, '', '', entry)
return 1
end
local place = redis.call('ZRANK', KEYS[9], text)
local due = redis.call('ZSCORE', KEYS[10], delayed_member(priority, text))
if place then row('ready', text, index, priority, '', place, entry)
elseif due then row('delayed', text, index, priority, due, '', entry)
elseif redis.call('ZSCORE', KEYS[11], text) then row('ready', text, index, priority, '', '', entry)
else return 0 end
return 1
end
local function list_ready(offset, limit)
local in_queue, aside = redis.call('ZCARD', KEYS[9]), redis.call('ZCARD', KEYS[11])
local function list(key, from, first_place)
local members = redis.call('ZRANGE', key, from, from + limit - #rows / 6 - 1, 'WITHSCORES')
for i = 1, #members, 2 do
row('ready', members[i], index_of(members[i]), priority_of(tonumber(members[i + 1])), '', first_place and first_place + (i - 1) / 2 or '')
end
end
if offset < in_queue then list(KEYS[9], offset, offset) end
if aside > 0 and #rows / 6 < limit then list(KEYS[11], math.max(0, offset - in_queue), nil) end
return in_queue + aside
end
local function list_delayed(offset, limit)
local members = redis.call('ZRANGE', KEYS[10], offset, offset + limit - 1, 'WITHSCORES')
for i = 1, #members, 2 do
local priority, text = parse_delayed(members[i])
if text then row('delayed', text, index_of(text), priority, members[i + 1], '') end
end
return redis.call('ZCARD', KEYS[10])
end
local function list_executing(offset, limit)
local indexes = redis.call('HKEYS', KEYS[2])
table.sort(indexes)
for i = offset + 1, math.min(offset + limit, #indexes) do
row('executing', indexes[i] .. ':' .. redis.call('HGET', KEYS[2], indexes[i]) .. ':', indexes[i], '', '', '')
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
end)()

local micros, write_all, SHARED_TIMES, ahead, S, set, settle, use_exact_min_time, hold_starts, save_settings, capacity, may_start, starts_at_once, take_slot, ticket_text, parse_ticket, delayed_member, parse_delayed, number_of, front, next_arrival, score_of, priority_of, records, touched, record_of, counted, change, save_records, seen_step, entries_lost, saw, is_ours, channel_of, open_jobs, page, forget_jobs, has_expirations, release, open_reclaim, bury_dead, open_refills, tick, real, fair_turn, leave_until, exact_number, append, note, is_listening, notices_to, CALLER, notify, send_messages, page_at, close_page, queue_length, start_waiting, head_score, save_starts
return (function()
local load_settings, meet_real, new_record, obey_block, read_clock, refresh_ttl, release_expired
function use_exact_min_time()
local function hold_wait(now)
local function bucket_wait(weight)
local function window_wait(now)
local function ticket_suffix(weight, expiration)
local function add_run(list, client, run)
local function next_arrivals(now, count)
local jobs
local function release_ones(indexes, client)
local function open_real()
local function bury_or_begin_anew(now, client)
local effects = {}
local passed = 0
local function head(exact)
local new_weights, new_clients, new_expirations = {}, {}, {}
local function start(now, kind, client, number, weight, expiration, index)
local function free_starts(now)
local function start_plain(kind, client, indexes, numbers, from, to)
local function promote_due(now)
local function admit(now, number, priority, weight)
if ARGV[5] ~= '' then set('reservoir', settle((S.reservoir or 0) + tonumber(ARGV[5]))) end
for i = 7, 6 + tonumber(ARGV[6]), 2 do
local field = ARGV[i]
if field == 'rb_bucketCapacity' then set('rb_bucketTime', now) end
set(field, tonumber(ARGV[i + 1]))
end
if not S.rb_bucketCapacity then set('rb_bucketTokens', nil)
else set('rb_bucketTokens', math.min(S.rb_bucketTokens or S.rb_bucketCapacity, S.rb_bucketCapacity)) end
if not S.rb_windowMax then redis.call('DEL', KEYS[12]) end
use_exact_min_time()
tick(now)
local reservoir = S.reservoir and string.format('%.17g', S.reservoir) or ''
obey_block()
if real then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:' .. real.left()) end
refresh_ttl(now)
return { 0, reservoir }
end)()
`;

/** The script itself, includes expanded, comments removed. */
export function unpack({ runs }: PackedScript): string {
  const lines = LINES.split('\n');
  const parts = runs.split(' ').map((run) => run.split('+').map(Number) as [number, number]);
  return parts.flatMap(([first, count]) => lines.slice(first, first + count)).join('\n');
}

export const scripts = {
  advance: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'step', 'id', 'exact', 'now', 'holds', 'completed', 'withdrawn', 'renewed', 'submitted', '...'],
    sha: 'e338d30e6285c90a92b6ee1b533936ce30c27ec3',
    runs: '0+1763',
  },
  answer: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', '...'],
    sha: '2f5cc787231e1142a61f2c794a4929d25a4e3393',
    runs: '1763+3 3+61 1766+1 65+37 1767+1 103+5 1768+1 109+30 1769+1 140+33 1770+1 174+15 1771+1 190+104 1772+1 294+162 1773+1 457+196 1774+1 654+498 1775+1 1153+13 1776+1 1167+72 1777+1 1240+4 1778+1 1245+27 1779+1 1273+13 1780+2 1288+17 1782+1 1306+8 1783+1 1315+184 1784+1 1500+5 1785+26',
  },
  beat: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'now'],
    sha: '70bb32b1b0aa4df2870e8f072527376fc9310189',
    runs: '1811+2 3+6 1813+1 10+5 1814+1 16+7 1815+1 24+37 1816+4 65+20 1820+1 86+10 1821+3 207+19 1824+1 227+5 1825+1 233+38 1826+4 275+11 1830+15',
  },
  cancel: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'job'],
    sha: 'b42df0dfad507fee5453b0b831a71c45fbb847ad',
    runs: '1845+3 3+61 1848+1 65+37 1849+1 103+5 1850+1 109+30 1851+1 140+33 1852+1 174+15 1853+1 190+10 1854+1 201+93 1855+1 294+162 1856+1 457+196 1857+1 654+498 1858+1 1153+13 1859+1 1167+22 1860+1 1190+49 1861+1 1240+4 1862+5 1249+20 1867+4 1273+13 1871+2 1288+17 1873+1 1306+8 1874+1 1315+71 1875+1 1387+19 1785+10 1876+21 1800+4 1897+3',
  },
  init: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'clear', 'now', 'version', 'lost', 'fields', '...'],
    sha: 'a6188cdee763a090f4661e17841d63fec96d5274',
    runs: '1900+2 3+6 1902+1 10+54 1903+1 65+31 592+61 96+6 1904+1 103+5 1905+1 109+5 1906+1 115+6 1907+4 125+14 1911+1 140+6 1912+1 147+10 1913+1 158+12 1914+4 174+15 1918+1 190+4 1919+7 201+93 1926+1 294+162 1927+1 457+125 1928+1 583+9 1929+1 653+494 1930+1 1148+4 1931+1 1153+4 1932+4 1161+4 1936+68',
  },
  leave: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'now'],
    sha: '17ca387b808956748f7db66ec94ae128f4d5fe60',
    runs: '2004+2 3+6 2006+1 10+13 2007+1 24+40 2008+1 65+20 2009+1 86+10 2010+2 140+6 2012+1 147+10 2013+1 158+12 1914+4 174+15 2014+1 190+4 1919+7 201+6 2015+1 207+19 2016+1 227+10 2017+1 238+37 2018+1 276+13 1833+4 2019+2 294+124 2021+1 418+14 2022+1 433+23 2023+1 457+125 2024+1 583+4 2025+25',
  },
  pools: {
    keys: ['pools'],
    args: ['pool', 'info', 'visibility', 'now'],
    sha: 'ebb6b2649ed61a24f12686410bddd7ea1a015a2b',
    runs: '2050+2 3+6 2052+29',
  },
  publish: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['channel', 'message'],
    sha: 'cee997b3f9c6c1c047a369484cdbb87ed56a78a3',
    runs: '2081+2',
  },
  read: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'weight', 'ticket', 'priority'],
    sha: '2d9ad7eada15ac9ae57319c6e64602492f7d29db',
    runs: '2083+3 3+61 2086+1 65+20 2087+1 86+16 2088+1 103+5 2089+1 109+30 2090+1 140+33 2091+1 174+15 2092+1 190+104 2093+1 294+162 2094+1 457+196 2095+1 654+512 2096+1 1167+72 2097+1 1240+4 1862+4 1248+18 2098+1 1267+19 2099+2 1288+17 2101+1 1306+8 2102+1 1315+184 2103+1 1500+5 1785+9 2104+10 1798+5 2114+43',
  },
  reconcile: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'abandon', 'epoch', 'lost', 'lastStart', 'reservoir', 'seen', 'started', 'queued', '...'],
    sha: '01bb07a63d6bd1d4fb7d365533de28b169d05887',
    runs: '2157+2 3+6 2052+4 13+89 2159+1 103+5 2160+1 109+5 2161+1 115+6 1907+4 125+14 2162+1 140+6 2163+1 147+10 2164+1 158+15 2165+1 174+15 2166+1 190+10 2167+1 201+93 2168+1 294+162 2169+1 457+196 2170+1 654+498 2171+1 1153+4 2172+1 1158+9 2173+1 1168+8 2174+1 1177+42 2175+1 1220+8 2176+10 1785+4 2186+9 1790+4 2195+67',
  },
  reset: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'fields', '...'],
    sha: 'fb27fa450455035d019373b8f6aa7ed6c3bde22c',
    runs: '2262+2 3+6 2052+4 13+51 2264+1 65+37 2265+1 103+5 2266+1 109+5 2267+1 115+6 1907+4 125+14 2268+1 140+33 2269+1 174+15 2270+1 190+4 1919+7 201+93 2271+1 294+162 2272+1 457+191 2273+1 649+4 2274+1 654+498 2275+1 1153+4 1932+4 1161+5 2276+2 1168+8 2278+1 1177+12 2279+1 1190+29 2280+1 1220+18 1785+7 2281+54',
  },
  tickets: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['what', 'offset', 'limit'],
    sha: 'f12f00e81555f83c1ce0a5039fac590d4341061e',
    runs: '2335+2 13+10 2337+1 24+37 1816+4 2338+3 68+17 2341+1 86+10 2342+2 140+6 2344+1 147+23 1914+4 174+15 2345+1 190+4 1919+6 200+5 2346+3 207+19 2349+1 227+10 2350+1 238+33 1826+4 2351+1 276+10 1830+7 2352+2 294+119 2354+76',
  },
  update: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'increment', 'fields', '...'],
    sha: '2e1997cfde5163c0d305258d195d185441dfad54',
    runs: '2430+3 3+34 2433+1 38+26 2434+1 65+37 2435+1 103+5 2436+1 109+30 2437+1 140+33 2438+1 174+15 2439+1 190+104 2440+1 294+162 2441+1 457+196 2442+1 654+498 2443+1 1153+13 2444+1 1167+72 2445+1 1240+4 1862+4 1248+24 2446+1 1273+13 2447+2 1288+17 2449+1 1306+8 2450+1 1315+71 2451+1 1387+112 2452+1 1500+5 1785+9 2453+13 1797+6 2466+5',
  },
} satisfies Record<string, PackedScript>;

export type ScriptName = keyof typeof scripts;
