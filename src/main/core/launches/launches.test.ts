import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { EventName, Input, Launch, LaunchEntry } from '#shared/ipc/index.ts';
import { startSandbox } from '#sandbox/server.ts';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';
import { makeCertificate, startHttpsServer, type TestServer } from '#testing/https-server.ts';
import type { GameFrame, GameLook, GamePicture, GameView, GameViewOptions } from '../host/host.ts';
import { isIssuedByOwn } from './certificate.ts';
import { isExitMessage } from './frame-observer.ts';

/** A view that shows nothing and lets a test be the page. */
interface Shown extends GameView {
  readonly options: GameViewOptions;
  readonly done: string[];
}

const shown: Shown[] = [];
const offered: GameFrame[] = [];
/** Results of the next screenshots. */
const pictures: GamePicture[] = [];
/** Results of the next looks. */
const looks: GameLook[] = [];
/** Reason why the host cannot show the next game. */
let refusal: AppError | null = null;
const gameViews = {
  open(options: GameViewOptions): Promise<GameView> {
    if (refusal !== null) return Promise.reject(refusal);
    const done: string[] = [];
    const view: Shown = {
      options,
      done,
      setBounds: ({ width, height }) => void done.push(`bounds ${width}x${height}`),
      setVisible: (visible) => void done.push(`visible ${visible}`),
      reload: () => void done.push('reload'),
      goBack: () => void done.push('back'),
      setViewport: ({ width, height }) => void done.push(`viewport ${width}x${height}`),
      setMuted: (muted) => void done.push(`muted ${muted}`),
      focus: () => void done.push('focus'),
      look: () => Promise.resolve(looks.shift() ?? { seen: false, answered: null, page: null, png: null }),
      capture: () => Promise.resolve(pictures.shift() ?? { png: new Uint8Array(Buffer.from('89504e470d0a1a0a', 'hex')) }),
      close: () => Promise.resolve(void done.push('close')),
    };
    shown.push(view);
    return Promise.resolve(view);
  },
};
const gameFrames = {
  offer(frame: GameFrame): string {
    offered.push(frame);
    return `/frame/${offered.length}`;
  },
};

let test: TestApp;
let tickets = 0;
const bounds = { x: 0, y: 0, width: 390, height: 844 };
const events: [EventName, unknown][] = [];

async function start(host: 'view' | 'frame' | 'none'): Promise<void> {
  test = await createTestApp({
    sandbox: true,
    host: { startSandbox, ...(host === 'view' ? { gameViews } : host === 'frame' ? { gameFrames } : {}) },
  });
  test.app.subscribe((name, payload) => events.push([name, payload]));
}

beforeEach(() => {
  refusal = null;
  shown.length = 0;
  offered.length = 0;
  events.length = 0;
});
afterEach(async () => {
  expect(test.faults).toEqual([]);
  await test.close();
});

function prepare(question: Partial<Input<'launches.prepare'>> = {}): Promise<Launch> {
  return test.client.call('launches.prepare', {
    environmentId: 'sandbox',
    gameMode: 'fun',
    gameId: '1001',
    lang: 'en',
    playerId: 'player-1',
    country: 'DE',
    ip: '203.0.113.9',
    exitURL: 'https://casino.example/lobby',
    ticket: `launch-${++tickets}`,
    ...question,
  });
}
const get = (id: string) => test.client.call('launches.get', { id });
const entriesOf = async (id: string): Promise<LaunchEntry[]> => (await get(id)).entries;
const player = async () => (await test.client.call('sandbox.status', {})).players[0];
const failed = ({ checks }: Launch) => checks.filter(({ passed }) => !passed).map(({ rule }) => rule);

