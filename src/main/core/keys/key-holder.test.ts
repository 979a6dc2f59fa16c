import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryLibrary, type MemoryLibrary } from '#testing/agents-in-process.ts';
import type { AgentOperation, FetchedKey } from './agent-messages.ts';
import { findKeys, isKeyIn } from './find-keys.ts';
import { createKeyHolder } from './key-holder.ts';
import { createKeychain } from './keychain.ts';
import { createKnownKeys, type KnownKeys } from './known-keys.ts';
import { sealKey } from './sealed-key.ts';
import { hide } from './secret.ts';

let library: MemoryLibrary;
beforeEach(() => {
  library = createMemoryLibrary();
});

/** A holder of a program of its own, over the one keychain. */
function program() {
  const known: KnownKeys = createKnownKeys();
  const holder = createKeyHolder({ keychain: createKeychain(known.redact, () => Promise.resolve(library)), known });
  const ask = async (operation: AgentOperation) => holder.handle(operation);
  const sealed = async (key: string) => sealKey((await ask({ op: 'opener' })) as Uint8Array, key);
  return {
    ask,
    known,
    store: async (account: string, key: string) => ask({ op: 'store', account, key: await sealed(key) }),
    hold: async (account: string, key: string) => ask({ op: 'hold', account, key: await sealed(key) }),
    status: (account: string, expected = false) => ask({ op: 'status', account, expected }),
  };
}

const sha = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
const absent = { state: 'absent', storage: null, fingerprint: null, bytes: null };
const fault = (reason: string, message: string) => ({ details: { reason }, message: expect.stringContaining(message) });

describe('a holder of the keychain’s keys', () => {
  it('stores a key and recognises it in the next program; a key of a session has another fingerprint', async () => {
    const one = program();
    const stored = await one.store('a', 'clé');
    expect(stored).toMatchObject({ state: 'present', storage: 'keychain', bytes: 4 });
    expect(stored).toMatchObject({ fingerprint: expect.stringMatching(/ keychain /) });
    expect([...library.entries.keys()]).toEqual(['Croupier a', 'Croupier fingerprint-key']);
    const other = program();
    expect(await other.status('a')).toEqual(stored);
    expect(await other.hold('b', 'clé')).toMatchObject({
      state: 'present',
      storage: 'session',
      bytes: 4,
      fingerprint: expect.stringMatching(/^[0-9a-f]{4}-[0-9a-f]{2} session /),
    });
    expect(await other.status('b')).toMatchObject({ storage: 'session' });
  });

  it('asks for the fingerprint key once', async () => {
    const { store, status } = program();
    await store('a', 'key');
    library.calls.length = 0;
    await status('a', true);
    expect(library.calls).toEqual(['get a']);
  });

  it('takes the fingerprint key of a program that made one at the same time', async () => {
    const others = 'x'.repeat(43);
    library.before = (call) => {
      if (call === 'get fingerprint-key' && library.calls.includes('set fingerprint-key'))
        library.entries.set('Croupier fingerprint-key', others);
    };
    const stored = await program().store('a', 'key');
    library.before = () => undefined;
    expect(await program().status('a')).toEqual(stored);
  });

  it('tells a key that is gone from a locked keychain', async () => {
    const { status } = program();
    expect(await status('a')).toEqual(absent);
    expect(library.calls).toEqual(['get a']);
    expect(await status('a', true)).toEqual({ ...absent, message: expect.stringContaining('no longer has this key') });
    library.locked = true;
    expect(await program().status('a')).toEqual(absent);
    expect(await program().status('a', true)).toEqual({
      ...absent,
      state: 'locked',
      storage: 'keychain',
      message: expect.stringContaining('locked'),
    });
    library.fault = 'Connection refused';
    await expect(program().status('a', true)).rejects.toMatchObject(fault('no_keychain', 'No keychain answers'));
  });

  it('says that a keychain is locked that takes the fingerprint key and has none afterwards', async () => {
    library.before = () => library.entries.clear();
    await expect(program().ask({ op: 'probe' })).rejects.toMatchObject(fault('locked', 'Unlock it'));
  });

  it('answers a probe with nothing where the keychain is open', async () => {
    expect(await program().ask({ op: 'probe' })).toBeNull();
    library.locked = true;
    await expect(program().ask({ op: 'probe' })).rejects.toMatchObject(fault('locked', 'Unlock it'));
  });

  it('removes a key that the keychain changed, and refuses it', async () => {
    library.before = (call) => {
      if (call === 'get a') library.entries.set('Croupier a', 'before');
    };
    const { store, known } = program();
    await expect(store('a', 'before\0after')).rejects.toMatchObject(fault('refused', 'NUL character'));
    expect(library.entries.size).toBe(0);
    library.before = (call) => {
      if (call === 'get a') library.entries.clear();
    };
    await expect(store('a', 'the-key')).rejects.toMatchObject(fault('refused', "didn't store the key exactly"));
    expect(known.redact('before the-key')).toBe('before the-key');
  });

  it('keeps a key out of what the keychain says about it, and forgets it then', async () => {
    library.fault = 'no room for "the-key"';
    const { store, known } = program();
    await expect(store('a', 'the-key')).rejects.toMatchObject({ message: expect.not.stringContaining('the-key') });
    expect(known.redact('the-key')).toBe('the-key');
  });

  it('hands a key on sealed, with its fingerprint', async () => {
    const [one, other] = [program(), program()];
    const stored = (await one.store('a', 'the-key')) as { fingerprint: string };
    const sealTo = (await other.ask({ op: 'opener' })) as Uint8Array;
    const fetched = (await one.ask({ op: 'fetch', account: 'a', expected: true, sealTo })) as FetchedKey;
    expect(fetched.fingerprint).toBe(stored.fingerprint);
    await other.ask({ op: 'hold', account: 'a', key: fetched.key });
    expect(await other.ask({ op: 'digest', account: 'a', parts: [Buffer.from('1'), Buffer.from('2')] })).toBe(sha('the-key12'));
    expect(one.known.redact('the-key')).toBe('the-key');
    expect(await one.ask({ op: 'fetch', account: 'b', expected: true, sealTo })).toBeNull();
    library.locked = true;
    expect(await program().ask({ op: 'fetch', account: 'b', expected: false, sealTo })).toBeNull();
    await expect(program().ask({ op: 'fetch', account: 'b', expected: true, sealTo })).rejects.toMatchObject(
      fault('locked', 'Unlock it'),
    );
  });

  it('removes a key, and does not take a locked keychain for an empty one', async () => {
    const { store, ask } = program();
    await store('a', 'key');
    library.calls.length = 0;
    expect(await ask({ op: 'remove', account: 'a' })).toBeNull();
    expect(library.calls).toEqual(['delete a']);
    expect(library.entries.has('Croupier a')).toBe(false);
    expect(await ask({ op: 'remove', account: 'a' })).toBeNull();
    library.locked = true;
    await expect(ask({ op: 'remove', account: 'a' })).rejects.toMatchObject(fault('locked', 'Unlock it'));
  });
});

