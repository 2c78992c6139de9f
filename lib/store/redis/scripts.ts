import type { Script } from './clients/client';
import { scripts as sources, unpack } from './generated/lua';

/** The scripts of lua/, ready to be called. Their KEYS and ARGV stand at the head of each file. */
export type ScriptName =
  | 'init'
  | 'advance'
  | 'read'
  | 'update'
  | 'leave'
  | 'reconcile'
  | 'answer'
  | 'tickets'
  | 'cancel'
  | 'reset'
  | 'pools'
  | 'beat'
  | 'publish';

/** The text is put together when it is asked for: a server that knows the script needs only its SHA. */
function script(name: ScriptName): Script {
  const packed = sources[name];
  return {
    sha: packed.sha,
    get source() {
      return unpack(packed);
    },
  };
}

export const scripts: Readonly<Record<ScriptName, Script>> = {
  init: script('init'),
  advance: script('advance'),
  read: script('read'),
  update: script('update'),
  leave: script('leave'),
  reconcile: script('reconcile'),
  answer: script('answer'),
  tickets: script('tickets'),
  cancel: script('cancel'),
  reset: script('reset'),
  pools: script('pools'),
  beat: script('beat'),
  publish: script('publish'),
};
