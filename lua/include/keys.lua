-- The keys of a limiter, in the order of KEYS in every script. The first eight are Bottleneck's; see lua/README.md.
local settings_key = KEYS[1]
local job_weights_key = KEYS[2]
local job_expirations_key = KEYS[3]
local job_clients_key = KEYS[4]
local client_running_key = KEYS[5]
local client_num_queued_key = KEYS[6]
local client_last_registered_key = KEYS[7]
local client_last_seen_key = KEYS[8]
local queue_key = KEYS[9]
local delayed_key = KEYS[10]
local parked_key = KEYS[11]
local starts_key = KEYS[12]
local seen_key = KEYS[13]
local clients_key = KEYS[14]
local jobs_key = KEYS[15]

-- Redis before 7 replicates scripts by their text unless told otherwise; these read the clock.
if redis.replicate_commands then redis.replicate_commands() end

-- Numbers that are arguments of commands stand as texts here where they are known, and are made texts by '%d' where they
-- are whole: Redis prints any other number with '%.17g', which takes longer than most commands.

-- Most arguments of one command: Lua's stack holds about 8000 values.
local MAX_ARGS = 4000

--- One command with any number of arguments, as several where they are too many for one. Returns the sum of the answers.
local function write_all(command, key, args)
  local sum = 0
  for i = 1, #args, MAX_ARGS do sum = sum + redis.call(command, key, unpack(args, i, math.min(i + MAX_ARGS - 1, #args))) end
  return sum
end