describe('preparing', () => {
  it('asks the provider, through the history, and checks what came', async () => {
    await start('view');
    const launch = await prepare({ gameName: 'Lucky Compass' });
    expect(launch).toMatchObject({
      gameId: '1001',
      gameName: 'Lucky Compass',
      gameMode: 'fun',
      state: 'ready',
      problem: null,
      exited: false,
    });
    expect(failed(launch)).toEqual([]);
    expect(launch.call).toMatchObject({ operation: 'getLauncherURL', code: 0 });
    const sent = await test.client.call('calls.get', { id: launch.call.id });
    expect(Object.keys(JSON.parse(sent.draft.text) as object)).toEqual(
      'gameMode gameId lang externalToken playerId country ip exitURL'.split(' '),
    );
    expect((await entriesOf(launch.id))[0]).toMatchObject({ kind: 'call', title: 'getLauncherURL answered 0', seq: 1 });
  });

  it('sends no token in fun mode, and shows none in real mode', async () => {
    await start('view');
    const token = (await player())?.externalToken ?? '';
    const fun = await prepare({ externalToken: token });
    expect((await test.client.call('calls.get', { id: fun.call.id })).request.bodyText).not.toContain(token);
    const real = await prepare({ gameMode: 'real', externalToken: token });
    expect(failed(real)).toEqual([]);
    expect(JSON.stringify([real, await get(real.id), await test.client.call('launches.list', {})])).not.toContain(token);
    expect(real.url).toContain('externalToken=[token]');
    expect(real.parameters.find(({ name }) => name === 'externalToken')).toMatchObject({ state: 'equal', returned: '[token]' });
  });

  it('keeps what the provider refused as a launch that cannot be opened', async () => {
    await start('view');
    const launch = await prepare({ gameMode: 'real' });
    expect(launch).toMatchObject({ url: null, problem: 'The provider answered code 404: Invalid Token.' });
    await expect(test.client.call('launches.open', { id: launch.id, bounds })).rejects.toMatchObject({ code: 'refused' });
    expect(shown).toEqual([]);
  });

  describe('with a provider that answers', () => {
    let server: TestServer;
    let launcherURL = '';
    beforeEach(async () => {
      server = await startHttpsServer(
        (_, response) => void response.end(JSON.stringify({ code: 0, message: 'ok', data: { launcherURL } })),
      );
    });
    afterEach(() => server.close());
    it.each([
      ['http://games.example/x', /Only https/],
      ['https://127.0.0.1:8443/x', /this computer/],
      ['https://localhost/x', /local network/],
      ['https://10.0.0.1/x', /private network/],
      ['https://user:secret@games.example/x', /user name/],
      ['javascript:alert(1)', /Only https/],
      ['/relative', /cannot be read/],
    ])('%s opens nothing', async (address, words) => {
      await start('view');
      launcherURL = address;
      const { id: environmentId } = await test.environment(server);
      const launch = await prepare({ environmentId });
      expect(launch.problem).toMatch(words);
      await expect(test.client.call('launches.open', { id: launch.id, bounds })).rejects.toMatchObject({ code: 'refused' });
      expect(shown).toEqual([]);
    });

    it('a name that does not resolve opens nothing', async () => {
      await start('view');
      launcherURL = 'https://nowhere.invalid/x';
      const { id: environmentId } = await test.environment(server);
      const { id, problem } = await prepare({ environmentId });
      expect(problem).toBeNull();
      await expect(test.client.call('launches.open', { id, bounds })).rejects.toMatchObject({ code: 'refused' });
      const { launch, entries } = await get(id);
      expect(entries.at(-1)).toMatchObject({ kind: 'unopened', title: 'Not opened' });
      expect(launch.verdict.state).toBe('failed');
      expect(launch.verdict.results.slice(0, 2).map(({ rule }) => rule)).toEqual(['url', 'opened']);
    });

    it('the built-in provider’s address for another environment opens nothing', async () => {
      await start('view');
      launcherURL = `${(await test.client.call('sandbox.status', {})).baseUrl}/game/lucky-compass-1001`;
      const { id: environmentId } = await test.environment(server);
      expect((await prepare({ environmentId })).problem).toMatch(/local network/);
    });
  });

  it('takes a launch from a call that was made by hand, and from no other operation', async () => {
    await start('view');
    const first = await prepare();
    const launch = await test.client.call('launches.fromCall', { callId: first.call.id });
    expect(launch.id).not.toBe(first.id);
    expect(launch.url).toBe(first.url);
    const other = await test.send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }));
    await expect(test.client.call('launches.fromCall', { callId: other.id })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a view', () => {
  it('gets the whole address, a session of its own in memory, and what is asked of it', async () => {
    await start('view');
    const token = (await player())?.externalToken ?? '';
    const { id } = await prepare({ gameMode: 'real', externalToken: token });
    expect(await test.client.call('launches.open', { id, bounds })).toEqual({ kind: 'view' });
    const [view] = shown;
    expect(view?.options.url).toContain(token);
    expect(view?.options.trust).toMatch(/^[0-9a-f]{64}$/);
    const call: TestApp['client']['call'] = (name, input) => test.client.call(name, input);
    expect(await call('launches.setBounds', { id, bounds })).toEqual({ done: true });
    await call('launches.setVisible', { id, visible: false });
    await call('launches.setViewport', { id, viewport: { width: 390, height: 844 } });
    await call('launches.setMuted', { id, muted: true });
    await call('launches.focus', { id });
    await call('launches.reload', { id });
    await call('launches.back', { id });
    const { picture } = await call('launches.screenshot', { id });
    expect(picture).toEqual({ number: 1, takenAt: expect.any(Number) as unknown });
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
    const { id } = await prepare();
    const kinds = async () => (await entriesOf(id)).map(({ kind }) => kind);
    refusal = new AppError('unsupported', 'There is no window to show the game in.');
    await expect(test.client.call('launches.open', { id, bounds })).rejects.toThrow('There is no window');
    expect(await kinds()).toEqual(['call', 'unopened']);
    expect((await get(id)).launch).toMatchObject({ state: 'ready', verdict: { state: 'unfinished' } });
    refusal = null;
    await test.client.call('launches.open', { id, bounds });
    shown[0]?.options.onEvent({ type: 'loaded' });
    expect(await kinds()).toEqual(['call', 'unopened', 'opened', 'loaded']);
  });

  it('says why there is no picture of it and what to do, and keeps none', async () => {
    await start('view');
    const { id } = await prepare();
    await test.client.call('launches.open', { id, bounds });
    const told: string[] = [];
    for (const failure of ['hidden', 'late', 'gone', 'refused'] as const) {
      pictures.push({ failure });
      const { picture, message } = await test.client.call('launches.screenshot', { id });
      expect(picture).toBeNull();
      expect(message).toMatch(/^No screenshot was taken: .+\. (?:Close|Bring|Reload) .+\.$/);
      told.push(message ?? '');
    }
    expect(new Set(told).size).toBe(4);
    expect((await test.client.call('launches.get', { id })).launch.pictures).toEqual([]);
  });

  it('keeps twenty pictures, says when it has no room for another, and removes one for good', async () => {
    await start('view');
    const { id } = await prepare();
    await test.client.call('launches.open', { id, bounds });
    const take = () => test.client.call('launches.screenshot', { id });
    for (let n = 1; n <= 20; n += 1) expect(await take()).toMatchObject({ picture: { number: n }, message: null });
    expect(await take()).toEqual({ picture: null, message: expect.stringContaining('keeps 20 pictures of a launch') as unknown });
    const numbers = ({ pictures: kept }: Launch) => kept.map(({ number }) => number);
    const left = await test.client.call('launches.removePicture', { id, number: 2 });
    expect([left.pictures.length, ...numbers(left).slice(0, 2)]).toEqual([19, 1, 3]);
    expect(await test.client.call('launches.picture', { id, number: 2 })).toEqual({ dataUrl: null });
    expect(await take()).toMatchObject({ picture: { number: 21 } });
  });

  it('has a note of the user, which forgetting a player looks into', async () => {
    await start('view');
    const { id } = await prepare();
    const events: unknown[] = [];
    test.client.on('launches.changed', (payload) => events.push(payload));
    const note = 'Seen with {"playerId": "somebody-7"}.';
    expect(await test.client.call('launches.setNote', { id, note })).toMatchObject({ id, note });
    expect(events).toContainEqual({ id });
    const look = { player: 'somebody-7', dryRun: true, ticket: 'look' };
    expect(await test.client.call('history.forget', look)).toMatchObject({ launches: 1 });
    await test.client.call('launches.setNote', { id, note: '' });
    expect(await test.client.call('history.forget', { ...look, ticket: 'again' })).toMatchObject({ launches: 0 });
  });

  it('is replaced with a new session when it is opened again, and its late news are not taken', async () => {
    await start('view');
    const { id } = await prepare();
    await test.client.call('launches.open', { id, bounds });
    await test.client.call('launches.open', { id, bounds });
    expect(shown).toHaveLength(2);
    expect(shown[0]?.done).toEqual(['close']);
    expect(shown[0]?.options.trust).toBe(shown[1]?.options.trust);
    shown[0]?.options.onEvent({ type: 'console', level: 'info', text: 'late', source: '', line: 0 });
    expect((await entriesOf(id)).some(({ detail }) => detail === 'late')).toBe(false);
  });

  it('reaches the built-in provider while it runs and nothing else of this machine', async () => {
    await start('view');
    const { id, origin } = await prepare();
    await test.client.call('launches.open', { id, bounds });
    const { admits, trusts } = shown[0]?.options ?? expect.fail('No view');
    expect(await admits(`${origin}/game-api/spin`)).toMatchObject({ ok: true });
    for (const address of ['https://127.0.0.1:5900/', 'https://localhost:1/', 'http://localhost/', 'https://10.0.0.1/'])
      expect(await admits(address), address).toMatchObject({ ok: false });
    const own = await makeCertificate();
    expect(trusts(own.cert, 'localhost')).toBe(false);
    await test.client.call('launches.close', { id });
  });

  it('is watched: what it does is in the record, told in batches and kept', async () => {
    await start('view');
    const token = (await player())?.externalToken ?? '';
    const { id } = await prepare({ gameMode: 'real', externalToken: token });
    await test.client.call('launches.open', { id, bounds });
    const tell = shown[0]?.options.onEvent ?? expect.fail('No view');
    tell({ type: 'console', level: 'error', text: `token ${token}`, source: '', line: 0 });
    tell({ type: 'refused', url: 'https://127.0.0.1:5900/', message: 'no', local: true });
    tell({ type: 'navigation', url: 'https://casino.example/lobby?from=game', main: true });
    tell({ type: 'navigation', url: 'https://casino.example/lobby?from=game', main: true });
    const { launch, entries } = await get(id);
    expect(launch).toMatchObject({ exited: true, state: 'open' });
    expect(entries.map(({ kind }) => kind)).toEqual(['call', 'opened', 'console', 'address', 'exit']);
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(JSON.stringify(entries)).not.toContain(token);
    const told = events
      .filter(([name]) => name === 'launches.recorded')
      .flatMap(([, payload]) => (payload as { entries: LaunchEntry[] }).entries);
    expect(told).toEqual(entries);
    expect(events).toContainEqual(['launches.changed', { id }]);
  });

  it('shows the wallet calls of its own token, from the built-in provider', async () => {
    await start('view');
    const one = await player();
    const token = one?.externalToken ?? '';
    const { id } = await prepare({ gameMode: 'real', externalToken: token });
    await test.client.call('launches.open', { id, bounds });
    const bet = (externalToken: string, amount = '1.50') =>
      test.send(
        draftOf('sandbox', {
          operation: 'bet',
          text: `{"externalToken":"${externalToken}","playerId":"${one?.playerId}","gameId":"1001","transactionId":"t-1","amount":${amount},"currency":"${one?.currency}"}`,
        }),
      );
    // Another game of the same player.
    const other = await prepare({ gameMode: 'real', externalToken: token, gameId: '1002' });
    await test.client.call('launches.open', { id: other.id, bounds });
    await bet('another');
    await bet(token);
    await bet(token);
    await bet(token, '5000');
    expect((await entriesOf(other.id)).filter(({ kind }) => kind === 'wallet')).toEqual([]);
    const wallet = (await entriesOf(id)).filter(({ kind }) => kind === 'wallet');
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
    const launches = await Promise.all(Array.from({ length: 9 }, () => prepare()));
    for (const { id } of launches.slice(0, 8)) await test.client.call('launches.open', { id, bounds });
    await expect(test.client.call('launches.open', { id: launches[8]?.id ?? '', bounds })).rejects.toMatchObject({
      code: 'conflict',
    });
    await test.app.close();
    expect(shown.every(({ done }) => done.at(-1) === 'close')).toBe(true);
  });
});