describe('a holder of keys of a session', () => {
  it('signs with the key that was held last, and with none that was dropped', async () => {
    const { hold, ask, known } = program();
    await hold('a', 'first');
    await hold('a', 'second');
    expect(await ask({ op: 'digest', account: 'a', parts: [] })).toBe(sha('second'));
    expect(known.redact('first second')).not.toMatch(/second/);
    expect(known.redact('first second')).toMatch(/first/);
    const inspection = { accounts: ['a', 'b'], bytes: Buffer.from('é a second time') };
    expect(await ask({ op: 'sign', account: 'a', parts: [Buffer.from('x')], inspection })).toEqual({
      digest: sha('secondx'),
      found: [{ account: 'a', places: [5, 11] }],
      unknown: ['b'],
    });
    expect(await ask({ op: 'find', inspection })).toEqual({ found: [{ account: 'a', places: [5, 11] }], unknown: ['b'] });
    expect(await ask({ op: 'contains', account: 'a', bytes: inspection.bytes })).toBe(true);
    expect(await ask({ op: 'contains', account: 'a', bytes: Buffer.from('a first time') })).toBe(false);
    expect(await ask({ op: 'drop', account: 'a' })).toBeNull();
    expect(await ask({ op: 'drop', account: 'a' })).toBeNull();
    for (const op of ['digest', 'sign'] as const)
      await expect(ask({ op, account: 'a', parts: [], inspection })).rejects.toMatchObject(fault('missing', 'No key is stored'));
    await expect(ask({ op: 'contains', account: 'a', bytes: inspection.bytes })).rejects.toMatchObject({ code: 'key_missing' });
    expect(known.redact('second')).toBe('second');
    expect(await ask({ op: 'status', account: 'a', expected: false })).toEqual(absent);
  });
});

describe('findKeys', () => {
  it('counts bytes, also in what is not UTF-8, and in a part of a longer buffer', () => {
    const key = hide('the-key');
    const found = (bytes: Uint8Array) => findKeys(['a'], bytes, [key]).found[0]?.places;
    expect(found(Buffer.from('é the-key, the-key'))).toEqual([3, 10, 12, 19]);
    expect(found(Buffer.concat([Buffer.from([0xff, 0xc3]), Buffer.from('the-key')]))).toEqual([2, 9]);
    expect(found(Buffer.from('the-key é the-key').subarray(8))).toEqual([3, 10]);
    expect(findKeys(['a', 'b'], Buffer.from('nothing'), [key, null])).toEqual({ found: [], unknown: ['b'] });
    expect(findKeys(['a'], Buffer.from('nothing'), [])).toEqual({ found: [], unknown: ['a'] });
    expect([isKeyIn(key, Buffer.from('the-key')), isKeyIn(key, Buffer.from('the-ke'))]).toEqual([true, false]);
  });
});
