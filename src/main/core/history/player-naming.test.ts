import { describe, expect, it } from 'vitest';
import { createNaming, each, launchNames } from './player-naming.ts';

const found = { id: 7, sentAt: 1_000, run: 'r1', environmentId: 'e', pinned: false, pending: false, byToken: false };
const naming = createNaming('player-1', [found, { ...found, id: 8, run: 'r2' }]);

describe('what names a player', () => {
  it('is a text by the fields of the spec', () => {
    expect(naming.player).toBe('player-1');
    expect(
      ['{"playerId":"player-1"}', '{"playerId":"player-12"}', '{"other":"player-1"}', ''].map((text) => naming.text(text)),
    ).toEqual([true, false, false, false]);
  });

  it('is a call by its number and its time, or its run', () => {
    expect([naming.call(found), naming.call({ ...found, sentAt: 1_001 }), naming.call({ ...found, id: 9 })]).toEqual([
      true,
      false,
      false,
    ]);
    expect([naming.callOfRun('r1', 7), naming.callOfRun('r2', 7), naming.callOfRun('r2', 8), naming.callOfRun('r1', 9)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  const call = { id: 1, sentAt: 1 } as Parameters<typeof launchNames>[1]['call'];
  const parameter = { name: 'playerId', requested: 'a', returned: 'b' } as Parameters<
    typeof launchNames
  >[1]['parameters'][number];
  const launch = { call, parameters: [parameter], url: 'https://game.example/?playerId=other' };
  const entry = { title: 'Opened', detail: 'https://game.example/?playerId=other' };

  it.each<[string, boolean, Partial<Parameters<typeof launchNames>[1]>, Partial<typeof entry>]>([
    ['nothing', false, {}, {}],
    ['no address', false, { url: null }, {}],
    ['its call', true, { call: { ...call, ...found } }, {}],
    ['a parameter that was asked for', true, { parameters: [{ ...parameter, requested: 'player-1' }] }, {}],
    ['a parameter that came back', true, { parameters: [parameter, { ...parameter, returned: 'player-1' }] }, {}],
    [
      'another parameter',
      false,
      { parameters: [{ ...parameter, name: 'other', requested: 'player-1', returned: 'player-1' }] },
      {},
    ],
    ['its address', true, { url: 'https://game.example/?playerId=player-1' }, {}],
    ['the detail of an entry', true, {}, { detail: 'https://game.example/?playerId=player-1' }],
    ['the title of an entry', true, {}, { title: '{"playerId":"player-1"}' }],
  ])('is a launch by %s: %s', (_, expected, more, entryMore) => {
    expect(launchNames(naming, { ...launch, ...more }, [entry, { ...entry, ...entryMore }])).toBe(expected);
  });
});

describe('each of many things', () => {
  it('is looked at in order, until it is stopped', async () => {
    const stop = new AbortController();
    const seen: number[] = [];
    await each([1, 2, 3], stop.signal, (item) => seen.push(item));
    expect(seen).toEqual([1, 2, 3]);
    await each([4, 5, 6], stop.signal, (item) => {
      seen.push(item);
      if (item === 5) stop.abort();
    });
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });
});
