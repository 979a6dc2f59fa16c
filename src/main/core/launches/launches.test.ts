import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Launch } from '#shared/ipc/index.ts';
import { createTestApp, draftOf } from '#testing/app.ts';
import { makeCertificate, startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { bounds, createLaunchApp, type GameHost, type LaunchApp } from '#testing/launch-app.ts';
import { isIssuedByOwn } from './opening.ts';

let test: LaunchApp;
async function start(host: GameHost): Promise<void> {
  test = await createLaunchApp(host);
}
afterEach(async () => {
  expect(test.faults).toEqual([]);
  await test.close();
});

const failed = ({ checks }: Launch) => checks.filter(({ passed }) => !passed).map(({ rule }) => rule);

describe('preparing', () => {
  it('asks the provider, through the history, and checks what came', async () => {
    await start('view');
    const launch = await test.prepare({ gameName: 'Lucky Compass' });
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
    expect((await test.entriesOf(launch.id))[0]).toMatchObject({ kind: 'call', title: 'getLauncherURL answered 0', seq: 1 });
  });

  it('sends no token in fun mode, and shows none in real mode', async () => {
    await start('view');
    const token = (await test.player())?.externalToken ?? '';
    const fun = await test.prepare({ externalToken: token });
    expect((await test.client.call('calls.get', { id: fun.call.id })).request.bodyText).not.toContain(token);
    const real = await test.prepare({ gameMode: 'real', externalToken: token });
    expect(failed(real)).toEqual([]);
    expect(JSON.stringify([real, await test.get(real.id), await test.client.call('launches.list', {})])).not.toContain(token);
    expect(real.url).toContain('externalToken=[token]');
    expect(real.parameters.find(({ name }) => name === 'externalToken')).toMatchObject({ state: 'equal', returned: '[token]' });
  });

  it('keeps what the provider refused as a launch that cannot be opened', async () => {
    await start('view');
    const launch = await test.prepare({ gameMode: 'real' });
    expect(launch).toMatchObject({ url: null, problem: 'The provider answered code 404: Invalid Token.' });
    await expect(test.client.call('launches.open', { id: launch.id, bounds })).rejects.toMatchObject({ code: 'refused' });
    expect(test.shown).toEqual([]);
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
      ['http://games.example/x', /opens only https/],
      ['https://127.0.0.1:8443/x', /this computer/],
      ['https://localhost/x', /local network/],
      ['https://10.0.0.1/x', /private network/],
      ['https://user:secret@games.example/x', /user name/],
      ['javascript:alert(1)', /opens only https/],
      ['/relative', /can't be parsed/],
    ])('%s opens nothing', async (address, words) => {
      await start('view');
      launcherURL = address;
      const { id: environmentId } = await test.environment(server);
      const launch = await test.prepare({ environmentId });
      expect(launch.problem).toMatch(words);
      await expect(test.client.call('launches.open', { id: launch.id, bounds })).rejects.toMatchObject({ code: 'refused' });
      expect(test.shown).toEqual([]);
    });

    it('an address behind a VPN is read as a launch once a person allowed it for this environment', async () => {
      await start('view');
      launcherURL = 'https://10.0.0.1/x';
      const [{ id: allowed }, { id: other }] = [await test.environment(server), await test.environment(server)];
      await test.client.call('environments.setPrivateHosts', { id: allowed, hosts: ['10.0.0.1'] });
      expect((await test.prepare({ environmentId: allowed })).problem).toBeNull();
      expect((await test.prepare({ environmentId: other })).problem).toMatch(/private network.*add 10\.0\.0\.1 to the private/);
      await test.client.call('environments.setPrivateHosts', { id: allowed, hosts: [] });
      expect((await test.prepare({ environmentId: allowed })).problem).toMatch(/private network/);
    });

    it('a name that does not resolve opens nothing', async () => {
      await start('view');
      launcherURL = 'https://nowhere.invalid/x';
      const { id: environmentId } = await test.environment(server);
      const { id, problem } = await test.prepare({ environmentId });
      expect(problem).toBeNull();
      await expect(test.client.call('launches.open', { id, bounds })).rejects.toMatchObject({ code: 'refused' });
      const { launch, entries } = await test.get(id);
      expect(entries.at(-1)).toMatchObject({ kind: 'unopened', title: 'Not opened' });
      expect(launch.verdict.state).toBe('failed');
      expect(launch.verdict.results.slice(0, 2).map(({ rule }) => rule)).toEqual(['url', 'opened']);
    });

    it('the built-in provider’s address for another environment opens nothing', async () => {
      await start('view');
      launcherURL = `${(await test.client.call('sandbox.status', {})).baseUrl}/game/lucky-compass-1001`;
      const { id: environmentId } = await test.environment(server);
      expect((await test.prepare({ environmentId })).problem).toMatch(/local network/);
    });
  });

  it('takes a launch from a call that was made by hand, and from no other operation', async () => {
    await start('view');
    const first = await test.prepare();
    const launch = await test.client.call('launches.fromCall', { callId: first.call.id });
    expect(launch.id).not.toBe(first.id);
    expect(launch.url).toBe(first.url);
    const other = await test.send(draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }));
    await expect(test.client.call('launches.fromCall', { callId: other.id })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a verdict', () => {
  const rules = ({ verdict }: Launch, state: string) =>
    verdict.results.filter((result) => result.state === state).map(({ rule }) => rule);

  it('follows the record, and comes with it', async () => {
    await start('view');
    const { id, verdict } = await test.prepare();
    expect(verdict.state).toBe('unfinished');
    await test.client.call('launches.open', { id, bounds });
    const tell = test.shown[0]?.options.onEvent ?? expect.fail('No view');
    tell({ type: 'arrived', url: 'https://g.example/', status: 404 });
    const { launch } = await test.get(id);
    expect(launch.verdict.state).toBe('failed');
    expect(rules(launch, 'failed')).toEqual(['document']);
    expect(test.events.findLast(([name]) => name === 'launches.recorded')?.[1]).toMatchObject({ id, verdict: launch.verdict });
    // Opened again, it is judged from there on.
    await test.client.call('launches.open', { id, bounds });
    expect((await test.get(id)).launch.verdict.state).toBe('unfinished');
  });

  it('is kept, and overruled by a person until that is taken back', async () => {
    await start('view');
    const { id, verdict } = await test.prepare({ gameMode: 'real' });
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
    const { id } = await test.prepare();
    await test.client.call('launches.open', { id, bounds });
    const tell = test.shown[0]?.options.onEvent ?? expect.fail('No view');
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
    const token = (await test.player())?.externalToken ?? '';
    const both = [
      await test.prepare({ gameMode: 'real', externalToken: token }),
      await test.prepare({ gameMode: 'real', externalToken: token, reuse: true }),
    ];
    for (const { id } of both) await test.client.call('launches.open', { id, bounds });
    await test.send(draftOf('sandbox', { operation: 'playerInfo', text: JSON.stringify({ externalToken: token }) }));
    for (const { id } of both) {
      const { launch, entries } = await test.get(id);
      const said = 'code 0; balance 1000 EUR, unchanged; 2 open launches have its token';
      expect(entries.at(-1)).toMatchObject({ kind: 'wallet', detail: said });
      expect(rules(launch, 'not observed')).toContain('wallet');
    }
  });
});

it('a launch of an earlier run keeps its record and cannot be opened again', async () => {
  await start('view');
  const { id } = await test.prepare();
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
    test.client.call('launches.renewToken', { environmentId, token, newGameId: '1002', ticket: 'renew' });

  it('of the built-in provider stands where it documents it, works, and ends the old one', async () => {
    await start('view');
    const old = (await test.player())?.externalToken ?? '';
    const renewed = await renew('sandbox', old);
    expect(renewed).toMatchObject({ message: null, fields: ['message', 'token'] });
    expect(renewed.token).toBe((await test.player())?.externalToken);
    const again = await renew('sandbox', old);
    expect(again).toMatchObject({ token: null, message: 'The wallet answered code 404: Invalid Token.' });
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
  const until = new Date(now + 3_600_000);
  for (const [authority, isOwn, later] of [
    [true, true, 0],
    [true, false, 7_200_000],
    [false, false, 0],
  ] as const) {
    const issuer = await makeCertificate({ selfSigned: true, hosts: ['authority'], authority, until });
    const { cert } = await makeCertificate({ issuer });
    expect(isIssuedByOwn(cert, 'localhost', issuer.cert, now + later), `${authority} ${later}`).toBe(isOwn);
  }
  await vi.waitFor(() => expect(test.faults).toEqual([]));
});
