--- @include "jobs"

-- Frees what started tickets hold: when they are done, when their expiration has run out, when their process is dead.

-- ms for which Redis leaves a slot to a job that has expired: its process lets it go by itself, or keeps it for another
-- attempt. Only a process that cannot say so must be helped.
local EXPIRY_GRACE = 1000

-- False when nothing has an expiration, true or nil when something may have.
local has_expirations

-- Redis looks through small hashes from the start. Fields that are taken a few at a time, in the order in which they came
-- in, stand there, each behind no more than these.
local FIELDS_AT_ONCE = 16

--- Takes fields out of a hash. Returns their values.
local function take_fields(key, fields)
  local values = {}
  for from = 1, #fields, FIELDS_AT_ONCE do
    local to = math.min(from + FIELDS_AT_ONCE - 1, #fields)
    local part = redis.call('HMGET', key, unpack(fields, from, to))
    redis.call('HDEL', key, unpack(fields, from, to))
    for i = 1, #part do values[from + i - 1] = part[i] end
  end
  return values
end

--- What there is of started tickets beside the two hashes.
local function forget_started(indexes)
  forget_jobs(indexes)
  if has_expirations ~= false then write_all('ZREM', job_expirations_key, indexes) end
end

--- Frees started tickets by their index in the job hashes; those that are not there hold nothing. Returns the weight.
--- `owner`: whose they all are, when that is known.
local function release(indexes, owner)
  if #indexes == 0 then return 0 end
  local weights = take_fields(job_weights_key, indexes)
  local clients = not owner and take_fields(job_clients_key, indexes)
  local total = 0
  local foreign = {}
  for i = 1, #indexes do
    local weight = tonumber(weights[i])
    if weight then
      -- Rounded one by one, as they were when they were added: a rounded sum would leave a rest in the account.
      total = settle(total + weight)
      -- Ours say in their index whose they are, should the other hash be lost.
      local client = owner or clients[i] or string.match(indexes[i], '^([^:]+):%w+$')
      local record = client and record_of(client)
      if record then change(client, record, 0, -weight)
      elseif client and weight ~= 0 then foreign[client] = (foreign[client] or 0) + weight end
    end
  end
  if owner then write_all('HDEL', job_clients_key, indexes) end
  forget_started(indexes)
  for client, weight in pairs(foreign) do
    if redis.call('ZSCORE', client_running_key, client) then redis.call('ZINCRBY', client_running_key, -weight, client) end
  end
  if total ~= 0 then set('running', math.max(0, settle(S.running - total))) end
  return total
end

--- The same for tickets of weight 1, all of one client of ours: how many were there is all there is to know.
local function release_ones(indexes, client)
  if #indexes == 0 then return 0 end
  local total = write_all('HDEL', job_weights_key, indexes)
  write_all('HDEL', job_clients_key, indexes)
  forget_started(indexes)
  change(client, record_of(client), 0, -total)
  if total ~= 0 then set('running', math.max(0, settle(S.running - total))) end
  return total
end

-- A dead client's jobs are looked for in that many fields at a time.
local SCAN_COUNT = 1000

-- The functions of `open_reclaim` once it was called, else nil.
local reclaim

--- Makes those functions: what they are for happens rarely, and making them takes time.
local function open_reclaim()
  if reclaim then return reclaim end
  --- @inline "reclaim"
  reclaim = {
    expire = expire, bury = bury, spare_silent = spare_silent, release_client = release_client, end_grace = end_grace,
    give_up = give_up, forget = forget, begin_anew = begin_anew, accounts_agree = accounts_agree,
  }
  return reclaim
end

--- Frees what has expired.
local function release_expired(now)
  local first = redis.call('ZRANGE', job_expirations_key, '0', '0', 'WITHSCORES')[2]
  has_expirations = first and true or false
  if first and tonumber(first) < now + ahead then open_reclaim().expire(now) end
end

--- Gives up dead clients. True when it has looked for some, and nothing is left to do.
local function bury_dead(now, caller)
  return (not S.rb_buryAt or now >= S.rb_buryAt) and open_reclaim().bury(now, caller)
end
