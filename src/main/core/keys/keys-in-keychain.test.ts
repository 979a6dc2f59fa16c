import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Secrets } from '#core/host/host.ts';
import { createAgentsInProcess, type AgentsInProcess } from '#testing/agents-in-process.ts';
import { createAgentSecrets } from './agent-secrets.ts';
import { createKeyIndex, type KeyIndex } from './key-index.ts';
import { createKeys, type Keys } from './keys.ts';

// Keys, secrets and what an agent does, over a keychain in memory. Real agents and real keychains are in key-agent.test.ts.
let home: string;
let path: string;
let agents: AgentsInProcess;
let index: KeyIndex;
let secrets: Secrets;
let keys: Keys;
const events: unknown[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'croupier-keys-'));
  path = join(home, 'keys.json');
  agents = createAgentsInProcess();
  index = createKeyIndex({ path, report: (message) => expect.fail(message) });
  events.length = 0;
  restart();
});
afterEach(async () => {
  await secrets.close();
  await rm(home, { recursive: true, force: true });
});

/** Another session of the program on the same home and keychain. */
function restart(deadlineMs?: number): void {
  secrets = createAgentSecrets({ spawn: () => agents.spawn(), ...(deadlineMs === undefined ? {} : { deadlineMs }) });
  let versions = 0;
  keys = createKeys({
    secrets,
    index,
    emit: (name, payload) => events.push([name, payload]),
    newVersion: () => `v${++versions}`,
  });
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'utf8'));
const sha = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const changed = (environmentId: string) => ['keys.changed', { environmentId }];
const unavailable = (reason: string) => ({ code: 'key_unavailable', details: { reason } });
/** Ends every agent that runs, as a crash does. */
async function crash(): Promise<void> {
  for (const agent of agents.started) agent.kill();
  await new Promise(setImmediate);
}
/** What the agents were asked since the last time. */
function asked(): string[][] {
  return agents.started.map((agent) => agent.asked.splice(0)).filter((operations) => operations.length > 0);
}

