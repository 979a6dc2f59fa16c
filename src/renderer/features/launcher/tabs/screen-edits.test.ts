import { describe, expect, it, vi } from 'vitest';
import { builtInDevices } from '#shared/launches/devices.ts';
import { roomScreen, usualScreens } from '../device.ts';
import { embeddingOf } from '../settings/embedding.ts';
import { createFakeClient, createOpenTabs, someSlot } from '#testing/fake-launches.ts';
import { ownPlace, screenOfSlot } from './launch-tab.ts';
import { createScreenEdits } from './screen-edits.ts';

describe('the screens of a tab', () => {
  function setUp(slots = [someSlot('a', { state: 'view', muted: false })]) {
    const { list, tab } = createOpenTabs({ slots, slotId: 'a' });
    const endGame = vi.fn(() => Promise.resolve());
    const { client } = createFakeClient({});
    const edits = createScreenEdits(client, list, { endGame }, { setState: () => undefined });
    return { edits, endGame, tab };
  }

  it('change the game that is open on them at once; a further one comes with the next launch', () => {
    const { edits, tab } = setUp();
    edits.setScreen('id-1', 0, usualScreens.phone);
    const screen = () => screenOfSlot(tab(), tab().slots[0] ?? expect.fail('No slot'));
    expect(screen()).toEqual(usualScreens.phone);
    edits.rotateShown();
    expect(screen()).toEqual({ ...usualScreens.phone, rotated: true });
    for (let more = 0; more < 5; more += 1) edits.addScreen('id-1');
    expect(tab().screens).toHaveLength(4);
    expect(tab().slots).toHaveLength(1);
  });

  it('take their games along when they go, and the others keep theirs', () => {
    const open = { state: 'view', muted: false } as const;
    const { edits, endGame, tab } = setUp([someSlot('a', open), someSlot('b', open, { screenAt: 1 })]);
    edits.addScreen('id-1');
    edits.removeScreen('id-1', 0);
    expect(endGame.mock.calls).toEqual([['a']]);
    expect(tab().slots.map(({ screenAt, shown }) => [screenAt, shown.state])).toEqual([
      [-1, 'closed'],
      [0, 'view'],
    ]);
    edits.removeScreen('id-1', 0);
    expect(tab().screens).toHaveLength(1);
  });

  it('give open games a network and a processor at once, a language and a time zone when they are opened again', () => {
    const { edits, tab } = setUp();
    edits.setBrowser('id-1', { lang: 'de' });
    edits.setBrowser('id-1', { slowdown: 4 });
    expect(tab().browser).toMatchObject({ lang: 'de', slowdown: 4 });
    expect(tab().slots[0]?.browser).toMatchObject({ lang: '', slowdown: 4 });
  });
});

describe('the frame of a game', () => {
  const framed = { ...ownPlace, framed: true };

  it.each([
    ['none', ownPlace, 'https://casino.example/lobby', null],
    ['that of exitURL', framed, 'https://casino.example/lobby', 'https://casino.example'],
    ['another one where exitURL is the game’s own site', framed, 'https://game.example/exit', 'https://operator.example'],
    ['another one without exitURL', framed, '', 'https://operator.example'],
    ['the typed one', { ...framed, origin: ' https://www.mine.example ' }, '', 'https://www.mine.example'],
  ])('is %s', (_, choice, exitURL, origin) => {
    expect(embeddingOf(choice, exitURL, 'https://game.example')?.origin ?? null).toBe(origin);
  });
});

describe('the usual screens', () => {
  it('are of the list', () => {
    expect(usualScreens.desktop).toEqual(roomScreen);
    for (const { device } of [usualScreens.tablet, usualScreens.phone]) expect(builtInDevices).toContain(device);
  });
});
