import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyIndex } from './key-index.ts';
import type { KeyIndex } from './key-index.ts';
import { createKeys } from './keys.ts';
import type { Keys } from './keys.ts';
import { createLocalSecrets } from './local-secrets.ts';

// What only a keychain can show is in key-agent.test.ts.
let home: string;
let index: KeyIndex;
let keys: Keys;
const events: unknown[] = [];
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'croupier-keys-'));
  index = createKeyIndex({ path: join(home, 'keys.json'), report: (message) => expect.fail(message) });
  events.length = 0;
  keys = createKeys({ secrets: createLocalSecrets(), index, emit: (name, payload) => events.push([name, payload]) });
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const bytes = (text: string) => new TextEncoder().encode(text);

describe('createKeys', () => {
  it('uses a key without giving it back', async () => {
    const set = await keys.setKey('demo-1', 'clé');
    expect(set).toMatchObject({ environmentId: 'demo-1', state: 'present', storage: 'session', bytes: 4 });
    expect(await keys.digest('demo-1', [bytes('20-11-2026 10:15:30'), bytes('{"a":1}')])).toBe(
      createHash('sha256').update('clé20-11-2026 10:15:30{"a":1}', 'utf8').digest('hex'),
    );
    expect(keys.fingerprint('demo-1')).toBe(set.fingerprint);
    expect(await keys.status('demo-1')).toEqual(set);
    expect(events).toEqual([['keys.changed', { environmentId: 'demo-1' }]]);
  });

  it('says what to do about a key that is not there, and knows nothing of it', async () => {
    await expect(keys.digest('demo-1', [])).rejects.toMatchObject({
      code: 'key_missing',
      message: expect.stringContaining('Enter it'),
    });
    expect(keys.fingerprint('demo-1')).toBeNull();
    expect(await keys.status('demo-1')).toEqual({
      environmentId: 'demo-1',
      state: 'absent',
      storage: null,
      fingerprint: null,
      bytes: null,
      setAt: null,
      message: null,
      pair: null,
    });
  });

  it('keeps keys of environments apart, and a key that was replaced or removed is gone', async () => {
    await keys.setKey('one', 'key-one');
    await keys.setKey('two', 'key-two');
    await keys.setKey('one', 'key-three');
    const sha = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(await Promise.all(['one', 'two'].map((id) => keys.digest(id, [])))).toEqual([sha('key-three'), sha('key-two')]);
    expect(await keys.removeKey('one')).toMatchObject({ state: 'absent', fingerprint: null });
    await expect(keys.digest('one', [])).rejects.toMatchObject({ code: 'key_missing' });
    expect(await keys.digest('two', [])).toBe(sha('key-two'));
  });

  it('says that a key given for this run is not stored, and lists it nowhere', async () => {
    const status = await keys.useKey('demo-1', 'from-a-variable');
    expect(status).toMatchObject({ state: 'present', storage: 'session', message: expect.stringContaining('not stored') });
    expect(await keys.status('demo-1')).toEqual(status);
    expect(index.accounts()).toEqual([]);
  });

  it('says of a key that it did not get itself what its holder says', async () => {
    const secrets = createLocalSecrets();
    const { fingerprint } = await secrets.set('croupier/demo-1', 'from elsewhere', 'session');
    const { status } = createKeys({ secrets, index, emit: () => undefined });
    expect(await status('demo-1')).toMatchObject({
      storage: 'session',
      fingerprint,
      message: 'This session does not use the keychain: keys are held until it ends.',
    });
  });

  it('says that a key is held which no keychain took, in the words of its holder or in its own', async () => {
    expect((await keys.setKey('demo-1', 'clé')).message).toBe(
      'This session does not use the keychain: keys are held until it ends.',
    );
    const held = { state: 'present', storage: 'session', fingerprint: null, bytes: 4 } as const;
    const secrets = { ...createLocalSecrets(), set: async () => held, status: async () => held };
    const { setKey } = createKeys({ secrets, index, emit: () => undefined });
    expect(await setKey('demo-2', 'clé')).toEqual({
      environmentId: 'demo-2',
      ...held,
      setAt: expect.any(Number) as number,
      message: 'The key is held for this session only.',
      pair: null,
    });
  });

  it('sweeps the keys of environments that are gone, and asks for nothing where none is stored', async () => {
    await keys.sweep(() => expect.fail('nothing is stored, so nothing is to be compared'));
    const entry = { fingerprint: null, bytes: 1, version: '1' };
    for (const account of ['croupier/kept', 'croupier/gone', 'of-another-program']) await index.put(account, entry);
    await keys.sweep(async () => ['kept', 'never-had-a-key']);
    expect(index.accounts()).toEqual(['croupier/kept', 'of-another-program']);
  });

  it('takes no environment listed while it looks for a removed one', async () => {
    const entry = { fingerprint: null, bytes: 1, version: '1' };
    await index.put('croupier/old', entry);
    await keys.sweep(async () => {
      await index.put('croupier/new', entry);
      return [];
    });
    expect(index.accounts()).toEqual(['croupier/new']);
  });
});
