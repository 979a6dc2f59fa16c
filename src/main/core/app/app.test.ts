import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  rmdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestApp, draftOf, temporaryFolder, testHost } from '#testing/app.ts';
import type { TestApp, TestAppOptions } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import type { Received } from '#testing/https-server.ts';
import { ownCacheFolder } from '../../cli/code-cache.ts';
import { AppError } from '#shared/errors.ts';
import { openedDirectory } from '../collections/opened-directories.ts';
import { lockAtOnce } from '../files/locks.ts';
import { createApp, createLocalSecrets, resolveHome } from './app.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

async function open(options?: TestAppOptions): Promise<TestApp> {
  const opening = await createTestApp(options);
  opened.push(opening);
  return opening;
}

function keep<T extends { close(): Promise<void> }>(item: T): T {
  opened.push(item);
  return item;
}

const accepted = '{"code":0,"message":"ok","data":null}';

describe('ending', () => {
  it('waits for nobody who may never answer', async () => {
    const asked = Promise.withResolvers<void>();
    const pickDirectory = () => {
      asked.resolve();
      return new Promise<null>(() => undefined);
    };
    const { app, client } = await open({ host: { pickDirectory } });
    client.call('app.pickDirectory', { purpose: 'open' }).catch(() => undefined);
    await asked.promise;
    expect(await app.close()).toBe(true);
  });

  it('finishes what the page asked for, refuses what it asks for later, and does not open the history again', async () => {
    const { app, client } = await open();
    const written = client.call('settings.write', { name: 'theme', value: 'dark' });
    await client.call('calls.list', {});
    const closing = app.close();
    await expect(client.call('calls.list', {})).rejects.toMatchObject({ code: 'cancelled' });
    expect(await closing).toBe(true);
    await written;
    await expect(app.body(1)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('tells every page which keys the commands have now, and by whom, and no other setting', async () => {
    const { client } = await open();
    const told: unknown[] = [];
    client.on('settings.changed', (payload) => told.push(payload));
    await client.call('settings.write', { name: 'layout', value: '{}' });
    const value = '{"send":["Mod+Alt+S"]}';
    await client.call('settings.write', { name: 'shortcuts', value, order: { page: 'p', number: 1 } });
    await client.call('settings.write', { name: 'shortcuts', value: '{}', order: { page: 'p', number: 0 } });
    // The third was overtaken on its way: what stands in the file is told.
    expect(told).toEqual([
      { name: 'shortcuts', value, page: 'p' },
      { name: 'shortcuts', value, page: 'p' },
    ]);
  });

  it('gives up a change that waits for a lock which another copy keeps', async () => {
    const { app, client, home } = await open();
    await client.call('settings.write', { name: 'theme', value: 'light' });
    const held = lockAtOnce(join(home, 'locks', 'settings.json.lock'));
    const waiting = client.call('settings.write', { name: 'theme', value: 'dark' });
    waiting.catch(() => undefined);
    expect(await app.close()).toBe(true);
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled', message: expect.stringContaining('is closing') as string });
    held?.close();
  });

  it('finishes a save that waits for a key agent that hangs', async () => {
    const closed = Promise.withResolvers<never>();
    closed.promise.catch(() => undefined);
    const close = async () => closed.reject(new AppError('key_unavailable', 'The program is ending.'));
    const secrets = { ...createLocalSecrets(), contains: () => closed.promise, close };
    const { app, client, environment } = await open({ host: { secrets } });
    await environment({ baseUrl: 'https://localhost:1' });
    const directory = await temporaryFolder();
    keep({ close: async () => rmSync(directory, { recursive: true, force: true }) });
    const { id } = await client.call('collections.open', { directory });
    const saving = client.call('collections.create', { id, folder: '', name: 'one', request: { operation: 'gameList' } });
    expect(await app.close()).toBe(true);
    await saving;
    expect(readdirSync(directory)).toEqual(['one.yaml']);
  });
});

describe('sending', () => {
  it('arrives as the bytes that were hashed, judged by a server that shares nothing with the program', async () => {
    const key = 'k€y with spaces';
    const verdicts: string[] = [];
    const server = keep(
      await startHttpsServer(({ request, body }, response) => {
        const received = body.toString('latin1');
        const time = /"time":"([^"]*)"/.exec(received)?.[1] ?? '';
        const start = received.indexOf('"data":') + '"data":'.length;
        const end = received.lastIndexOf(',"hash":"');
        const sent = received.slice(end + ',"hash":"'.length, -2);
        const hash = createHash('sha256').update(key).update(time).update(body.subarray(start, end)).digest('hex');
        verdicts.push(`${request.method} ${request.url} ${request.headers['content-type']} ${hash === sent}`);
        response.end(accepted);
      }),
    );
    const { environment, send, client } = await open();
    for (const serialization of ['php', 'php-unicode', 'verbatim'] as const) {
      const { id } = await environment(server, { serialization }, key);
      const texts = [
        '{"roundId": 9007199254740993, "logMonth": 0}',
        '{ "exitURL" : "https://a.example/ä?b=c&d", "name": "😀\u2028" }',
        `{"playerIds": ["${'p'.repeat(20_000)}"]}`,
      ];
      for (const text of texts) {
        const call = await send(draftOf(id, { operation: 'getGameRound', text }));
        expect(call).toMatchObject({ code: 0, failure: null });
        const { hashInput, bodyText } = (await client.call('calls.get', { id: call.id })).request;
        const bytes = Buffer.from(bodyText).subarray(hashInput!.dataOffset, hashInput!.dataOffset + hashInput!.dataLength);
        expect(bytes.toString()).toBe(hashInput!.dataJson);
      }
    }
    expect(new Set(verdicts)).toEqual(new Set(['POST /serviceApi.php application/json true']));
    expect(verdicts).toHaveLength(9);
  });

  it('records the headers as they go out', async () => {
    const raw: string[][] = [];
    const server = keep(
      await startHttpsServer(({ request }, response) => {
        raw.push(request.rawHeaders);
        response.end(accepted);
      }),
    );
    const { environment, send } = await open();
    const { id } = await environment(server);
    const call = await send(draftOf(id, { operation: 'gameList' }));
    expect(call.request.headers.flat()).toEqual(raw[0]);
  });

  it('has the row on the disk before the request reaches the server', async () => {
    const seen: unknown[] = [];
    const { environment, send, home } = await open();
    const server = keep(
      await startHttpsServer(({ body }, response) => {
        const other = new DatabaseSync(join(home, 'history.sqlite'), { readOnly: true });
        const row = other.prepare('SELECT state, body FROM calls JOIN call_requests ON call_id = id').get();
        other.close();
        seen.push(row?.['state'], Buffer.from(row?.['body'] as Uint8Array).equals(body));
        response.end(accepted);
      }),
    );
    const { id } = await environment(server);
    await send(draftOf(id, { operation: 'getGameRound', text: '{"roundId":1,"logMonth":0}' }));
    expect(seen).toEqual(['pending', true]);
  });

  it('sends nothing where the call cannot be recorded', async () => {
    let requests = 0;
    const server = keep(
      await startHttpsServer((_, response) => {
        requests++;
        response.end(accepted);
      }),
    );
    const { environment, send, client, home } = await open();
    const { id } = await environment(server);
    mkdirSync(join(home, 'history.sqlite'));
    await expect(send(draftOf(id, { operation: 'gameList' }))).rejects.toMatchObject({ code: 'storage' });
    await expect(client.call('calls.list', {})).rejects.toMatchObject({ code: 'storage' });
    // All else goes on.
    expect(await client.call('app.info', {})).toMatchObject({ calls: 0 });
    expect(requests).toBe(0);
    rmdirSync(join(home, 'history.sqlite'));
    expect(await send(draftOf(id, { operation: 'gameList' }))).toMatchObject({ code: 0 });
  });

  it('tells listeners when a call was recorded, as pending and with its outcome', async () => {
    const server = keep(await startHttpsServer((_, response) => void response.end(accepted)));
    const { environment, send, client } = await open();
    const states: string[] = [];
    const { id } = await environment(server);
    const looks: Promise<void>[] = [];
    client.on('calls.changed', ({ id: changed }) => {
      looks.push(client.call('calls.get', { id: changed }).then(({ state }) => void states.push(state)));
    });
    await send(draftOf(id, { operation: 'gameList' }));
    await Promise.all(looks);
    expect(states).toEqual(['pending', 'answered']);
  });

  it('without a key is refused and leaves no row', async () => {
    const { client, send } = await open();
    const { id } = await client.call('environments.create', {
      environment: { name: 'no key', baseUrl: 'https://p.example', platform: 1, partnerId: 1, production: false },
    });
    await expect(send(draftOf(id, { operation: 'gameList' }))).rejects.toMatchObject({ code: 'key_missing' });
    await expect(send(draftOf('nobody', { operation: 'gameList' }))).rejects.toMatchObject({ code: 'not_found' });
    await expect(send(draftOf(id, { operation: 'getGameRound', text: '{' }))).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await client.call('calls.list', {})).total).toBe(0);
  });

  it('uses changed settings from the next call on, the extra certificate too', async () => {
    const server = keep(await startHttpsServer((_, response) => void response.end(accepted)));
    const { environment, send, client } = await open();
    const made = await environment(server);
    const draft = draftOf(made.id, { operation: 'gameList' });
    expect(await send(draft)).toMatchObject({ code: 0 });
    await client.call('environments.save', { environment: { ...made, ca: '' } });
    expect(await send(draft)).toMatchObject({ failure: { kind: 'tls' } });
    await client.call('environments.save', { environment: made });
    expect(await send(draft)).toMatchObject({ code: 0 });
  });
});

