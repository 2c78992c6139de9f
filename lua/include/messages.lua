-- What is told to other processes. Part of `open_messages` in notices.lua.

-- A message for each client, in the order in which something came to concern them; the same ones by client.
local outbox, by_client = {}, {}
local listening = {}

--- The list of effects in the message to a client.
local function effects_of(client, record)
  local message = by_client[client]
  if not message then
    message = { c = client, n = record and record.first_notice or 0, e = {} }
    by_client[client] = message
    outbox[#outbox + 1] = message
  end
  return message.e
end

local function send()
  for i = 1, #outbox do redis.call('PUBLISH', channel_of(outbox[i].c), cjson.encode(outbox[i])) end
end

local function is_listening(client)
  local channel = channel_of(client)
  if listening[channel] == nil then
    listening[channel] = redis.call('PUBSUB', 'NUMSUB', channel)[2] > 0
  end
  return listening[channel]
end
