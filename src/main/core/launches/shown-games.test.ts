import { ownPage } from '#shared/launches/devices.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Input, Launch, LaunchEntry } from '#shared/ipc/index.ts';
import { draftOf, type TestApp } from '#testing/app.ts';
import { makeCertificate } from '#testing/https-server.ts';
import { bounds, createLaunchApp, type GameHost, type LaunchApp } from '#testing/launch-app.ts';
import { isExitMessage } from './frame-observer.ts';

let test: LaunchApp;
async function start(host: GameHost): Promise<void> {
  test = await createLaunchApp(host);
}
afterEach(async () => {
  expect(test.faults).toEqual([]);
  await test.close();
});

describe('a view', () => {
  it('gets the whole address, a session of its own in memory, and what is asked of it', async () => {
    await start('view');
    const token = (await test.player())?.externalToken ?? '';
    const { id } = await test.prepare({ gameMode: 'real', externalToken: token });
    expect(await test.client.call('launches.open', { id, bounds })).toEqual({ kind: 'view' });
    const [view] = test.shown;
    expect(view?.options.url).toContain(token);
    expect(view?.options.trust).toMatch(/^[0-9a-f]{64}$/);
    const call: TestApp['client']['call'] = (name, input) => test.client.call(name, input);
    expect(await call('launches.setBounds', { id, bounds })).toEqual({ done: true });
    await call('launches.setVisible', { id, visible: false });
    await call('launches.setPage', { id, viewport: { width: 390, height: 844 }, page: ownPage });
    await call('launches.setMuted', { id, muted: true });
    await call('launches.focus', { id });
    await call('launches.reload', { id });
    await call('launches.back', { id });
    const { picture } = await call('launches.screenshot', { id });
    expect(picture).toEqual({ number: 1, takenAt: expect.any(Number) as unknown, moment: null });
    expect(await call('launches.picture', { id, number: 1 })).toEqual({ dataUrl: 'data:image/png;base64,iVBORw0KGgo=' });
    expect(await call('launches.close', { id })).toMatchObject({ state: 'closed', pictures: [picture] });
    expect(view?.done).toEqual([
      'bounds 390x844',
      'visible false',
      'viewport 390x844',
      'muted true',
      'focus',
      'reload',
      'back',
      'close',
    ]);
    expect(await call('launches.reload', { id })).toEqual({ done: false });
  });

  it('is said to be opened before the first that its page does, and not where the host cannot show it', async () => {
    await start('view');
    const { id } = await test.prepare();
    const kinds = async () => (await test.entriesOf(id)).map(({ kind }) => kind);
    test.refuse(new AppError('unsupported', 'There is no window to show the game in.'));
    await expect(test.client.call('launches.open', { id, bounds })).rejects.toThrow('There is no window');
    expect(await kinds()).toEqual(['call', 'unopened']);
    expect((await test.get(id)).launch).toMatchObject({ state: 'ready', verdict: { state: 'unfinished' } });
    test.refuse(null);
    await test.client.call('launches.open', { id, bounds });
    test.shown[0]?.options.onEvent({ type: 'loaded' });
    expect(await kinds()).toEqual(['call', 'unopened', 'opened', 'loaded']);
  });

  it('says why there is no picture of it and what to do, and keeps none', async () => {
    await start('view');
    const { id } = await test.prepare();
    await test.client.call('launches.open', { id, bounds });
    const told: string[] = [];
    for (const failure of ['hidden', 'late', 'gone', 'refused'] as const) {
      test.pictures.push({ failure });
      const { picture, message } = await test.client.call('launches.screenshot', { id });
      expect(picture).toBeNull();
      expect(message).toMatch(/^No screenshot: .+\. (?:Close|Bring|Reload) .+\.$/);
      told.push(message ?? '');
    }
    expect(new Set(told).size).toBe(4);
    expect((await test.client.call('launches.get', { id })).launch.pictures).toEqual([]);
  });

  it('keeps twenty pictures, says when it has no room for another, and removes one for good', async () => {
    await start('view');
    const { id } = await test.prepare();
    await test.client.call('launches.open', { id, bounds });
    const take = () => test.client.call('launches.screenshot', { id });
    for (let n = 1; n <= 20; n += 1) expect(await take()).toMatchObject({ picture: { number: n }, message: null });
    expect(await take()).toEqual({
      picture: null,
      message: expect.stringContaining('already has 20 screenshots, the most Croupier keeps') as unknown,
    });
    const numbers = ({ pictures: kept }: Launch) => kept.map(({ number }) => number);
    const left = await test.client.call('launches.removePicture', { id, number: 2 });
    expect([left.pictures.length, ...numbers(left).slice(0, 2)]).toEqual([19, 1, 3]);
    expect(await test.client.call('launches.picture', { id, number: 2 })).toEqual({ dataUrl: null });
    expect(await take()).toMatchObject({ picture: { number: 21 } });
  });

  it('keeps the network logs of twenty launches beside those that are open', async () => {
    await start('view');
    const ids: string[] = [];
    const message = async (id: string | undefined) => (await test.client.call('launches.networkLog', { id: id ?? '' })).message;
    for (let n = 0; n < 22; n += 1) {
      const { id } = await test.prepare();
      ids.push(id);
      await test.client.call('launches.open', { id, bounds });
      const step = {
        type: 'network',
        id: '1',
        at: 1,
        step: 'asked',
        method: 'GET',
        url: 'https://g.example/',
        resourceType: 'xhr',
      } as const;
      test.shown[n]?.options.onEvent(step);
      // The first one stays open.
      if (n > 0) await test.client.call('launches.close', { id });
    }
    expect(await Promise.all([ids[0], ids[1], ids[2], ids[21]].map(message))).toEqual([
      null,
      expect.stringContaining('replaced this one: Croupier keeps those of 20 launches') as unknown,
      null,
      null,
    ]);
  });

  it('has a note of the user, which forgetting a player looks into', async () => {
    await start('view');
    const { id } = await test.prepare();
    const events: unknown[] = [];
    test.client.on('launches.changed', (payload) => events.push(payload));
    const note = 'Seen with {"playerId": "somebody-7"}.';
    expect(await test.client.call('launches.setNote', { id, note })).toMatchObject({ id, note });
    expect(events).toContainEqual({ id });
    const forget = { player: 'somebody-7', dryRun: true, ticket: 'look' };
    expect(await test.client.call('history.forget', forget)).toMatchObject({ launches: 1 });
    await test.client.call('launches.setNote', { id, note: '' });
    expect(await test.client.call('history.forget', { ...forget, ticket: 'again' })).toMatchObject({ launches: 0 });
  });

  it('is replaced with a new session when it is opened again, and its late news are not taken', async () => {
    await start('view');
    const { id } = await test.prepare();
    await test.client.call('launches.open', { id, bounds });
    await test.client.call('launches.open', { id, bounds });
    expect(test.shown).toHaveLength(2);
    expect(test.shown[0]?.done).toEqual(['close']);
    expect(test.shown[0]?.options.trust).toBe(test.shown[1]?.options.trust);
    test.shown[0]?.options.onEvent({ type: 'console', level: 'info', text: 'late', source: '', line: 0 });
    expect((await test.entriesOf(id)).some(({ detail }) => detail === 'late')).toBe(false);
  });

  it('reaches the built-in provider while it runs and nothing else of this machine', async () => {
    await start('view');
    const { id, origin } = await test.prepare();
    await test.client.call('launches.open', { id, bounds });
    const { admits, trusts } = test.shown[0]?.options ?? expect.fail('No view');
    expect(await admits(`${origin}/game-api/spin`)).toMatchObject({ ok: true });
    for (const address of ['https://127.0.0.1:5900/', 'https://localhost:1/', 'http://localhost/', 'https://10.0.0.1/'])
      expect(await admits(address), address).toMatchObject({ ok: false });
    const own = await makeCertificate();
    expect(trusts(own.cert, 'localhost')).toBe(false);
    await test.client.call('launches.close', { id });
  });

  it('is watched: what it does is in the record, told in batches and kept', async () => {
    await start('view');
    const token = (await test.player())?.externalToken ?? '';
    const { id } = await test.prepare({ gameMode: 'real', externalToken: token });
    await test.client.call('launches.open', { id, bounds });
    const tell = test.shown[0]?.options.onEvent ?? expect.fail('No view');
    tell({ type: 'console', level: 'error', text: `token ${token}`, source: '', line: 0 });
    tell({ type: 'refused', url: 'https://127.0.0.1:5900/', message: 'no', local: true });
    tell({ type: 'navigation', url: 'https://casino.example/lobby?from=game', main: true });
    tell({ type: 'navigation', url: 'https://casino.example/lobby?from=game', main: true });
    const { launch, entries } = await test.get(id);
    expect(launch).toMatchObject({ exited: true, state: 'open' });
    expect(entries.map(({ kind }) => kind)).toEqual(['call', 'opened', 'console', 'address', 'exit']);
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(JSON.stringify(entries)).not.toContain(token);
    const told = test.events
      .filter(([name]) => name === 'launches.recorded')
      .flatMap(([, payload]) => (payload as { entries: LaunchEntry[] }).entries);
    expect(told).toEqual(entries);
    expect(test.events).toContainEqual(['launches.changed', { id }]);
  });

  it('shows the wallet calls of its own token, from the built-in provider', async () => {
    await start('view');
    const one = await test.player();
    const token = one?.externalToken ?? '';
    const { id } = await test.prepare({ gameMode: 'real', externalToken: token });
    await test.client.call('launches.open', { id, bounds });
    const bet = (externalToken: string, amount = '1.50') =>
      test.send(
        draftOf('sandbox', {
          operation: 'bet',
          text: `{"externalToken":"${externalToken}","playerId":"${one?.playerId}","gameId":"1001","transactionId":"t-1","amount":${amount},"currency":"${one?.currency}"}`,
        }),
      );
    // Another game of the same player.
    const other = await test.prepare({ gameMode: 'real', externalToken: token, gameId: '1002', reuse: true });
    await test.client.call('launches.open', { id: other.id, bounds });
    await bet('another');
    await bet(token);
    await bet(token);
    await bet(token, '5000');
    expect((await test.entriesOf(other.id)).filter(({ kind }) => kind === 'wallet')).toEqual([]);
    const wallet = (await test.entriesOf(id)).filter(({ kind }) => kind === 'wallet');
    const balance = { currency: 'EUR', before: '1000', after: '998.5' };
    const call = { code: 0, amount: '1.50', transactionId: 't-1' };
    const stays = { ...balance, before: '998.5' };
    expect(wallet).toMatchObject([
      {
        title: '/bet 1.50 EUR',
        detail: 'code 0; balance 1000 → 998.5 EUR; transaction t-1',
        level: 'info',
        signal: { method: '/bet', call: { ...call, balance } },
      },
      { detail: 'code 0; balance 998.5 EUR, unchanged; transaction t-1', signal: { call: { ...call, balance: stays } } },
      { level: 'warning', signal: { call: { code: 404, amount: '5000', transactionId: 't-1', balance: stays } } },
    ]);
  });

  it('is one of eight at most, and all are closed at the end', async () => {
    await start('view');
    const launches = await Promise.all(Array.from({ length: 9 }, () => test.prepare()));
    for (const { id } of launches.slice(0, 8)) await test.client.call('launches.open', { id, bounds });
    await expect(test.client.call('launches.open', { id: launches[8]?.id ?? '', bounds })).rejects.toMatchObject({
      code: 'conflict',
    });
    await test.app.close();
    expect(test.shown.every(({ done }) => done.at(-1) === 'close')).toBe(true);
  });
});