describe('a key in the keychain', () => {
  it('is listed with its fingerprint and version, and told once', async () => {
    const set = await keys.setKey('demo', 'clé');
    expect(set).toEqual({
      environmentId: 'demo',
      state: 'present',
      storage: 'keychain',
      fingerprint: expect.stringContaining(' keychain '),
      bytes: 4,
      message: null,
    });
    expect(index.entry('croupier/demo')).toEqual({ fingerprint: set.fingerprint, bytes: 4, version: 'v1' });
    expect(events).toEqual([changed('demo')]);
    expect(await keys.status('demo')).toEqual(set);
    expect(keys.fingerprint('demo')).toBe(set.fingerprint);
    expect(await keys.keychainMessage()).toBeNull();
  });

  it('takes the place of one that was given for the session', async () => {
    await keys.useKey('demo', 'given');
    await keys.setKey('demo', 'kept');
    expect(await keys.digest('demo', [])).toBe(sha('kept'));
    expect(await keys.status('demo')).toMatchObject({ storage: 'keychain', message: null });
    expect(keys.fingerprint('demo')).toContain(' keychain ');
    await crash();
    expect(await keys.digest('demo', [])).toBe(sha('kept'));
  });

  it('is fetched once, by one agent that ends, and signs in another', async () => {
    await keys.setKey('demo', 'the-key');
    expect(agents.started.map((agent) => agent.isAlive())).toEqual([false]);
    asked();
    const digests = await Promise.all(['a', 'b', 'c'].map((text) => keys.digest('demo', [bytes(text)])));
    expect(digests).toEqual(['a', 'b', 'c'].map((text) => sha(`the-key${text}`)));
    expect(asked()).toEqual([['fetch'], ['opener', 'hold', 'digest', 'digest', 'digest']]);
    await keys.digest('demo', []);
    expect(asked()).toEqual([['digest']]);
    expect(agents.started.map((agent) => agent.isAlive())).toEqual([false, false, true]);
  });

  it('is fetched anew after it was set again, here or by another program', async () => {
    await keys.setKey('demo', 'first');
    await keys.digest('demo', []);
    await keys.setKey('demo', 'second');
    expect(await keys.digest('demo', [])).toBe(sha('second'));
    agents.library.entries.set('Croupier croupier/demo', 'third');
    expect(await keys.digest('demo', [])).toBe(sha('second'));
    await index.put('croupier/demo', { fingerprint: null, bytes: 5, version: 'of the other' });
    expect(await keys.digest('demo', [])).toBe(sha('third'));
    expect(await keys.contains('demo', bytes('a third of it'))).toBe(true);
    expect(await keys.find(bytes('a third of it'))).toEqual([{ environmentId: 'demo', places: [{ start: 2, end: 7 }] }]);
  });

  it('is taken from the holder when a status finds another one', async () => {
    const { fingerprint } = await keys.setKey('demo', 'first');
    await keys.digest('demo', []);
    agents.library.entries.set('Croupier croupier/demo', 'second');
    const status = await keys.status('demo');
    expect(status.fingerprint).not.toBe(fingerprint);
    // Known by the keychain's key, not by what the index was told when it was set.
    expect(keys.fingerprint('demo')).toBe(status.fingerprint);
    expect(await keys.digest('demo', [])).toBe(sha('second'));
    await index.put('croupier/demo', { fingerprint: '7f3e-91', bytes: 6, version: 'later' });
    expect(keys.fingerprint('demo')).toBe('7f3e-91');
  });

  it('stays with the holder when a status finds the same', async () => {
    await keys.setKey('demo', 'first');
    await keys.digest('demo', []);
    await keys.status('demo');
    asked();
    await keys.digest('demo', []);
    expect(asked()).toEqual([['digest']]);
  });

  it('is removed from keychain, list and holder', async () => {
    await keys.setKey('demo', 'the-key');
    await keys.digest('demo', []);
    events.length = 0;
    const none = { environmentId: 'demo', state: 'absent', storage: null, fingerprint: null, bytes: null, message: null };
    expect(await keys.removeKey('demo')).toEqual(none);
    expect(events).toEqual([changed('demo')]);
    expect(index.accounts()).toEqual([]);
    expect(agents.library.entries.has('Croupier croupier/demo')).toBe(false);
    expect(await keys.status('demo')).toEqual(none);
    await expect(keys.digest('demo', [])).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringContaining('No key'),
    });
  });

  it('that a person removed by hand is said to be gone', async () => {
    await keys.setKey('demo', 'the-key');
    agents.library.entries.delete('Croupier croupier/demo');
    await expect(keys.digest('demo', [])).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringContaining('no longer has this key'),
    });
    expect(await keys.status('demo')).toMatchObject({ state: 'absent', message: expect.stringContaining('no longer') });
  });

  it('is told to others although the list cannot be written', async () => {
    const newer = '{"format":2}';
    agents.library.before = (call) => {
      if (call === 'set croupier/demo') writeFileSync(path, newer);
    };
    await expect(keys.setKey('demo', 'the-key')).rejects.toMatchObject({ code: 'storage' });
    expect(events).toEqual([changed('demo')]);
    expect(readFileSync(path, 'utf8')).toBe(newer);
  });
});

describe('a keychain that does not take a key', () => {
  it.each([
    ['locked', 'is locked or has no keyring yet, so the key is held'],
    ['no_keychain', 'No keychain answers here'],
  ])('has it held for the session and says so: %s', async (reason, words) => {
    if (reason === 'locked') agents.library.locked = true;
    else agents.library.fault = 'Connection refused';
    const set = await keys.setKey('demo', 'the-key');
    expect(set).toMatchObject({ state: 'present', storage: 'session', message: expect.stringContaining(words) });
    expect(set.message).not.toContain('older key');
    expect(events).toEqual([changed('demo')]);
    expect(await keys.status('demo')).toEqual(set);
    expect(keys.fingerprint('demo')).toBe(set.fingerprint);
    expect(await keys.digest('demo', [])).toBe(sha('the-key'));
    expect(index.accounts()).toEqual([]);
    await index.put('croupier/demo', { fingerprint: '7f3e-91', bytes: 5, version: '1' });
    const again = await keys.setKey('demo', 'newer');
    expect(again.message).toBe(`${set.message} The keychain still has an older key, which is used again after this session.`);
    expect(await keys.digest('demo', [])).toBe(sha('newer'));
    expect(keys.fingerprint('demo')).toBe(again.fingerprint);
  });

  it('for another reason has nothing held, as nobody knows what it has now', async () => {
    agents.library.fault = 'No room';
    await expect(keys.setKey('demo', 'the-key')).rejects.toMatchObject(unavailable('refused'));
    expect(events).toEqual([]);
    agents.library.fault = null;
    await expect(keys.digest('demo', [])).rejects.toMatchObject({ code: 'key_missing' });
  });
});

