import { describe, expect, it } from 'vitest';
import { EnvironmentDefaults, type Environment, type LaunchEntry } from '#shared/ipc/index.ts';
import { drawingOf, percentText, roomScreen, usualScreens } from './device.ts';
import { exitHint, fieldText, formProblems, usualPlayer } from './tabs/launch-form.ts';
import { clockText, filterEntries, launchTitle, timesText } from './launch-words.ts';
import { overlap } from './screens/overlays.ts';
import { inSight, layoutOf, scrollTo } from './records/record-window.ts';

function entry(seq: number, change: Partial<LaunchEntry> = {}): LaunchEntry {
  return {
    seq,
    at: seq * 100,
    kind: 'navigation',
    group: 'navigation',
    level: 'info',
    title: `entry ${seq}`,
    detail: '',
    count: 1,
    lastAt: seq * 100,
    signal: null,
    ...change,
  };
}

describe('drawingOf', () => {
  const room = { width: 700, height: 600 };

  it('gives a desktop all the room, and more of it to a page that is zoomed out', () => {
    expect(drawingOf(roomScreen, 'fit', room)).toEqual({ viewport: room, drawn: room, scale: 1 });
    expect(drawingOf(roomScreen, 0.5, room)).toEqual({ viewport: { width: 1400, height: 1200 }, drawn: room, scale: 0.5 });
  });

  it('fits a phone by its height, on its side by its width, and never draws it larger than there is room', () => {
    const upright = drawingOf(usualScreens.phone, 'fit', room);
    expect(upright.viewport).toEqual({ width: 390, height: 844 });
    expect(upright.drawn).toEqual({ width: 277, height: 599 });
    expect(upright.scale).toBe(277 / 390);
    expect(percentText(upright.scale)).toBe('71 %');
    expect(drawingOf({ ...usualScreens.phone, rotated: true }, 'fit', room).viewport).toEqual({ width: 844, height: 390 });
    expect(drawingOf({ ...usualScreens.phone, rotated: true }, 'fit', room).drawn.width).toBe(700);
    expect(drawingOf(usualScreens.phone, 1.5, room).scale).toBe(upright.scale);
    expect(drawingOf(usualScreens.phone, 0.5, room).scale).toBe(0.5);
    expect(drawingOf(usualScreens.phone, 'fit', { width: 2_000, height: 2_000 }).scale).toBe(1);
  });

  it.each(['phone', 'tablet'] as const)('draws a %s in whole pixels and its proportions, within the room', (device) => {
    for (const rotated of [false, true]) {
      for (let width = 120; width < 1_300; width += 37) {
        for (let height = 130; height < 1_300; height += 41) {
          const { viewport, drawn, scale } = drawingOf({ ...usualScreens[device], rotated }, 'fit', { width, height });
          expect([drawn.width, drawn.height].every(Number.isInteger)).toBe(true);
          expect(Math.abs(drawn.height - viewport.height * scale)).toBeLessThanOrEqual(1);
          expect([drawn.width <= width, drawn.height <= height]).toEqual([true, true]);
        }
      }
    }
  });

  it('keeps to the smallest scale where there is next to no room', () => {
    expect(drawingOf(usualScreens.tablet, 'fit', { width: 10, height: 10 }).scale).toBeCloseTo(0.1, 2);
  });
});

describe('the form', () => {
  const environment = { defaults: EnvironmentDefaults.parse({ lang: 'de' }) } as Environment;

  it('takes what was typed before the environment’s default, also where it was emptied', () => {
    expect(fieldText({}, 'lang', environment)).toBe('de');
    expect(fieldText({ lang: '' }, 'lang', environment)).toBe('');
    expect(fieldText({}, 'gameId', environment)).toBe('');
    expect(fieldText({}, 'lang', null)).toBe('');
  });

  it('asks for a game always, and for a token where real mode is part of it and it is to be typed', () => {
    const empty = { typed: {}, mode: 'both', token: '', tokenFrom: 'typed' } as const;
    expect(Object.keys(formProblems({ ...empty, mode: 'fun' }))).toEqual(['gameId']);
    expect(Object.keys(formProblems({ ...empty, typed: { gameId: '1' }, token: ' ' }))).toEqual(['token']);
    expect(formProblems({ ...empty, typed: { gameId: '1' }, token: 'tok' })).toEqual({});
    expect(formProblems({ ...empty, typed: { gameId: '1' }, tokenFrom: 'pool' })).toEqual({});
  });

  it('says what an exit address leads to', () => {
    expect(exitHint('')).toContain('Without an exit URL');
    expect(exitHint('lobby')).toContain('Not an absolute URL');
    expect(exitHint('http://casino.example')).toContain('only https');
    expect(exitHint('https://casino.example')).toBeNull();
  });

  it('takes the session of the named player, else of the first', () => {
    const players = ['a', 'b'].map((playerId) => ({ playerId, externalToken: '', currency: 'EUR', country: 'DE', balance: 1 }));
    expect(usualPlayer(players, 'b')?.playerId).toBe('b');
    expect(usualPlayer(players, 'c')?.playerId).toBe('a');
    expect(usualPlayer([], 'a')).toBeNull();
  });
});

