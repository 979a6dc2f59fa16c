import type { Session } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from 'node:net';
import { createGameSessions, type GameSessions } from './game-session.ts';
import type { Watch } from './game-requests.ts';

type VerifyProc = NonNullable<Parameters<Session['setCertificateVerifyProc']>[0]>;
type Judge = NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>;

/** A session that notes what is asked of it. What is in `hanging` ends when the test ends it, what is in `failing` fails. */
function fakeSession(partition: string) {
  const asked: string[] = [];
  let rules = '';
  let verify: VerifyProc = () => undefined;
  let judge: Judge = () => undefined;
  const told = (name: string) => (): Promise<void> => {
    asked.push(name);
    if (hanging.has(name)) return new Promise((resolve) => ends.push(resolve));
    return failing.has(name) ? Promise.reject(new Error(name)) : Promise.resolve();
  };
  const nothing = () => undefined;
  return {
    partition,
    asked,
    /** Asks as Chromium does about a certificate that no public authority signed. */
    sees: () =>
      new Promise<number>((resolve) => verify({ errorCode: -202, hostname: 'h', certificate: { data: '' } } as never, resolve)),
    /** Asks as Electron does for a game that goes to an address of another program. */
    opensOutside: (externalURL: string) =>
      new Promise<boolean>((resolve) => judge(null as never, 'openExternal', resolve, { externalURL } as never)),
    port: () => Number(rules.split(':')[1]),
    webRequest: {
      onBeforeRequest: nothing,
      onSendHeaders: nothing,
      onHeadersReceived: nothing,
      onBeforeRedirect: nothing,
      onCompleted: nothing,
      onErrorOccurred: nothing,
    },
    on: nothing,
    setPermissionRequestHandler: (handler: Judge) => void (judge = handler),
    setPermissionCheckHandler: nothing,
    setDevicePermissionHandler: nothing,
    setDisplayMediaRequestHandler: nothing,
    allowNTLMCredentialsForDomains: nothing,
    setCertificateVerifyProc: (proc: VerifyProc) => void (verify = proc),
    setProxy({ proxyRules = '' }: { proxyRules?: string }) {
      rules = proxyRules;
      return told('proxy')();
    },
    resolveProxy: () => Promise.resolve(misled ? 'DIRECT' : `PROXY ${rules}`),
    closeAllConnections: told('connections'),
    clearStorageData: told('storage'),
    clearCache: told('cache'),
    clearAuthCache: told('passwords'),
    clearHostResolverCache: told('names'),
    clearCodeCaches: told('code'),
    clearSharedDictionaryCache: told('dictionaries'),
  };
}

const hanging = new Set<string>();
const failing = new Set<string>();
const ends: (() => void)[] = [];
let misled = false;
let made: ReturnType<typeof fakeSession>[];
let ports: Set<number>;
let sessions: GameSessions;
let trusted: boolean;
const watch: Watch = {
  admits: () => Promise.resolve({ ok: true, addresses: [] }),
  trusts: () => trusted,
  onEvent: () => undefined,
};

beforeEach(() => {
  made = [];
  ports = new Set();
  trusted = false;
  misled = false;
  sessions = createGameSessions({
    fromPartition(partition) {
      const session = fakeSession(partition);
      made.push(session);
      return session as unknown as Session;
    },
    logins: { add: ({ port }) => void ports.add(port), remove: ({ port }) => void ports.delete(port) },
    replyMs: 20,
    most: 4,
  });
});
afterEach(async () => {
  hanging.clear();
  failing.clear();
  await sessions.close();
  expect(ports.size).toBe(0);
});

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false));
  });