describe('a verdict', () => {
  const rules = ({ verdict }: Launch, state: string) =>
    verdict.results.filter((result) => result.state === state).map(({ rule }) => rule);

  it('follows the record, and comes with it', async () => {
    await start('view');
    const { id, verdict } = await prepare();
    expect(verdict.state).toBe('unfinished');
    await test.client.call('launches.open', { id, bounds });
    const tell = shown[0]?.options.onEvent ?? expect.fail('No view');
    tell({ type: 'arrived', url: 'https://g.example/', status: 404 });
    const { launch } = await get(id);
    expect(launch.verdict.state).toBe('failed');
    expect(rules(launch, 'failed')).toEqual(['document']);
    expect(events.findLast(([name]) => name === 'launches.recorded')?.[1]).toMatchObject({ id, verdict: launch.verdict });
    // Opened again, it is judged from there on.
    await test.client.call('launches.open', { id, bounds });
    expect((await get(id)).launch.verdict.state).toBe('unfinished');
  });

  it('is kept, and overruled by a person until that is taken back', async () => {
    await start('view');
    const { id, verdict } = await prepare({ gameMode: 'real' });
    expect(verdict.state).toBe('failed');
    const overruling = { state: 'passed', note: 'The token was meant to be wrong.' } as const;
    expect(await test.client.call('launches.overrule', { id, overruling })).toMatchObject({ verdict, overruled: overruling });
    await test.app.close();
    const later = await createTestApp({ home: test.home });
    const { launches } = await later.client.call('launches.list', {});
    expect(launches).toMatchObject([{ verdict, overruled: overruling }]);
    expect(await later.client.call('launches.overrule', { id, overruling: null })).toMatchObject({ overruled: null });
    await later.close();
  });

  it('of an earlier launch follows the rules of its environment, once', async () => {
    await start('view');
    const { id } = await prepare();
    await test.client.call('launches.open', { id, bounds });
    const tell = shown[0]?.options.onEvent ?? expect.fail('No view');
    tell({ type: 'arrived', url: 'https://g.example/', status: 200 });
    tell({ type: 'window', url: 'https://ads.example/' });
    await test.client.call('launches.close', { id });
    await test.app.close();
    const later = await createTestApp({ home: test.home });
    const list = async () => (await later.client.call('launches.list', {})).launches;
    const ruled = async () => (await list()).flatMap((launch) => rules(launch, 'to check'));
    expect(await ruled()).toEqual(['window']);
    const { environments } = await later.client.call('environments.list', {});
    const [environment] = environments.filter((one) => one.id === 'sandbox');
    if (environment === undefined) throw new Error('No environment');
    const launchRules = { ...environment.launchRules, noise: ['ads.example'] };
    await later.client.call('environments.save', { environment: { ...environment, launchRules } });
    expect(await ruled()).toEqual([]);
    expect(await list()).toEqual(await list());
    await later.close();
  });

  it('counts a /playerInfo for no launch if two have its token', async () => {
    await start('view');
    const token = (await player())?.externalToken ?? '';
    const both = [
      await prepare({ gameMode: 'real', externalToken: token }),
      await prepare({ gameMode: 'real', externalToken: token }),
    ];
    for (const { id } of both) await test.client.call('launches.open', { id, bounds });
    await test.send(draftOf('sandbox', { operation: 'playerInfo', text: JSON.stringify({ externalToken: token }) }));
    for (const { id } of both) {
      const { launch, entries } = await get(id);
      const said = 'code 0; balance 1000 EUR, unchanged; 2 open launches have its token';
      expect(entries.at(-1)).toMatchObject({ kind: 'wallet', detail: said });
      expect(rules(launch, 'not observed')).toContain('wallet');
    }
  });
});

