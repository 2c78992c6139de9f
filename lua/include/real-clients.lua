-- Processes that still run Bottleneck: "real" clients. Which of them live, what the dead held, whose clock counts. Part of
-- `open_real` in mixed.lua.

-- What is kept between scripts, as JSON in the settings:
--   real      by id: gone: since when it is not connected; seen, at: its last sign of life, and when that changed (for
--             clusters); healed: registered by us, so its num_queued counts from an unknown number; need, tries, off,
--             registered: see fair-share.lua
--   clock     see `follow_clocks`
--   offers, credit, pace, since, total   see fair-share.lua
local mixed
-- What the shared keys say while this script runs: by client seen, running, registered and queued; living: ids of real
-- clients that are connected; had: capacity at the beginning, nil for no limit.
local view

-- ms for which the fastest clock counts after it was last seen; most ms that it may be ahead; what is worth telling.
local CLOCK_KEPT, CLOCK_CAP, CLOCK_NOTABLE = 30000, 60000, 1000
-- Ids of Bottleneck clients are random digits in base 36, which nearly never are fewer than this.
local SHORTEST_REAL_ID = 8

local function by_member(key)
  local found = {}
  local entries = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  for i = 1, #entries, 2 do found[entries[i]] = tonumber(entries[i + 1]) end
  return found
end

local function look_at_clients()
  view = {
    seen = by_member(client_last_seen_key), running = by_member(client_running_key),
    registered = by_member(client_last_registered_key), queued = {}, living = {},
  }
  local counts = redis.call('HGETALL', client_num_queued_key)
  for i = 1, #counts, 2 do view.queued[counts[i]] = tonumber(counts[i + 1]) end
end

--- The channel on which a real client alone listens.
local function private_channel(client)
  return 'b_' .. S.id .. '_' .. client
end

--- All four entries, as every real script takes for granted. How many jobs it has queued nobody knows.
local function register_real(client, now)
  redis.call('ZADD', client_running_key, 0, client)
  redis.call('HSET', client_num_queued_key, client, 0)
  redis.call('ZADD', client_last_registered_key, 0, client)
  redis.call('ZADD', client_last_seen_key, math.floor(now + ahead), client)
end

--- A dead real client: its jobs would hold their slots for ever. One with very many takes several calls.
local function bury_real(client)
  local cursor, found = '0', {}
  repeat
    local page = redis.call('HSCAN', job_clients_key, cursor, 'COUNT', SCAN_COUNT)
    cursor = page[1]
    for i = 1, #page[2], 2 do
      if page[2][i + 1] == client then found[#found + 1] = page[2][i] end
    end
  until cursor == '0' or #found >= SCAN_COUNT
  for from = 1, #found, MAX_ARGS do release({ unpack(found, from, math.min(from + MAX_ARGS - 1, #found)) }) end
  if cursor ~= '0' then return end
  open_reclaim().forget(client)
  view.seen[client] = nil
  mixed.real[client] = nil
end

--- How many listen on the private channel of each.
local function count_listeners(ids)
  local counts = {}
  for from = 1, #ids, MAX_ARGS do
    local channels = {}
    for i = from, math.min(from + MAX_ARGS - 1, #ids) do channels[#channels + 1] = private_channel(ids[i]) end
    local reply = redis.call('PUBSUB', 'NUMSUB', unpack(channels))
    for i = 2, #reply, 2 do counts[#counts + 1] = tonumber(reply[i]) end
  end
  return counts
end

--- On a cluster only a sign of life that changes tells that a client lives: clocks differ, and NUMSUB counts one node.
local function gives_signs(client, state, now)
  if state.seen ~= view.seen[client] then
    state.seen, state.at = view.seen[client], now
  end
  return state.at ~= nil and now - state.at < S.clientTimeout
end

--- Sorts the real clients into living and dead, takes out those dead for clientTimeout, registers living ones again
--- that were taken out by others: on Redis 7 they cannot do it themselves.
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

--- Real clients write their own clocks into times that all share. The fastest of them counts for all: a job of ours that
--- goes by a slower one would wait for the difference each time. A sign of life is at most a heartbeat old, so the
--- most that was seen within a while tells how far ahead a clock is.
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

--- From the shared clock to the server's, by which everything of ours goes. save_settings() goes back.
local function read_shared_times(now)
  for field in pairs(SHARED_TIMES) do
    if S[field] then S[field] = S[field] - ahead end
  end
  -- Without minTime it tells nothing but somebody's clock.
  if S.minTime == 0 and S.unblockTime < now and S.nextRequest > now then S.nextRequest = now end
end

--- Weights of ours that a real script freed (an expiration, a lease) are missing in the shared count alone.
local function correct_records()
  counted = view.running
  for client, record in pairs(records) do
    if record and not record.fresh then record.running = counted[client] or 0 end
  end
end

--- Real clients take clients of ours that are idle out of the shared keys. Whoever gets an entry gets all four again.
local function register_ours()
  for client in pairs(touched) do
    local record = records[client]
    if record then
      if not view.registered[client] then record.fresh = true end
      if not view.seen[client] then
        local seen = redis.call('ZSCORE', seen_key, client)
        if seen then
          redis.call('ZADD', client_last_seen_key, 'NX', math.floor(tonumber(seen) + ahead), client)
          view.seen[client] = tonumber(seen)
        end
      end
    end
  end
end

--- The last real client has gone. From now on nobody but us changes the shared keys: they are to hold all of ours.
local function register_all()
  local ours = redis.call('ZRANGE', seen_key, 0, -1)
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

--- Settings were lost or made anew by a real client: its fellows stay unknown for ever on Redis 7. Those that listen are
--- registered again, and told that there is capacity.
local function heal_real(now)
  local prefix = 'b_' .. S.id .. '_'
  local pattern = string.gsub(prefix, '[%*%?%[%]%^\\]', '\\%0') .. '*'
  local channels = redis.call('PUBSUB', 'CHANNELS', pattern)
  local found = {}
  local parents = {}
  for i = 1, #channels do
    local rest = string.sub(channels[i], #prefix + 1)
    local parent = string.match(rest, '^(.*)_[0-9a-z]+$')
    if parent then parents[parent] = true
    elseif #rest >= SHORTEST_REAL_ID and string.find(rest, '^[0-9a-z]+$') then found[#found + 1] = rest end
  end
  local base = string.sub(settings_key, 1, -#'_settings' - 1)
  local healed = false
  for i = 1, #found do
    local client = found[i]
    -- `b_a_b` is also the channel of a limiter named `a_b`. (An error, on a cluster, counts as no such limiter.)
    local is_limiter = parents[client] or redis.pcall('EXISTS', base .. '_' .. client .. '_settings') == 1
    if not is_limiter then
      healed = true
      if not redis.call('ZSCORE', client_last_seen_key, client) then register_real(client, now) end
    end
  end
  return healed
end