describe('a keychain that is locked or gone', () => {
  const entry = { fingerprint: '7f3e-91', bytes: 7, version: '1' };

  it('has its key known from the list alone', async () => {
    await index.put('croupier/demo', entry);
    agents.library.locked = true;
    const known = { environmentId: 'demo', state: 'locked', storage: 'keychain', fingerprint: '7f3e-91', bytes: 7 };
    expect(await keys.status('demo')).toEqual({ ...known, message: expect.stringContaining('locked') });
    expect(keys.fingerprint('demo')).toBe('7f3e-91');
    await expect(keys.digest('demo', [])).rejects.toMatchObject(unavailable('locked'));
    await expect(keys.contains('demo', bytes('x'))).rejects.toMatchObject(unavailable('locked'));
    await expect(keys.removeKey('demo')).rejects.toMatchObject(unavailable('locked'));
    expect(events).toEqual([]);
    agents.library.fault = 'Connection refused';
    expect(await keys.status('demo')).toEqual({ ...known, message: expect.stringContaining('No keychain answers') });
    await expect(keys.digest('demo', [])).rejects.toMatchObject(unavailable('no_keychain'));
    await expect(keys.removeKey('demo')).rejects.toMatchObject(unavailable('no_keychain'));
    await keys.sweep(async () => []);
    expect(index.accounts()).toEqual(['croupier/demo']);
  });

  it.each(['locked', 'no_keychain'])(
    'is no reason to say more than that no key is stored where none is listed: %s',
    async (reason) => {
      if (reason === 'locked') agents.library.locked = true;
      else agents.library.fault = 'Connection refused';
      const message = reason === 'locked' ? null : expect.stringContaining('No keychain answers');
      expect(await keys.status('demo')).toMatchObject({
        state: 'absent',
        storage: null,
        fingerprint: null,
        bytes: null,
        message,
      });
      await expect(keys.digest('demo', [])).rejects.toMatchObject({
        code: 'key_missing',
        message: expect.stringContaining('No key is stored'),
      });
      await expect(keys.sign('demo', [], bytes('x'))).rejects.toMatchObject({ code: 'key_missing' });
      expect(await keys.contains('demo', bytes('x'))).toBe(false);
      expect(await keys.removeKey('demo')).toMatchObject({ state: 'absent' });
      expect(events).toEqual([changed('demo')]);
    },
  );

  it('that refuses for a reason of its own is told whether a key is listed or not', async () => {
    agents.library.fault = 'Out of order';
    await expect(keys.digest('demo', [])).rejects.toMatchObject(unavailable('refused'));
    await expect(keys.contains('demo', bytes('x'))).rejects.toMatchObject(unavailable('refused'));
    await expect(keys.removeKey('demo')).rejects.toMatchObject(unavailable('refused'));
    expect(await keys.keychainMessage()).toContain('Out of order');
    expect(events).toEqual([]);
  });

  it('is not waited for again by looks at texts until it has answered', async () => {
    await index.put('croupier/demo', entry);
    agents.library.entries.set('Croupier croupier/demo', 'the-key');
    agents.library.locked = true;
    expect(await keys.find(bytes('the-key'))).toEqual([]);
    asked();
    expect(await keys.find(bytes('the-key'))).toEqual([]);
    expect(asked()).toEqual([]);
    agents.library.locked = false;
    await keys.status('demo');
    expect(await keys.find(bytes('the-key'))).toEqual([{ environmentId: 'demo', places: [{ start: 0, end: 7 }] }]);
  });

  it('that does not answer is given up at the deadline, with nothing of what is held', async () => {
    restart(30);
    await index.put('croupier/demo', entry);
    await keys.useKey('given', 'of-the-session');
    agents.library.silent = true;
    await expect(keys.digest('demo', [])).rejects.toMatchObject(unavailable('not_answering'));
    expect(await keys.status('demo')).toMatchObject({ state: 'locked', message: expect.stringContaining('not answering') });
    expect(await keys.digest('given', [])).toBe(sha('of-the-session'));
  });
});

