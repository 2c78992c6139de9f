--- @include "settings"

-- What is kept of each of our clients: the number of its last step, how many notices were addressed to it, and how many
-- tickets of it are queued and how much weight is running. The truth about our clients: Bottleneck's four client keys
-- are kept alike, but a real client may change those.
local records = {}
local touched = {}

local function parse_record(text)
  local step, notices, queued, running = string.match(text, '^(%d+):(%d+):(%d+):([%d%.e%-]+)$')
  if not step then return nil end
  return { step = tonumber(step), notices = tonumber(notices), queued = tonumber(queued), running = tonumber(running) }
end

--- The record of a client, or nil when it is unknown (never registered, or given up as dead).
local function record_of(client)
  local record = records[client]
  if record == nil then
    local text = redis.call('HGET', clients_key, client)
    record = text and parse_record(text) or false
    records[client] = record
  end
  return record or nil
end

local function new_record(client)
  local record = { step = 0, notices = 0, queued = 0, running = 0, fresh = true }
  records[client] = record
  touched[client] = true
  return record
end

local function change(client, record, queued, running)
  record.queued = math.max(0, record.queued + queued)
  record.running = math.max(0, settle(record.running + running))
  touched[client] = true
end

--- Writes the records that changed, with their copies in Bottleneck's keys: all four entries, in one script.
local function save_records(now)
  local ours, queued, running, registered = {}, {}, {}, {}
  for client in pairs(touched) do
    local record = records[client]
    if record then
      ours[#ours + 1] = client
      ours[#ours + 1] = string.format('%d:%d:%d:%.15g', record.step, record.notices, record.queued, record.running)
      queued[#queued + 1] = client
      queued[#queued + 1] = record.queued
      running[#running + 1] = record.running
      running[#running + 1] = client
      if record.started or record.fresh then
        registered[#registered + 1] = record.started and math.floor(now) or 0
        registered[#registered + 1] = client
      end
    end
  end
  if #ours == 0 then return end
  redis.call('HSET', clients_key, unpack(ours))
  redis.call('HSET', client_num_queued_key, unpack(queued))
  redis.call('ZADD', client_running_key, unpack(running))
  if #registered > 0 then redis.call('ZADD', client_last_registered_key, unpack(registered)) end
end

--- Notes that a client is alive.
local function saw(client, now)
  redis.call('ZADD', seen_key, math.floor(now), client)
  redis.call('ZADD', client_last_seen_key, math.floor(now), client)
end

--- Takes a client out of every list. Its jobs must have been released before.
local function forget(client)
  records[client] = false
  touched[client] = nil
  redis.call('HDEL', clients_key, client, 'r:' .. client)
  redis.call('ZREM', seen_key, client)
  redis.call('ZREM', client_running_key, client)
  redis.call('HDEL', client_num_queued_key, client)
  redis.call('ZREM', client_last_registered_key, client)
  redis.call('ZREM', client_last_seen_key, client)
end

--- The channel of the process that a client lives in: its id begins with the name of the process's pool.
local function channel_of(client)
  return 'b_rebottle:' .. string.match(client, '^[^.]*')
end

--- Ours hold a dot, which ids of real Bottleneck clients never do.
local function is_ours(client)
  return string.find(client, '.', 1, true) ~= nil
end