describe('a frame', () => {
  it('gets a path for one load, says what is not seen, and notes what the page saw', async () => {
    await start('frame');
    const { id, origin } = await prepare();
    const opened = await test.client.call('launches.open', { id, bounds });
    expect(opened).toMatchObject({ kind: 'frame', src: '/frame/1' });
    expect(opened.kind === 'frame' ? opened.unobserved.length : 0).toBeGreaterThan(2);
    expect(offered).toEqual([{ url: expect.stringContaining(`${origin}/game/`) as string, redirects: 'origin' }]);
    const note = (observation: Input<'launches.note'>['observation']) => test.client.call('launches.note', { id, observation });
    await note({ event: 'loaded' });
    expect((await note({ event: 'left', origin: 'https://ads.example' })).exited).toBe(false);
    await note({ event: 'loaded' });
    expect((await note({ event: 'left', origin: 'https://casino.example' })).exited).toBe(true);
    const kept = (await entriesOf(id)).filter(({ kind }) => kind !== 'origin');
    expect(kept.map(({ kind, level }) => `${kind} ${level}`)).toEqual([
      'call info',
      'opened info',
      'loaded info',
      'navigation blocked',
      'exit good',
    ]);
    expect(await test.client.call('launches.reload', { id })).toEqual({ done: false });
    expect((await test.client.call('launches.screenshot', { id })).message).toMatch(/desktop only/);
    await test.client.call('launches.open', { id, bounds, redirects: 'https' });
    expect(offered[1]?.redirects).toBe('https');
  });

  it('has a look at its origin in the record, and a look of an earlier opening is not taken', async () => {
    await start('frame');
    const { id, origin } = await prepare();
    await test.client.call('launches.open', { id, bounds });
    await test.client.call('launches.open', { id, bounds });
    const looks = async () => (await entriesOf(id)).filter(({ kind }) => kind === 'origin');
    await vi.waitFor(async () => expect(await looks()).toHaveLength(1));
    expect(await looks()).toMatchObject([
      {
        title: `The certificate of ${origin} comes from an authority that this machine does not know`,
        signal: { outcome: 'untrusted' },
      },
    ]);
    expect((await get(id)).launch.verdict.state).toBe('to check');
  });

  it('that posts a message for leaving has left; another message is noted', async () => {
    await start('frame');
    const { id } = await prepare();
    await test.client.call('launches.open', { id, bounds });
    const post = (data: string) =>
      test.client.call('launches.note', { id, observation: { event: 'message', origin: 'https://g.example', data } });
    expect((await post('{"type":"balance","amount":4}')).exited).toBe(false);
    expect((await entriesOf(id)).at(-1)).toMatchObject({ kind: 'message', title: 'Message from https://g.example' });
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
    const { id } = await prepare();
    await test.client.call('launches.note', { id, observation: { event: 'left', origin: 'https://casino.example' } });
    expect((await get(id)).launch.exited).toBe(false);
  });
});

