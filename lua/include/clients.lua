--- @include "settings"

-- What is kept of each of our clients: the number of its last step, how many notices were addressed to it, how many
-- tickets of it are queued, how much weight is running, and when it was last noted as seen and as starting a job. The
-- truth about our clients: Bottleneck's four client keys are kept alike, but a real client may change those.
local records = {}
local touched = {}
-- Weight running of each by Bottleneck's own count, while a real client is registered: it expires jobs of ours, too.
local counted

local function parse_record(text)
  local step, notices, queued, running, seen, registered = string.match(text, '^(%d+):(%d+):(%d+):([%d%.e%-]+):(%d+):(%d+)$')
  if not step then return nil end
  queued, running = tonumber(queued), tonumber(running)
  return {
    step = tonumber(step), notices = tonumber(notices), queued = queued, running = running, seen = tonumber(seen),
    registered = tonumber(registered), shown_queued = queued, shown_running = running, started = false, first_notice = false,
  }
end

--- The record of a client, or nil when it is unknown (never registered, or given up as dead).
local function record_of(client)
  local record = records[client]
  if record == nil then
    local text = redis.call('HGET', clients_key, client)
    record = text and parse_record(text) or false
    if record and counted then record.running = counted[client] or 0 end
    records[client] = record
  end
  return record or nil
end

local function new_record(client)
  local record = { step = 0, notices = 0, queued = 0, running = 0, seen = 0, registered = 0, fresh = true }
  records[client] = record
  touched[client] = true
  return record
end

local function change(client, record, queued, running)
  if queued ~= 0 then record.queued = math.max(0, record.queued + queued) end
  if running ~= 0 then record.running = math.max(0, settle(record.running + running)) end
  touched[client] = true
end

-- ms within which a client is not noted again as starting jobs.
local REGISTERED_STEP = 10

--- Writes the records that changed, with their copies in Bottleneck's keys as far as they changed there. The entries of a
--- new client are all written in one script. `field` and `value` go with the records, in the same call.
local function save_records(now, field, value)
  local ours, queued, running, registered = {}, {}, {}, {}
  for client in pairs(touched) do
    local record = records[client]
    if record then
      local whole = record.fresh or S.rb_mixed
      if whole or record.queued ~= record.shown_queued then
        queued[#queued + 1] = client
        queued[#queued + 1] = record.queued
      end
      if whole or record.running ~= record.shown_running then
        running[#running + 1] = record.running
        running[#running + 1] = client
      end
      if record.started and (S.rb_mixed or now - record.registered >= REGISTERED_STEP) then record.registered = math.floor(now)
      else record.started = nil end
      if record.started or record.fresh then
        registered[#registered + 1] = record.started and record.registered + ahead or 0
        registered[#registered + 1] = client
      end
      ours[#ours + 1] = client
      ours[#ours + 1] = string.format('%d:%d:%d:%.15g:%d:%d', record.step, record.notices, record.queued, record.running, record.seen, record.registered)
    end
  end
  if field then
    ours[#ours + 1] = field
    ours[#ours + 1] = value
  end
  if #ours == 0 then return end
  redis.call('HSET', clients_key, unpack(ours))
  if #queued > 0 then redis.call('HSET', client_num_queued_key, unpack(queued)) end
  if #running > 0 then redis.call('ZADD', client_running_key, unpack(running)) end
  if #registered > 0 then redis.call('ZADD', client_last_registered_key, unpack(registered)) end
end

--- How exactly the time at which a client was seen is kept: a small part of clientTimeout.
local function seen_step()
  return math.min(500, S.clientTimeout / 20)
end

-- Set when entries of ours were found missing in client_last_seen though no real client has been there.
local entries_lost = false

--- Notes that a client is alive.
local function saw(client, now)
  local record = record_of(client)
  if record then
    if not counted and now - record.seen < seen_step() then return end
    record.seen = math.floor(now)
    touched[client] = true
  end
  redis.call('ZADD', seen_key, math.floor(now), client)
  local is_new = redis.call('ZADD', client_last_seen_key, math.floor(now + ahead), client) == 1
  -- rb_ours counts our own entries there: when it holds another number, real clients are there. Only they take out an
  -- entry of ours: then the count is void, and the next script looks who is there.
  if is_new and S.rb_ours then set('rb_ours', (not record or record.fresh) and S.rb_ours + 1 or nil) end
end

--- Ours hold a dot, which ids of real Bottleneck clients never do.
local function is_ours(client)
  return string.find(client, '.', 1, true) ~= nil
end

--- The channel of the process that a client lives in: its id begins with the name of the process's pool.
local function channel_of(client)
  return 'b_rebottle:' .. string.match(client, '^[^.]*')
end