describe('a key of the session', () => {
  it('is told as lost with the process that held it, until it is entered again', async () => {
    await index.put('croupier/one', { fingerprint: '7f3e-91', bytes: 7, version: '1' });
    agents.library.entries.set('Croupier croupier/one', 'in the keychain');
    await keys.useKey('one', 'first');
    await keys.useKey('two', 'second');
    await secrets.set('of another kind', 'third', 'session');
    events.length = 0;
    await crash();
    expect(events).toEqual([changed('one'), changed('two'), ['keys.lost', { environmentIds: ['one', 'two'] }]]);
    events.length = 0;
    // No older key of the keychain steps in.
    const gone = { code: 'key_missing', message: expect.stringContaining('was held for this session only and is gone') };
    await expect(keys.digest('one', [])).rejects.toMatchObject(gone);
    expect(events).toEqual([changed('one')]);
    await expect(keys.sign('two', [], bytes('x'))).rejects.toMatchObject(gone);
    await expect(keys.contains('one', bytes('x'))).rejects.toMatchObject(gone);
    expect(await keys.find(bytes('second'))).toEqual([]);
    expect(await keys.status('one')).toMatchObject({ state: 'absent', message: expect.stringContaining('Enter it again') });
    expect(keys.fingerprint('two')).toBeNull();
    await keys.useKey('one', 'again');
    expect(await keys.digest('one', [])).toBe(sha('again'));
    expect(await keys.removeKey('two')).toMatchObject({ state: 'absent', message: null });
    expect(await keys.status('two')).toMatchObject({ state: 'absent', message: null });
  });

  it('of no environment is lost without a word to the page', async () => {
    await secrets.set('of another kind', 'third', 'session');
    await crash();
    expect(events).toEqual([]);
  });

  it('is removed together with the one in the keychain', async () => {
    await keys.setKey('demo', 'kept');
    await keys.useKey('demo', 'given');
    expect(await keys.digest('demo', [])).toBe(sha('given'));
    expect(await keys.find(bytes('kept, given'))).toEqual([{ environmentId: 'demo', places: [{ start: 6, end: 11 }] }]);
    await keys.removeKey('demo');
    await expect(keys.digest('demo', [])).rejects.toMatchObject({ code: 'key_missing' });
    expect(agents.started.at(-1)?.isAlive()).toBe(false);
    expect(await keys.contains('demo', bytes('given'))).toBe(false);
  });

  it('that this program made is given to every holder anew, and has its first status', async () => {
    await keys.lendKey('own', () => 'made here');
    const status = await keys.status('own');
    expect(status).toMatchObject({ state: 'present', storage: 'session', message: expect.stringContaining('not stored') });
    expect(keys.fingerprint('own')).toBe(status.fingerprint);
    await crash();
    expect(await keys.digest('own', [])).toBe(sha('made here'));
    expect(await keys.status('own')).toEqual(status);
    expect(events).toEqual([changed('own')]);
  });

  it('that no process took when it was made is told with its fingerprint once one has', async () => {
    let fails = true;
    const { spawn } = agents;
    agents.spawn = () => {
      if (fails) throw new Error('EAGAIN');
      return spawn();
    };
    restart();
    await keys.lendKey('own', () => 'made here');
    expect(keys.fingerprint('own')).toBeNull();
    expect(await keys.find(bytes('made here'))).toEqual([]);
    await expect(keys.digest('own', [])).rejects.toMatchObject(unavailable('ended'));
    expect(events).toEqual([changed('own')]);
    fails = false;
    expect(await keys.digest('own', [])).toBe(sha('made here'));
    expect(keys.fingerprint('own')).toContain(' session ');
    expect(events).toEqual([changed('own'), changed('own')]);
  });
});