describe('the record', () => {
  it('tells times in seconds, and in minutes once there are many', () => {
    expect([0, 40, 12_300, 599_994, 605_000].map(clockText)).toEqual(['0.00', '0.04', '12.30', '599.99', '10:05']);
  });

  it('finds entries by tab and by every word, levels included', () => {
    const entries = [
      entry(1, { title: 'Opened', detail: 'real' }),
      entry(2, { group: 'blocked', level: 'blocked', title: 'New window refused' }),
      entry(3, { group: 'console', level: 'error', title: 'Console error', detail: 'window is not defined' }),
    ];
    const found = (group: Parameters<typeof filterEntries>[1], text: string) =>
      filterEntries(entries, group, text).map(({ seq }) => seq);
    expect(found('all', '')).toEqual([1, 2, 3]);
    expect(found('blocked', '')).toEqual([2]);
    expect(found('all', 'WINDOW')).toEqual([2, 3]);
    expect(found('all', 'window stopped')).toEqual([2]);
    expect(found('console', 'refused')).toEqual([]);
  });

  it('measures loading and readiness from the latest opening, and neither of a frame', () => {
    const opened = (seq: number, host: 'view' | 'frame') =>
      entry(seq, { kind: 'opened', at: seq * 100, signal: { type: 'opened', host, wallet: true } });
    const going = entry(2, { kind: 'navigation', at: 1_000 });
    const loaded = entry(3, { kind: 'loaded', at: 2_400 });
    const ready = entry(4, {
      kind: 'ready',
      at: 2_900,
      signal: { type: 'ready', after: 1_900, firstByte: 300, firstPaint: 600, load: 1_200 },
    });
    expect(timesText([opened(1, 'view')])).toBeNull();
    expect(timesText([opened(1, 'view'), going, loaded])).toBe('loaded 1.4 s');
    expect(timesText([opened(1, 'view'), going, loaded, ready])).toBe('first paint 0.6 s, loaded 1.4 s, ready 1.9 s');
    expect(timesText([opened(1, 'view'), going, loaded, ready, opened(5, 'view')])).toBeNull();
    expect(timesText([opened(1, 'frame'), loaded])).toBeNull();
  });

  it('names a launch by its game, its number, or what it is', () => {
    expect(launchTitle({ gameName: 'Firefly', gameId: '1', source: 'launcher' })).toBe('Firefly');
    expect(launchTitle({ gameName: '', gameId: '1', source: 'launcher' })).toBe('Game 1');
    expect(launchTitle({ gameName: '', gameId: '', source: 'replay' })).toBe('Replay of a round');
  });

  it('draws the entries in sight alone, by their own heights', () => {
    const layout = layoutOf(Array.from({ length: 2_000 }, (_, at) => ({ detail: at % 2 === 0 ? '' : 'more' })));
    expect(layout.height).toBe(1_000 * 76);
    expect(inSight(layout, 0, 300)).toEqual({ start: 0, end: 14 });
    const middle = inSight(layout, 38_000, 300);
    expect(middle.start).toBeLessThanOrEqual(1_000);
    expect(layout.tops[middle.start]).toBeLessThan(38_000);
    expect(layout.tops[middle.end]).toBeGreaterThan(38_300);
    expect(inSight(layout, layout.height, 300).end).toBe(2_000);
    expect(inSight(layoutOf([]), 0, 300)).toEqual({ start: 0, end: 0 });
  });

  it('scrolls no further than an entry needs', () => {
    const layout = layoutOf(Array.from({ length: 100 }, () => ({ detail: '' })));
    expect(scrollTo(layout, 5, 0, 300)).toBe(0);
    expect(scrollTo(layout, 50, 0, 300)).toBe(51 * 30 - 300);
    expect(scrollTo(layout, 2, 900, 300)).toBe(60);
  });
});

describe('overlap', () => {
  it('counts shared area, not a shared edge', () => {
    const box = { left: 0, top: 0, right: 10, bottom: 10 };
    expect(overlap(box, { left: 9, top: 9, right: 20, bottom: 20 })).toBe(true);
    expect(overlap(box, { left: 10, top: 0, right: 20, bottom: 10 })).toBe(false);
  });
});
