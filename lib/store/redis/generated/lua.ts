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

/** Every line that any script has, once where that is possible. */
const LINES = `local admit, bury_dead, is_listening, load_settings, meet_real, new_record, obey_block, parse_delayed, plan_wakeup, promote_due, queue_length, read_clock, refresh_ttl, release_expired, save_settings, save_starts, saw, send_messages, starts_at_once, take_slot, tick, CALLER, SHARED_TIMES, bucket_wait, channel_of, exact_number, head, next_arrival, next_refill, open_real, priority_of, save_records, seen_step, start, start_waiting, ticket_text, window_wait, delayed_member, micros, new_clients, notify, score_of, fair_turn, first_notice, is_ours, leave_until, may_start, new_weights, passed, counted, has_expirations, parse_ticket, release, close_page, effects, new_expirations, note, write_all, forget, page_at, head_score, settle, records, touched, capacity, change, record_of, ahead, page, real, set, jobs, S
do
function read_clock(given)
if given ~= '' then return tonumber(given) end
local time = redis.call('TIME')
return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end
function micros(ms)
return math.ceil(ms * 1000 - 0.001)
if redis.replicate_commands then redis.replicate_commands() end
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
function settle(sum)
if sum == math.floor(sum) then return sum end
return math.floor(sum * 1e9 + 0.5) / 1e9
local function use_exact_min_time()
S.minTime = S.minTime or 0
if S.rb_minTime and math.ceil(S.rb_minTime) == math.ceil(S.minTime) then S.minTime = S.rb_minTime end
function load_settings()
local values = redis.call('HGETALL', KEYS[1])
for i = 1, #values, 2 do
local field, value = values[i], values[i + 1]
if not TEXT_FIELDS[field] then S[field] = tonumber(value)
elseif value ~= '' then S[field] = value end
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
args[#args + 1] = field
if #args > 0 then redis.call('HSET', KEYS[1], unpack(args)) end
dirty = {}
function refresh_ttl(now)
if not S.groupTimeout then return end
local ttl = math.ceil(math.max(S.nextRequest - now, 0) + S.groupTimeout)
for i = 1, #KEYS do redis.call('PEXPIRE', KEYS[i], ttl) end
local TOKEN_TOLERANCE = 1e-9
function capacity()
local free = S.maxConcurrent and S.maxConcurrent - S.running
if free and S.reservoir then return math.min(free, S.reservoir) end
return free or S.reservoir
function bucket_wait(weight)
if not S.rb_bucketTokens or not S.rb_bucketCapacity or not S.rb_bucketRefillPerSecond then return 0 end
local missing = math.min(weight, S.rb_bucketCapacity) - S.rb_bucketTokens
if missing <= TOKEN_TOLERANCE then return 0 end
return missing * 1000 / S.rb_bucketRefillPerSecond
function window_wait(now)
if not S.rb_windowMax or not S.rb_windowDuration then return 0 end
local oldest = redis.call('LINDEX', KEYS[12], -S.rb_windowMax)
if not oldest then return 0 end
return math.max(0, tonumber(oldest) + S.rb_windowDuration - math.max(S.nextRequest, now))
function may_start(now, weight)
local left = capacity()
if left and weight > left then return false end
if S.rb_justInTime and S.nextRequest > now then return false end
return bucket_wait(weight) == 0 and window_wait(now) == 0
function starts_at_once(now, weight)
return S.nextRequest <= now and may_start(now, weight)
function take_slot(now, weight)
local at = math.max(S.nextRequest, now)
set('running', settle(S.running + weight))
if S.reservoir then set('reservoir', settle(S.reservoir - weight)) end
if S.rb_bucketTokens then set('rb_bucketTokens', S.rb_bucketTokens - weight) end
if S.rb_windowMax then
redis.call('RPUSH', KEYS[12], string.format('%.3f', at))
redis.call('LTRIM', KEYS[12], -S.rb_windowMax, -1)
if S.minTime > 0 or S.nextRequest > now then set('nextRequest', at + S.minTime) end
return at - now
local PRIORITY_STRIDE = 2 ^ 46
function ticket_text(client, seq, weight, expiration)
if weight == '' and expiration == '' then return client .. ':' .. seq end
return client .. ':' .. seq .. ':' .. weight .. ':' .. expiration
function parse_ticket(text)
local client, seq, rest = string.match(text, '^([^:]+):(%d+)(.*)$')
if not client then return nil end
if rest == '' then return client, seq, 1, nil end
local weight, expiration = string.match(rest, '^:([^:]*):([^:]*)$')
return client, seq, tonumber(weight) or 1, tonumber(expiration)
function delayed_member(priority, text)
local _, seq = parse_ticket(text)
return string.format('%02d%s %s %s', #seq, seq, priority, text)
function parse_delayed(member)
local priority, text = string.match(member, '^%d+ (%d+) (.*)$')
return tonumber(priority), text
function next_arrival(now)
local arrival = math.max(S.rb_arrival + 1, math.floor((now - 1767225600000) * 100))
set('rb_arrival', arrival)
return arrival
function score_of(priority, arrival)
return priority * PRIORITY_STRIDE + arrival
function priority_of(score)
return math.floor(score / PRIORITY_STRIDE)
records = {}
touched = {}
local function parse_record(text)
local step, notices, queued, running, seen, registered = string.match(text, '^(%d+):(%d+):(%d+):([%d%.e%-]+):(%d+):(%d+)$')
if not step then return nil end
local record = { step = tonumber(step), notices = tonumber(notices), queued = tonumber(queued), running = tonumber(running),
seen = tonumber(seen), registered = tonumber(registered) }
record.shown_queued, record.shown_running = record.queued, record.running
return record
function record_of(client)
local record = records[client]
if record == nil then
local text = redis.call('HGET', KEYS[14], client)
record = text and parse_record(text) or false
if record and counted then record.running = counted[client] or 0 end
records[client] = record
return record or nil
function new_record(client)
local record = { step = 0, notices = 0, queued = 0, running = 0, seen = 0, registered = 0, fresh = true }
touched[client] = true
function change(client, record, queued, running)
record.queued = math.max(0, record.queued + queued)
record.running = math.max(0, settle(record.running + running))
function save_records(now, field, value)
local ours, queued, running, registered = {}, {}, {}, {}
for client in pairs(touched) do
if record then
local whole = record.fresh or S.rb_mixed
if whole or record.queued ~= record.shown_queued then
queued[#queued + 1] = client
queued[#queued + 1] = record.queued
if whole or record.running ~= record.shown_running then
running[#running + 1] = record.running
running[#running + 1] = client
if record.started and (S.rb_mixed or now - record.registered >= 10) then record.registered = math.floor(now)
else record.started = nil end
if record.started or record.fresh then
registered[#registered + 1] = record.started and record.registered + ahead or 0
registered[#registered + 1] = client
ours[#ours + 1] = client
ours[#ours + 1] = string.format('%d:%d:%d:%.15g:%d:%d', record.step, record.notices, record.queued, record.running, record.seen, record.registered)
if field then
ours[#ours + 1] = field
ours[#ours + 1] = value
if #ours == 0 then return end
redis.call('HSET', KEYS[14], unpack(ours))
if #queued > 0 then redis.call('HSET', KEYS[6], unpack(queued)) end
if #running > 0 then redis.call('ZADD', KEYS[5], unpack(running)) end
if #registered > 0 then redis.call('ZADD', KEYS[7], unpack(registered)) end
function seen_step()
return math.min(500, S.clientTimeout / 20)
local function count_ours_by(change)
if S.rb_ours then set('rb_ours', change and S.rb_ours + change) end
function saw(client, now)
local record = record_of(client)
if not counted and now - record.seen < seen_step() then return end
record.seen = math.floor(now)
redis.call('ZADD', KEYS[13], math.floor(now), client)
local is_new = redis.call('ZADD', KEYS[8], math.floor(now + ahead), client) == 1
if is_new then count_ours_by((not record or record.fresh) and 1 or nil) end
function is_ours(client)
return string.find(client, '.', 1, true) ~= nil
function forget(client)
records[client] = false
touched[client] = nil
redis.call('HDEL', KEYS[14], client, 'r:' .. client)
redis.call('ZREM', KEYS[13], client)
redis.call('ZREM', KEYS[5], client)
redis.call('HDEL', KEYS[6], client)
redis.call('ZREM', KEYS[7], client)
local was_there = redis.call('ZREM', KEYS[8], client) == 1
if is_ours(client) then count_ours_by(was_there and -1 or nil) end
function channel_of(client)
return 'b_rebottle:' .. string.match(client, '^[^.]*')
jobs = {}
jobs.PER_MESSAGE, jobs.PER_CALL = 100, 1000
jobs.MARK = 'x'
function jobs.id_in(details)
local bytes, rest = string.match(details, '^%d+:(%d+):(.*)$')
return bytes and string.sub(rest, 1, tonumber(bytes))
function jobs.parse_entry(entry)
return string.match(entry, '^(%d+):([^:]*):([^:]*):(%d+):(.*)$')
jobs.fresh, jobs.fresh_ids = {}, {}
function jobs.save()
local fields = jobs.fresh
if #fields == 0 then return end
for i = 1, #fields, 4000 do redis.call('HSET', KEYS[15], unpack(fields, i, math.min(i + 4000 - 1, #fields))) end
function jobs.is_taken(client, seq, details)
if not S.rb_named then return false end
local id = jobs.id_in(details)
if jobs.fresh_ids[id] then return true end
if string.sub(id, 1, #client + 1) == client .. '-' then return false end
local other = redis.call('HGET', KEYS[15], 'i' .. id)
if not other or other == client .. ':' .. seq then return false end
return record_of(string.match(other, '^[^:]*')) ~= nil and redis.call('HEXISTS', KEYS[15], 't' .. other) == 1
function jobs.remember(now, client, seq, priority, weight, expiration, details)
local index = client .. ':' .. seq
local entry = string.format('%d:%s:%s:%d:', priority, weight, expiration, math.floor(now)) .. details
jobs.fresh_ids[id] = true
local fresh, n = jobs.fresh, #jobs.fresh
fresh[n + 1], fresh[n + 2], fresh[n + 3], fresh[n + 4] = 't' .. index, entry, 'i' .. id, index
if not S.rb_named then set('rb_named', 1) end
function jobs.remember_again(now, client, seq, name)
if name == '' or redis.call('HEXISTS', KEYS[15], 't' .. client .. ':' .. seq) == 1 then return end
local priority, weight, expiration, details = string.match(name, '^(%d+):([^:]*):([^:]*):(.*)$')
jobs.remember(now, client, seq, tonumber(priority), weight, expiration, details)
function jobs.forget(indexes)
if not S.rb_named then return end
jobs.save()
for from = 1, #indexes, 4000 / 4 do jobs.forget_some(indexes, from, math.min(from + 4000 / 4 - 1, #indexes)) end
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
if #ids > 0 then
local current = redis.call('HMGET', KEYS[15], unpack(ids))
for i = 1, #ids do
if current[i] == owners[i] then gone[#gone + 1] = ids[i] end
if #gone > 0 then redis.call('HDEL', KEYS[15], unpack(gone)) end
function jobs.take_out(client, priority, text)
if redis.call('ZREM', KEYS[9], text) == 1 or redis.call('ZREM', KEYS[11], text) == 1 then
if record then change(client, record, -1, 0) end
return 'ready'
return redis.call('ZREM', KEYS[10], delayed_member(priority, text)) == 1 and 'delayed' or nil
function jobs.mark(index)
redis.call('HSET', KEYS[15], 't' .. index, jobs.MARK)
function jobs.was_cancelled(client, seq)
local field = 't' .. client .. ':' .. seq
return redis.call('HGET', KEYS[15], field) == jobs.MARK and redis.call('HDEL', KEYS[15], field) == 1
function jobs.send_orphans(client, caller, orphans)
for i = 1, #orphans, jobs.PER_MESSAGE do
local part = { unpack(orphans, i, math.min(i + jobs.PER_MESSAGE - 1, #orphans)) }
redis.call('PUBLISH', 'b_' .. S.id, 'rebottle-orphaned:' .. cjson.encode({ by = caller, client = client, jobs = part }))
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
seen = seen + 1
until cursor == '0' or (caller and seen >= jobs.PER_CALL)
if caller then jobs.send_orphans(client, caller, orphans) end
return cursor == '0'
local function hdel_all(key, fields)
for i = 1, #fields, 4000 do redis.call('HDEL', key, unpack(fields, i, math.min(i + 4000 - 1, #fields))) end
function release(indexes, owner)
if #indexes == 0 then return 0 end
local weights = redis.call('HMGET', KEYS[2], unpack(indexes))
local clients = not owner and redis.call('HMGET', KEYS[4], unpack(indexes))
local total = 0
local foreign = {}
for i = 1, #indexes do
local weight = tonumber(weights[i])
if weight then
total = settle(total + weight)
local client = owner or clients[i] or string.match(indexes[i], '^([^:]+):%d+$')
local record = client and record_of(client)
if record then change(client, record, 0, -weight)
elseif client and weight ~= 0 then foreign[client] = (foreign[client] or 0) + weight end
jobs.forget(indexes)
hdel_all(KEYS[2], indexes)
hdel_all(KEYS[4], indexes)
if has_expirations ~= false then redis.call('ZREM', KEYS[3], unpack(indexes)) end
for client, weight in pairs(foreign) do
if redis.call('ZSCORE', KEYS[5], client) then redis.call('ZINCRBY', KEYS[5], -weight, client) end
if total ~= 0 then set('running', math.max(0, settle(S.running - total))) end
return total
function release_expired(now)
local first = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
has_expirations = first and true or false
if not first or tonumber(first) >= now + ahead then return end
local expired = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', string.format('(%.3f', now + ahead), 'LIMIT', 0, 1000)
local total = release(expired)
redis.call('ZREM', KEYS[3], unpack(expired))
if total ~= 0 then set('done', settle(S.done + total)) end
local function started_tickets(client)
local found = {}
local cursor = '0'
local page = redis.call('HSCAN', KEYS[2], cursor, 'MATCH', client .. ':*', 'COUNT', 1000)
for i = 1, #page[2], 2 do found[#found + 1] = page[2][i] end
until cursor == '0' or #found >= 1000
return found, cursor == '0'
local function release_client(client)
local indexes, whole = started_tickets(client)
for from = 1, #indexes, 4000 do
local part = {}
for j = from, math.min(from + 4000 - 1, #indexes) do part[#part + 1] = indexes[j] end
release(part)
return whole
local function end_grace(client)
local indexes = started_tickets(client)
if redis.call('ZSCORE', KEYS[3], indexes[i]) then
redis.call('ZINCRBY', KEYS[3], -1000, indexes[i])
local function give_up(client, record)
local ghosts = record and record.queued or 0
if redis.call('EXISTS', KEYS[11]) == 1 then
local page = redis.call('ZSCAN', KEYS[11], cursor, 'MATCH', client .. ':*', 'COUNT', 1000)
for i = 1, #page[2], 2 do ghosts = ghosts - redis.call('ZREM', KEYS[11], page[2][i]) end
until cursor == '0'
if ghosts > 0 then set('rb_ghosts', S.rb_ghosts + ghosts) end
if record and record.running > 0 then set('running', math.max(0, settle(S.running - record.running))) end
forget(client)
function bury_dead(now, caller)
if S.rb_buryAt and now < S.rb_buryAt then return end
local all = true
local dead = redis.call('ZRANGEBYSCORE', KEYS[13], '-inf', math.floor(now - S.clientTimeout), 'LIMIT', 0, 20)
for i = 1, #dead do
local client = dead[i]
if client ~= caller then
local whole = jobs.clear(client, caller)
if whole and redis.call('EXISTS', KEYS[2]) == 1 then whole = release_client(client) end
if whole then give_up(client, record) else all = false end
if all and #dead < 20 then set('rb_buryAt', math.floor(now + seen_step())) end
local function interval_of(setting)
return setting and math.max(setting, 1)
local function add_to_reservoir(amount)
local reservoir = S.reservoir or 0
local increase = amount
if S.reservoirIncreaseMaximum then increase = math.min(amount, S.reservoirIncreaseMaximum - reservoir) end
if increase > 0 then set('reservoir', reservoir + increase) end
local function refresh_reservoir(now)
local interval = interval_of(S.reservoirRefreshInterval)
if not interval or not S.reservoirRefreshAmount then return nil end
if not S.lastReservoirRefresh then set('lastReservoirRefresh', math.floor(now)) end
local last = S.lastReservoirRefresh
if now < last + interval then return nil end
set('lastReservoirRefresh', last + math.floor((now - last) / interval) * interval)
set('reservoir', S.reservoirRefreshAmount)
return S.lastReservoirRefresh
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
local function refill_bucket(now)
local capacity, rate = S.rb_bucketCapacity, S.rb_bucketRefillPerSecond
if not capacity or not rate then return end
local tokens = S.rb_bucketTokens or capacity
set('rb_bucketTokens', math.min(capacity, tokens + math.max(0, now - (S.rb_bucketTime or now)) * rate / 1000))
set('rb_bucketTime', now)
function tick(now)
increase_reservoir(now, refresh_reservoir(now))
refill_bucket(now)
function next_refill()
local refresh_every, increase_every = interval_of(S.reservoirRefreshInterval), interval_of(S.reservoirIncreaseInterval)
local refresh = refresh_every and S.reservoirRefreshAmount and S.lastReservoirRefresh + refresh_every
local increase = increase_every and S.reservoirIncreaseAmount and S.lastReservoirIncrease + increase_every
if refresh and increase then return math.min(refresh, increase) end
return refresh or increase or nil
function open_real()
local mixed
local view
local CLOCK_KEPT, CLOCK_CAP, CLOCK_NOTABLE = 30000, 60000, 1000
local SHORTEST_REAL_ID = 8
local function by_member(key)
local entries = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
for i = 1, #entries, 2 do found[entries[i]] = tonumber(entries[i + 1]) end
return found
local function look_at_clients()
view = {
seen = by_member(KEYS[8]), running = by_member(KEYS[5]),
registered = by_member(KEYS[7]), queued = {}, living = {},
local counts = redis.call('HGETALL', KEYS[6])
for i = 1, #counts, 2 do view.queued[counts[i]] = tonumber(counts[i + 1]) end
local function private_channel(client)
return 'b_' .. S.id .. '_' .. client
local function register_real(client, now)
redis.call('ZADD', KEYS[5], 0, client)
redis.call('HSET', KEYS[6], client, 0)
redis.call('ZADD', KEYS[7], 0, client)
redis.call('ZADD', KEYS[8], math.floor(now + ahead), client)
local function bury_real(client)
local cursor, found = '0', {}
local page = redis.call('HSCAN', KEYS[4], cursor, 'COUNT', 1000)
if page[2][i + 1] == client then found[#found + 1] = page[2][i] end
for from = 1, #found, 4000 do release({ unpack(found, from, math.min(from + 4000 - 1, #found)) }) end
if cursor ~= '0' then return end
view.seen[client] = nil
mixed.real[client] = nil
local function count_listeners(ids)
local counts = {}
for from = 1, #ids, 4000 do
local channels = {}
for i = from, math.min(from + 4000 - 1, #ids) do channels[#channels + 1] = private_channel(ids[i]) end
local reply = redis.call('PUBSUB', 'NUMSUB', unpack(channels))
for i = 2, #reply, 2 do counts[#counts + 1] = tonumber(reply[i]) end
return counts
local function gives_signs(client, state, now)
if state.seen ~= view.seen[client] then
state.seen, state.at = view.seen[client], now
return state.at ~= nil and now - state.at < S.clientTimeout
local function judge_real(now, exact)
local ids = {}
for client in pairs(view.seen) do
if not is_ours(client) and not mixed.real[client] then mixed.real[client] = {} end
for client in pairs(mixed.real) do ids[#ids + 1] = client end
local listeners = exact and count_listeners(ids)
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
view.living[#view.living + 1] = client
elseif not view.seen[client] then mixed.real[client] = nil
state.gone = state.gone or now
if now - state.gone >= S.clientTimeout then bury_real(client) end
local function follow_clocks(now)
local fastest = 0
for i = 1, #view.living do fastest = math.max(fastest, (view.seen[view.living[i]] or 0) - now) end
local clock = mixed.clock or { at = now, recent = 0, before = 0, told = 0 }
mixed.clock = clock
if now - clock.at > CLOCK_KEPT then
clock.before = now - clock.at > 2 * CLOCK_KEPT and 0 or clock.recent
clock.recent, clock.at = 0, now
clock.recent = math.max(clock.recent, math.ceil(math.min(fastest, CLOCK_CAP)))
ahead = math.max(clock.recent, clock.before)
if ahead < CLOCK_NOTABLE then clock.told = 0
elseif ahead > clock.told + CLOCK_NOTABLE then
clock.told = ahead
redis.call('PUBLISH', 'b_' .. S.id, 'rebottle-clock:' .. ahead)
local function read_shared_times(now)
for field in pairs(SHARED_TIMES) do
if S[field] then S[field] = S[field] - ahead end
if S.minTime == 0 and S.unblockTime < now and S.nextRequest > now then S.nextRequest = now end
local function correct_records()
counted = view.running
for client, record in pairs(records) do
if record and not record.fresh then record.running = counted[client] or 0 end
local function register_ours()
if not view.registered[client] then record.fresh = true end
if not view.seen[client] then
local seen = redis.call('ZSCORE', KEYS[13], client)
if seen then
redis.call('ZADD', KEYS[8], 'NX', math.floor(tonumber(seen) + ahead), client)
view.seen[client] = tonumber(seen)
local function register_all()
local ours = redis.call('ZRANGE', KEYS[13], 0, -1)
for i = 1, #ours do
local record = record_of(ours[i])
touched[ours[i]] = true
record.fresh = true
register_ours()
local count = 0
if is_ours(client) then count = count + 1 end
set('rb_ours', count)
local function heal_real(now)
local prefix = 'b_' .. S.id .. '_'
local pattern = string.gsub(prefix, '[%*%?%[%]%^\\\\]', '\\\\%0') .. '*'
local channels = redis.call('PUBSUB', 'CHANNELS', pattern)
local parents = {}
for i = 1, #channels do
local rest = string.sub(channels[i], #prefix + 1)
local parent = string.match(rest, '^(.*)_[0-9a-z]+$')
if parent then parents[parent] = true
elseif #rest >= SHORTEST_REAL_ID and string.find(rest, '^[0-9a-z]+$') then found[#found + 1] = rest end
local base = string.sub(KEYS[1], 1, -#'_settings' - 1)
local healed = false
for i = 1, #found do
local client = found[i]
local is_limiter = parents[client] or redis.pcall('EXISTS', base .. '_' .. client .. '_settings') == 1
if not is_limiter then
healed = true
if not redis.call('ZSCORE', KEYS[8], client) then register_real(client, now) end
return healed
local HOLD, LONGEST_HOLD, HOLD_REST, GATHER = 150, 1000, 30, 1000
local NEED_KEPT = 10000
local FIRST_BACKOFF, LONGEST_BACKOFF = 1000, 30000
local MOST_CREDIT = 4
local UNKNOWN_QUEUE = 5
local share
local function has_queue(client)
return (view.queued[client] or 0) ~= 0 or mixed.real[client].healed == true
local function wants(client, now)
if not state or state.gone or (state.off and now < state.off) then return false end
return has_queue(client)
local function count_ours(client)
if share.working[client] then return end
share.working[client] = true
share.ours_count = share.ours_count + 1
share.ours = share.ours + (record and record.running or view.running[client] or 0)
local function weigh_up(now)
if share then return share end
share = { real = 0, real_count = 0, ours = 0, ours_count = 0, working = {}, held = 0, held_for = {} }
for i = 1, #mixed.offers do
local offer = mixed.offers[i]
share.held = share.held + offer.k
share.held_for[offer.c] = (share.held_for[offer.c] or 0) + offer.k
for i = 1, #view.living do
local client = view.living[i]
if wants(client, now) then
share.real_count = share.real_count + 1
share.real = share.real + (view.running[client] or 0)
for client, queued in pairs(view.queued) do
if is_ours(client) then
if record then queued = record.queued end
if queued > 0 then count_ours(client) end
return share
local function ours_are_behind()
local theirs = (share.real + share.held) / share.real_count
local ours = share.ours / math.max(1, share.ours_count)
if theirs ~= ours then return ours < theirs end
return mixed.credit >= 0
local function room_for(client)
local queued = view.queued[client] or 0
local most = queued > 0 and math.max(queued, mixed.real[client].need or 1) or UNKNOWN_QUEUE
return most - (share.held_for[client] or 0)
local function neediest(now)
local best, best_load, best_time
if wants(client, now) and room_for(client) > 0 then
local load = (view.running[client] or 0) + (share.held_for[client] or 0)
local time = view.registered[client] or 0
if not best or load < best_load or (load == best_load and time < best_time) then
best, best_load, best_time = client, load, time
return best
local function new_offer(client)
if offer.c == client and offer.told == 0 then return offer end
local function offer_more(now)
local client = neediest(now)
if not client then return false end
local offer, amount = new_offer(client), 1
if not offer then
if state.need and now - state.needed > NEED_KEPT then state.need = nil end
amount = state.need or 1
offer = { c = client, due = 0, k = 0, told = 0, took = 0, ends = now + GATHER, registered = view.registered[client] or 0 }
mixed.offers[#mixed.offers + 1] = offer
offer.due, offer.k = offer.due + 1, offer.k + amount
share.held = share.held + amount
share.held_for[client] = (share.held_for[client] or 0) + amount
return true
local function hold_of(client)
return math.min(LONGEST_HOLD, HOLD * 2 ^ (mixed.real[client].tries or 0))
local function send_offers(now)
local left = capacity() or math.huge
local there = math.max(0, math.min(offer.k, math.floor(left)))
left = left - offer.k
if there > offer.told then
offer.told = there
if there == offer.k then offer.ends = now + hold_of(offer.c) end
redis.call('PUBLISH', private_channel(offer.c), string.format('capacity:%d', there))
local function was_used(offer, state, now)
state.off, state.tries = nil, nil
if offer.took > 1 and state.need then state.need, state.needed = math.min(state.need, offer.took), now end
local function was_in_vain(client, state, now)
local most = S.maxConcurrent or S.reservoir or 1
local need = state.need or 1
if need < most then
state.need, state.needed = math.min(2 * need, most), now
return
state.need = nil
state.tries = (state.tries or 0) + 1
state.off = now + math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ^ (state.tries - 1))
state.registered = view.registered[client] or 0
local function review_offers(now, growth)
local kept = {}
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
mixed.offers = kept
local function end_backoffs()
if state.off and view.registered[client] ~= state.registered then state.off, state.tries = nil, nil end
local PACE_WINDOW, PACE_STEP, PACE_NEAR = 60, 10, 50
local HANDFUL = 5
local function count_bookings(now, growth)
local pace = mixed.pace or { last = 0, at = 0, theirs = 0, mine = 0 }
mixed.pace = pace
if growth == 0 then return end
if now - pace.last > PACE_WINDOW then pace.theirs, pace.mine = 0, 0 end
pace.theirs, pace.last = pace.theirs + growth, now
local function booking_count(now)
if (view.registered[view.living[i]] or 0) > now + ahead - 1000 then count = count + 1 end
return math.max(1, count)
local function is_paced(now)
if S.minTime == 0 or S.nextRequest - now <= PACE_NEAR then return false end
local pace = mixed.pace
local most = HANDFUL
if now - pace.last <= PACE_WINDOW then
most = most + pace.theirs * math.max(1, weigh_up(now).ours_count) / booking_count(now)
elseif now - pace.at >= PACE_STEP then
pace.at, pace.mine, pace.theirs = now, 0, 0
if pace.mine >= most then return true end
pace.mine = pace.mine + 1
return false
local function earn(credit)
mixed.credit = math.max(-MOST_CREDIT, math.min(MOST_CREDIT, mixed.credit + credit))
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
local function is_our_turn(now, client, weight)
weigh_up(now)
count_ours(client)
if not left or weight == 0 then return true end
while true do
if weight > left - share.held then return false end
if share.real_count == 0 or ours_are_behind() or not offer_more(now) then return true end
local function count_start(weight)
share.ours = share.ours + weight
if share.real_count > 0 then earn(-weight / share.ours_count) end
mixed.since = nil
local function tell_all(free)
if has_queue(view.living[i]) then return redis.call('PUBLISH', 'b_' .. S.id, string.format('capacity:%d', free)) end
local function pass_on(now, waiting)
if not left then
if view.had then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:') end
if not waiting then
if left > 0 and (not view.had or left > view.had or #mixed.offers > 0) then tell_all(left) end
mixed.offers = {}
if weigh_up(now).real_count == 0 or left <= share.held or view.paced then return end
if ours_are_behind() then
mixed.since = mixed.since or now
if now - mixed.since < GATHER then return end
while left > share.held and offer_more(now) do end
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
if state then set('rb_mixed', nil) end
register_all()
follow_clocks(now)
read_shared_times(now)
look_back(now)
S.rb_justInTime = nil
local function leave(now, waiting)
pass_on(now, waiting)
send_offers(now)
mixed.total = S.done + S.running
set('rb_mixed', cjson.encode(mixed))
local function take_turn(now, client, weight)
if is_paced(now) then
view.paced = true
if not is_our_turn(now, client, weight) then
view.held_back = true
count_start(weight)
local function lease_until(now, wait, expiration)
local ends = expiration and now + wait + expiration + 1000
if mixed then ends = math.min(ends or math.huge, now + LEASE * S.clientTimeout) end
return ends and math.ceil(ends + ahead)
local function renew(now, client, record, seq, text)
local weight, expires_in = string.match(text, '^([^:]*):([^:]*)$')
weight, expires_in = tonumber(weight), tonumber(expires_in)
if redis.call('HEXISTS', KEYS[2], index) == 0 then
if expires_in and expires_in <= 0 then return end
redis.call('HSET', KEYS[2], index, weight)
redis.call('HSET', KEYS[4], index, client)
change(client, record, 0, weight)
local ends = lease_until(now, 0, expires_in)
if ends then
redis.call('ZADD', KEYS[3], string.format('%.0f', ends), index)
has_expirations = true
else redis.call('ZREM', KEYS[3], index) end
local function wait_for_real(now, wait, waiting)
local function by(time)
local span = math.max(1, time - now)
if not wait or span < wait then wait = span end
if view.held_back then wait = nil
elseif view.paced then wait = PACE_STEP end
if waiting then
for i = 1, #mixed.offers do by(mixed.offers[i].ends) end
if mixed.since then by(mixed.since + GATHER) end
for _, state in pairs(mixed.real) do
if state.gone then by(state.gone + S.clientTimeout) end
local refill = weigh_up(now).real_count > 0 and next_refill()
if refill then by(refill) end
return wait
local function left()
local free = capacity()
if not free then return '' end
for i = 1, mixed and #mixed.offers or 0 do free = free - mixed.offers[i].k end
return string.format('%d', math.max(0, math.floor(free)))
local function restore(now)
if heal_real(now) then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:' .. left()) end
return {
meet = meet, leave = leave, fair_turn = take_turn, leave_until = lease_until, renew = renew, wait = wait_for_real, left = left,
restore = restore,
function meet_real(now, client, exact)
if not S.rb_mixed and redis.call('ZCARD', KEYS[8]) == S.rb_ours then return end
local functions = open_real()
if functions.meet(now, client, exact) then real = functions end
function fair_turn(now, client, weight)
return not real or real.fair_turn(now, client, weight)
function leave_until(now, wait, expiration)
if real then return real.leave_until(now, wait, expiration) end
return expiration and math.ceil(now + wait + expiration + 1000)
effects = {}
first_notice = {}
local messages = {}
local recipients = {}
function exact_number(number)
return number == math.floor(number) and number or string.format('%.15g', number)
function note(kind, seq, a, b)
local n = #effects
effects[n + 1] = kind
effects[n + 2] = tonumber(seq)
effects[n + 3] = a
effects[n + 4] = b
function notify(client, kind, seq, a, b)
if not first_notice[client] then first_notice[client] = record.notices + 1 end
record.notices = record.notices + 1
if client == CALLER then return note(kind, seq, a, b) end
local list = messages[client]
if not list then
list = {}
messages[client] = list
recipients[#recipients + 1] = client
local n = #list
list[n + 1] = kind
list[n + 2] = tonumber(seq)
list[n + 3] = a
list[n + 4] = b
function send_messages()
for i = 1, #recipients do
local client = recipients[i]
redis.call('PUBLISH', channel_of(client), cjson.encode({ c = client, n = first_notice[client] or 0, e = messages[client] }))
local listening = {}
function is_listening(client, exact)
if not exact or client == CALLER then return true end
local channel = channel_of(client)
if listening[channel] == nil then
listening[channel] = redis.call('PUBSUB', 'NUMSUB', channel)[2] > 0
return listening[channel]
passed = 0
page, page_at = {}, 1
local taken = {}
local function remove_taken()
if #taken > 0 then redis.call('ZREM', KEYS[9], unpack(taken)) end
taken = {}
function close_page()
remove_taken()
local function front()
if page[page_at] then return page[page_at], page[page_at + 1] end
page = redis.call('ZRANGE', KEYS[9], 0, page_at == 1 and 1 or 64 - 1, 'WITHSCORES')
page_at = 1
return page[1], page[2]
local function take(text)
page_at = page_at + 2
taken[#taken + 1] = text
function queue_length()
return math.max(0, redis.call('ZCARD', KEYS[9]) - #taken - S.rb_ghosts)
function head(exact)
local text, score = front()
if not text then return nil end
local client, seq, weight, expiration = parse_ticket(text)
if record and is_listening(client, exact) then return text, client, seq, weight, expiration, tonumber(score) end
passed = passed + 1
if passed > 500 then return nil end
if record then redis.call('ZADD', KEYS[11], score, text)
elseif S.rb_ghosts > 0 then set('rb_ghosts', S.rb_ghosts - 1) end
take(text)
new_weights, new_clients, new_expirations = {}, {}, {}
function start(now, kind, client, seq, weight, expiration)
local wait = take_slot(now, weight)
record.started = true
local n = #new_weights
new_weights[n + 1] = index
new_weights[n + 2] = weight
new_clients[n + 1] = index
new_clients[n + 2] = client
local leave = leave_until(now, wait, expiration)
if leave then
new_expirations[#new_expirations + 1] = string.format('%.0f', math.ceil(leave))
new_expirations[#new_expirations + 1] = index
notify(client, kind, seq, micros(wait), S.reservoir and exact_number(S.reservoir) or '')
function start_waiting(now, exact)
local text, client, seq, weight, expiration, score = head(exact)
head_score = score
if not text or not may_start(now, weight) or not fair_turn(now, client, weight) then return end
change(client, record_of(client), -1, 0)
start(now, 2, client, seq, weight, expiration)
function write_all(command, key, args)
for i = 1, #args, 4000 do redis.call(command, key, unpack(args, i, math.min(i + 4000 - 1, #args))) end
function save_starts()
write_all('HSET', KEYS[2], new_weights)
write_all('HSET', KEYS[4], new_clients)
write_all('ZADD', KEYS[3], new_expirations)
function promote_due(now)
if not S.rb_delayed then return end
close_page()
local due = redis.call('ZRANGEBYSCORE', KEYS[10], '-inf', string.format('%.3f', now), 'LIMIT', 0, 500)
if #due == 0 then return end
local queued = {}
for i = 1, #due do
local priority, text = parse_delayed(due[i])
local client = parse_ticket(text or '')
change(client, record, 1, 0)
queued[#queued + 1] = score_of(priority, next_arrival(now))
queued[#queued + 1] = text
write_all('ZADD', KEYS[9], queued)
redis.call('ZREM', KEYS[10], unpack(due))
local function least_important(priority)
local last = redis.call('ZREVRANGE', KEYS[9], 0, 0, 'WITHSCORES')
if not last[1] then return nil end
local lowest = priority_of(tonumber(last[2]))
if lowest < priority then return nil end
local oldest = redis.call('ZRANGEBYSCORE', KEYS[9], string.format('%.0f', score_of(lowest, 0)), '+inf', 'LIMIT', 0, 1)
local client, seq = parse_ticket(oldest[1])
if client and record_of(client) then return oldest[1], client, seq end
redis.call('ZREM', KEYS[9], oldest[1])
if S.rb_ghosts > 0 then set('rb_ghosts', S.rb_ghosts - 1) end
local function drop_queued(text, client, seq, reason)
redis.call('ZREM', KEYS[9], text)
notify(client, 3, seq, reason, 1)
jobs.forget({ client .. ':' .. seq })
local function shed(priority)
local from
if S.strategy == 1 or S.strategy == nil then from = priority
elseif S.strategy == 4 then from = priority + 1
else return false end
local text, client, seq = least_important(from)
if not text then return false end
drop_queued(text, client, seq, 0)
local function drop_all()
head_score = nil
local texts = redis.call('ZRANGE', KEYS[9], 0, 999)
if #texts == 0 then break end
for i = 1, #texts do
local client, seq = parse_ticket(texts[i])
change(client, record, -1, 0)
notify(client, 3, seq, 1, 1)
redis.call('ZREM', KEYS[9], unpack(texts))
set('rb_ghosts', 0)
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
write_all('HSET', KEYS[6], zeros)
redis.call('PUBLISH', 'b_' .. S.id, 'blocked:')
local function passes_through(now, priority, weight)
return (not head_score or priority < priority_of(head_score)) and starts_at_once(now, weight)
function obey_block()
if not S.rb_unblockSeen or S.unblockTime == S.rb_unblockSeen then return end
function admit(now, seq, priority, weight)
local full = S.highWater and queue_length() >= S.highWater and not passes_through(now, priority, weight)
if S.strategy == 3 and (full or S.unblockTime >= now) then
block(now)
note(3, seq, 1, 0)
if full and not shed(priority) then
note(3, seq, 0, 0)
return true, full
local function head_wait(now, weight)
local wait = math.max(bucket_wait(weight), window_wait(now))
if S.rb_justInTime then wait = math.max(wait, S.nextRequest - now) end
if S.maxConcurrent and weight > S.maxConcurrent - S.running then return nil end
if S.reservoir and weight > S.reservoir then
local refill = next_refill()
if not refill then return nil end
wait = math.max(wait, refill - now)
if wait == math.huge then return nil end
return math.max(0, wait)
local function expiry_wait(now)
if has_expirations == false then return nil end
local first = tonumber(redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2])
for i = 1, #new_expirations, 2 do first = math.min(first or math.huge, tonumber(new_expirations[i])) end
if not first then return nil end
return math.max(0, first - ahead - now) + 1
local function earliest(a, b)
if a and b then return math.min(a, b) end
return a or b
function plan_wakeup(now, client, exact)
if passed > 500 or not S.rb_buryAt or S.rb_buryAt <= now then return 0 end
local wait
local text, _, _, weight = head(exact)
if text then
wait = head_wait(now, weight)
if not wait then wait = expiry_wait(now) end
local due = S.rb_delayed and redis.call('ZRANGE', KEYS[10], 0, 0, 'WITHSCORES')[2]
if S.rb_delayed and not due then set('rb_delayed', nil) end
if due then wait = earliest(wait, math.max(0, tonumber(due) - now)) end
if real then wait = real.wait(now, wait, text ~= nil) end
if not wait then
if S.rb_wakeAt then set('rb_wakeAt', nil) end
return -1
local at = now + wait
local holder = S.rb_wakeClient
if holder and holder ~= client and S.rb_wakeAt and S.rb_wakeAt > now and S.rb_wakeAt <= at and record_of(holder) then
return micros(wait + 250)
set('rb_wakeAt', at)
set('rb_wakeClient', client)
return micros(wait)
local client, step, exact = ARGV[1], tonumber(ARGV[2]), ARGV[4] == '1'
local now = read_clock(ARGV[5])
local holds = tonumber(ARGV[6])
local completed, withdrawn, renewed, submitted = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local at = 11
if not load_settings() then return { 1 } end
S.id = ARGV[3]
CALLER = client
if not record then
if holds > 0 then return { 2, S.rb_epoch } end
record = new_record(client)
if step <= record.step then
local kept = redis.call('HGET', KEYS[14], 'r:' .. client)
if kept then
local kept_step, answer = cmsgpack.unpack(kept)
if kept_step == step then return answer end
return { 0, S.rb_epoch, 0, record.notices, 0, tostring(S.running), {}, record.queued, tostring(record.running) }
record.step = step
meet_real(now, client, exact)
saw(client, now)
tick(now)
release_expired(now)
bury_dead(now, client)
obey_block()
if completed > 0 then
local indexes = {}
for i = 1, completed do indexes[i] = client .. ':' .. ARGV[at + i - 1] end
at = at + completed
local total = release(indexes, client)
local running_now = S.running
if withdrawn > 0 then close_page() end
for _ = 1, withdrawn do
local seq, priority, text = ARGV[at], ARGV[at + 1], ARGV[at + 2]
at = at + 3
if redis.call('ZREM', KEYS[9], text) == 1 or redis.call('ZREM', KEYS[11], text) == 1 then change(client, record, -1, 0)
elseif redis.call('ZREM', KEYS[10], delayed_member(priority, text)) == 0 then release({ client .. ':' .. seq }) end
for _ = 1, renewed do
local index, expires_in = client .. ':' .. ARGV[at], tonumber(ARGV[at + 1])
if not expires_in then (real or open_real()).renew(now, client, record, ARGV[at], ARGV[at + 1])
elseif redis.call('HEXISTS', KEYS[2], index) == 1 then
redis.call('ZADD', KEYS[3], leave_until(now, 0, expires_in), index)
at = at + 2
promote_due(now)
start_waiting(now, exact)
local entries = {}
local function look_at_queue()
write_all('ZADD', KEYS[9], entries)
entries = {}
local function submit(seq, priority, weight_text, expiration_text, delay, details)
local weight, expiration = tonumber(weight_text) or 1, tonumber(expiration_text)
if S.maxConcurrent and weight > S.maxConcurrent then return note(4, seq, exact_number(S.maxConcurrent), 0) end
if details and jobs.is_taken(client, seq, details) then return note(6, seq, 0, 0) end
local text = ticket_text(client, seq, weight_text, expiration_text)
if delay > 0 then
redis.call('ZADD', KEYS[10], string.format('%.3f', now + delay), delayed_member(priority, text))
set('rb_delayed', 1)
if details then jobs.remember(now, client, seq, priority, weight_text, expiration_text, details) end
return note(1, seq, 0, string.format('@%.3f', delay))
local full = false
if S.highWater or S.strategy == 3 then
if #entries > 0 then look_at_queue() end
local admitted
admitted, full = admit(now, seq, priority, weight)
if not admitted then return end
local arrival = next_arrival(now)
if not full and not head_score and may_start(now, weight) and fair_turn(now, client, weight) then
return start(now, 5, client, seq, weight, expiration)
local score = score_of(priority, arrival)
entries[#entries + 1] = score
entries[#entries + 1] = text
note(1, seq, full and 1 or 0, string.format('%.0f', arrival))
if full then look_at_queue()
elseif not head_score or score < head_score then
if may_start(now, weight) then look_at_queue() end
for _ = 1, submitted do
local seq, packed = ARGV[at], ARGV[at + 1]
local priority = tonumber(packed)
if priority then submit(seq, priority, '', '', 0, nil)
local p, weight, expiration, delay, details = string.match(packed, '^(%d+):([^:]*):([^:]*):([^:]*):?(.*)$')
local due = tonumber(string.match(delay, '^@(.*)$'))
delay = due and math.max(0, due - now) or tonumber(delay) or 0
submit(seq, tonumber(p), weight, expiration, delay, details ~= '' and details or nil)
if #entries > 0 then close_page() end
if real then real.leave(now, head_score ~= nil) end
local next_in = plan_wakeup(now, client, exact)
save_starts()
if record.queued > 0 and not head_score and redis.call('EXISTS', KEYS[9], KEYS[11]) == 0 then change(client, record, -record.queued, 0) end
local answer = { 0, S.rb_epoch, next_in, record.notices, first_notice[client] or 0, tostring(running_now), effects, record.queued,
tostring(record.running), real and 1 or 0 }
if #effects > 0 then save_records(now, 'r:' .. client, cmsgpack.pack(step, answer))
else save_records(now) end
save_settings()
send_messages()
refresh_ttl(now)
return answer

local bury_dead, delayed_member, exact_number, is_listening, load_settings, meet_real, micros, new_record, next_arrival, next_refill, obey_block, parse_delayed, promote_due, queue_length, read_clock, refresh_ttl, release_expired, save_records, save_settings, save_starts, saw, send_messages, start_waiting, starts_at_once, take_slot, tick, ticket_text, CALLER, SHARED_TIMES, channel_of, may_start, priority_of, score_of, seen_step, close_page, fair_turn, has_expirations, leave_until, note, notify, release, head_score, is_ours, counted, parse_ticket, write_all, forget, page_at, settle, touched, records, change, capacity, record_of, ahead, page, real, set, jobs, S
local function bucket_wait(weight)
local function window_wait(now)
local function open_real()
local effects = {}
local first_notice = {}
local passed = 0
local function head(exact)
local new_weights, new_clients, new_expirations = {}, {}, {}
local function start(now, kind, client, seq, weight, expiration)
local function admit(now, seq, priority, weight)
local client, exact, now = ARGV[1], ARGV[3] == '1', read_clock(ARGV[4])
S.id = ARGV[2]
CALLER = nil
if not record_of(client) then new_record(client) end
save_records(now)
local left = real and real.left() or '0'
for i = 5, #ARGV do
redis.call('PUBLISH', 'b_' .. S.id, 'capacity-priority:' .. left .. '::' .. ARGV[i])
return { 0 }
local load_settings, read_clock, save_records, save_settings, saw, set, settle, record_of, ahead, S
local function micros(ms)
local SHARED_TIMES = {
local function refresh_ttl(now)
local records = {}
local touched = {}
local counted
local function new_record(client)
local function change(client, record, queued, running)
local function seen_step()
local function is_ours(client)
local function forget(client)
local function channel_of(client)
local client, now = ARGV[1], read_clock(ARGV[2])
if not load_settings() or not record_of(client) then return 0 end
return 1
local bury_dead, delayed_member, exact_number, head_score, load_settings, meet_real, micros, new_record, next_arrival, next_refill, parse_delayed, read_clock, refresh_ttl, release_expired, save_records, save_settings, save_starts, saw, score_of, send_messages, start_waiting, take_slot, tick, CALLER, SHARED_TIMES, channel_of, is_listening, may_start, seen_step, ticket_text, fair_turn, has_expirations, leave_until, notify, parse_ticket, release, is_ours, counted, forget, page_at, settle, change, touched, records, record_of, capacity, ahead, page, set, real, jobs, S
local function starts_at_once(now, weight)
local function priority_of(score)
local function note(kind, seq, a, b)
local function close_page()
local function queue_length()
local function write_all(command, key, args)
local function promote_due(now)
local function cancel(job)
local index = redis.call('HGET', KEYS[15], 'i' .. job)
local entry = index and redis.call('HGET', KEYS[15], 't' .. index)
local priority, weight, expiration = jobs.parse_entry(entry or '')
if not priority then return '' end
local owner, seq = string.match(index, '^([^:]*):(.*)$')
if redis.call('HEXISTS', KEYS[2], index) == 1 then
notify(owner, 7, seq, 0, 0)
return 'executing'
local state = jobs.take_out(owner, priority, ticket_text(owner, seq, weight, expiration))
if not state then return '' end
if not is_listening(owner, exact) then jobs.mark(index) end
notify(owner, 3, seq, 2, 1)
return state
local state = cancel(ARGV[5])
return { 0, state }
local channel_of, delayed_member, load_settings, next_refill, read_clock, refresh_ttl, save_records, save_settings, tick, ticket_text, SHARED_TIMES, has_expirations, new_record, open_real, saw, seen_step, release, is_ours, counted, forget, change, record_of, settle, touched, records, capacity, ahead, set, jobs, S
local function may_start(now, weight)
local function take_slot(now, weight)
local function parse_ticket(text)
local function parse_delayed(member)
local function next_arrival(now)
local function score_of(priority, arrival)
local function release_expired(now)
local function bury_dead(now, caller)
local real
local function meet_real(now, client, exact)
local function fair_turn(now, client, weight)
local function leave_until(now, wait, expiration)
local client, clear, now, version = ARGV[1], ARGV[2], read_clock(ARGV[3]), ARGV[4]
local given = {}
for i = 1, tonumber(ARGV[5]) do given[i] = ARGV[5 + i] end
local TYPES = { 'hash', 'hash', 'zset', 'hash', 'zset', 'hash', 'zset', 'zset', 'zset', 'zset', 'zset', 'list', 'zset', 'hash', 'hash' }
for i = 1, #KEYS do
local kind = redis.call('TYPE', KEYS[i])
kind = kind.ok or kind
if kind ~= 'none' and kind ~= TYPES[i] then
redis.call('DEL', KEYS[i], unpack(KEYS, 2))
if redis.call('EXISTS', KEYS[1]) == 1 then
redis.call('HSET', KEYS[1], 'running', 0)
redis.call('HDEL', KEYS[1], 'rb_epoch')
break
local staying = {}
if clear == '1' then
local known = redis.call('HKEYS', KEYS[14])
for i = 1, math.min(#known, 1000) do
local one = known[i]
if string.sub(one, 1, 2) ~= 'r:' and redis.call('PUBSUB', 'NUMSUB', channel_of(one))[2] > 0 then staying[#staying + 1] = one end
redis.call('DEL', unpack(KEYS))
local is_new = redis.call('HEXISTS', KEYS[1], 'rb_epoch') == 0
if redis.call('EXISTS', KEYS[1]) == 0 then
redis.call('HSET', KEYS[1], unpack(given))
redis.call('HSET', KEYS[1], 'version', version, 'nextRequest', math.floor(now), 'lastReservoirRefresh', math.floor(now),
'lastReservoirIncrease', math.floor(now), 'running', 0, 'done', 0, 'unblockTime', 0, 'capacityPriorityCounter', 0)
for i = 1, #given, 2 do redis.call('HSETNX', KEYS[1], given[i], given[i + 1]) end
for _, field in ipairs({ 'running', 'done', 'unblockTime', 'capacityPriorityCounter' }) do
redis.call('HSETNX', KEYS[1], field, 0)
for _, field in ipairs({ 'nextRequest', 'lastReservoirRefresh', 'lastReservoirIncrease' }) do
if not tonumber(redis.call('HGET', KEYS[1], field)) then redis.call('HSET', KEYS[1], field, math.floor(now)) end
local stored = redis.call('HGET', KEYS[1], 'version')
local minor = stored and tonumber(string.match(stored, '^%d+%.(%d+)'))
if not minor then redis.call('HSET', KEYS[1], 'version', version)
elseif minor < 18 then redis.call('HSET', KEYS[1], 'version', '2.18.0') end
if is_new then
redis.call('DEL', unpack(KEYS, 9))
redis.call('HSET', KEYS[1], 'rb_epoch', string.format('%.3f', now), 'rb_ours', 0, 'rb_unblockSeen', redis.call('HGET', KEYS[1], 'unblockTime'))
load_settings()
S.id = redis.call('HGET', KEYS[1], 'id')
for i = 1, #staying do
new_record(staying[i])
saw(staying[i], now)
if is_new then open_real().restore(now) end
return { S.rb_epoch, redis.call('HGETALL', KEYS[1]), redis.call('ZCARD', KEYS[8]) == S.rb_ours and 0 or 1 }
local delayed_member, end_grace, load_settings, read_clock, ticket_text, give_up, save_settings, seen_step, forget, ahead, change, settle, record_of, set, jobs, S
local function save_records(now, field, value)
local function saw(client, now)
local has_expirations
local function release(indexes, owner)
function end_grace(client)
function give_up(client, record)
local client, now = ARGV[1], read_clock(ARGV[3])
if not load_settings() then return '0' end
if not record then return '0' end
if S.rb_wakeClient == client then redis.call('HDEL', KEYS[1], 'rb_wakeClient', 'rb_wakeAt') end
jobs.clear(client, nil, nil)
if record.running == 0 then
give_up(client, record)
return '0'
if record.queued > 0 then set('rb_ghosts', S.rb_ghosts + record.queued) end
end_grace(client)
if first then redis.call('PUBLISH', 'b_' .. ARGV[2], 'rebottle-expiry:' .. math.max(0, math.ceil(tonumber(first) - now))) end
return string.format('%.15g', record.running)
local read_clock
local pool, info, visibility, now = ARGV[1], ARGV[2], ARGV[3], math.floor(read_clock(ARGV[4]))
if pool ~= '' then
if info ~= '' then redis.call('HSET', KEYS[1], pool, string.format('%d:%s:', now, visibility) .. info)
else redis.call('HDEL', KEYS[1], pool) end
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
if #live == 0 then redis.call('DEL', KEYS[1])
elseif longest > 0 then redis.call('PEXPIRE', KEYS[1], math.ceil(2 * longest)) end
return { string.format('%d', now), dead, live }
return redis.call('PUBLISH', ARGV[1], ARGV[2])
local bury_dead, exact_number, is_listening, load_settings, meet_real, micros, new_record, next_arrival, next_refill, obey_block, parse_delayed, promote_due, queue_length, read_clock, release_expired, save_records, save_settings, save_starts, saw, send_messages, start_waiting, take_slot, tick, ticket_text, CALLER, SHARED_TIMES, channel_of, delayed_member, head, score_of, seen_step, starts_at_once, close_page, fair_turn, has_expirations, leave_until, may_start, note, notify, priority_of, release, head_score, is_ours, counted, write_all, parse_ticket, forget, page_at, settle, touched, records, change, capacity, record_of, ahead, page, real, set, jobs, S
local next_text, _, _, next_weight, _, next_score
if ARGV[6] then next_text, _, _, next_weight, _, next_score = head(exact) end
local queued = 0
local valid = redis.call('ZRANGEBYSCORE', KEYS[8], math.floor(now + ahead - S.clientTimeout), '+inf')
for i = 1, #valid, 4000 do
local counts = redis.call('HMGET', KEYS[6], unpack(valid, i, math.min(i + 4000 - 1, #valid)))
for j = 1, #counts do queued = queued + math.max(0, tonumber(counts[j]) or 0) end
local function text(number)
if number == nil then return '' end
return string.format('%.17g', number)
local function place_of(ticket, priority)
local rank = redis.call('ZRANK', KEYS[9], ticket)
if not rank then
local due = redis.call('ZSCORE', KEYS[10], delayed_member(priority, ticket))
if due then return { 'delayed', '', due } end
local score = redis.call('ZSCORE', KEYS[11], ticket)
return score and { 'parked', '', score } or {}
local place = { 'queue', rank, redis.call('ZSCORE', KEYS[9], ticket) }
if rank > 0 then
local before = redis.call('ZRANGE', KEYS[9], 0, math.min(rank, 1000) - 1)
for i = 1, #before do
local _, _, weight = parse_ticket(before[i])
place[#place + 1] = text(weight or 1)
return place
local reply = {
0, text(S.running), text(S.done), queued, redis.call('ZCARD', KEYS[10]), text(S.reservoir),
starts_at_once(now, tonumber(ARGV[5])) and 1 or 0, text(now), text(S.nextRequest), text(S.unblockTime),
text(S.lastReservoirRefresh), text(S.lastReservoirIncrease), redis.call('HGETALL', KEYS[1]), redis.call('HLEN', KEYS[2]),
if ARGV[6] then
reply[#reply + 1] = text(S.rb_bucketTokens)
reply[#reply + 1] = S.rb_windowMax and redis.call('LRANGE', KEYS[12], -S.rb_windowMax, -1) or {}
reply[#reply + 1] = next_text and { next_text, priority_of(next_score) } or {}
reply[#reply + 1] = ARGV[6] == '' and {} or place_of(ARGV[6], tonumber(ARGV[7]))
reply[#reply + 1] = next_text and may_start(now, next_weight) and 1 or 0
return reply
local load_settings, meet_real, new_record, next_arrival, next_refill, read_clock, refresh_ttl, release_expired, save_records, save_settings, saw, score_of, tick, ticket_text, CALLER, SHARED_TIMES, channel_of, give_up, has_expirations, release_client, seen_step, delayed_member, leave_until, note, is_ours, release, counted, forget, effects, change, record_of, touched, records, settle, capacity, ahead, real, set, jobs, S
function release_client(client)
local function exact_number(number)
local function notify(client, kind, seq, a, b)
local function send_messages()
local function is_listening(client, exact)
local abandoned, started, queued = ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
if abandoned == '' and started + queued > 0 then return { 2, S.rb_epoch, 0, {} } end
if abandoned ~= '' then
while not release_client(abandoned) do end
jobs.clear(abandoned, nil, client)
give_up(abandoned, record_of(abandoned))
local at = 8
for _ = 1, started do
local index, weight, expires_in = client .. ':' .. ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
jobs.remember_again(now, client, ARGV[at], ARGV[at + 3])
at = at + 4
local leave = leave_until(now, 0, expires_in)
if leave then redis.call('ZADD', KEYS[3], leave, index) end
local function takes_back(index, was_told)
if was_told or S.minTime == 0 then return false end
local weight = release({ index }, client)
if S.reservoir and not S.reservoirRefreshInterval then set('reservoir', settle(S.reservoir + weight)) end
for _ = 1, queued do
local seq, priority, arrival, due_in, text = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), ARGV[at + 4]
local name, was_told = ARGV[at + 5], ARGV[at + 6] == '1'
at = at + 7
if jobs.was_cancelled(client, seq) then note(3, seq, 2, 0)
elseif redis.call('HEXISTS', KEYS[2], index) == 1 and not takes_back(index, was_told) then
jobs.remember_again(now, client, seq, name)
note(2, seq, 0, '')
elseif due_in then
local member = delayed_member(priority, text)
if not redis.call('ZSCORE', KEYS[10], member) and not redis.call('ZSCORE', KEYS[9], text) then
redis.call('ZADD', KEYS[10], string.format('%.3f', now + due_in), member)
elseif not redis.call('ZSCORE', KEYS[9], text) then
redis.call('ZREM', KEYS[10], delayed_member(priority, text))
if redis.call('ZREM', KEYS[11], text) == 0 then change(client, record, 1, 0) end
arrival = arrival or next_arrival(now)
if arrival > S.rb_arrival then set('rb_arrival', arrival) end
redis.call('ZADD', KEYS[9], score_of(priority, arrival), text)
if real then real.leave(now, true) end
return { 0, S.rb_epoch, record.notices, effects }
local bury_dead, delayed_member, is_listening, load_settings, meet_real, new_record, next_refill, notify, parse_delayed, read_clock, refresh_ttl, release_expired, save_records, save_settings, saw, send_messages, ticket_text, CALLER, SHARED_TIMES, channel_of, has_expirations, parse_ticket, seen_step, release, is_ours, counted, forget, change, settle, record_of, touched, records, capacity, ahead, real, set, jobs, S
local function tick(now)
local function take_all(key, is_delayed)
while count < 2000 do
local members = redis.call('ZRANGE', key, 0, math.min(1000, 2000 - count) - 1)
if #members == 0 then return end
redis.call('ZREM', key, unpack(members))
for i = 1, #members do
local text = members[i]
if is_delayed then text = select(2, parse_delayed(text)) end
local owner, seq = parse_ticket(text or '')
local record = owner and record_of(owner)
local index = owner .. ':' .. seq
if not is_delayed then change(owner, record, -1, 0) end
indexes[#indexes + 1] = index
notify(owner, 3, seq, 3, 1)
count = count + 1
for i = 1, S.rb_named and #indexes or 0 do
if not is_listening(string.match(indexes[i], '^[^:]*'), exact) then jobs.mark(indexes[i]) end
take_all(KEYS[9], false)
take_all(KEYS[11], false)
take_all(KEYS[10], true)
local function begin_anew()
for i = 6, 5 + tonumber(ARGV[5]), 2 do set(ARGV[i], tonumber(ARGV[i + 1])) end
redis.call('DEL', KEYS[12])
set('rb_bucketTokens', S.rb_bucketCapacity)
set('done', 0)
set('nextRequest', math.floor(now))
set('unblockTime', 0)
set('rb_unblockSeen', 0)
set('lastReservoirRefresh', math.floor(now))
set('lastReservoirIncrease', math.floor(now))
if count < 2000 then begin_anew() end
if real then real.leave(now, false) end
if real then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:' .. real.left()) end
return { 0, count }
local load_settings, parse_delayed, priority_of, settle, delayed_member, forget, ticket_text, ahead, record_of, set, change, jobs, S
local function save_settings()
local rows = {}
local function entry_of(index)
return S.rb_named and redis.call('HGET', KEYS[15], 't' .. index) or ''
local function row(state, text, index, priority, due, place, entry)
rows[#rows + 1] = state
rows[#rows + 1] = text
rows[#rows + 1] = priority
rows[#rows + 1] = due
rows[#rows + 1] = place
rows[#rows + 1] = entry or entry_of(index)
local function index_of(text)
return string.match(text, '^[^:]*:%d+') or text
local function find(id)
local index = redis.call('HGET', KEYS[15], 'i' .. id)
if not priority then return 0 end
local client, seq = string.match(index, '^([^:]*):(.*)$')
local text = ticket_text(client, seq, weight, expiration)
row('executing', text, index, priority, '', '', entry)
local place = redis.call('ZRANK', KEYS[9], text)
local due = redis.call('ZSCORE', KEYS[10], delayed_member(priority, text))
if place then row('ready', text, index, priority, '', place, entry)
elseif due then row('delayed', text, index, priority, due, '', entry)
elseif redis.call('ZSCORE', KEYS[11], text) then row('ready', text, index, priority, '', '', entry)
else return 0 end
local function list_ready(offset, limit)
local in_queue, aside = redis.call('ZCARD', KEYS[9]), redis.call('ZCARD', KEYS[11])
local function list(key, from, first_place)
local members = redis.call('ZRANGE', key, from, from + limit - #rows / 6 - 1, 'WITHSCORES')
for i = 1, #members, 2 do
row('ready', members[i], index_of(members[i]), priority_of(tonumber(members[i + 1])), '', first_place and first_place + (i - 1) / 2 or '')
if offset < in_queue then list(KEYS[9], offset, offset) end
if aside > 0 and #rows / 6 < limit then list(KEYS[11], math.max(0, offset - in_queue), nil) end
return in_queue + aside
local function list_delayed(offset, limit)
local members = redis.call('ZRANGE', KEYS[10], offset, offset + limit - 1, 'WITHSCORES')
local priority, text = parse_delayed(members[i])
if text then row('delayed', text, index_of(text), priority, members[i + 1], '') end
return redis.call('ZCARD', KEYS[10])
local function list_executing(offset, limit)
local indexes = redis.call('HKEYS', KEYS[2])
table.sort(indexes)
for i = offset + 1, math.min(offset + limit, #indexes) do
row('executing', indexes[i] .. ':' .. redis.call('HGET', KEYS[2], indexes[i]) .. ':', indexes[i], '', '', '')
return #indexes
local what, offset, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local total
if string.sub(what, 1, 1) == '=' then total = find(string.sub(what, 2))
elseif what == 'ready' then total = list_ready(offset, limit)
elseif what == 'delayed' then total = list_delayed(offset, limit)
else total = list_executing(offset, limit) end
return { total, rows }
local delayed_member, exact_number, is_listening, load_settings, meet_real, micros, new_record, next_arrival, next_refill, obey_block, parse_delayed, queue_length, read_clock, refresh_ttl, release_expired, save_records, save_settings, save_starts, saw, send_messages, start_waiting, starts_at_once, take_slot, ticket_text, CALLER, SHARED_TIMES, channel_of, may_start, priority_of, score_of, seen_step, tick, use_exact_min_time, close_page, fair_turn, has_expirations, leave_until, note, notify, release, head_score, is_ours, counted, parse_ticket, write_all, forget, page_at, settle, touched, records, change, capacity, record_of, ahead, page, real, set, jobs, S
function use_exact_min_time()
if ARGV[5] ~= '' then set('reservoir', settle((S.reservoir or 0) + tonumber(ARGV[5]))) end
for i = 7, 6 + tonumber(ARGV[6]), 2 do
local field = ARGV[i]
if field == 'rb_bucketCapacity' then set('rb_bucketTime', now) end
set(field, tonumber(ARGV[i + 1]))
if not S.rb_bucketCapacity then set('rb_bucketTokens', nil)
else set('rb_bucketTokens', math.min(S.rb_bucketTokens or S.rb_bucketCapacity, S.rb_bucketCapacity)) end
if not S.rb_windowMax then redis.call('DEL', KEYS[12]) end
local reservoir = S.reservoir and string.format('%.17g', S.reservoir) or ''
return { 0, reservoir }`;

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
    sha: 'e06b87d67128e6e2071972e235a6941824c4c1b0',
    runs: '0+9 6+1 6+1 1+1 9+1 6+1 1+1 10+10 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 56+4 6+1 6+1 1+1 60+5 6+1 65+5 6+1 70+5 6+1 75+5 6+1 80+2 6+1 82+8 6+1 90+2 6+1 6+1 1+1 92+4 6+1 96+6 6+1 102+3 6+1 105+3 6+1 108+4 6+1 112+2 6+1 114+2 6+1 6+1 1+1 116+9 6+1 125+7 6+1 132+1 6+1 133+2 131+1 135+1 124+1 6+1 136+3 135+1 6+1 139+3 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 165+2 6+1 167+2 6+1 169+2 142+1 171+2 135+1 6+1 173+3 6+1 176+2 6+1 178+10 6+1 188+2 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1+1 279+2 6+1 281+14 6+1 6+1 295+6 6+1 301+2 6+1 303+8 6+1 311+3 259+1 314+1 261+1 315+3 6+1 318+6 6+1 324+1 6+1 325+2 287+1 327+2 6+1 6+1 6+1 329+3 313+1 259+1 332+1 261+1 333+2 6+1 335+3 6+1 338+7 170+1 345+3 6+1 6+1 348+1 6+1 6+1 1+1 349+2 6+1 351+5 6+1 356+9 6+1 365+11 6+1 376+6 6+1 382+3 6+1 385+6 6+1 6+1 1+1 391+6 312+1 397+3 6+1 400+4 13+1 404+2 6+1 406+2 6+1 408+5 6+1 413+2 259+1 415+1 261+2 416+1 6+1 316+1 417+2 337+1 419+2 6+1 421+7 6+1 428+1 6+1 429+3 6+1 432+1 6+1 433+4 6+1 437+2 239+1 439+10 6+1 449+2 269+1 451+2 6+1 6+1 6+1 453+8 6+1 461+6 6+1 6+1 467+3 6+1 470+1 6+1 471+4 6+1 6+1 475+1 141+1 126+1 142+1 476+6 6+1 6+1 6+1 6+1 6+1 482+4 142+1 486+2 6+1 6+1 488+2 435+1 490+1 6+1 491+1 6+1 492+4 312+1 496+6 6+1 502+8 6+1 6+1 510+1 6+1 511+8 6+1 519+1 440+1 520+2 6+1 522+4 126+1 526+1 6+1 527+7 6+1 534+5 6+1 6+1 539+2 126+1 541+2 6+1 6+1 543+1 6+1 544+5 6+1 549+4 6+1 553+2 534+2 555+5 6+1 6+1 6+1 560+1 6+1 561+1 530+2 562+1 6+1 6+1 563+5 440+1 568+4 6+1 572+4 6+1 576+2 6+1 578+2 530+2 580+6 6+1 6+1 6+1 586+3 6+1 589+6 6+1 595+4 6+1 599+2 530+2 601+10 6+1 611+1 6+1 612+1 534+2 440+1 613+1 6+1 6+1 614+8 6+1 622+1 489+1 534+1 623+1 6+1 624+1 6+1 625+8 6+1 633+3 6+1 636+2 6+1 638+10 6+1 648+1 76+1 649+6 6+1 6+1 655+4 6+1 659+1 534+1 660+1 6+1 6+1 661+1 76+1 662+2 594+1 6+1 664+3 594+1 6+1 667+4 6+1 671+1 6+1 672+14 635+1 6+1 686+4 575+1 6+1 690+3 488+1 693+2 6+1 695+3 635+1 6+1 698+2 635+1 6+1 700+1 575+1 6+1 701+4 6+1 705+1 212+1 706+6 84+1 712+1 6+1 713+5 6+1 718+4 6+1 722+5 6+1 727+2 6+1 729+3 6+1 732+5 6+1 737+2 6+1 739+3 13+1 6+1 742+4 6+1 746+2 6+1 748+3 6+1 6+1 1+1 751+6 6+1 757+6 6+1 763+1 170+1 142+1 764+2 135+1 6+1 766+6 6+1 772+5 6+1 777+4 6+1 6+1 781+6 6+1 787+1 6+1 6+1 1+1 788+6 6+1 794+2 789+1 6+1 796+2 795+1 798+3 6+1 801+3 6+1 804+2 6+1 806+1 652+1 807+3 292+1 810+6 6+1 6+1 816+3 170+1 819+1 712+1 212+1 820+9 716+1 6+1 829+1 6+1 830+1 652+1 831+3 815+1 834+2 6+1 6+1 836+2 6+1 838+1 795+1 839+3 6+1 842+9 292+1 142+1 851+3 6+1 6+1 854+2 6+1 6+1 1+1 856+1 844+1 652+1 857+9 6+1 6+1 866+2 834+1 868+2 6+1 870+8 575+1 6+1 878+1 844+1 879+1 652+1 880+4 292+1 142+1 884+2 869+1 6+1 6+1 886+1 6+1 887+1 6+1 888+12 6+1 900+2 6+1 902+2 6+1 904+2 894+1 892+1 6+1 906+5 635+1 6+1 911+2 635+1 6+1 913+1 6+1 6+1 1+1 914+8 6+1 922+2 6+1 924+6 6+1 930+3 6+1 933+7 6+1 940+7 6+1 947+4 6+1 951+3 6+1 6+1 954+8 170+1 962+3 6+1 965+5 6+1 970+1 6+1 971+1 135+1 972+11 310+1 6+1 983+7 869+1 6+1 990+5 716+1 6+1 995+1 6+1 996+4 844+1 1000+2 997+1 6+1 1002+10 6+1 1012+6 6+1 1010+1 1018+3 6+1 1021+3 851+1 1024+3 832+1 1027+1 6+1 6+1 1028+2 995+1 1030+2 269+1 1032+4 6+1 6+1 1036+1 1000+1 1037+3 224+1 1040+10',
  },
  answer: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', '...'],
    sha: '8a1fc139c4c9935b047b389a1b26aaf8c9d7b165',
    runs: '1050+1 1+8 6+1 6+1 1+1 9+1 6+1 1+1 10+10 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 56+4 6+1 6+1 1+1 60+5 6+1 1051+1 66+4 6+1 1052+1 71+4 6+1 75+5 6+1 80+2 6+1 82+8 6+1 90+2 6+1 6+1 1+1 92+4 6+1 96+6 6+1 102+3 6+1 105+3 6+1 108+4 6+1 112+2 6+1 114+2 6+1 6+1 1+1 116+9 6+1 125+7 6+1 132+1 6+1 133+2 131+1 135+1 124+1 6+1 136+3 135+1 6+1 139+3 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 165+2 6+1 167+2 6+1 169+2 142+1 171+2 135+1 6+1 173+3 6+1 176+2 6+1 178+10 6+1 188+2 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1+1 279+2 6+1 281+14 6+1 6+1 295+6 6+1 301+2 6+1 303+8 6+1 311+3 259+1 314+1 261+1 315+3 6+1 318+6 6+1 324+1 6+1 325+2 287+1 327+2 6+1 6+1 6+1 329+3 313+1 259+1 332+1 261+1 333+2 6+1 335+3 6+1 338+7 170+1 345+3 6+1 6+1 348+1 6+1 6+1 1+1 349+2 6+1 351+5 6+1 356+9 6+1 365+11 6+1 376+6 6+1 382+3 6+1 385+6 6+1 6+1 1+1 1053+1 392+5 312+1 397+3 6+1 400+4 13+1 404+2 6+1 406+2 6+1 408+5 6+1 413+2 259+1 415+1 261+2 416+1 6+1 316+1 417+2 337+1 419+2 6+1 421+7 6+1 428+1 6+1 429+3 6+1 432+1 6+1 433+4 6+1 437+2 239+1 439+10 6+1 449+2 269+1 451+2 6+1 6+1 6+1 453+8 6+1 461+6 6+1 6+1 467+3 6+1 470+1 6+1 471+4 6+1 6+1 475+1 141+1 126+1 142+1 476+6 6+1 6+1 6+1 6+1 6+1 482+4 142+1 486+2 6+1 6+1 488+2 435+1 490+1 6+1 491+1 6+1 492+4 312+1 496+6 6+1 502+8 6+1 6+1 510+1 6+1 511+8 6+1 519+1 440+1 520+2 6+1 522+4 126+1 526+1 6+1 527+7 6+1 534+5 6+1 6+1 539+2 126+1 541+2 6+1 6+1 543+1 6+1 544+5 6+1 549+4 6+1 553+2 534+2 555+5 6+1 6+1 6+1 560+1 6+1 561+1 530+2 562+1 6+1 6+1 563+5 440+1 568+4 6+1 572+4 6+1 576+2 6+1 578+2 530+2 580+6 6+1 6+1 6+1 586+3 6+1 589+6 6+1 595+4 6+1 599+2 530+2 601+10 6+1 611+1 6+1 612+1 534+2 440+1 613+1 6+1 6+1 614+8 6+1 622+1 489+1 534+1 623+1 6+1 624+1 6+1 625+8 6+1 633+3 6+1 636+2 6+1 638+10 6+1 648+1 76+1 649+6 6+1 6+1 655+4 6+1 659+1 534+1 660+1 6+1 6+1 661+1 76+1 662+2 594+1 6+1 664+3 594+1 6+1 667+4 6+1 671+1 6+1 672+14 635+1 6+1 686+4 575+1 6+1 690+3 488+1 693+2 6+1 695+3 635+1 6+1 698+2 635+1 6+1 700+1 575+1 6+1 701+4 6+1 705+1 212+1 706+6 84+1 712+1 6+1 713+5 6+1 718+4 6+1 722+5 6+1 727+2 6+1 729+3 6+1 732+5 6+1 737+2 6+1 739+3 13+1 6+1 742+4 6+1 746+2 6+1 748+3 6+1 6+1 1+1 1054+2 753+4 6+1 757+6 6+1 763+1 170+1 142+1 764+2 135+1 6+1 766+6 6+1 772+5 6+1 777+4 6+1 6+1 781+6 6+1 787+1 6+1 6+1 1+1 1056+1 789+5 6+1 794+2 789+1 6+1 796+2 795+1 798+3 6+1 801+3 6+1 804+2 6+1 1057+1 652+1 807+3 292+1 810+6 6+1 6+1 1058+2 818+1 170+1 819+1 712+1 212+1 820+9 716+1 6+1 829+1 6+1 830+1 652+1 831+3 815+1 834+2 6+1 6+1 836+2 6+1 838+1 795+1 839+3 6+1 842+9 292+1 142+1 851+3 6+1 6+1 854+2 6+1 6+1 1+1 856+1 844+1 652+1 857+9 6+1 6+1 866+2 834+1 868+2 6+1 870+8 575+1 6+1 878+1 844+1 879+1 652+1 880+4 292+1 142+1 884+2 869+1 6+1 6+1 886+1 6+1 887+1 6+1 888+12 6+1 900+2 6+1 902+2 6+1 904+2 894+1 892+1 6+1 1060+1 907+4 635+1 6+1 911+2 635+1 6+1 913+1 6+1 6+1 1061+1 959+1 1062+3 972+6 996+2 1037+1 1039+1 1065+1 1045+3 1066+3 6+1 1069+1 1049+1',
  },
  beat: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'now'],
    sha: '471f696d6e10013ac4dbf81c673856f35adc7f3f',
    runs: '1070+1 1+6 1071+1 8+1 6+1 6+1 1+1 9+1 6+1 1+1 10+1 1072+1 12+8 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 1073+1 57+3 6+1 6+1 1+1 1074+3 118+7 6+1 125+7 6+1 132+1 6+1 1077+1 134+1 131+1 135+1 124+1 6+1 1078+1 137+2 135+1 6+1 139+3 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 1079+1 166+1 6+1 167+2 6+1 169+2 142+1 171+2 135+1 6+1 173+3 6+1 1080+1 177+1 6+1 1081+1 179+9 6+1 1082+1 189+1 6+1 6+1 1083+2 973+1 1065+1 1045+1 1085+1 1049+1',
  },
  cancel: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'job'],
    sha: '0260b38b6398210d2d0f1dc449f2490039d521e1',
    runs: '1086+1 1+8 6+1 6+1 1+1 9+1 6+1 1+1 10+10 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 56+4 6+1 6+1 1+1 60+5 6+1 1051+1 66+4 6+1 1052+1 71+4 6+1 75+5 6+1 1087+1 81+1 6+1 82+8 6+1 90+2 6+1 6+1 1+1 92+4 6+1 96+6 6+1 102+3 6+1 105+3 6+1 108+4 6+1 112+2 6+1 1088+1 115+1 6+1 6+1 1+1 116+9 6+1 125+7 6+1 132+1 6+1 133+2 131+1 135+1 124+1 6+1 136+3 135+1 6+1 139+3 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 165+2 6+1 167+2 6+1 169+2 142+1 171+2 135+1 6+1 173+3 6+1 176+2 6+1 178+10 6+1 188+2 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1+1 279+2 6+1 281+14 6+1 6+1 295+6 6+1 301+2 6+1 303+8 6+1 311+3 259+1 314+1 261+1 315+3 6+1 318+6 6+1 324+1 6+1 325+2 287+1 327+2 6+1 6+1 6+1 329+3 313+1 259+1 332+1 261+1 333+2 6+1 335+3 6+1 338+7 170+1 345+3 6+1 6+1 348+1 6+1 6+1 1+1 349+2 6+1 351+5 6+1 356+9 6+1 365+11 6+1 376+6 6+1 382+3 6+1 385+6 6+1 6+1 1+1 1053+1 392+5 312+1 397+3 6+1 400+4 13+1 404+2 6+1 406+2 6+1 408+5 6+1 413+2 259+1 415+1 261+2 416+1 6+1 316+1 417+2 337+1 419+2 6+1 421+7 6+1 428+1 6+1 429+3 6+1 432+1 6+1 433+4 6+1 437+2 239+1 439+10 6+1 449+2 269+1 451+2 6+1 6+1 6+1 453+8 6+1 461+6 6+1 6+1 467+3 6+1 470+1 6+1 471+4 6+1 6+1 475+1 141+1 126+1 142+1 476+6 6+1 6+1 6+1 6+1 6+1 482+4 142+1 486+2 6+1 6+1 488+2 435+1 490+1 6+1 491+1 6+1 492+4 312+1 496+6 6+1 502+8 6+1 6+1 510+1 6+1 511+8 6+1 519+1 440+1 520+2 6+1 522+4 126+1 526+1 6+1 527+7 6+1 534+5 6+1 6+1 539+2 126+1 541+2 6+1 6+1 543+1 6+1 544+5 6+1 549+4 6+1 553+2 534+2 555+5 6+1 6+1 6+1 560+1 6+1 561+1 530+2 562+1 6+1 6+1 563+5 440+1 568+4 6+1 572+4 6+1 576+2 6+1 578+2 530+2 580+6 6+1 6+1 6+1 586+3 6+1 589+6 6+1 595+4 6+1 599+2 530+2 601+10 6+1 611+1 6+1 612+1 534+2 440+1 613+1 6+1 6+1 614+8 6+1 622+1 489+1 534+1 623+1 6+1 624+1 6+1 625+8 6+1 633+3 6+1 636+2 6+1 638+10 6+1 648+1 76+1 649+6 6+1 6+1 655+4 6+1 659+1 534+1 660+1 6+1 6+1 661+1 76+1 662+2 594+1 6+1 664+3 594+1 6+1 667+4 6+1 671+1 6+1 672+14 635+1 6+1 686+4 575+1 6+1 690+3 488+1 693+2 6+1 695+3 635+1 6+1 698+2 635+1 6+1 700+1 575+1 6+1 701+4 6+1 705+1 212+1 706+6 84+1 712+1 6+1 713+5 6+1 718+4 6+1 722+5 6+1 727+2 6+1 729+3 6+1 732+5 6+1 737+2 6+1 739+3 13+1 6+1 742+4 6+1 746+2 6+1 748+3 6+1 6+1 1+1 1054+2 753+4 6+1 1089+1 758+5 6+1 763+1 170+1 142+1 764+2 135+1 6+1 766+6 6+1 772+5 6+1 777+4 6+1 6+1 781+6 6+1 787+1 6+1 6+1 1+1 1056+1 789+5 6+1 1090+1 795+1 789+1 6+1 796+2 795+1 798+3 6+1 801+3 6+1 1091+1 805+1 6+1 1057+1 652+1 807+3 292+1 810+6 6+1 6+1 1058+2 818+1 170+1 819+1 712+1 212+1 820+9 716+1 6+1 829+1 6+1 830+1 652+1 831+3 815+1 834+2 6+1 6+1 1092+1 837+1 6+1 838+1 795+1 839+3 6+1 1093+1 843+8 292+1 142+1 851+3 6+1 6+1 854+2 6+1 6+1 1061+1 959+1 1062+3 972+5 1094+9 6+1 1103+1 274+1 1104+4 6+1 1108+1 997+1 1039+1 1037+1 1065+1 1045+3 1109+1 1049+1',
  },
  init: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'clear', 'now', 'version', 'fields', '...'],
    sha: 'b7c54d4fbf86d09a1d8256befc10bc00a5962fce',
    runs: '1110+1 1+6 1071+1 8+1 6+1 6+1 1+1 9+1 6+1 1+1 10+10 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 56+4 6+1 6+1 1+1 349+2 6+1 351+5 6+1 356+9 6+1 365+11 6+1 376+6 6+1 382+3 6+1 385+6 6+1 6+1 1+1 60+5 6+1 1051+1 66+4 6+1 1052+1 71+4 6+1 1111+1 76+4 6+1 1087+1 81+1 6+1 1112+1 83+7 6+1 90+2 6+1 6+1 1+1 92+4 6+1 1113+1 97+5 6+1 102+3 6+1 1114+1 106+2 6+1 1115+1 109+3 6+1 1116+1 113+1 6+1 1088+1 115+1 6+1 6+1 1+1 116+9 6+1 125+7 6+1 132+1 6+1 133+2 131+1 135+1 124+1 6+1 136+3 135+1 6+1 139+3 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 165+2 6+1 167+2 6+1 169+2 142+1 171+2 135+1 6+1 173+3 6+1 176+2 6+1 178+10 6+1 188+2 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1+1 279+2 6+1 281+14 6+1 6+1 295+6 6+1 301+2 6+1 1117+1 304+7 6+1 311+3 259+1 314+1 261+1 315+3 6+1 318+6 6+1 324+1 6+1 325+2 287+1 327+2 6+1 6+1 6+1 329+3 313+1 259+1 332+1 261+1 333+2 6+1 335+3 6+1 1118+1 339+6 170+1 345+3 6+1 6+1 348+1 6+1 6+1 1+1 1119+1 391+6 312+1 397+3 6+1 400+4 13+1 404+2 6+1 406+2 6+1 408+5 6+1 413+2 259+1 415+1 261+2 416+1 6+1 316+1 417+2 337+1 419+2 6+1 421+7 6+1 428+1 6+1 429+3 6+1 432+1 6+1 433+4 6+1 437+2 239+1 439+10 6+1 449+2 269+1 451+2 6+1 6+1 6+1 453+8 6+1 461+6 6+1 6+1 467+3 6+1 470+1 6+1 471+4 6+1 6+1 475+1 141+1 126+1 142+1 476+6 6+1 6+1 6+1 6+1 6+1 482+4 142+1 486+2 6+1 6+1 488+2 435+1 490+1 6+1 491+1 6+1 492+4 312+1 496+6 6+1 502+8 6+1 6+1 510+1 6+1 511+8 6+1 519+1 440+1 520+2 6+1 522+4 126+1 526+1 6+1 527+7 6+1 534+5 6+1 6+1 539+2 126+1 541+2 6+1 6+1 543+1 6+1 544+5 6+1 549+4 6+1 553+2 534+2 555+5 6+1 6+1 6+1 560+1 6+1 561+1 530+2 562+1 6+1 6+1 563+5 440+1 568+4 6+1 572+4 6+1 576+2 6+1 578+2 530+2 580+6 6+1 6+1 6+1 586+3 6+1 589+6 6+1 595+4 6+1 599+2 530+2 601+10 6+1 611+1 6+1 612+1 534+2 440+1 613+1 6+1 6+1 614+8 6+1 622+1 489+1 534+1 623+1 6+1 624+1 6+1 625+8 6+1 633+3 6+1 636+2 6+1 638+10 6+1 648+1 76+1 649+6 6+1 6+1 655+4 6+1 659+1 534+1 660+1 6+1 6+1 661+1 76+1 662+2 594+1 6+1 664+3 594+1 6+1 667+4 6+1 671+1 6+1 672+14 635+1 6+1 686+4 575+1 6+1 690+3 488+1 693+2 6+1 695+3 635+1 6+1 698+2 635+1 6+1 700+1 575+1 6+1 701+4 6+1 705+1 212+1 706+6 84+1 712+1 6+1 713+5 6+1 718+4 6+1 722+5 6+1 727+2 6+1 729+3 6+1 732+5 6+1 737+2 6+1 739+3 13+1 6+1 1120+1 743+3 6+1 1121+1 747+1 6+1 1122+1 749+2 6+1 6+1 1123+12 6+1 1135+1 6+1 6+1 1136+6 6+1 1142+1 6+1 1143+2 1142+1 1145+3 269+1 1148+3 6+1 1151+2 6+1 1153+4 6+1 1157+3 6+1 1160+5 6+1 1064+1 973+2 1165+1 1065+1 1045+1 1047+1 1166+1 1049+1',
  },
  leave: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'now'],
    sha: 'ffd8b6a46e563ad73893c7ccb5978e679ad611c7',
    runs: '1167+1 1+6 1071+1 8+1 6+1 6+1 1+1 9+1 6+1 1+1 10+1 1072+1 12+8 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 1073+1 57+3 6+1 6+1 1+1 92+4 6+1 1113+1 97+5 6+1 102+3 6+1 1114+1 106+2 6+1 1115+1 109+3 6+1 1116+1 113+1 6+1 1088+1 115+1 6+1 6+1 1+1 1074+3 118+7 6+1 125+7 6+1 132+1 6+1 1077+1 134+1 131+1 135+1 124+1 6+1 136+3 135+1 6+1 1168+1 140+2 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 165+2 6+1 167+2 6+1 1169+1 170+1 142+1 171+2 135+1 6+1 173+3 6+1 1080+1 177+1 6+1 178+10 6+1 1082+1 189+1 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1+1 279+2 6+1 1170+2 282+13 6+1 6+1 295+6 6+1 301+2 6+1 1117+1 304+7 6+1 311+3 259+1 314+1 261+1 315+3 6+1 318+6 6+1 324+1 6+1 1172+1 326+1 287+1 327+2 6+1 6+1 6+1 1173+1 330+2 313+1 259+1 332+1 261+1 333+2 6+1 335+3 6+1 1118+1 339+6 170+1 345+3 6+1 6+1 348+1 6+1 6+1 1174+2 170+1 1176+5 1045+1 1181+1 6+1 1182+1 181+1 410+1 1045+1 1183+1 304+1 1184+2 1049+1',
  },
  pools: {
    keys: ['pools'],
    args: ['pool', 'info', 'visibility', 'now'],
    sha: '0ea0fc652098ae79f3f6a36b3376e8bb90dd6c9e',
    runs: '1186+1 1+6 1071+1 8+1 6+1 6+1 9+1 1187+4 6+1 1191+13 6+1 1204+3 1049+1',
  },
  publish: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['channel', 'message'],
    sha: 'cee997b3f9c6c1c047a369484cdbb87ed56a78a3',
    runs: '1207+1 1049+1',
  },
  read: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'weight', 'ticket', 'priority'],
    sha: '4db3afe1f9b478c8b321e735e66e07018673d6d6',
    runs: '1208+1 1+8 6+1 6+1 1+1 9+1 6+1 1+1 10+10 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 1073+1 57+3 6+1 6+1 1+1 60+5 6+1 1051+1 66+4 6+1 1052+1 71+4 6+1 75+5 6+1 80+2 6+1 82+8 6+1 90+2 6+1 6+1 1+1 92+4 6+1 96+6 6+1 102+3 6+1 105+3 6+1 108+4 6+1 112+2 6+1 114+2 6+1 6+1 1+1 116+9 6+1 125+7 6+1 132+1 6+1 133+2 131+1 135+1 124+1 6+1 136+3 135+1 6+1 139+3 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 165+2 6+1 167+2 6+1 169+2 142+1 171+2 135+1 6+1 173+3 6+1 176+2 6+1 178+10 6+1 188+2 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1+1 279+2 6+1 281+14 6+1 6+1 295+6 6+1 301+2 6+1 303+8 6+1 311+3 259+1 314+1 261+1 315+3 6+1 318+6 6+1 324+1 6+1 325+2 287+1 327+2 6+1 6+1 6+1 329+3 313+1 259+1 332+1 261+1 333+2 6+1 335+3 6+1 338+7 170+1 345+3 6+1 6+1 348+1 6+1 6+1 1+1 349+2 6+1 351+5 6+1 356+9 6+1 365+11 6+1 376+6 6+1 382+3 6+1 385+6 6+1 6+1 1+1 1053+1 392+5 312+1 397+3 6+1 400+4 13+1 404+2 6+1 406+2 6+1 408+5 6+1 413+2 259+1 415+1 261+2 416+1 6+1 316+1 417+2 337+1 419+2 6+1 421+7 6+1 428+1 6+1 429+3 6+1 432+1 6+1 433+4 6+1 437+2 239+1 439+10 6+1 449+2 269+1 451+2 6+1 6+1 6+1 453+8 6+1 461+6 6+1 6+1 467+3 6+1 470+1 6+1 471+4 6+1 6+1 475+1 141+1 126+1 142+1 476+6 6+1 6+1 6+1 6+1 6+1 482+4 142+1 486+2 6+1 6+1 488+2 435+1 490+1 6+1 491+1 6+1 492+4 312+1 496+6 6+1 502+8 6+1 6+1 510+1 6+1 511+8 6+1 519+1 440+1 520+2 6+1 522+4 126+1 526+1 6+1 527+7 6+1 534+5 6+1 6+1 539+2 126+1 541+2 6+1 6+1 543+1 6+1 544+5 6+1 549+4 6+1 553+2 534+2 555+5 6+1 6+1 6+1 560+1 6+1 561+1 530+2 562+1 6+1 6+1 563+5 440+1 568+4 6+1 572+4 6+1 576+2 6+1 578+2 530+2 580+6 6+1 6+1 6+1 586+3 6+1 589+6 6+1 595+4 6+1 599+2 530+2 601+10 6+1 611+1 6+1 612+1 534+2 440+1 613+1 6+1 6+1 614+8 6+1 622+1 489+1 534+1 623+1 6+1 624+1 6+1 625+8 6+1 633+3 6+1 636+2 6+1 638+10 6+1 648+1 76+1 649+6 6+1 6+1 655+4 6+1 659+1 534+1 660+1 6+1 6+1 661+1 76+1 662+2 594+1 6+1 664+3 594+1 6+1 667+4 6+1 671+1 6+1 672+14 635+1 6+1 686+4 575+1 6+1 690+3 488+1 693+2 6+1 695+3 635+1 6+1 698+2 635+1 6+1 700+1 575+1 6+1 701+4 6+1 705+1 212+1 706+6 84+1 712+1 6+1 713+5 6+1 718+4 6+1 722+5 6+1 727+2 6+1 729+3 6+1 732+5 6+1 737+2 6+1 739+3 13+1 6+1 742+4 6+1 746+2 6+1 748+3 6+1 6+1 1+1 1054+2 753+4 6+1 757+6 6+1 763+1 170+1 142+1 764+2 135+1 6+1 766+6 6+1 772+5 6+1 777+4 6+1 6+1 781+6 6+1 787+1 6+1 6+1 1+1 1056+1 789+5 6+1 794+2 789+1 6+1 796+2 795+1 798+3 6+1 801+3 6+1 804+2 6+1 806+1 652+1 807+3 292+1 810+6 6+1 6+1 1058+2 818+1 170+1 819+1 712+1 212+1 820+9 716+1 6+1 829+1 6+1 830+1 652+1 831+3 815+1 834+2 6+1 6+1 836+2 6+1 838+1 795+1 839+3 6+1 842+9 292+1 142+1 851+3 6+1 6+1 854+2 6+1 6+1 1+1 856+1 844+1 652+1 857+9 6+1 6+1 866+2 834+1 868+2 6+1 870+8 575+1 6+1 878+1 844+1 879+1 652+1 880+4 292+1 142+1 884+2 869+1 6+1 6+1 886+1 6+1 887+1 6+1 888+12 6+1 900+2 6+1 902+2 6+1 904+2 894+1 892+1 6+1 1060+1 907+4 635+1 6+1 911+2 635+1 6+1 913+1 6+1 6+1 1061+1 959+1 1062+3 972+5 996+1 977+1 997+1 1209+2 1037+1 1039+1 1065+1 1045+2 1211+5 6+1 1216+3 6+1 1219+7 6+1 1226+6 6+1 6+1 1232+1 6+1 1233+4 13+1 1237+6 6+1 1243+1 1049+1',
  },
  reconcile: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'abandon', 'started', 'queued', '...'],
    sha: '871367d719e5d1791746b7ff8e010d0c3783ef56',
    runs: '1244+1 1+6 1071+1 8+1 6+1 6+1 1+1 9+1 6+1 1+1 10+10 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 56+4 6+1 6+1 1+1 60+5 6+1 1051+1 66+4 6+1 1052+1 71+4 6+1 1111+1 76+4 6+1 1087+1 81+1 6+1 1112+1 83+7 6+1 90+2 6+1 6+1 1+1 92+4 6+1 1113+1 97+5 6+1 102+3 6+1 1114+1 106+2 6+1 108+4 6+1 112+2 6+1 1088+1 115+1 6+1 6+1 1+1 116+9 6+1 125+7 6+1 132+1 6+1 133+2 131+1 135+1 124+1 6+1 136+3 135+1 6+1 139+3 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 165+2 6+1 167+2 6+1 169+2 142+1 171+2 135+1 6+1 173+3 6+1 176+2 6+1 178+10 6+1 188+2 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1+1 279+2 6+1 281+14 6+1 6+1 295+6 6+1 301+2 6+1 303+8 6+1 311+3 259+1 314+1 261+1 315+3 6+1 1245+1 319+5 6+1 324+1 6+1 325+2 287+1 327+2 6+1 6+1 6+1 1173+1 330+2 313+1 259+1 332+1 261+1 333+2 6+1 335+3 6+1 1118+1 339+6 170+1 345+3 6+1 6+1 348+1 6+1 6+1 1+1 349+2 6+1 351+5 6+1 356+9 6+1 365+11 6+1 376+6 6+1 382+3 6+1 385+6 6+1 6+1 1+1 1053+1 392+5 312+1 397+3 6+1 400+4 13+1 404+2 6+1 406+2 6+1 408+5 6+1 413+2 259+1 415+1 261+2 416+1 6+1 316+1 417+2 337+1 419+2 6+1 421+7 6+1 428+1 6+1 429+3 6+1 432+1 6+1 433+4 6+1 437+2 239+1 439+10 6+1 449+2 269+1 451+2 6+1 6+1 6+1 453+8 6+1 461+6 6+1 6+1 467+3 6+1 470+1 6+1 471+4 6+1 6+1 475+1 141+1 126+1 142+1 476+6 6+1 6+1 6+1 6+1 6+1 482+4 142+1 486+2 6+1 6+1 488+2 435+1 490+1 6+1 491+1 6+1 492+4 312+1 496+6 6+1 502+8 6+1 6+1 510+1 6+1 511+8 6+1 519+1 440+1 520+2 6+1 522+4 126+1 526+1 6+1 527+7 6+1 534+5 6+1 6+1 539+2 126+1 541+2 6+1 6+1 543+1 6+1 544+5 6+1 549+4 6+1 553+2 534+2 555+5 6+1 6+1 6+1 560+1 6+1 561+1 530+2 562+1 6+1 6+1 563+5 440+1 568+4 6+1 572+4 6+1 576+2 6+1 578+2 530+2 580+6 6+1 6+1 6+1 586+3 6+1 589+6 6+1 595+4 6+1 599+2 530+2 601+10 6+1 611+1 6+1 612+1 534+2 440+1 613+1 6+1 6+1 614+8 6+1 622+1 489+1 534+1 623+1 6+1 624+1 6+1 625+8 6+1 633+3 6+1 636+2 6+1 638+10 6+1 648+1 76+1 649+6 6+1 6+1 655+4 6+1 659+1 534+1 660+1 6+1 6+1 661+1 76+1 662+2 594+1 6+1 664+3 594+1 6+1 667+4 6+1 671+1 6+1 672+14 635+1 6+1 686+4 575+1 6+1 690+3 488+1 693+2 6+1 695+3 635+1 6+1 698+2 635+1 6+1 700+1 575+1 6+1 701+4 6+1 705+1 212+1 706+6 84+1 712+1 6+1 713+5 6+1 718+4 6+1 722+5 6+1 727+2 6+1 729+3 6+1 732+5 6+1 737+2 6+1 739+3 13+1 6+1 742+4 6+1 1121+1 747+1 6+1 748+3 6+1 6+1 1+1 751+1 1055+1 753+2 1246+1 756+1 6+1 757+6 6+1 1247+1 170+1 142+1 764+2 135+1 6+1 766+6 6+1 772+5 6+1 1248+1 778+3 6+1 6+1 781+1 1249+1 783+4 6+1 787+1 6+1 6+1 1061+1 959+1 1062+2 1250+1 170+1 962+1 1251+1 964+1 6+1 972+4 1252+4 6+1 1256+5 708+1 710+2 1261+2 84+1 712+1 6+1 6+1 1263+4 575+1 6+1 1267+4 212+1 1271+5 1273+1 1276+3 1009+1 6+1 1279+1 1273+1 1280+5 6+1 6+1 1285+1 224+1 1065+1 1045+1 1047+1 1286+1 1049+1',
  },
  reset: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'fields', '...'],
    sha: '426ed51311ecc4310bddd9a89d0ce6a2c6386468',
    runs: '1287+1 1+6 1071+1 8+1 6+1 6+1 1+1 9+1 6+1 1+1 10+10 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 56+4 6+1 6+1 1+1 60+5 6+1 1051+1 66+4 6+1 1052+1 71+4 6+1 1111+1 76+4 6+1 1087+1 81+1 6+1 1112+1 83+7 6+1 90+2 6+1 6+1 1+1 92+4 6+1 96+6 6+1 102+3 6+1 105+3 6+1 1115+1 109+3 6+1 1116+1 113+1 6+1 1088+1 115+1 6+1 6+1 1+1 116+9 6+1 125+7 6+1 132+1 6+1 133+2 131+1 135+1 124+1 6+1 136+3 135+1 6+1 139+3 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 165+2 6+1 167+2 6+1 169+2 142+1 171+2 135+1 6+1 173+3 6+1 176+2 6+1 178+10 6+1 188+2 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1+1 279+2 6+1 281+14 6+1 6+1 295+6 6+1 301+2 6+1 303+8 6+1 311+3 259+1 314+1 261+1 315+3 6+1 318+6 6+1 324+1 6+1 325+2 287+1 327+2 6+1 6+1 6+1 329+3 313+1 259+1 332+1 261+1 333+2 6+1 335+3 6+1 338+7 170+1 345+3 6+1 6+1 348+1 6+1 6+1 1+1 349+2 6+1 351+5 6+1 356+9 6+1 365+11 6+1 376+6 6+1 1288+1 383+2 6+1 385+6 6+1 6+1 1+1 1053+1 392+5 312+1 397+3 6+1 400+4 13+1 404+2 6+1 406+2 6+1 408+5 6+1 413+2 259+1 415+1 261+2 416+1 6+1 316+1 417+2 337+1 419+2 6+1 421+7 6+1 428+1 6+1 429+3 6+1 432+1 6+1 433+4 6+1 437+2 239+1 439+10 6+1 449+2 269+1 451+2 6+1 6+1 6+1 453+8 6+1 461+6 6+1 6+1 467+3 6+1 470+1 6+1 471+4 6+1 6+1 475+1 141+1 126+1 142+1 476+6 6+1 6+1 6+1 6+1 6+1 482+4 142+1 486+2 6+1 6+1 488+2 435+1 490+1 6+1 491+1 6+1 492+4 312+1 496+6 6+1 502+8 6+1 6+1 510+1 6+1 511+8 6+1 519+1 440+1 520+2 6+1 522+4 126+1 526+1 6+1 527+7 6+1 534+5 6+1 6+1 539+2 126+1 541+2 6+1 6+1 543+1 6+1 544+5 6+1 549+4 6+1 553+2 534+2 555+5 6+1 6+1 6+1 560+1 6+1 561+1 530+2 562+1 6+1 6+1 563+5 440+1 568+4 6+1 572+4 6+1 576+2 6+1 578+2 530+2 580+6 6+1 6+1 6+1 586+3 6+1 589+6 6+1 595+4 6+1 599+2 530+2 601+10 6+1 611+1 6+1 612+1 534+2 440+1 613+1 6+1 6+1 614+8 6+1 622+1 489+1 534+1 623+1 6+1 624+1 6+1 625+8 6+1 633+3 6+1 636+2 6+1 638+10 6+1 648+1 76+1 649+6 6+1 6+1 655+4 6+1 659+1 534+1 660+1 6+1 6+1 661+1 76+1 662+2 594+1 6+1 664+3 594+1 6+1 667+4 6+1 671+1 6+1 672+14 635+1 6+1 686+4 575+1 6+1 690+3 488+1 693+2 6+1 695+3 635+1 6+1 698+2 635+1 6+1 700+1 575+1 6+1 701+4 6+1 705+1 212+1 706+6 84+1 712+1 6+1 713+5 6+1 718+4 6+1 722+5 6+1 727+2 6+1 729+3 6+1 732+5 6+1 737+2 6+1 739+3 13+1 6+1 742+4 6+1 1121+1 747+1 6+1 1122+1 749+2 6+1 6+1 1+1 1054+2 753+2 1246+1 756+1 6+1 1089+1 758+5 6+1 763+1 170+1 142+1 764+2 135+1 6+1 766+6 6+1 772+5 6+1 777+4 6+1 6+1 781+6 6+1 787+1 6+1 6+1 1061+1 959+1 1062+3 972+2 975+2 489+1 1289+5 979+1 1294+5 142+1 1299+5 6+1 6+1 295+1 1304+2 6+1 6+1 6+1 1306+7 381+1 1313+4 887+1 1317+2 6+1 1319+2 1065+1 1045+2 1321+1 1047+1 1322+1 1049+1',
  },
  tickets: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['what', 'offset', 'limit'],
    sha: '6aaa7e612c0293d67877858a87d64d72567ff4bb',
    runs: '1323+1 1+1 9+1 6+1 1+1 10+1 1072+1 12+8 6+1 20+3 6+1 23+3 6+1 26+6 6+1 32+10 6+1 1324+1 43+10 6+1 53+1 50+1 6+1 54+2 6+1 1073+1 57+3 6+1 6+1 1+1 92+4 6+1 1113+1 97+5 6+1 102+3 6+1 105+3 6+1 1115+1 109+3 6+1 1116+1 113+1 6+1 114+2 6+1 6+1 1+1 1074+3 118+7 6+1 125+7 6+1 132+1 6+1 1077+1 134+1 131+1 135+1 124+1 6+1 136+3 135+1 6+1 1168+1 140+2 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 1079+1 166+1 6+1 167+2 6+1 1169+1 170+1 142+1 171+2 135+1 6+1 173+3 6+1 1080+1 177+1 6+1 178+10 6+1 1082+1 189+1 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1160+1 1325+3 6+1 1328+7 6+1 1335+2 6+1 1337+2 1096+2 1339+3 1100+1 1342+1 1085+1 6+1 1343+6 1085+1 6+1 1349+6 6+1 6+1 1355+3 6+1 1358+2 1353+1 1360+2 6+1 1362+1 6+1 1363+5 6+1 1368+1 6+1 1369+7 1049+1',
  },
  update: {
    keys: ['settings', 'job_weights', 'job_expirations', 'job_clients', 'client_running', 'client_num_queued', 'client_last_registered', 'client_last_seen', 'queue', 'delayed', 'parked', 'starts', 'seen', 'clients', 'jobs'],
    args: ['client', 'id', 'exact', 'now', 'increment', 'fields', '...'],
    sha: 'c122483a0e084dc17a0a9c630b317ad692133e06',
    runs: '1376+1 1+8 6+1 6+1 1+1 9+1 6+1 1+1 10+10 6+1 20+3 6+1 1377+1 24+2 6+1 26+6 6+1 32+10 6+1 42+11 6+1 53+1 50+1 6+1 54+2 6+1 56+4 6+1 6+1 1+1 60+5 6+1 1051+1 66+4 6+1 1052+1 71+4 6+1 75+5 6+1 80+2 6+1 82+8 6+1 90+2 6+1 6+1 1+1 92+4 6+1 96+6 6+1 102+3 6+1 105+3 6+1 108+4 6+1 112+2 6+1 114+2 6+1 6+1 1+1 116+9 6+1 125+7 6+1 132+1 6+1 133+2 131+1 135+1 124+1 6+1 136+3 135+1 6+1 139+3 126+1 142+5 6+1 147+3 6+1 150+5 6+1 155+2 6+1 6+1 157+3 6+1 160+5 6+1 165+2 6+1 167+2 6+1 169+2 142+1 171+2 135+1 6+1 173+3 6+1 176+2 6+1 178+10 6+1 188+2 6+1 6+1 1+1 190+6 6+1 196+2 6+1 198+5 198+1 6+1 203+8 6+1 211+3 205+1 214+4 6+1 218+4 6+1 222+4 6+1 226+11 6+1 6+1 6+1 237+4 6+1 6+1 241+1 6+1 242+1 170+1 243+3 6+1 246+1 6+1 247+2 6+1 249+1 204+1 250+2 6+1 252+4 6+1 6+1 256+19 6+1 6+1 275+1 6+1 276+3 6+1 6+1 1+1 279+2 6+1 281+14 6+1 6+1 295+6 6+1 301+2 6+1 303+8 6+1 311+3 259+1 314+1 261+1 315+3 6+1 318+6 6+1 324+1 6+1 325+2 287+1 327+2 6+1 6+1 6+1 329+3 313+1 259+1 332+1 261+1 333+2 6+1 335+3 6+1 1118+1 339+6 170+1 345+3 6+1 6+1 348+1 6+1 6+1 1+1 349+2 6+1 351+5 6+1 356+9 6+1 365+11 6+1 376+6 6+1 382+3 6+1 385+6 6+1 6+1 1+1 1053+1 392+5 312+1 397+3 6+1 400+4 13+1 404+2 6+1 406+2 6+1 408+5 6+1 413+2 259+1 415+1 261+2 416+1 6+1 316+1 417+2 337+1 419+2 6+1 421+7 6+1 428+1 6+1 429+3 6+1 432+1 6+1 433+4 6+1 437+2 239+1 439+10 6+1 449+2 269+1 451+2 6+1 6+1 6+1 453+8 6+1 461+6 6+1 6+1 467+3 6+1 470+1 6+1 471+4 6+1 6+1 475+1 141+1 126+1 142+1 476+6 6+1 6+1 6+1 6+1 6+1 482+4 142+1 486+2 6+1 6+1 488+2 435+1 490+1 6+1 491+1 6+1 492+4 312+1 496+6 6+1 502+8 6+1 6+1 510+1 6+1 511+8 6+1 519+1 440+1 520+2 6+1 522+4 126+1 526+1 6+1 527+7 6+1 534+5 6+1 6+1 539+2 126+1 541+2 6+1 6+1 543+1 6+1 544+5 6+1 549+4 6+1 553+2 534+2 555+5 6+1 6+1 6+1 560+1 6+1 561+1 530+2 562+1 6+1 6+1 563+5 440+1 568+4 6+1 572+4 6+1 576+2 6+1 578+2 530+2 580+6 6+1 6+1 6+1 586+3 6+1 589+6 6+1 595+4 6+1 599+2 530+2 601+10 6+1 611+1 6+1 612+1 534+2 440+1 613+1 6+1 6+1 614+8 6+1 622+1 489+1 534+1 623+1 6+1 624+1 6+1 625+8 6+1 633+3 6+1 636+2 6+1 638+10 6+1 648+1 76+1 649+6 6+1 6+1 655+4 6+1 659+1 534+1 660+1 6+1 6+1 661+1 76+1 662+2 594+1 6+1 664+3 594+1 6+1 667+4 6+1 671+1 6+1 672+14 635+1 6+1 686+4 575+1 6+1 690+3 488+1 693+2 6+1 695+3 635+1 6+1 698+2 635+1 6+1 700+1 575+1 6+1 701+4 6+1 705+1 212+1 706+6 84+1 712+1 6+1 713+5 6+1 718+4 6+1 722+5 6+1 727+2 6+1 729+3 6+1 732+5 6+1 737+2 6+1 739+3 13+1 6+1 742+4 6+1 746+2 6+1 748+3 6+1 6+1 1+1 1054+2 753+4 6+1 757+6 6+1 763+1 170+1 142+1 764+2 135+1 6+1 766+6 6+1 772+5 6+1 777+4 6+1 6+1 781+6 6+1 787+1 6+1 6+1 1+1 1056+1 789+5 6+1 794+2 789+1 6+1 796+2 795+1 798+3 6+1 801+3 6+1 804+2 6+1 1057+1 652+1 807+3 292+1 810+6 6+1 6+1 1058+2 818+1 170+1 819+1 712+1 212+1 820+9 716+1 6+1 829+1 6+1 830+1 652+1 831+3 815+1 834+2 6+1 6+1 836+2 6+1 838+1 795+1 839+3 6+1 1093+1 843+8 292+1 142+1 851+3 6+1 6+1 854+2 6+1 6+1 1+1 856+1 844+1 652+1 857+9 6+1 6+1 866+2 834+1 868+2 6+1 870+8 575+1 6+1 878+1 844+1 879+1 652+1 880+4 292+1 142+1 884+2 869+1 6+1 6+1 886+1 6+1 887+1 6+1 888+12 6+1 900+2 6+1 902+2 6+1 904+2 894+1 892+1 6+1 1060+1 907+4 635+1 6+1 911+2 635+1 6+1 913+1 6+1 6+1 1061+1 959+1 1062+3 972+4 1378+5 6+1 1383+3 38+1 974+1 1386+1 977+1 997+1 1037+1 1039+1 1065+1 1045+2 1321+1 1047+1 1387+1 1049+1',
  },
} satisfies Record<string, PackedScript>;

export type ScriptName = keyof typeof scripts;
