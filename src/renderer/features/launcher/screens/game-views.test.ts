import { ownBrowser, usualScreens } from '../device.ts';
import { ownPage } from '#shared/launches/devices.ts';
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { bounds, createFakeClient, createOpenTabs, someSlot } from '#testing/fake-launches.ts';
import { someLaunch } from '#testing/some-launch.ts';
import { createGameViews, createViewPlaces } from './game-views.ts';
import { closed, waiting, type LaunchSlot } from '../tabs/launch-tab.ts';

const view = { state: 'view', muted: false } as const;

function setUp(
  shown: LaunchSlot['shown'],
  answers: Parameters<typeof createFakeClient>[0] = {},
  change: Partial<LaunchSlot> = {},
) {
  const fake = createFakeClient(answers);
  const tabs = createOpenTabs({ slots: [someSlot('a', shown, change)] });
  const endGame = vi.fn(async () => undefined);
  const views = createGameViews(fake.client, tabs.list, { places: createViewPlaces(), endGame });
  return { ...fake, ...tabs, views, endGame };
}

describe('the views of games', () => {
  it('open a launch that waits, once, with the redirects that it was asked for', async () => {
    const { views, slot, inputs } = setUp(waiting, {}, { redirects: 'https' });
    await Promise.all([views.open('a', bounds), views.open('a', bounds), views.open('gone', bounds)]);
    expect(inputs('launches.open')).toEqual([{ id: 'a', bounds, redirects: 'https', page: ownPage, embedding: null }]);
    expect(slot().shown).toEqual(view);
  });

  it('open each launch as the form says by then: its screen, its browser, the frame around it', async () => {
    const { views, list, slot, inputs } = setUp(waiting);
    const browser = { ...ownBrowser, lang: 'de' };
    const frame = { framed: true, origin: 'https://casino.example', cookies: 'refused' } as const;
    list.update('id-1', () => ({ screens: [usualScreens.phone], browser, frame }));
    await views.open('a', bounds);
    expect(inputs('launches.open')).toMatchObject([
      {
        page: { ...usualScreens.phone, ...browser },
        embedding: { origin: 'https://casino.example', cookies: 'refused' },
      },
    ]);
    expect(slot().browser).toEqual(browser);
  });

  it('show a frame, and say why a game was not opened', async () => {
    const frame = setUp(waiting, { 'launches.open': () => ({ kind: 'frame', src: '/frame/1', unobserved: ['console'] }) });
    await frame.views.open('a', bounds);
    expect(frame.slot().shown).toEqual({ state: 'frame', src: '/frame/1', unobserved: ['console'] });
    const failed = setUp(waiting, { 'launches.open': () => ({ kind: 'failed', message: 'It is not a page.' }) });
    await failed.views.open('a', bounds);
    expect(failed.slot().shown).toEqual({ state: 'failed', message: 'It is not a page.' });
    const refused = setUp(waiting, {
      'launches.open': () => {
        throw new AppError('not_found', 'The launch is gone.');
      },
    });
    await refused.views.open('a', bounds);
    expect(refused.slot().shown).toEqual({ state: 'failed', message: 'The launch is gone.' });
  });

  it('end a game whose tab was closed while it opened', async () => {
    const { views, list, endGame } = setUp(waiting);
    const opening = views.open('a', bounds);
    list.update('id-1', () => ({ slots: [] }));
    await opening;
    expect(endGame.mock.calls).toEqual([['a']]);
  });

  it('are told what changes, each time what is new, and only where there is a view', () => {
    const { views, names, inputs, list } = setUp(view);
    const all = () => {
      views.place('a', bounds, 1);
      views.setVisible('a', false);
      views.setPage('a', { width: 1, height: 2 }, ownPage);
      views.setMuted('a', true);
      views.play('a');
      views.reload('a');
      views.back('a');
    };
    all();
    const told = ['setBounds', 'setVisible', 'setPage', 'setMuted', 'focus', 'reload', 'back'].map((name) => `launches.${name}`);
    expect(names()).toEqual(told);
    views.place('a', bounds, 1);
    expect(inputs('launches.setBounds')).toHaveLength(1);
    // The page was zoomed: the same pixels of it are other pixels of the window.
    views.place('a', bounds, 1.25);
    expect(inputs('launches.setBounds')).toHaveLength(2);
    list.show('a', closed);
    all();
    expect(names()).toHaveLength(told.length + 1);
    expect(list.slotOf('a')?.shown).toBe(closed);
  });

  it('show at once that they are muted', () => {
    const { views, slot, inputs } = setUp(view);
    views.setMuted('a', true);
    expect(slot().shown).toEqual({ state: 'view', muted: true });
    expect(inputs('launches.setMuted')).toEqual([{ id: 'a', muted: true }]);
  });

  it('begin from the start, and forget where they went; a frame keeps its redirects when it is loaded again', () => {
    const frame = { state: 'frame', src: '/frame/1', unobserved: [] } as const;
    const launch = someLaunch('a', { exited: true });
    const { views, slot, names } = setUp(frame, {}, { redirects: 'https', strayed: 'https://elsewhere.example', launch });
    views.reload('a');
    expect(names()).toEqual([]);
    expect(slot()).toMatchObject({ shown: waiting, redirects: 'https', strayed: null, launch: { exited: false } });
    views.openAgain('a');
    expect(slot().redirects).toBe('origin');
  });

  it('leave the stage at once when they are closed', async () => {
    const { views, slot, endGame } = setUp(view);
    const closing = views.closeGame('a');
    expect(slot().shown).toBe(closed);
    await closing;
    expect(endGame.mock.calls).toEqual([['a']]);
  });

  it('note that a game loaded and where it went, and tell its exit from another address', async () => {
    const exits = [false, true];
    const { views, slot, inputs } = setUp(view, {
      'launches.note': ({ observation }) =>
        (observation as { event: string }).event === 'left' ? someLaunch('a', { exited: exits.shift() === true }) : undefined,
    });
    views.noteFrame('a', { event: 'loaded' });
    await views.noteLeft('a', 'https://elsewhere.example');
    expect(slot()).toMatchObject({ strayed: 'https://elsewhere.example', launch: { exited: false } });
    await views.noteLeft('a', 'https://casino.example');
    expect(slot()).toMatchObject({ strayed: null, launch: { exited: true } });
    expect(inputs('launches.note').map(({ observation }) => observation)).toEqual([
      { event: 'loaded' },
      { event: 'left', origin: 'https://elsewhere.example' },
      { event: 'left', origin: 'https://casino.example' },
    ]);
  });

  it('stay as they are where that cannot be noted', async () => {
    const { views, slot } = setUp(view, {
      'launches.note': () => {
        throw new AppError('not_found', 'The launch is gone.');
      },
    });
    await views.noteLeft('a', 'https://elsewhere.example');
    expect(slot().strayed).toBeNull();
  });
});