describe('stopping', () => {
  it('a call by its ticket records it as cancelled', async () => {
    const arrived = Promise.withResolvers<Received>();
    const server = keep(await startHttpsServer((received) => arrived.resolve(received)));
    const { environment, client } = await open();
    const { id } = await environment(server);
    const draft = draftOf(id, { operation: 'gameList' });
    const sending = client.call('calls.send', { draft, ticket: 'mine' });
    const { request } = await arrived.promise;
    await expect(client.call('calls.send', { draft, ticket: 'mine' })).rejects.toMatchObject({ code: 'conflict' });
    expect(await client.call('calls.cancel', { ticket: 'other' })).toEqual({ cancelled: false });
    const closed = once(request.socket, 'close');
    expect(await client.call('calls.cancel', { ticket: 'mine' })).toEqual({ cancelled: true });
    const call = await sending;
    expect(call).toMatchObject({ state: 'cancelled', failure: { kind: 'cancelled' } });
    expect((await client.call('calls.get', { id: call.id })).state).toBe('cancelled');
    expect(await client.call('calls.cancel', { ticket: 'mine' })).toEqual({ cancelled: false });
    await closed;
  });

  it('a call that still waits for the keychain ends it at once and leaves no row', async () => {
    const asked = Promise.withResolvers<void>();
    const waiting = {
      ...createLocalSecrets(),
      sign: () => {
        asked.resolve();
        return new Promise<never>(() => undefined);
      },
    };
    const { environment, client } = await open({ host: { secrets: waiting } });
    const { id } = await environment({ baseUrl: 'https://p.example' });
    const sending = client.call('calls.send', { draft: draftOf(id, { operation: 'gameList' }), ticket: 't' });
    await asked.promise;
    await client.call('calls.cancel', { ticket: 't' });
    await expect(sending).rejects.toMatchObject({ code: 'cancelled' });
    expect((await client.call('calls.list', {})).total).toBe(0);
  });

  it('the program records what was under way, takes no more calls and leaves no lock', async () => {
    const home = await temporaryFolder();
    keep({ close: async () => rmSync(home, { recursive: true, force: true }) });
    const arrived = Promise.withResolvers<void>();
    const server = keep(await startHttpsServer(() => arrived.resolve()));
    const first = await createTestApp({ home });
    const { id } = await first.environment(server);
    const sending = first.send(draftOf(id, { operation: 'gameList' }));
    await arrived.promise;
    await Promise.all([first.close(), first.app.close()]);
    expect(await sending).toMatchObject({ state: 'cancelled' });
    expect(await first.app.dispatch('app.info', {})).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    // The one that stays belongs to no run.
    expect(readdirSync(join(home, 'runs'))).toEqual(['opening.lock']);
    const second = await open({ home });
    expect((await second.client.call('calls.list', {})).calls).toMatchObject([{ state: 'cancelled' }]);
  });
});

