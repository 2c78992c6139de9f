-- Begins anew: takes everything out that waits, whoever owns it, and sets the reservoir and all clocks back. What runs
-- goes on, and its slots stay taken. So many tickets are taken out in one call; when there are more, the rest waits for the
-- next one, and only the last sets the clocks back.
--
-- KEYS: settings job_weights job_expirations job_clients client_running client_num_queued client_last_registered client_last_seen queue delayed parked starts seen clients jobs
-- ARGV: client id exact now fields ...
--   fields     how many names and values of settings follow
--
-- Returns {code, taken out}: code 1: no settings; as many as PER_CALL when there may be more
--
--- @include "clock"
--- @include "mixed"
--- @include "release"
--- @include "notices"
--- @include "jobs"

local client, exact, now = ARGV[1], ARGV[3] == '1', read_clock(ARGV[4])
if not load_settings() then return { 1 } end
S.id = ARGV[2]
CALLER = nil
if not record_of(client) then new_record(client) end
meet_real(now, client, exact)
saw(client, now)
release_expired(now)
bury_dead(now, client)

local PER_CALL = 2000
local count = 0

--- Takes out what waits under a key.
local function take_all(key, is_delayed)
  while count < PER_CALL do
    local members = redis.call('ZRANGE', key, 0, math.min(1000, PER_CALL - count) - 1)
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
        notify(owner, DROPPED, number_of(seq), RESET, 1)
        count = count + 1
      end
    end
    forget_jobs(indexes)
    for i = 1, S.rb_named and #indexes or 0 do
      if not is_listening(string.match(indexes[i], '^[^:]*'), exact) then open_jobs().mark(indexes[i]) end
    end
  end
end

take_all(queue_key, false)
take_all(parked_key, false)
take_all(delayed_key, true)

local function begin_anew()
  for i = 6, 5 + tonumber(ARGV[5]), 2 do set(ARGV[i], tonumber(ARGV[i + 1])) end
  redis.call('DEL', starts_key)
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

if count < PER_CALL then begin_anew() end

if real then real.leave(now, false) end
save_records(now)
save_settings()
send_messages()
if real then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:' .. real.left()) end
refresh_ttl(now)
return { 0, count }
