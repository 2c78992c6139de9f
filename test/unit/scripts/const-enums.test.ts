import { expect } from 'chai';
import { constEnums } from '../../../scripts/rollup-const-enums.mjs';

/** What becomes of a text in a file of that name. */
function transformed(code: string, id = 'lib/some.ts'): string | null {
  const { transform } = constEnums('lib') as { transform: (code: string, id: string) => { code: string } | null };
  return transform(code, id)?.code ?? null;
}

describe('scripts/rollup-const-enums.mjs', () => {
  it('puts numbers where members of const enums stand', () => {
    expect(transformed('if (job.state !== State.Done) place = Place.Queued;')).to.equal(
      'if (job.state !== 4) place = 2;',
    );
  });

  it('leaves alone what only looks like a member', () => {
    for (const code of ['a.State.Done', 'MyState.Done', 'State.DoneTwice', 'import { State } from "./job-states"']) {
      expect(transformed(code)).to.equal(code);
    }
  });

  it('leaves alone what is not TypeScript', () => {
    expect(transformed('State.Done', 'some.js')).to.equal(null);
  });
});
