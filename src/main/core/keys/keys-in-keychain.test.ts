import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Secrets } from '#core/host/host.ts';
import type { AgentsInProcess } from '#testing/agents-in-process.ts';
import { bytes, sha, createKeysOnAgents, type KeysOnAgents } from '#testing/keys-on-agents.ts';
import type { KeyIndex } from './key-index.ts';
import { createKeys, type Keys } from './keys.ts';

let made: KeysOnAgents;
let keys: Keys;
let secrets: Secrets;
let agents: AgentsInProcess;
let index: KeyIndex;
let events: unknown[];
let path: string;
beforeEach(async () => {
  made = await createKeysOnAgents();
  ({ keys, secrets, agents, index, events, path } = made);
});
afterEach(() => made.close());

const changed = (environmentId: string) => ['keys.changed', { environmentId }];
const absent = { state: 'absent', storage: null, fingerprint: null, bytes: null, setAt: null };
const unavailable = (reason: string) => ({ code: 'key_unavailable', details: { reason } });

describe('a key in the keychain', () => {
  it('is listed with its fingerprint and version, and told once', async () => {
    const set = await keys.setKey('demo', 'clé');
    expect(set).toEqual({
      environmentId: 'demo',
      state: 'present',
      storage: 'keychain',
      fingerprint: expect.stringContaining(' keychain '),
      bytes: 4,
      setAt: 1_000,
      message: null,
      pair: null,
    });
    expect(index.entry('croupier/demo')).toEqual({ fingerprint: set.fingerprint, bytes: 4, version: 'v1', setAt: 1_000 });
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
    await made.crash();
    expect(await keys.digest('demo', [])).toBe(sha('kept'));
  });

  it('is fetched once, by one agent that ends, and signs in another', async () => {
    await keys.setKey('demo', 'the-key');
    expect(agents.started.map((agent) => agent.isAlive())).toEqual([false]);
    made.asked();
    const digests = await Promise.all(['a', 'b', 'c'].map((text) => keys.digest('demo', [bytes(text)])));
    expect(digests).toEqual(['a', 'b', 'c'].map((text) => sha(`the-key${text}`)));
    expect(made.asked()).toEqual([['fetch'], ['opener', 'hold', 'digest', 'digest', 'digest']]);
    await keys.digest('demo', []);
    expect(made.asked()).toEqual([['digest']]);
    expect(agents.started.map((agent) => agent.isAlive())).toEqual([false, false, true]);
  });

  it('is fetched anew after it was set again, here or by another program', async () => {
    await keys.setKey('demo', 'first');
    await keys.digest('demo', []);
    await keys.setKey('demo', 'second');
    expect(await keys.digest('demo', [])).toBe(sha('second'));
    await keys.discard('demo', 'older');
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
    // Known by the keychain's key, not by what the index got when it was set.
    expect(keys.fingerprint('demo')).toBe(status.fingerprint);
    expect(await keys.digest('demo', [])).toBe(sha('second'));
    await index.put('croupier/demo', { fingerprint: '7f3e-91', bytes: 6, version: 'later' });
    expect(keys.fingerprint('demo')).toBe('7f3e-91');
  });

  it('that is in no list has a status, and no fingerprint without one', async () => {
    agents.library.entries.set('Croupier croupier/demo', 'the-key');
    expect(await keys.status('demo')).toMatchObject({ state: 'present', storage: 'keychain', bytes: 7, message: null });
    expect(keys.fingerprint('demo')).toBeNull();
    await keys.setKey('demo', 'the-key');
    await keys.status('demo');
    expect(keys.fingerprint('demo')).toContain(' keychain ');
    // Another program removed it.
    await index.remove('croupier/demo');
    expect(keys.fingerprint('demo')).toBeNull();
  });

  it('gives way to one that is given for the session while the keychain is asked', async () => {
    agents.library.entries.set('Croupier croupier/demo', 'kept');
    await index.put('croupier/demo', { fingerprint: null, bytes: 4, version: '1' });
    const asked = keys.digest('demo', []);
    await keys.useKey('demo', 'given');
    expect(await asked).toBe(sha('given'));
    expect(await keys.digest('demo', [])).toBe(sha('given'));
  });

  it('stays with the holder when a status finds the same', async () => {
    await keys.setKey('demo', 'first');
    await keys.digest('demo', []);
    await keys.status('demo');
    made.asked();
    await keys.digest('demo', []);
    expect(made.asked()).toEqual([['digest']]);
  });

  it('is removed from keychain, list and holder', async () => {
    await keys.setKey('demo', 'the-key');
    await keys.digest('demo', []);
    events.length = 0;
    const none = { environmentId: 'demo', ...absent, message: null, pair: null };
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
    const facts = { state: 'locked', storage: 'keychain', fingerprint: '7f3e-91', bytes: 7, setAt: null };
    const known = { environmentId: 'demo', ...facts, pair: null };
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
    await expect(keys.removeKey('demo')).rejects.toMatchObject(unavailable('refused'));
    expect(await keys.keychainMessage()).toContain('Out of order');
    expect(events).toEqual([]);
  });

  it('is not waited for again by looks at texts until it has answered', async () => {
    await index.put('croupier/demo', entry);
    agents.library.entries.set('Croupier croupier/demo', 'the-key');
    agents.library.locked = true;
    expect(await keys.find(bytes('the-key'))).toEqual([]);
    made.asked();
    expect(await keys.find(bytes('the-key'))).toEqual([]);
    expect(made.asked()).toEqual([]);
    agents.library.locked = false;
    // Whatever it was asked for: it answers again.
    await keys.status('other');
    expect(await keys.find(bytes('the-key'))).toEqual([{ environmentId: 'demo', places: [{ start: 0, end: 7 }] }]);
  });

  it('that does not answer is given up at the deadline, with nothing of what is held', async () => {
    ({ keys } = made.restart(30));
    await index.put('croupier/demo', entry);
    await keys.useKey('given', 'of-the-session');
    agents.library.silent = true;
    await expect(keys.digest('demo', [])).rejects.toMatchObject(unavailable('not_answering'));
    expect(await keys.status('demo')).toMatchObject({
      state: 'locked',
      message: expect.stringContaining('did not answer within'),
    });
    expect(await keys.digest('given', [])).toBe(sha('of-the-session'));
  });

  it('sweeps until the keychain fails, and passes a fault of the program on', async () => {
    for (const id of ['a', 'b', 'c']) await keys.setKey(id, 'key');
    // One key is refused, and no more are tried until the next start.
    agents.library.before = (call) => {
      agents.library.fault = call === 'delete croupier/b' ? 'Connection refused' : null;
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
