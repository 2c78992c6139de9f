import { expect } from 'chai';
import { compileRule, type Rule, type Subject } from '../../../lib/migrate/rule';

const VARIABLE = 'REBOTTLE_TEST_MIGRATE';

function picks(rule: Rule, id: string): boolean {
  return compileRule(rule)({}, { kind: 'limiter', id });
}

describe('the rule of migrate', () => {
  afterEach(() => {
    delete process.env[VARIABLE];
  });

  const rows: Array<[why: string, list: string[], id: string, expected: boolean]> = [
    ['an id', ['a', 'b'], 'b', true],
    ['another id', ['a', 'b'], 'c', false],
    ['a part of an id is not the id', ['a'], 'ab', false],
    ['nothing at all', [], 'a', false],
    ['every id', ['*'], 'a/b.c', true],
    ['an id that spans lines', ['*'], 'a\nb', true],
    ['a limiter without an id', ['*'], '<no-id>', true],
    ['a beginning', ['mail-*'], 'mail-eu/1', true],
    ['a beginning with nothing after it', ['mail-*'], 'mail-', true],
    ['another beginning', ['mail-*'], 'email-1', false],
    ['a middle', ['a*z'], 'abcz', true],
    ['characters that mean something in a regular expression', ['a.b(c)+[d]'], 'a.b(c)+[d]', true],
    ['those characters are not wildcards', ['a.b'], 'axb', false],
    ['an exception', ['*', '!pay'], 'pay', false],
    ['not the exception', ['*', '!pay'], 'mail', true],
    ['an exception before what it takes from', ['!pay-*', '*'], 'pay-eu', false],
    ['exceptions alone choose nothing', ['!pay'], 'mail', false],
  ];
  for (const [why, list, id, expected] of rows) {
    it(`list: ${why}`, () => {
      expect(picks(list, id)).to.equal(expected);
    });
  }

  it('a function sees the options and the subject', () => {
    const seen: unknown[] = [];
    const rule = compileRule((options, subject) => {
      seen.push(options, subject);
      return options.minTime > 5;
    });
    const subject: Subject = { kind: 'group', id: 'g' };
    expect(rule({ minTime: 6 }, subject)).to.equal(true);
    expect(rule({ minTime: 5 }, subject)).to.equal(false);
    expect(seen).to.deep.equal([{ minTime: 6 }, subject, { minTime: 5 }, subject]);
  });

  it('an environment variable is absent, empty, or a list, and read at each use', () => {
    const rule = compileRule({ env: VARIABLE });
    const decide = (id: string) => rule({}, { kind: 'limiter', id });
    expect(decide('a')).to.equal(false);
    process.env[VARIABLE] = '';
    expect(decide('a')).to.equal(false);
    process.env[VARIABLE] = ' b-* , a ';
    expect([decide('a'), decide('b-1'), decide('c')]).to.deep.equal([true, true, false]);
    process.env[VARIABLE] = '*';
    expect(decide('c')).to.equal(true);
    delete process.env[VARIABLE];
    expect(decide('c')).to.equal(false);
  });

  for (const wrong of [undefined, null, 'a', 5, {}, { env: 5 }, [5]]) {
    it(`refuses ${JSON.stringify(wrong)}`, () => {
      expect(() => compileRule(wrong as unknown as Rule)).to.throw(TypeError, 'migrate()');
    });
  }
});
