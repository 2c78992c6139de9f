-- What is done with jobs that have a name. Part of `open_jobs` in jobs.lua, which says how they are stored.

-- Entries told in one message, and looked at in one call for one dead client.
jobs.PER_MESSAGE, jobs.PER_CALL = 100, 1000
jobs.MARK = 'x'

--- The id in details; nil for what is no details.
function jobs.id_in(details)
  local bytes, rest = string.match(details, '^%d+:(%d+):(.*)$')
  return bytes and string.sub(rest, 1, tonumber(bytes))
end

--- priority, weight, expiration, submitted, details; texts, nil for a mark.
function jobs.parse_entry(entry)
  return string.match(entry, '^(%d+):([^:]*):([^:]*):(%d+):(.*)$')
end

-- Fields to be written in one call, and the ids among them.
jobs.fresh, jobs.fresh_ids = {}, {}

--- Writes what was remembered. To be called at the end of every script that remembers.
function jobs.save()
  local fields = jobs.fresh
  if #fields == 0 then return end
  write_all('HSET', jobs_key, fields)
  jobs.fresh, jobs.fresh_ids = {}, {}
end

--- Whether another job of that id waits or runs.
function jobs.is_taken(client, seq, details)
  if not S.rb_named then return false end
  local id = jobs.id_in(details)
  if jobs.fresh_ids[id] then return true end
  -- Made up by the client itself, so nobody else has it.
  if string.sub(id, 1, #client + 1) == client .. '-' then return false end
  local other = redis.call('HGET', jobs_key, 'i' .. id)
  if not other or other == client .. ':' .. seq then return false end
  return record_of(string.match(other, '^[^:]*')) ~= nil and redis.call('HEXISTS', jobs_key, 't' .. other) == 1
end

function jobs.remember(now, client, seq, priority, weight, expiration, details)
  local index = client .. ':' .. seq
  local entry = string.format('%d:%s:%s:%d:', priority, weight, expiration, math.floor(now)) .. details
  local id = jobs.id_in(details)
  jobs.fresh_ids[id] = true
  local fresh, n = jobs.fresh, #jobs.fresh
  fresh[n + 1], fresh[n + 2], fresh[n + 3], fresh[n + 4] = 't' .. index, entry, 'i' .. id, index
  if not S.rb_named then set('rb_named', 1) end
end

--- A client tells of a ticket that Redis may have lost. `name` is empty for jobs without one.
function jobs.remember_again(now, client, seq, name)
  if name == '' or redis.call('HEXISTS', jobs_key, 't' .. client .. ':' .. seq) == 1 then return end
  local priority, weight, expiration, details = string.match(name, '^(%d+):([^:]*):([^:]*):(.*)$')
  jobs.remember(now, client, seq, tonumber(priority), weight, expiration, details)
end

--- Tickets that have ended, by `client:seq`.
function jobs.forget(indexes)
  jobs.save()
  for from = 1, #indexes, MAX_ARGS / 4 do jobs.forget_some(indexes, from, math.min(from + MAX_ARGS / 4 - 1, #indexes)) end
end

function jobs.forget_some(indexes, from, to)
  local tickets, gone, ids, owners = {}, {}, {}, {}
  for i = from, to do tickets[#tickets + 1] = 't' .. indexes[i] end
  local entries = redis.call('HMGET', jobs_key, unpack(tickets))
  for i = 1, #entries do
    if entries[i] then
      gone[#gone + 1] = tickets[i]
      local _, _, _, _, details = jobs.parse_entry(entries[i])
      if details then
        ids[#ids + 1] = 'i' .. jobs.id_in(details)
        owners[#owners + 1] = indexes[from + i - 1]
      end
    end
  end
  if #ids > 0 then
    -- An id may have been taken over, from a client that was dead.
    local current = redis.call('HMGET', jobs_key, unpack(ids))
    for i = 1, #ids do
      if current[i] == owners[i] then gone[#gone + 1] = ids[i] end
    end
  end
  if #gone > 0 then redis.call('HDEL', jobs_key, unpack(gone)) end
end

--- Takes a ticket out of the queue, wherever it stands. Returns where that was, nil when it did not wait.
function jobs.take_out(client, priority, text)
  local record = record_of(client)
  if redis.call('ZREM', queue_key, text) == 1 or redis.call('ZREM', parked_key, text) == 1 then
    if record then change(client, record, -1, 0) end
    return 'ready'
  end
  return redis.call('ZREM', delayed_key, delayed_member(priority, text)) == 1 and 'delayed' or nil
end

--- The owner did not hear that its ticket was taken out: it will, when it tells what it has.
function jobs.mark(index)
  redis.call('HSET', jobs_key, 't' .. index, jobs.MARK)
end

function jobs.was_cancelled(client, seq)
  if not S.rb_named then return false end
  local field = 't' .. client .. ':' .. seq
  return redis.call('HGET', jobs_key, field) == jobs.MARK and redis.call('HDEL', jobs_key, field) == 1
end

--- Tells every process what a dead one had: lists of state, client:seq and entry.
function jobs.send_orphans(client, caller, orphans)
  for i = 1, #orphans, jobs.PER_MESSAGE do
    local part = { unpack(orphans, i, math.min(i + jobs.PER_MESSAGE - 1, #orphans)) }
    redis.call('PUBLISH', 'b_' .. S.id, 'rebottle-orphaned:' .. cjson.encode({ by = caller, client = client, jobs = part }))
  end
end

--- Takes the waiting jobs with a name of a client out, which is dead or leaves. With a caller everybody is told of them
--- and of those that were running, a bounded number in one call: false when there are more. Without one, those that run
--- stay, and marks go to the client's heir.
function jobs.clear(client, caller, heir)
  if not S.rb_named then return true end
  local cursor, seen, orphans = '0', 0, {}
  repeat
    local page = redis.call('HSCAN', jobs_key, cursor, 'MATCH', 't' .. client .. ':*', 'COUNT', 1000)
    cursor = page[1]
    for i = 1, #page[2], 2 do
      local index, entry = string.sub(page[2][i], 2), page[2][i + 1]
      local priority, weight, expiration = jobs.parse_entry(entry)
      local seq = string.match(index, ':(.*)$')
      if not priority then
        redis.call('HDEL', jobs_key, 't' .. index)
        if heir then jobs.mark(heir .. ':' .. seq) end
      else
        local runs = redis.call('HEXISTS', job_weights_key, index) == 1
        if caller or not runs then
          local state = runs and 'executing' or jobs.take_out(client, priority, ticket_text(client, seq, weight, expiration))
          if state then orphans[#orphans + 1] = { state, index, entry } end
          jobs.forget({ index })
        end
      end
      seen = seen + 1
    end
  until cursor == '0' or (caller and seen >= jobs.PER_CALL)
  if caller then jobs.send_orphans(client, caller, orphans) end
  return cursor == '0'
end
