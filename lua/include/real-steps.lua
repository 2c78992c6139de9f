-- What scripts do beside real clients, at their beginning, for each start, and at their end. Part of `open_real` in mixed.lua.

-- A slot of ours that is not renewed comes back by itself after that many times clientTimeout, even when only real
-- clients are left.
local LEASE = 2

--- Looks at who is there. False when no real client is.
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
  -- Real clients book the future away: whoever only takes what is due now gets nothing.
  S.rb_justInTime = nil
  return true
end

--- When everything has been started and queued, before the records are saved. `waiting`: whether ours have a ticket in
--- the queue.
local function leave(now, waiting)
  pass_on(now, waiting)
  send_offers(now)
  register_ours()
  mixed.total = S.done + S.running
  set('rb_mixed', cjson.encode(mixed))
end

--- Whether the next start is ours.
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

--- A slot comes back by itself unless it is renewed, by the shared clock.
local function lease_until(now, wait, expiration)
  local ends = expiration and now + wait + expiration + EXPIRY_GRACE
  if mixed then ends = math.min(ends or math.huge, now + LEASE * S.clientTimeout) end
  return ends and math.ceil(ends + ahead)
end

--- The owner says that a started ticket still has its slot: text is `weight:expiresIn` (ms, empty for never). Puts it back
--- if somebody thought otherwise.
local function renew(now, client, record, seq, text)
  local index = client .. ':' .. seq
  local weight, expires_in = string.match(text, '^([^:]*):([^:]*)$')
  weight, expires_in = tonumber(weight), tonumber(expires_in)
  if redis.call('HEXISTS', job_weights_key, index) == 0 then
    if expires_in and expires_in <= 0 then return end
    redis.call('HSET', job_weights_key, index, weight)
    redis.call('HSET', job_clients_key, index, client)
    set('running', settle(S.running + weight))
    change(client, record, 0, weight)
  end
  local ends = lease_until(now, 0, expires_in)
  if ends then
    redis.call('ZADD', job_expirations_key, string.format('%.0f', ends), index)
    has_expirations = true
  else redis.call('ZREM', job_expirations_key, index) end
end

--- ms until something is due here: an offer ends, a dead client is given up, the reservoir is refilled for a real one.
--- `wait` is what the queue itself waits for, nil for nothing; `waiting` as in `leave`.
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

--- What answers to real clients say: weight that is left for them, empty for no limit.
local function left()
  local free = capacity()
  if not free then return '' end
  for i = 1, mixed and #mixed.offers or 0 do free = free - mixed.offers[i].k end
  return string.format('%d', math.max(0, math.floor(free)))
end

--- Settings were made anew: real clients that knew the old ones are told of by the channels they listen to.
local function restore(now)
  if heal_real(now) then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:' .. left()) end
end