describe('the sessions of games', () => {
  it('open no other program, and tell which one was asked for', async () => {
    const told: unknown[] = [];
    await sessions.take('a', { ...watch, onEvent: (event) => told.push(event) });
    expect(await made[0]?.opensOutside('vscode://file/etc/passwd')).toBe(false);
    expect(told).toMatchObject([{ type: 'refused', url: 'vscode://file/etc/passwd' }]);
  });

  it('are used again, emptied of every kind of thing', async () => {
    const first = await sessions.take('a', watch);
    made[0]?.asked.splice(0);
    await first.release(true);
    expect(new Set(made[0]?.asked)).toEqual(
      new Set(['connections', 'storage', 'cache', 'passwords', 'names', 'code', 'dictionaries']),
    );
    expect((await sessions.take('b', watch)).partition).toBe(first.partition);
    expect(made).toHaveLength(1);
  });

  it('are not shared by two games at once', async () => {
    const both = await Promise.all([sessions.take('a', watch), sessions.take('a', watch)]);
    expect(new Set(both.map(({ partition }) => partition)).size).toBe(2);
  });

  it.each([true, false])('that have judged a certificate serve games of the same trust only (%s)', async (verdict) => {
    trusted = verdict;
    const first = await sessions.take('a', watch);
    expect(await made[0]?.sees()).toBe(verdict ? 0 : -3);
    await first.release(true);
    const other = await sessions.take('b', watch);
    expect(other.partition).not.toBe(first.partition);
    expect((await sessions.take('a', watch)).partition).toBe(first.partition);
  });

  const kinds = ['storage', 'cache', 'passwords', 'names', 'code', 'dictionaries', 'connections'];
  it.each(kinds)('that cannot be emptied of %s are used no more, and have no way out any more', async (kind) => {
    const game = await sessions.take('a', watch);
    const port = made.at(-1)?.port() ?? 0;
    expect(await answers(port)).toBe(true);
    failing.add(kind);
    await expect(game.release(true)).rejects.toMatchObject({ message: expect.stringContaining('could not be deleted') });
    failing.clear();
    expect([await answers(port), ports.has(port)]).toEqual([false, false]);
    expect((await sessions.take('a', watch)).partition).not.toBe(game.partition);
  });

  it.each(kinds)('that are emptied of %s late are used again, and not before', async (kind) => {
    const game = await sessions.take('a', watch);
    hanging.add(kind);
    await expect(game.release(true)).rejects.toMatchObject({ message: expect.stringContaining('not deleted yet') });
    hanging.delete(kind);
    const meanwhile = await sessions.take('a', watch);
    expect(meanwhile.partition).not.toBe(game.partition);
    for (const end of ends.splice(0)) end();
    await expect.poll(async () => (await sessions.take('a', watch)).partition).toBe(game.partition);
  });

  it('whose page is not gone are used no more', async () => {
    const game = await sessions.take('a', watch);
    await expect(game.release(false)).rejects.toMatchObject({ code: 'internal' });
    expect((await sessions.take('a', watch)).partition).not.toBe(game.partition);
  });

  it('are released once, however often that is asked', async () => {
    const game = await sessions.take('a', watch);
    await Promise.all([game.release(true), game.release(true)]);
    const both = await Promise.all([sessions.take('a', watch), sessions.take('a', watch)]);
    expect(new Set(both.map(({ partition }) => partition)).size).toBe(2);
  });

  it('are not more than that at once, and those that fit no game give way', async () => {
    const games = await Promise.all(['a', 'a', 'a', 'a'].map((trust) => sessions.take(trust, watch)));
    await expect(sessions.take('a', watch)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Close some'),
    });
    expect(made).toHaveLength(4);
    await made[0]?.sees();
    await games[0]?.release(true);
    expect((await sessions.take('b', watch)).partition).toBe('game-5');
    expect([ports.size, ports.has(made[0]?.port() ?? 0)]).toEqual([4, false]);
  });

  it.each([hanging, failing])('that cannot be set up are not used, and leave no proxy behind', async (list) => {
    list.add('proxy');
    await expect(sessions.take('a', watch)).rejects.toThrow();
    expect(ports.size).toBe(0);
    expect(await answers(made[0]?.port() ?? 0)).toBe(false);
    list.clear();
    expect((await sessions.take('a', watch)).partition).toBe('game-2');
  });

  it('that would go round their proxy are not used, and leave no proxy behind', async () => {
    misled = true;
    await expect(sessions.take('a', watch)).rejects.toMatchObject({ code: 'internal' });
    expect(ports.size).toBe(0);
    expect(await answers(made[0]?.port() ?? 0)).toBe(false);
  });
});
