import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { arrange, type Controls, INITIAL_CONTROLS, type Key, press, SORT_KEYS } from '../../lib/cli/top/controls';
import { type LimiterView, viewOf } from '../../lib/cli/top/limiter-view';
import { renderScreen, renderTable, type Scene } from '../../lib/cli/top/screen';

function limiter(id: string, more: Partial<LimiterView> = {}): LimiterView {
  const none = new Map<string, number>();
  const own = { byPriority: Array(11).fill(0), parked: 0, delayed: 0, oldestArrival: null, headWeight: null };
  const state = { id, settings: {}, running: none, queued: none, seen: none, registered: none, windowStart: null, own };
  return { ...viewOf(state, 0, null), ...more };
}

const VIEWS = [
  limiter('b', { queued: 1, running: 3, startsPerSecond: 2, oldestWaitingFor: 5 }),
  limiter('a', { queued: 1, running: 1, startsPerSecond: 3 }),
  limiter('mail-c', { queued: 9, running: 2, hold: { by: 'maxConcurrent' } }),
];

function type(keys: Array<string | Key>, from: Controls = INITIAL_CONTROLS, views = VIEWS): Controls {
  return keys.reduce<Controls>((controls, key) => {
    const pressed = typeof key === 'string' ? { name: key, sequence: key } : key;
    const next = press(controls, pressed, views);
    if (next === 'quit') throw new Error('quit');
    return next;
  }, from);
}

function shown(controls: Controls): string[] {
  return arrange(VIEWS, controls).map(({ id }) => id);
}

describe('top: the keys', () => {
  it('sort by one column after the other, the largest first, ids by the alphabet', () => {
    const orders = SORT_KEYS.map((_, index) => shown(type(Array(index).fill('s'))));
    expect(orders).to.deep.equal([
      ['mail-c', 'a', 'b'],
      ['b', 'mail-c', 'a'],
      ['a', 'b', 'mail-c'],
      ['b', 'a', 'mail-c'],
      ['a', 'b', 'mail-c'],
    ]);
    expect(type(Array(SORT_KEYS.length).fill('s')).sort).to.equal(INITIAL_CONTROLS.sort);
    expect(shown(type(['r']))).to.deep.equal(['b', 'a', 'mail-c']);
  });

  it('filter by what is typed, commands among it', () => {
    const typing = type(['/', 'm', 'q', 'backspace', 'a']);
    expect(typing).to.include({ typing: true, filter: 'ma' });
    expect(shown(typing)).to.deep.equal(['mail-c']);
    expect(type(['return'], typing)).to.include({ typing: false, filter: 'ma', detail: false });
    expect(type(['escape'], typing)).to.include({ typing: false, filter: '' });
    expect(type(['return', 'escape'], typing)).to.include({ filter: '' });
    expect(
      type(
        [
          { name: 'up', sequence: '\u001b[A' },
          { name: 'w', sequence: '\u0017', ctrl: true },
        ],
        typing,
      ),
    ).to.include({
      filter: 'ma',
    });
  });

  it('filter by several words, by what holds a limiter too', () => {
    expect(shown({ ...INITIAL_CONTROLS, filter: 'MAIL maxc' })).to.deep.equal(['mail-c']);
    expect(shown({ ...INITIAL_CONTROLS, filter: 'mail nothing' })).to.deep.equal([]);
  });

  it('move the cursor within the list', () => {
    expect(type(['down']).selected).to.equal('mail-c');
    expect(type(['down', 'down']).selected).to.equal('a');
    expect(type(['down', 'j', 'j', 'j', 'j']).selected).to.equal('b');
    expect(type(['down', 'down', 'up', 'k', 'up']).selected).to.equal('mail-c');
    expect(type(['down'], INITIAL_CONTROLS, []).selected).to.equal(undefined);
  });

  it('open a limiter, stay with it in detail, and come back', () => {
    const detail = type(['down', 'down', 'return']);
    expect(detail).to.include({ detail: true, selected: 'a' });
    expect(type(['down'], detail)).to.include({ detail: true, selected: 'b' });
    expect(type(['escape'], detail)).to.include({ detail: false, selected: 'a' });
    expect(type(['return'])).to.include({ detail: true, selected: 'mail-c' });
  });

  it('quit', () => {
    expect(press(INITIAL_CONTROLS, { name: 'q' }, VIEWS)).to.equal('quit');
    const ctrlC = { name: 'c', ctrl: true };
    expect(press(INITIAL_CONTROLS, ctrlC, VIEWS)).to.equal('quit');
    expect(press({ ...INITIAL_CONTROLS, typing: true }, ctrlC, VIEWS)).to.equal('quit');
    expect(press(INITIAL_CONTROLS, { name: 'x' }, VIEWS)).to.equal(INITIAL_CONTROLS);
  });
});

