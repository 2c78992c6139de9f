--- @include "fair-share"
--- @include "reservoir"

-- The hooks through which the scripts share a limiter with real Bottleneck clients. While none is registered they do
-- nothing, and it costs one ZCARD a script to know that: rb_ours counts our own entries in client_last_seen.

-- A slot of ours that is not renewed comes back by itself after that many times clientTimeout, even when only real
-- clients are left.
local LEASE = 2

--- At the beginning of a script, when the caller's record is loaded and before anything is changed.
local function meet_real(now, client, exact)
  if not S.rb_mixed and redis.call('ZCARD', client_last_seen_key) == S.rb_ours then return end
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
    return register_all()
  end
  follow_clocks(now)
  read_shared_times(now)
  look_back(now)
  -- Real clients book the future away: whoever only takes what is due now gets nothing.
  S.rb_justInTime = nil
end

--- When everything has been started and queued, before the records are saved. `waiting`: whether ours have a ticket in
--- the queue.
local function leave_real(now, waiting)
  if not mixed then return end
  pass_on(now, waiting)
  send_offers(now)
  register_ours()
  mixed.total = S.done + S.running
  set('rb_mixed', cjson.encode(mixed))
end

--- Whether the next start is ours.
local function fair_turn(now, client, weight)
  if not mixed then return true end
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

--- Until when a started ticket may hold its slot without being renewed, by the shared clock, or nil for ever.
local function leave_until(now, wait, expiration)
  local ends = expiration and now + wait + expiration
  if mixed then ends = math.min(ends or math.huge, now + LEASE * S.clientTimeout) end
  return ends and math.ceil(ends + ahead)
end

--- The owner says that a started ticket still has its slot: text is `weight:expiresIn` (ms, empty for never). Puts it back
--- if somebody thought otherwise.
local function renew_lease(now, client, record, seq, text)
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
  local leave = leave_until(now, 0, expires_in)
  if leave then
    redis.call('ZADD', job_expirations_key, string.format('%.0f', leave), index)
    has_expirations = true
  else redis.call('ZREM', job_expirations_key, index) end
end

--- ms until something is due here: an offer ends, a dead client is given up, the reservoir is refilled for a real one.
--- `wait` is what the queue itself waits for, nil for nothing; `waiting` as in leave_real.
local function fair_wait(now, wait, waiting)
  if not mixed then return wait end
  local function by(time)
    local left = math.max(1, time - now)
    if not wait or left < wait then wait = left end
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
  local refill = weigh_up(now).real_count > 0 and next_refill()
  if refill then by(refill) end
  return wait
end

--- What answers to real clients say: weight that is left for them, empty for no limit.
local function left_for_real()
  local left = capacity()
  if not left then return '' end
  local held = 0
  for i = 1, mixed and #mixed.offers or 0 do held = held + mixed.offers[i].k end
  return string.format('%d', math.max(0, math.floor(left - held)))
end

--- Settings were made anew: real clients that knew the old ones are told of by the channels they listen to.
local function restore_real(now)
  if heal_real(now) then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:' .. left_for_real()) end
end

--- Whether real clients are registered.
local function is_mixed()
  return mixed ~= nil
end