it('a host without either says so', async () => {
  await start('none');
  const { id } = await prepare();
  expect(await test.client.call('launches.open', { id, bounds })).toMatchObject({ kind: 'none' });
});

it('a launch of an earlier run keeps its record and cannot be opened again', async () => {
  await start('view');
  const { id } = await prepare();
  await test.app.close();
  const later = await createTestApp({ home: test.home });
  const { launches } = await later.client.call('launches.list', {});
  expect(launches).toMatchObject([{ id, state: 'expired' }]);
  expect((await later.client.call('launches.get', { id })).entries).toHaveLength(1);
  await expect(later.client.call('launches.open', { id, bounds })).rejects.toMatchObject({ code: 'refused' });
  await later.close();
});

describe('a new token', () => {
  const renew = (environmentId: string, token: string) =>
    test.client.call('launches.renewToken', { environmentId, token, newGameId: '1002', ticket: `renew-${++tickets}` });

  it('of the built-in provider stands where it documents it, works, and ends the old one', async () => {
    await start('view');
    const old = (await player())?.externalToken ?? '';
    const renewed = await renew('sandbox', old);
    expect(renewed).toMatchObject({ message: null, fields: ['message', 'token'] });
    expect(renewed.token).toBe((await player())?.externalToken);
    const again = await renew('sandbox', old);
    expect(again).toMatchObject({ token: null, message: 'The provider answered code 404: Invalid Token.' });
  });

  it('of another provider is not guessed; a recorded name says where it stands', async () => {
    await start('view');
    const server = await startHttpsServer(
      (_, response) => void response.end('{"token":"decoy","data":{"session":"the new one"}}'),
    );
    const environment = await test.environment(server);
    expect(await renew(environment.id, 'old')).toMatchObject({ token: null, fields: ['token', 'data.session'] });
    const answers = (value: string) => ({ 'generateNewToken.response': { value, note: '' } });
    await test.client.call('environments.save', { environment: { ...environment, answers: answers('data.session') } });
    expect(await renew(environment.id, 'old')).toMatchObject({ token: 'the new one', message: null });
    await test.client.call('environments.save', { environment: { ...environment, answers: answers('data.other') } });
    expect(await renew(environment.id, 'old')).toMatchObject({ token: null, message: 'The response has no text in data.other.' });
    await server.close();
  });
});

it('trusts a certificate that the environment’s own authority issued for the host, and no other', async () => {
  await start('none');
  const now = Date.now();
  const good = await makeCertificate();
  expect(isIssuedByOwn(good.cert, 'localhost', good.ca, now)).toBe(true);
  expect(isIssuedByOwn(good.cert, '127.0.0.1', `junk\n${good.ca}`, now)).toBe(true);
  expect(isIssuedByOwn(good.cert, 'other.example', good.ca, now)).toBe(false);
  expect(isIssuedByOwn(good.cert, 'localhost', good.ca, now + 60 * 86_400_000)).toBe(false);
  expect(isIssuedByOwn(good.cert, 'localhost', '', now)).toBe(false);
  expect(isIssuedByOwn('junk', 'localhost', good.ca, now)).toBe(false);
  const own = await makeCertificate({ selfSigned: true });
  expect(isIssuedByOwn(own.cert, 'localhost', own.cert, now)).toBe(true);
  expect(isIssuedByOwn(own.cert, 'localhost', good.ca, now)).toBe(false);
  expect(isIssuedByOwn(good.cert, 'localhost', own.cert, now)).toBe(false);
  await vi.waitFor(() => expect(test.faults).toEqual([]));
});
