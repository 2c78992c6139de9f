--- The time in ms with a fraction, by the server's clock. Tests pass a time of their own.
local function read_clock(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end

--- ms as whole microseconds, since Redis cuts the fraction off every number in a reply.
local function micros(ms)
  return math.ceil(ms * 1000 - 0.001)
end
