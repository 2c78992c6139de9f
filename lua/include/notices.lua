--- @include "clients"

-- What happens to tickets of a client goes to its process: in the reply when it is the caller, else in one message for
-- each client. Both carry the number of the first notice, so that a process can tell a lost message and the order.

local CALLER
local effects = {}

-- Reasons of DROPPED.
local SHED, BLOCKED, TAKEN_OUT, RESET = 0, 1, 2, 3

-- Kinds of effects; each is five values: kind, seq, count, a, b. See lib/store/redis/replies.ts. What happens to tickets
-- numbered in a row is one effect, `count` says of how many, where it is the same but for b.
--   QUEUED a: 1 when the queue was full, b: arrival, `@` and ms until it is due for one put aside, of a run that of the first,
--   one more for each; STARTED and QUEUED_AND_STARTED a: us to wait, b: reservoir, of a run one less for each when it is whole;
--   DROPPED a: reason, b: 1 when the ticket had been queued before; OVERWEIGHT a: maxConcurrent;
--   DUPLICATE: another job has its id; CANCELLED: somebody asks a started job to end
local QUEUED, STARTED, DROPPED, OVERWEIGHT, QUEUED_AND_STARTED, DUPLICATE, CANCELLED = 1, 2, 3, 4, 5, 6, 7

--- A number for a reply: Redis cuts the fraction off there, but not off a text.
local function exact_number(number)
  return number == math.floor(number) and number or string.format('%.15g', number)
end

--- Whether b goes on where a run of `count` that began with `first` ended: in a queue places grow, a reservoir falls.
local function goes_on(kind, first, count, b)
  if type(b) ~= 'number' or type(first) ~= 'number' then return b == first end
  if kind == QUEUED then return b == first + count end
  if kind == STARTED or kind == QUEUED_AND_STARTED then return b == first - count end
  return b == first
end

--- Adds an effect on `count` tickets to a list, or to the last one there.
local function append(list, kind, number, count, a, b)
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

local function note(kind, number, a, b)
  append(effects, kind, number, 1, a, b)
end

-- The functions of `open_messages` once it was called, else nil.
local messages

--- Makes those functions, which only tickets of other processes need.
local function open_messages()
  if messages then return messages end
  --- @inline "messages"
  messages = { effects_of = effects_of, send = send, is_listening = is_listening }
  return messages
end

--- The list of effects for what happens to `count` tickets of a client that were queued before: numbered.
local function notices_to(client, count)
  local record = record_of(client)
  if record then
    record.first_notice = record.first_notice or record.notices + 1
    record.notices = record.notices + count
    touched[client] = true
  end
  return client == CALLER and effects or open_messages().effects_of(client, record)
end

local function notify(client, kind, number, a, b)
  append(notices_to(client, 1), kind, number, 1, a, b)
end

local function send_messages()
  if messages then messages.send() end
end

--- Whether the process of a client is subscribed now. On a cluster nobody can tell, so everybody counts as listening.
local function is_listening(client, exact)
  return not exact or client == CALLER or open_messages().is_listening(client)
end
