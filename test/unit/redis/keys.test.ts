import { expect } from 'chai';
import { groupKeyOf, groupPatterns, hasHashTag, KEY_NAMES, keyId, limiterKeys } from '../../../lib/store/redis/keys';

const single = { cluster: false };
const cluster = { cluster: true };

describe('limiterKeys', () => {
  it("begins with Bottleneck's own eight, in the order of its scripts", () => {
    expect(limiterKeys('my-id', single).slice(0, 8)).to.deep.equal([
      'b_my-id_settings',
      'b_my-id_job_weights',
      'b_my-id_job_expirations',
      'b_my-id_job_clients',
      'b_my-id_client_running',
      'b_my-id_client_num_queued',
      'b_my-id_client_last_registered',
      'b_my-id_client_last_seen',
    ]);
  });

  it('has none of ours that would be taken for the settings of a Group member', () => {
    const ours = limiterKeys('id', single).slice(8);
    expect(ours).to.have.lengthOf(KEY_NAMES.length - 8);
    for (const key of ours) expect(key).to.match(/^b_id_rb_[a-z]+$/);
  });

  it('puts the id into one hash tag on a cluster, unless it brings its own', () => {
    expect(limiterKeys('my-id', cluster)[0]).to.equal('b_{my-id}_settings');
    expect(limiterKeys('my-{id}', cluster)[0]).to.equal('b_my-{id}_settings');
  });
});

describe('keyId', () => {
  /** What Redis Cluster hashes of a key. */
  function hashed(key: string): string {
    return /^[^{]*\{([^}]+)\}/.exec(key)?.[1] ?? key;
  }

  for (const id of ['plain', '{tag}', 'a{tag}b', '{}', '{}{x}', '}', '}x{', 'a{b', 'a}b', '{', '', '{a}{b}']) {
    it(`keeps all keys of the id "${id}" in one slot`, () => {
      const slots = new Set(limiterKeys(id, cluster).map(hashed));
      expect(slots.size).to.equal(1);
    });
  }

  it('leaves ids as they are on a single server', () => {
    expect(keyId('plain', single)).to.equal('plain');
  });

  it('knows what a hash tag is', () => {
    expect(['{a}', 'x{a}y', '{{a}'].map(hasHashTag)).to.deep.equal([true, true, true]);
    expect(['', 'a', '{}', '{', '}{', '{}{a}'].map(hasHashTag)).to.deep.equal([
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('the keys of a Group', () => {
  it('are found by the settings of its limiters', () => {
    expect(groupPatterns('group', single)).to.deep.equal(['b_group-*_settings']);
    expect(groupPatterns('group', cluster)).to.deep.equal(['b_group-*_settings', 'b_{group-*}_settings']);
    expect(groupPatterns('{group}', cluster)).to.deep.equal(['b_{group}-*_settings']);
    expect(groupPatterns('a*[b]?', single)).to.deep.equal(['b_a\\*\\[b\\]\\?-*_settings']);
  });

  for (const key of ['', 'a', 'a-b', '_settings', '{tag}', '}', '*']) {
    for (const naming of [single, cluster]) {
      it(`gives back the key "${key}"${naming.cluster ? ' on a cluster' : ''}`, () => {
        const [settings] = limiterKeys(`group-${key}`, naming);
        expect(groupKeyOf(settings!, 'group', naming)).to.equal(key);
      });
    }
  }

  it('are not those of others', () => {
    expect(groupKeyOf('b_groups-a_settings', 'group', single)).to.equal(undefined);
    expect(groupKeyOf('b_group-a_other', 'group', single)).to.equal(undefined);
    expect(groupKeyOf('b_{group-a}_settings', 'group', single)).to.equal(undefined);
  });
});
