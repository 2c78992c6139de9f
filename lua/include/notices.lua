--- @include "clients"

-- What happens to tickets of a client goes to its process: in the reply when it is the caller, else in one message for
-- each client. Both carry the number of the first notice, so that a process can tell a lost message and the order.

local CALLER
local effects = {}

-- Reasons of DROPPED.
local SHED, BLOCKED, TAKEN_OUT, RESET = 0, 1, 2, 3

-- Kinds of effects; each is four values: kind, seq, a, b. See lib/store/redis/replies.ts.
--   QUEUED a: 1 when the queue was full, b: arrival; STARTED and QUEUED_AND_STARTED a: us to wait, b: reservoir;
--   DROPPED a: reason, b: 1 when the ticket had been queued before; OVERWEIGHT a: maxConcurrent;
--   DUPLICATE: another job has its id; CANCELLED: somebody asks a started job to end
local QUEUED, STARTED, DROPPED, OVERWEIGHT, QUEUED_AND_STARTED, DUPLICATE, CANCELLED = 1, 2, 3, 4, 5, 6, 7

--- A number for a reply: Redis cuts the fraction off there, but not off a text.
local function exact_number(number)
  return number == math.floor(number) and number or string.format('%.15g', number)
end

local function note(kind, seq, a, b)
  local n = #effects
  effects[n + 1] = kind
  effects[n + 2] = tonumber(seq, 36)
  effects[n + 3] = a
  effects[n + 4] = b
end

-- The functions of `open_messages` once it was called, else nil.
local messages

--- Makes those functions, which only tickets of other processes need.
local function open_messages()
  if messages then return messages end
  --- @inline "messages"
  messages = { add = add, send = send, is_listening = is_listening }
  return messages
end

--- Something that happened to a ticket that was queued before: numbered.
local function notify(client, kind, seq, a, b)
  local record = record_of(client)
  if record then
    record.notices = record.notices + 1
    record.first_notice = record.first_notice or record.notices
    touched[client] = true
  end
  if client == CALLER then return note(kind, seq, a, b) end
  open_messages().add(client, record, kind, seq, a, b)
end

local function send_messages()
  if messages then messages.send() end
end

--- Whether the process of a client is subscribed now. On a cluster nobody can tell, so everybody counts as listening.
local function is_listening(client, exact)
  return not exact or client == CALLER or open_messages().is_listening(client)
end