describe('looking for keys in a text', () => {
  const long = 131_072;

  it('signs and looks in one message, and in more where the text is long', async () => {
    await keys.setKey('one', 'key-of-one');
    await keys.useKey('two', 'key-of-two');
    const found = (text: string) => ({
      digest: sha('key-of-oneparts'),
      held: [{ environmentId: 'two', places: [{ start: text.indexOf('key'), end: text.length }] }],
    });
    expect(await keys.sign('one', [bytes('par'), bytes('ts')], bytes('a key-of-two'))).toEqual(found('a key-of-two'));
    asked();
    expect(await keys.sign('one', [bytes('parts')], bytes('a key-of-two'))).toEqual(found('a key-of-two'));
    expect(asked()).toEqual([['sign']]);
    const text = `${'x'.repeat(2 * long)}key-of-two`;
    expect(await keys.sign('one', [bytes('parts')], bytes(text))).toEqual(found(text));
    expect(asked()).toEqual([['find', 'find', 'find', 'digest']]);
    expect((await keys.sign('one', [bytes('parts')], bytes('nothing'))).held).toEqual([]);
  });

  it('finds each place once, to the byte, whatever the pieces divide', async () => {
    await keys.useKey('demo', 'clé-é');
    expect(await keys.find(bytes(''))).toEqual([]);
    for (const before of [long - 3, long, long + 65_536 - 4, long + 65_536, 2 * long + 1]) {
      // Two bytes a character from the second byte on: a piece of an even length ends within one.
      const text = bytes(`x${'é'.repeat(before / 2)}${'x'.repeat((before - 1) % 2)}clé-é clé-é${'é'.repeat(40_000)}`);
      const start = Buffer.from(text).indexOf('clé-é');
      const places = [0, 8].map((at) => ({ start: start + at, end: start + at + 7 }));
      expect(await keys.find(text), String(before)).toEqual([{ environmentId: 'demo', places }]);
    }
  });

  it('says whether a key is in it, from the first piece that has it on', async () => {
    await keys.useKey('demo', 'the-key');
    expect(await keys.contains('demo', bytes(''))).toBe(false);
    asked();
    expect(await keys.contains('demo', bytes(`the-key${'x'.repeat(3 * long)}`))).toBe(true);
    expect(asked()).toEqual([['contains']]);
    for (const before of [long - 3, long + 65_530, 2 * long])
      expect(await keys.contains('demo', bytes(`${'x'.repeat(before)}the-key`)), String(before)).toBe(true);
    expect(await keys.contains('demo', bytes(`${'x'.repeat(3 * long)}the-ke`))).toBe(false);
    expect(await keys.contains('nobody', bytes(`${'x'.repeat(3 * long)}the-key`))).toBe(false);
  });

  it('asks the keychain once for a key that is not there, however long the text', async () => {
    asked();
    expect(await keys.contains('nobody', bytes('x'.repeat(5 * long)))).toBe(false);
    expect(
      asked()
        .flat()
        .filter((operation) => operation === 'fetch'),
    ).toEqual(['fetch']);
  });

  it('goes without agents where no key is listed or held', async () => {
    await index.put('of another program', { fingerprint: null, bytes: 1, version: '1' });
    expect(await keys.find(bytes('x'))).toEqual([]);
    expect(agents.started).toHaveLength(0);
  });
});

describe('other rules of keys', () => {
  it('compares two environments by their keys', async () => {
    await keys.setKey('one', 'same');
    await keys.setKey('two', 'same');
    await keys.setKey('three', 'other');
    await keys.useKey('four', 'same');
    expect(['two', 'three', 'four', 'none'].map((other) => keys.isSame('one', other))).toEqual([true, false, false, false]);
  });

  it('sweeps until the keychain fails, and passes a fault of the program on', async () => {
    for (const id of ['a', 'b', 'c']) await keys.setKey(id, 'key');
    agents.library.before = (call) => {
      if (call === 'delete croupier/b') agents.library.fault = 'Connection refused';
    };
    await keys.sweep(async () => []);
    expect(index.accounts()).toEqual(['croupier/b', 'croupier/c']);
    agents.library.fault = null;
    const broken = createKeys({
      secrets: { ...secrets, remove: () => Promise.reject(new TypeError('a fault')) },
      index,
      emit: () => undefined,
    });
    await expect(broken.sweep(async () => ['c'])).rejects.toThrow('a fault');
    const { status } = createKeys({
      secrets: { ...secrets, status: () => Promise.reject(new TypeError('a fault')) },
      index,
      emit: () => undefined,
    });
    await expect(status('b')).rejects.toThrow('a fault');
  });
});
