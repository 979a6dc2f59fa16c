import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { askedAboutBet, unconfirmed } from '../../../../testing/production-question.ts';
import { createFakeClient, createOpenTabs, fields, someSlot } from '#testing/fake-launches.ts';
import { someLaunch } from '#testing/some-launch.ts';
import { createLastLaunches } from './last-launches.ts';
import { createLaunchQuestions } from './launch-questions.ts';
import { closed, idle, waiting, type LaunchTab } from './launch-tab.ts';
import { createPrepareLaunches } from './prepare-launches.ts';
import { createRenewTokens } from './renew-tokens.ts';

function setUp(change: Partial<LaunchTab>, answers: Parameters<typeof createFakeClient>[0] = {}) {
  const fake = createFakeClient(answers);
  const tabs = createOpenTabs(change);
  const ended: string[] = [];
  const settings: boolean[] = [];
  const notify = vi.fn();
  const loadPlayers = vi.fn(async () => undefined);
  const questions = createLaunchQuestions(fake.client, tabs.list);
  const last = createLastLaunches(tabs.list);
  const deps = { now: () => 7, newId: tabs.newId, notify, loadPlayers };
  return {
    ...fake,
    ...tabs,
    ...questions.actions,
    ...createPrepareLaunches(
      fake.client,
      {
        ...deps,
        gameName: (id) => (id === '1042' ? 'Lucky' : ''),
        setSettings: (open) => settings.push(open),
        poolHasNone: (id) => id === 'none left',
      },
      tabs.list,
      {
        refuse: questions.refuse,
        slotFor: async (launch) => someSlot(launch.id, closed, { launch }),
        endGame: async (id) => ended.push(id),
      },
      last,
    ),
    ...createRenewTokens(fake.client, deps, tabs.list, questions.refuse, last),
    last,
    ended,
    settings,
    notify,
    loadPlayers,
  };
}

const game = { typed: { gameId: '1042' } };

describe('launching a tab’s game', () => {
  it('says what is missing and shows where to type it, and sends nothing', async () => {
    const { launch, tab, names, settings } = setUp({ mode: 'real' });
    await launch('id-1', 'e', fields);
    expect(Object.keys(tab().problems)).toEqual(['gameId', 'token']);
    expect(settings).toEqual([true]);
    expect(names()).toEqual([]);
  });

  it('ends what the tab had open, and has its launch wait for a place', async () => {
    const slots = [someSlot('old', { state: 'view', muted: false }), someSlot('older', closed)];
    const { launch, tab, inputs, ended, settings, loadPlayers } = setUp({ ...game, slots });
    await launch('id-1', 'e', fields);
    expect(ended).toEqual(['old']);
    expect(settings).toEqual([false]);
    expect(inputs('launches.prepare')).toMatchObject([
      { environmentId: 'e', gameMode: 'fun', gameName: 'Lucky', externalToken: '', gameId: '1042', confirmed: false },
    ]);
    expect(tab()).toMatchObject({ preparing: idle, slotId: 'launch-1' });
    expect(tab().slots.map(({ launch: { id }, shown }) => [id, shown])).toEqual([['launch-1', waiting]]);
    expect(loadPlayers).toHaveBeenCalledOnce();
  });

  it('shows at once what is under way, and does nothing a second time', async () => {
    const held = Promise.withResolvers<unknown>();
    const { launch, tab, inputs } = setUp({ ...game, gameName: 'Mine' }, { 'launches.prepare': () => held.promise });
    const launching = launch('id-1', 'e', fields);
    await vi.waitFor(() => expect(tab().preparing).toMatchObject({ state: 'sending', startedAt: 7, what: 'launch' }));
    await launch('id-1', 'e', fields);
    held.resolve(someLaunch('a'));
    await launching;
    expect(inputs('launches.prepare').map(({ gameName }) => gameName)).toEqual(['Mine']);
  });

  it('keeps a launch closed whose response shows no URL', async () => {
    const { launch, slot } = setUp(game, { 'launches.prepare': () => someLaunch('a', { problem: 'It shows no URL.' }) });
    await launch('id-1', 'e', fields);
    expect(slot().shown).toBe(closed);
  });

  it('sends no second mode after the first was cancelled', async () => {
    const call = { ...someLaunch('a').call, state: 'cancelled' } as const;
    const { launch, tab, inputs } = setUp(
      { ...game, mode: 'both', token: 'tok-1' },
      { 'launches.prepare': () => someLaunch('a', { call }) },
    );
    await launch('id-1', 'e', fields);
    expect(inputs('launches.prepare').map(({ gameMode }) => gameMode)).toEqual(['real']);
    expect(tab().slots).toHaveLength(1);
  });

  it('asks before production, and goes on after a yes, once', async () => {
    const given: unknown[] = [];
    const { launch, confirm, tab } = setUp(game, {
      'launches.prepare': ({ confirmed }) => {
        given.push(confirmed);
        if (confirmed !== true) throw unconfirmed;
        return someLaunch('a');
      },
    });
    await launch('id-1', 'e', fields);
    expect(tab().preparing).toEqual({ state: 'unconfirmed', question: askedAboutBet });
    confirm('id-1', true);
    await vi.waitFor(() => expect(tab().slots).toHaveLength(1));
    confirm('id-1', true);
    expect(given).toEqual([false, true]);
  });
});

