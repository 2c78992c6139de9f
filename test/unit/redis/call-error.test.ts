import { expect } from 'chai';
import { callError, isUnknownScript, RedisCallError } from '../../../lib/store/redis/clients/call-error';

/** As ioredis and node-redis 2 and 3 have it. */
class ReplyError extends Error {
  override name = 'ReplyError';
}

/** As node-redis 5 and 6 have them. */
class ErrorReply extends Error {}
class SimpleError extends ErrorReply {}

describe('callError', () => {
  const replies: [string, string, string][] = [
    ['ERR unknown command', 'script', 'ERR'],
    ['WRONGTYPE Operation against a key', 'script', 'WRONGTYPE'],
    ['NOSCRIPT No matching script.', 'script', 'NOSCRIPT'],
    ['UNKNOWN_CLIENT', 'script', 'UNKNOWN_CLIENT'],
    ['OVERWEIGHT:5:2', 'script', 'OVERWEIGHT'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'server', 'OOM'],
    ["READONLY You can't write against a read only replica.", 'server', 'READONLY'],
    ['LOADING Redis is loading the dataset in memory', 'server', 'LOADING'],
    ['BUSY Redis is busy running a script.', 'server', 'BUSY'],
    ['CLUSTERDOWN Hash slot not served', 'server', 'CLUSTERDOWN'],
    ['NOPERM this user has no permissions', 'server', 'NOPERM'],
    // Redis 6, for an error inside a script.
    [
      'ERR Error running script (call to f_ab): @user_script:1: @user_script: 1: -OOM command not allowed when used',
      'server',
      'OOM',
    ],
    ['lower case from a script', 'script', 'ERR'],
  ];

  for (const [message, kind, code] of replies) {
    it(`takes the reply "${message.slice(0, 30)}" as ${kind} ${code}`, () => {
      for (const cause of [new ReplyError(message), new SimpleError(message)]) {
        const error = callError(cause);
        expect(error).to.be.instanceOf(RedisCallError);
        expect(error).to.include({ kind, code, cause, message });
      }
    });
  }

  it('recognises common replies by their code when the class was renamed', () => {
    expect(callError(new Error('NOSCRIPT No matching script.'))).to.include({ kind: 'script', code: 'NOSCRIPT' });
    expect(callError(new Error('OOM command not allowed'))).to.include({ kind: 'server', code: 'OOM' });
  });

  it('takes what the client says by itself as a matter of the connection', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(callError(refused)).to.include({ kind: 'connection', code: 'ECONNREFUSED', cause: refused });
    class ClientClosedError extends Error {}
    expect(callError(new ClientClosedError('The client is closed'))).to.include({
      kind: 'connection',
      code: 'ClientClosedError',
    });
    expect(callError('text')).to.include({ kind: 'connection', code: 'UNKNOWN' });
  });

  it('does not take an argument that the client refuses for a matter of the connection', () => {
    expect(callError(new TypeError('Invalid argument type'))).to.include({ kind: 'script', code: 'TypeError' });
  });

  it('leaves what is one already', () => {
    const error = callError(new Error('x'));
    expect(callError(error)).to.equal(error);
  });
});

describe('isUnknownScript', () => {
  it('goes by the code of a reply alone', () => {
    expect(isUnknownScript(callError(new ReplyError('NOSCRIPT No matching script.')))).to.equal(true);
    expect(isUnknownScript(callError(new ReplyError('ERR NOSCRIPT')))).to.equal(false);
    expect(isUnknownScript(new Error('NOSCRIPT'))).to.equal(false);
  });
});