describe('a frame', () => {
  it('gets a path for one load, says what is not seen, and notes what the page saw', async () => {
    await start('frame');
    const { id, origin } = await test.prepare();
    const opened = await test.client.call('launches.open', { id, bounds });
    expect(opened).toMatchObject({ kind: 'frame', src: '/frame/1' });
    expect(opened.kind === 'frame' ? opened.unobserved.length : 0).toBeGreaterThan(2);
    expect(test.offered).toEqual([{ url: expect.stringContaining(`${origin}/game/`) as string, redirects: 'origin' }]);
    const note = (observation: Input<'launches.note'>['observation']) => test.client.call('launches.note', { id, observation });
    await note({ event: 'loaded' });
    expect((await note({ event: 'left', origin: 'https://ads.example' })).exited).toBe(false);
    await note({ event: 'loaded' });
    expect((await note({ event: 'left', origin: 'https://casino.example' })).exited).toBe(true);
    const kept = (await test.entriesOf(id)).filter(({ kind }) => kind !== 'origin');
    expect(kept.map(({ kind, level }) => `${kind} ${level}`)).toEqual([
      'call info',
      'opened info',
      'loaded info',
      'navigation blocked',
      'exit good',
    ]);
    expect(await test.client.call('launches.reload', { id })).toEqual({ done: false });
    expect((await test.client.call('launches.screenshot', { id })).message).toMatch(/only in the desktop app/);
    await test.client.call('launches.open', { id, bounds, redirects: 'https' });
    expect(test.offered[1]?.redirects).toBe('https');
  });

  it('has what its origin said in the record, and not what it said of an earlier opening', async () => {
    await start('frame');
    const { id, origin } = await test.prepare();
    await test.client.call('launches.open', { id, bounds });
    await test.client.call('launches.open', { id, bounds });
    const origins = async () => (await test.entriesOf(id)).filter(({ kind }) => kind === 'origin');
    // A thread looks for authorities first.
    await vi.waitFor(async () => expect(await origins()).toHaveLength(1), 30_000);
    expect(await origins()).toMatchObject([
      {
        title: `The certificate of ${origin} comes from an authority that this machine doesn't know`,
        signal: { outcome: 'untrusted' },
      },
    ]);
    expect((await test.get(id)).launch.verdict.state).toBe('to check');
  });

  it('that posts a message for leaving has left; another message is noted', async () => {
    await start('frame');
    const { id } = await test.prepare();
    await test.client.call('launches.open', { id, bounds });
    const post = (data: string) =>
      test.client.call('launches.note', { id, observation: { event: 'message', origin: 'https://g.example', data } });
    expect((await post('{"type":"balance","amount":4}')).exited).toBe(false);
    expect((await test.entriesOf(id)).at(-1)).toMatchObject({ kind: 'message', title: 'Message from https://g.example' });
    expect((await post('{"event":"gameExit"}')).exited).toBe(true);
  });

  it.each([
    'exit',
    'closeGame',
    'backToLobby',
    '"lobby"',
    '{"type":"EXIT"}',
    '{"action":"close_game"}',
    '{"message":"go-to-casino"}',
  ])('takes %s for leaving', (data) => expect(isExitMessage(data)).toBe(true));
  it.each(['', 'ready', 'exited the loading screen', '{"type":"balance"}', '{"exit":false}', '[1,2]', 'closest'])(
    'takes %s for nothing of the kind',
    (data) => expect(isExitMessage(data)).toBe(false),
  );

  it('that was never opened notes nothing', async () => {
    await start('frame');
    const { id } = await test.prepare();
    await test.client.call('launches.note', { id, observation: { event: 'left', origin: 'https://casino.example' } });
    expect((await test.get(id)).launch.exited).toBe(false);
  });
});

it('a host without either says so', async () => {
  await start('none');
  const { id } = await test.prepare();
  expect(await test.client.call('launches.open', { id, bounds })).toMatchObject({ kind: 'none' });
});
