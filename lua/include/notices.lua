--- @include "clients"

-- What happens to tickets of a client goes to its process: in the reply when it is the caller, else in one message for
-- each client. Both carry the number of the first notice, so that a process can tell a lost message and the order.

local CALLER
local effects = {}
local first_notice = {}
local messages = {}
local recipients = {}

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
  effects[n + 2] = tonumber(seq)
  effects[n + 3] = a
  effects[n + 4] = b
end

--- Something that happened to a ticket that was queued before: numbered.
local function notify(client, kind, seq, a, b)
  local record = record_of(client)
  if record then
    if not first_notice[client] then first_notice[client] = record.notices + 1 end
    record.notices = record.notices + 1
    touched[client] = true
  end
  if client == CALLER then return note(kind, seq, a, b) end
  local list = messages[client]
  if not list then
    list = {}
    messages[client] = list
    recipients[#recipients + 1] = client
  end
  local n = #list
  list[n + 1] = kind
  list[n + 2] = tonumber(seq)
  list[n + 3] = a
  list[n + 4] = b
end

--- Sends what concerns other processes' tickets, in the order in which it came to concern them.
local function send_messages()
  for i = 1, #recipients do
    local client = recipients[i]
    redis.call('PUBLISH', channel_of(client), cjson.encode({ c = client, n = first_notice[client] or 0, e = messages[client] }))
  end
end

local listening = {}

--- Whether the process of a client is subscribed now. On a cluster nobody can tell, so everybody counts as listening.
local function is_listening(client, exact)
  if not exact or client == CALLER then return true end
  local channel = channel_of(client)
  if listening[channel] == nil then
    listening[channel] = redis.call('PUBSUB', 'NUMSUB', channel)[2] > 0
  end
  return listening[channel]
end
