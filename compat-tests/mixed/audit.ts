import type { Redis } from 'ioredis';

/** In one script, so that it sees no half of a change: what Bottleneck's scripts take for granted of their eight keys. */
const AUDIT = `
local base = KEYS[1]
local function key(name) return base .. name end
local wrong = {}
local function demand(is, what) if not is then wrong[#wrong + 1] = what end end
local settings = {}
local fields = redis.call('HGETALL', key('settings'))
if #fields == 0 then return {} end
for i = 1, #fields, 2 do settings[fields[i]] = fields[i + 1] end
for _, name in ipairs({ 'running', 'done', 'capacityPriorityCounter', 'nextRequest', 'unblockTime' }) do
  demand(settings[name] and string.match(settings[name], '^-?%d+$'), name .. ' is no integer: ' .. tostring(settings[name]))
end
for _, name in ipairs({ 'reservoir', 'groupTimeout', 'maxConcurrent' }) do
  demand(settings[name] and string.match(settings[name], '^-?%d*$'), name .. ' is neither empty nor an integer: ' .. tostring(settings[name]))
end
for _, name in ipairs({ 'id', 'clientTimeout', 'minTime', 'lastReservoirRefresh', 'lastReservoirIncrease' }) do
  demand(settings[name] and settings[name] ~= '', name .. ' is missing')
end
demand(settings.version == '2.19.5', 'version is ' .. tostring(settings.version))
local total, by_client = 0, {}
local weights = redis.call('HGETALL', key('job_weights'))
for i = 1, #weights, 2 do
  local weight, client = tonumber(weights[i + 1]), redis.call('HGET', key('job_clients'), weights[i])
  total = total + weight
  demand(client, 'a running job has no client')
  if client then
    by_client[client] = (by_client[client] or 0) + weight
    demand(weight == 0 or redis.call('ZSCORE', key('client_running'), client), 'the client of a running job is not registered: ' .. client)
  end
end
demand(tonumber(settings.running) == total, 'running ' .. settings.running .. ' is not the sum of weights ' .. total)
local running = redis.call('ZRANGE', key('client_running'), 0, -1, 'WITHSCORES')
for i = 1, #running, 2 do
  demand(redis.call('HEXISTS', key('client_num_queued'), running[i]) == 1, 'client_running without num_queued: ' .. running[i])
  demand(redis.call('ZSCORE', key('client_last_registered'), running[i]), 'client_running without last_registered: ' .. running[i])
  demand(tonumber(running[i + 1]) == (by_client[running[i]] or 0), 'client_running ' .. running[i + 1] .. ' is not the sum ' .. (by_client[running[i]] or 0) .. ': ' .. running[i])
end
for _, client in ipairs(redis.call('ZRANGE', key('client_last_seen'), 0, -1)) do
  demand(redis.call('HEXISTS', key('client_num_queued'), client) == 1, 'client_last_seen without num_queued: ' .. client)
end
return wrong
`;

/** Looks at the eight keys of a limiter over and over until it is stopped. */
export class Auditor {
  readonly wrong = new Set<string>();
  looks = 0;
  private stopped = false;
  private readonly done: Promise<void>;

  constructor(
    private readonly redis: Redis,
    private readonly id: string,
  ) {
    this.done = this.look();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
  }

  private async look(): Promise<void> {
    while (!this.stopped) {
      const wrong = (await this.redis.eval(AUDIT, 1, `b_${this.id}_`)) as string[];
      for (const one of wrong) this.wrong.add(one);
      this.looks++;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}
