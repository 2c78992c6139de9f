-- Whose turn it is, while real clients wait beside ours. A real client starts nothing unless it hears of capacity, and
-- ours would take everything in the script in which it came free: so before each start of ours the side that has less
-- running per process is served. Part of `open_real` in mixed.lua. To serve a real client is to offer it weight on its private channel and to hold that
-- back from ours for a moment.
--
-- In `mixed`:
--   offers   c: client, due: what it is meant to start, k: weight held back (more than is due when its jobs are heavy),
--            told: of how much it knows, ends: until when, took: weight that it started, used: whether it started
--            anything, registered: its last registration when the offer was made
--   credit   who is next when both have the same: above 0 ours
--   total    weight ever started, as of our last script: what it has grown by since, real clients have started
--   since    since when the head of our queue waits for more weight than is free
--   pace     see `is_paced`
-- In each `mixed.real`: need, needed: weight of the next offer, above 1 when less was not enough, and when that was; off:
--   until when it gets none, after `tries` that were in vain; registered: its last registration then

-- ms that an offer holds, and at most; that its rest holds once a part was used; that its weight may take to gather.
local HOLD, LONGEST_HOLD, HOLD_REST, GATHER = 150, 1000, 30, 1000
-- ms for which a client is remembered to have heavy jobs.
local NEED_KEPT = 10000
-- ms without offers after one in vain, doubled each time up to the longest.
local FIRST_BACKOFF, LONGEST_BACKOFF = 1000, 30000
-- Starts per process by which one side may be behind before that is forgotten.
local MOST_CREDIT = 4
-- Weight offered at once to a client whose queue's length is unknown.
local UNKNOWN_QUEUE = 5

-- Counts of this script, made when they are first needed: real, ours: weight running; real_count, ours_count: clients
-- that wait; working: ours among them; held, held_for: weight held back, in all and by client.
local share

--- Whether it has something to start, as far as is known: a negative count began with an unknown number.
local function has_queue(client)
  return (view.queued[client] or 0) ~= 0 or mixed.real[client].healed == true
end

--- Whether it is to be offered something.
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

--- Weight that a client may still be offered.
local function room_for(client)
  local queued = view.queued[client] or 0
  local most = queued > 0 and math.max(queued, mixed.real[client].need or 1) or UNKNOWN_QUEUE
  return most - (share.held_for[client] or 0)
end

--- The real client with the least running; of several, the one that has waited longest.
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

--- The offer to a client of which it does not know yet, or nil.
local function new_offer(client)
  for i = 1, #mixed.offers do
    local offer = mixed.offers[i]
    if offer.c == client and offer.told == 0 then return offer end
  end
end

--- Holds weight back for a real client. False when none could take any.
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

--- How long to hold for a client: longer after it did not react in time, since it may just be slow.
local function hold_of(client)
  return math.min(LONGEST_HOLD, HOLD * 2 ^ (mixed.real[client].tries or 0))
end

--- Tells real clients what is held for them, also while it still gathers: the next job may be a light one.
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

--- Maybe its first job is heavier: more next time. When all there is was not enough, it has nothing, or does not react.
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

--- What has become of the offers. `growth`: weight that real clients have started since.
local function review_offers(now, growth)
  local kept = {}
  for i = 1, #mixed.offers do
    local offer = mixed.offers[i]
    local state = mixed.real[offer.c]
    local took = math.min(growth, offer.k)
    growth = growth - took
    offer.k, offer.told, offer.took = offer.k - took, offer.told - took, offer.took + took
    if took > 0 then offer.used, offer.ends = true, now + HOLD_REST
    -- Jobs of weight 0 show nowhere else.
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

-- Pace of bookings under minTime. A real client books one start in a round trip, ours a whole batch in one script: then
-- the next minutes would belong to ours. While real bookings go on, ours are as many as theirs in proportion to the
-- processes, and a few more; else a few at a time, so that a real client can come in between.

-- ms after which no more bookings count as going on; between two handfuls; the future that may be booked freely.
local PACE_WINDOW, PACE_STEP, PACE_NEAR = 60, 10, 50
local HANDFUL = 5

local function count_bookings(now, growth)
  local pace = mixed.pace or { last = 0, at = 0, theirs = 0, mine = 0 }
  mixed.pace = pace
  if growth == 0 then return end
  if now - pace.last > PACE_WINDOW then pace.theirs, pace.mine = 0, 0 end
  pace.theirs, pace.last = pace.theirs + growth, now
end

--- Real clients that have booked within the last second, at least one.
local function booking_count(now)
  local count = 0
  for i = 1, #view.living do
    if (view.registered[view.living[i]] or 0) > now + ahead - 1000 then count = count + 1 end
  end
  return math.max(1, count)
end

--- Whether ours have to wait before they book one more start. Counts it if not.
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

--- What real clients have started since our last script.
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

--- Whether a start of that weight is ours now. Makes offers until it is, or until nothing is left for it.
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

--- One start of ours, about to be made.
local function count_start(weight)
  share.ours = share.ours + weight
  if share.real_count > 0 then earn(-weight / share.ours_count) end
  mixed.since = nil
end

--- Broadcasts free capacity if a real client waits for some, also one that has not reacted to offers.
local function tell_all(free)
  for i = 1, #view.living do
    if has_queue(view.living[i]) then return redis.call('PUBLISH', 'b_' .. S.id, string.format('capacity:%d', free)) end
  end
end

--- What ours leave goes to the real clients that wait: all of it when ours have nothing; else, when the head of our queue
--- does not fit, what is not due to it.
local function pass_on(now, waiting)
  local left = capacity()
  if not left then
    if view.had then redis.call('PUBLISH', 'b_' .. S.id, 'capacity:') end
    return
  end
  if not waiting then
    -- Ours need none of it: nothing has to be held, whoever is quick may have it.
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
