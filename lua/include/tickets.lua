--- @include "settings"

-- A ticket is one text: `client:seq` (seq in base 36), followed by `:weight:expiration` when they are not 1 and none. It is the member of
-- the queue, so that one pop gives all there is to know. A started ticket stands as `client:seq` in Bottleneck's
-- job hashes.

-- Score of a queued ticket: priority first, then arrival. 99 strides stay exact in a double.
local PRIORITY_STRIDE = 2 ^ 46
-- Arrivals count hundredths of a ms since 2026 began, or follow the one before: they go on after the counter was lost.
local ARRIVAL_EPOCH = 1767225600000
local ARRIVALS_PER_MS = 100

--- What follows upon `client:seq`. `weight` and `expiration` as the texts they came in: empty for 1 and none.
local function ticket_suffix(weight, expiration)
  if weight == '' and expiration == '' then return '' end
  return ':' .. weight .. ':' .. expiration
end

local function ticket_text(client, seq, weight, expiration)
  return client .. ':' .. seq .. ticket_suffix(weight, expiration)
end

--- client, seq, weight, expiration (nil for none), index in the job hashes
local function parse_ticket(text)
  local client, seq, rest = string.match(text, '^([^:]+):(%w+)(.*)$')
  if not client then return nil end
  if rest == '' then return client, seq, 1, nil, text end
  local weight, expiration = string.match(rest, '^:([^:]*):([^:]*)$')
  return client, seq, tonumber(weight) or 1, tonumber(expiration), client .. ':' .. seq
end

--- How a ticket stands in the delayed queue. Members of one score come in the order of their texts: numbers of more
--- digits after those of fewer.
local function delayed_member(priority, text)
  local _, seq = parse_ticket(text)
  return string.format('%02d%s %s %s', #seq, seq, priority, text)
end

--- priority, ticket text
local function parse_delayed(member)
  local priority, text = string.match(member, '^%w+ (%d+) (.*)$')
  return tonumber(priority), text
end

local DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

local function base36(number)
  local text = ''
  repeat
    local digit = number % 36
    text = string.sub(DIGITS, digit + 1, digit + 1) .. text
    number = (number - digit) / 36
  until number == 0
  return text
end

--- The number of a ticket, from its text.
local function number_of(seq)
  return tonumber(seq, 36)
end

--- Tickets numbered in a row stand as `first+count`, one alone as its seq. Adds the index in the job hashes of each to the
--- list. Returns how many they are, and the number of the first.
local function add_run(list, client, run)
  local n = #list
  local first, count = string.match(run, '^(%w+)%+(%d+)$')
  if not first then
    list[n + 1] = client .. ':' .. run
    return 1, number_of(run)
  end
  -- They differ in their last digit, until that is used up.
  local front, number = client .. ':' .. string.sub(first, 1, -2), number_of(first)
  local digit = number % 36
  for i = 1, tonumber(count) do
    list[n + i] = front .. string.sub(DIGITS, digit + 1, digit + 1)
    digit = digit + 1
    if digit == 36 then digit, front = 0, client .. ':' .. base36((number + i) / 36) end
  end
  return tonumber(count), number
end

--- The first of `count` places in the order of arrival, one behind the other.
local function next_arrivals(now, count)
  local arrival = math.max(S.rb_arrival + 1, math.floor((now - ARRIVAL_EPOCH) * ARRIVALS_PER_MS))
  set('rb_arrival', arrival + count - 1)
  return arrival
end

local function next_arrival(now)
  return next_arrivals(now, 1)
end

local function score_of(priority, arrival)
  return priority * PRIORITY_STRIDE + arrival
end

local function priority_of(score)
  return math.floor(score / PRIORITY_STRIDE)
end