describe('the home', () => {
  it('is made for its owner alone, and a place where it cannot be made is told', async () => {
    const { home } = await open();
    expect(statSync(join(home, 'environments')).mode & 0o777).toBe(0o700);
    const taken = join(home, 'file');
    writeFileSync(taken, '');
    // Node's own way to make directories never ends in /proc.
    for (const place of [taken, join(taken, 'home'), ...(process.platform === 'linux' ? ['/proc/croupier/home'] : [])])
      await expect(createApp({ home: place, host: testHost() }), place).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('keeps a broken environment as it is while all else works', async () => {
    const { home, client } = await open({ sandbox: true });
    writeFileSync(join(home, 'environments', 'mine.json'), '{"id": "mine"');
    const { environments, broken } = await client.call('environments.list', {});
    expect(environments).toHaveLength(1);
    expect(broken).toHaveLength(1);
    await expect(client.call('keys.status', { environmentId: 'mine' })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(readFileSync(join(home, 'environments', 'mine.json'), 'utf8')).toBe('{"id": "mine"');
  });

  it('tells the sandbox’s broken file instead of replacing it', async () => {
    const home = await temporaryFolder();
    keep({ close: async () => rmSync(home, { recursive: true, force: true }) });
    mkdirSync(join(home, 'environments'));
    writeFileSync(join(home, 'environments', 'sandbox.json'), '{');
    const { client } = await open({ home, sandbox: true });
    const status = await client.call('sandbox.status', {});
    expect(status.running).toBe(false);
    expect(status.message).toContain('sandbox.json');
    expect(readFileSync(join(home, 'environments', 'sandbox.json'), 'utf8')).toBe('{');
  });

  it.skipIf(process.platform === 'win32')('is hindered by no lock that an older version left, whatever it is', async () => {
    for (const [kind, leave] of [
      ['a file from the future', (path: string) => (writeFileSync(path, ''), utimesSync(path, 4e9, 4e9))],
      ['a directory', (path: string) => mkdirSync(path)],
      ['a link to nowhere', (path: string) => symlinkSync('/nowhere/at/all', path)],
      ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ] as const) {
      const home = await temporaryFolder();
      keep({ close: async () => rmSync(home, { recursive: true, force: true }) });
      for (const folder of ['environments', 'sandbox', 'collections', 'team']) mkdirSync(join(home, folder));
      const team = openedDirectory(join(home, 'team'));
      const locks = ['settings.json.lock', 'keys.json.lock', 'collections.json.lock', `collections/${team.id}.lock`];
      for (const lock of [...locks, 'environments/.lock', 'sandbox/certificate.lock']) leave(join(home, lock));
      const { client, app } = await open({ home, sandbox: true });
      expect([kind, await client.call('sandbox.status', {})]).toMatchObject([kind, { running: true, message: null }]);
      await client.call('settings.write', { name: 'a', value: 'b' });
      const { id } = await client.call('collections.open', { directory: team.directory });
      await client.call('collections.createFolder', { id, folder: '', name: 'made' });
      await app.close();
      expect(readdirSync(team.directory)).toEqual(['made']);
      const ours = ['collection-' + id, 'collections.json', 'environments', 'key-changes', 'sandbox', 'settings.json'].map(
        (name) => `${name}.lock`,
      );
      expect(readdirSync(join(home, 'locks')).sort()).toEqual(ours);
    }
  });

  it('is CROUPIER_HOME, else where the platform keeps an application’s data', () => {
    expect(resolveHome({ CROUPIER_HOME: '/somewhere' })).toBe('/somewhere');
    expect(resolveHome({ CROUPIER_HOME: 'here' })).toBe(join(process.cwd(), 'here'));
    const usual = resolveHome({});
    expect(usual.startsWith(homedir())).toBe(true);
    expect(usual).toMatch(/croupier$/i);
    expect(resolveHome({ XDG_DATA_HOME: '/data' }, 'linux')).toBe(join('/data', 'croupier'));
    for (const XDG_DATA_HOME of ['', 'data', './data'])
      expect(resolveHome({ XDG_DATA_HOME }, 'linux')).toBe(join(homedir(), '.local', 'share', 'croupier'));
  });

  it('is on Windows a folder that does not roam, unless one that roams is in use', async () => {
    const [LOCALAPPDATA, APPDATA] = [await temporaryFolder(), await temporaryFolder()];
    const local = join(LOCALAPPDATA, 'Croupier');
    expect(resolveHome({ LOCALAPPDATA, APPDATA }, 'win32')).toBe(local);
    for (const empty of ['', 'data', undefined])
      expect(resolveHome({ LOCALAPPDATA: empty, APPDATA: empty }, 'win32')).toBe(join(homedir(), 'AppData', 'Local', 'Croupier'));
    // Electron may make its usual folder there, with files of its own.
    mkdirSync(join(APPDATA, 'Croupier', 'Cache'), { recursive: true });
    expect(resolveHome({ LOCALAPPDATA, APPDATA }, 'win32')).toBe(local);
    writeFileSync(join(APPDATA, 'Croupier', 'settings.json'), '{}');
    expect(resolveHome({ LOCALAPPDATA, APPDATA }, 'win32')).toBe(join(APPDATA, 'Croupier'));
    // Removing the one leaves the other: names differ in more than case.
    expect(ownCacheFolder({ LOCALAPPDATA }, 'win32')?.toLowerCase()).not.toBe(local.toLowerCase());
  });
});