describe('what a tab asks', () => {
  it('is closed by the user, except a call that is under way: that is cancelled by its ticket', async () => {
    const { dismiss, cancel, list, tab, inputs } = setUp({ preparing: { state: 'refused', message: 'No key.' } });
    await cancel();
    expect(inputs('calls.cancel')).toEqual([]);
    dismiss('id-1');
    expect(tab().preparing).toEqual(idle);
    list.update('id-1', () => ({ preparing: { state: 'sending', ticket: 't', startedAt: 0, what: 'launch' } }));
    dismiss('id-1');
    expect(tab().preparing.state).toBe('sending');
    await cancel('id-1');
    expect(inputs('calls.cancel')).toEqual([{ ticket: 't' }]);
  });
});

describe('a token', () => {
  const open = { state: 'view', muted: false } as const;
  const inUse = () => {
    const launch = someLaunch('open', { gameMode: 'real' });
    return someSlot('open', open, { launch, token: 'tok-1' });
  };

  it('of an open launch starts no second one, unless the user launches again', async () => {
    const { list, launch, names, inputs, tab } = setUp({ typed: { gameId: '1042' }, mode: 'real', token: 'tok-1' });
    list.add({ typed: { gameId: '1043' }, mode: 'real', token: 'tok-1', slots: [inUse()] });
    await launch(tab().id, 'e', fields);
    expect(names()).not.toContain('launches.prepare');
    expect(tab().problems.token).toBe(
      'Another launch is open with this token. Use another one, or launch again to use it twice.',
    );
    await launch(tab().id, 'e', fields);
    expect(inputs('launches.prepare')).toMatchObject([{ externalToken: 'tok-1', tokenFrom: 'typed', reuse: true }]);
    expect(tab().slots[0]?.token).toBe('tok-1');
  });

  it('that core refuses is shown at its field; the next launch uses it all the same only if core offers that', async () => {
    const field = 'externalToken';
    const errors = [
      new AppError('conflict', 'Lucky uses this token.', { field, reuse: true }),
      unconfirmed,
      new AppError('refused', 'The pool is empty.', { field }),
    ];
    const { launch, confirm, tab, inputs, settings } = setUp(
      { ...game, mode: 'real', token: 'tok-1' },
      {
        'launches.prepare': () => {
          const error = errors.shift();
          if (error !== undefined) throw error;
          return someLaunch('a');
        },
      },
    );
    const reuses = () => inputs('launches.prepare').map(({ confirmed, reuse }) => [confirmed, reuse]);
    await launch('id-1', 'e', fields);
    expect(tab()).toMatchObject({ problems: { token: 'Lucky uses this token.' }, preparing: idle });
    expect(settings.at(-1)).toBe(true);
    await launch('id-1', 'e', fields);
    confirm('id-1', true);
    await vi.waitFor(() => expect(tab().problems.token).toBe('The pool is empty.'));
    await launch('id-1', 'e', fields);
    expect(reuses()).toEqual([
      [false, false],
      [false, true],
      [true, true],
      [false, false],
    ]);
    expect(tab().slots).toHaveLength(1);
  });

  it('of the pool is not in the page: core takes it, and the form shows its player', async () => {
    const { launch, tab, inputs } = setUp(
      { ...game, mode: 'both', token: 'typed before', tokenFrom: 'pool' },
      {
        'launches.prepare': ({ gameMode }) =>
          someLaunch('a', { gameMode: gameMode as 'real', playerId: 'player-7', country: 'SE' }),
      },
    );
    await launch('id-1', 'e', fields);
    expect(inputs('launches.prepare')).toMatchObject([
      { gameMode: 'real', externalToken: '', tokenFrom: 'pool', playerId: 'player-1' },
      { gameMode: 'fun', externalToken: '', playerId: 'player-7', country: 'SE' },
    ]);
    expect(tab().slots.map(({ token }) => token)).toEqual(['', '']);
    expect(tab().typed).toEqual({ gameId: '1042', playerId: 'player-7', lang: 'en', country: 'SE' });
  });

  it('that the pool does not have ends no game', async () => {
    const slots = [someSlot('open', open)];
    const { launch, tab, ended, names } = setUp({ ...game, slots, mode: 'real', tokenFrom: 'pool' });
    await launch('id-1', 'none left', fields);
    expect(tab().problems.token).toContain('no unused token');
    expect([ended, names()]).toEqual([[], []]);
  });

  it('that the command does not bring ends no game either; the game ends once there is a token', async () => {
    const errors = [new AppError('refused', 'The token command exited with status 1.', { field: 'externalToken' })];
    const slots = [someSlot('open', open)];
    const { launch, tab, ended } = setUp(
      { ...game, slots, slotId: 'open', mode: 'real', tokenFrom: 'command' },
      {
        'launches.prepare': () => {
          const error = errors.shift();
          if (error !== undefined) throw error;
          return someLaunch('a');
        },
      },
    );
    await launch('id-1', 'e', fields);
    expect(tab()).toMatchObject({ slotId: 'open', slots, preparing: idle });
    expect(ended).toEqual([]);
    await launch('id-1', 'e', fields);
    expect(ended).toEqual(['open']);
    expect(tab().slots.map((slot) => slot.launch.id)).toEqual(['a']);
  });

  it('of a launch that waits for a place is free once its tab launches again', async () => {
    const { launch, ended } = setUp({ ...game, slots: [someSlot('waits', waiting)] });
    await launch('id-1', 'e', fields);
    expect(ended).toEqual(['waits']);
  });

  it('of an open launch is not renewed, because that would end it', async () => {
    const { renewToken, names, tab } = setUp({ ...game, mode: 'real', token: 'tok-1', slots: [inUse()] });
    await renewToken(tab().id, 'e', '');
    expect(names()).not.toContain('launches.renewToken');
    expect(tab().renewal?.message).toContain('would end that session. Close the game first');
  });

  it('and the rest of the form begin the next launch of the environment, without the game; a used token does not', async () => {
    const { list, launch, last, tab } = setUp({ typed: { gameId: '1042', lang: 'sv' }, mode: 'real', token: 'tok-1' });
    expect(last.start('e')).toMatchObject({ typed: {}, token: '', tokenFrom: 'typed' });
    await launch(tab().id, 'e', fields);
    expect(last.start('e')).toMatchObject({ typed: { lang: 'sv' }, token: 'tok-1', tokenFrom: 'typed' });
    expect(last.start('other')).toMatchObject({ typed: {}, token: '', tokenFrom: 'typed' });
    list.add({ slots: [inUse()] });
    expect(last.start('e')).toMatchObject({ typed: { lang: 'sv' }, token: '', tokenFrom: 'typed' });
  });
});