describe('top: the screen', () => {
  const scene: Scene = { url: 'redis://h', now: 1, views: VIEWS, found: 3, complete: true, failure: undefined };
  const SIZE = { columns: 200, rows: 20 };

  it('shows the limiters', () => {
    const text = renderScreen(scene, INITIAL_CONTROLS, SIZE);
    expect(text)
      .to.match(/redis:\/\/h {2}3 limiters/)
      .and.match(/mail-c +9 .*maxConcurrent/);
  });

  it('never exceeds the terminal, and keeps the cursor in view', () => {
    const views = Array.from({ length: 100 }, (_, index) => limiter(`limiter-${String(index).padStart(3, '0')}`));
    for (const selected of ['limiter-000', 'limiter-050', 'limiter-099']) {
      const text = renderScreen(
        { ...scene, views, found: 100 },
        { ...INITIAL_CONTROLS, sort: 'id', selected },
        { columns: 30, rows: 10 },
      );
      const lines = text.split('\n');
      expect(lines.length).to.be.at.most(10);
      for (const line of lines) expect(stripVTControlCharacters(line).length).to.be.at.most(30);
      expect(text).to.contain(selected);
    }
  });

  it('shows one limiter in detail, with its clients', () => {
    const clients = [
      { id: 'p.1', package: 'rebottle', running: 2, queued: 1, silentFor: 1200, sinceLastStart: null } as const,
    ];
    const views = [limiter('x', { clients, reservoir: 3, reservoirRefillsAt: 2001 })];
    const text = renderScreen({ ...scene, views }, { ...INITIAL_CONTROLS, detail: true }, SIZE);
    expect(text)
      .to.match(/why not now +A job would start now/)
      .and.match(/reservoir +3 \(in 2\.0 s\)/);
    expect(text).to.match(/p\.1 +rebottle +2 +1 +1\.2 s +never/);
    expect(renderScreen({ ...scene, views: [] }, { ...INITIAL_CONTROLS, detail: true }, SIZE)).to.contain('gone');
  });

  it('says what could not be read, what is missing, and that there is nothing', () => {
    expect(renderScreen({ ...scene, failure: 'Cannot read redis://h' }, INITIAL_CONTROLS, SIZE)).to.contain(
      'Cannot read',
    );
    expect(renderScreen({ ...scene, found: 9, complete: false }, INITIAL_CONTROLS, SIZE)).to.contain(
      '3 of 9 limiters, still looking',
    );
    expect(renderScreen({ ...scene, views: [] }, INITIAL_CONTROLS, SIZE)).to.contain('No limiter found');
    expect(renderScreen(scene, { ...INITIAL_CONTROLS, filter: 'zzz' }, SIZE)).to.contain('No limiter matches');
  });

  it('lets no id steer the terminal', () => {
    const views = [limiter('a\u001b[2J\nb', { clients: [] })];
    expect(renderTable(views, 0)).to.contain('a�[2J�b').and.not.contain('\u001b');
    expect(renderScreen({ ...scene, views }, { ...INITIAL_CONTROLS, detail: true }, SIZE)).to.not.contain('\u001b[2J');
  });
});
