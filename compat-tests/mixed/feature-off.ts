/** The scripts as they would be if nothing were known of real Bottleneck clients, for telling what that costs. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Script } from '../../lib/store/redis/clients/client';
import { type ScriptName, scripts } from '../../lib/store/redis/scripts';
import { buildScript } from '../../scripts/lua-source.mjs';

const LUA = join(__dirname, '../../lua');
/** The only line at which a script of a fleet of ours alone comes upon the feature; nothing else of it is reached without it. */
const MEETING = /^ {2}if not S\.rb_mixed and .*ZCARD.* then return end$/m;

type Scripts = Record<ScriptName, Script>;

function readLua(folder: string): Map<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.lua'));
  return new Map(files.map((file) => [basename(file, '.lua'), readFileSync(join(folder, file), 'utf8')]));
}

function build(change: (mixed: string) => string): Scripts {
  const includes = readLua(join(LUA, 'include'));
  includes.set('mixed', change(includes.get('mixed') as string));
  const built = [...readLua(LUA)].map(([name, text]) => {
    const { source } = buildScript(name, text, includes);
    return [name, { source, sha: createHash('sha1').update(source).digest('hex') }] as const;
  });
  return Object.fromEntries(built) as Scripts;
}

export const withFeature: Scripts = build((mixed) => mixed);

export const withoutFeature: Scripts = build((mixed) => {
  if (!MEETING.test(mixed)) throw new Error('lua/include/mixed.lua meets real clients elsewhere now');
  return mixed.replace(MEETING, '  do return end');
});

/** All stores of this process use these from now on. */
export function use(chosen: Scripts): void {
  Object.assign(scripts, chosen);
}