describe('renewing a token', () => {
  const renewed = (token: string | null) => ({
    'launches.renewToken': () => ({ token, message: token === null ? 'It is not shown.' : null, fields: ['session'] }),
  });

  it('takes the new token, and says that the old one is gone', async () => {
    const { renewToken, tab, inputs, notify, loadPlayers } = setUp({ token: 'tok-1' }, renewed('tok-2'));
    await renewToken('id-1', 'e', '77');
    expect(tab()).toMatchObject({ token: 'tok-2', renewal: null, preparing: idle });
    expect(inputs('launches.renewToken')).toMatchObject([
      { environmentId: 'e', token: 'tok-1', newGameId: '77', confirmed: false },
    ]);
    expect(notify).toHaveBeenCalledOnce();
    expect(loadPlayers).toHaveBeenCalledOnce();
  });

  it('keeps another token that was typed meanwhile', async () => {
    const { renewToken, list, tab } = setUp({ ...game, token: 'tok-1' }, renewed('tok-2'));
    const renewing = renewToken('id-1', 'e', '');
    list.update('id-1', () => ({ token: 'tok-9' }));
    await renewing;
    expect(tab().token).toBe('tok-9');
  });

  it('says what the response holds where it shows none', async () => {
    const { renewToken, tab, notify } = setUp({ ...game, token: 'tok-1' }, renewed(null));
    await renewToken('id-1', 'e', '');
    expect(tab()).toMatchObject({ token: 'tok-1', renewal: { message: 'It is not shown.', fields: ['session'] } });
    expect(notify).not.toHaveBeenCalled();
  });

  it('sends nothing without a token, and asks for a game where none is named', async () => {
    const { renewToken, tab, list, names } = setUp({});
    await renewToken('id-1', 'e', '77');
    list.update('id-1', () => ({ token: 'tok-1' }));
    await renewToken('id-1', 'e', '');
    expect(tab().problems).toHaveProperty('gameId');
    expect(names()).toEqual([]);
  });

  it('says why it was refused, and asks before production', async () => {
    const errors = [new AppError('key_missing', 'No key is set.'), unconfirmed];
    const { renewToken, confirm, tab, inputs } = setUp(
      { ...game, token: 'tok-1' },
      {
        'launches.renewToken': () => {
          const error = errors.shift();
          if (error !== undefined) throw error;
          return { token: 'tok-2', message: null, fields: [] };
        },
      },
    );
    await renewToken('id-1', 'e', '');
    expect(tab().preparing).toEqual({ state: 'refused', message: 'No key is set.' });
    await renewToken('id-1', 'e', '');
    expect(tab().preparing.state).toBe('unconfirmed');
    confirm('id-1', true);
    await vi.waitFor(() => expect(tab().token).toBe('tok-2'));
    expect(inputs('launches.renewToken').map(({ confirmed }) => confirmed)).toEqual([false, false, true]);
  });
});
