import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentsInProcess } from '#testing/agents-in-process.ts';
import { bytes, sha, createKeysOnAgents, type KeysOnAgents } from '#testing/keys-on-agents.ts';
import { createAgentSecrets } from './agent-secrets.ts';
import { createKeyIndex, type KeyIndex } from './key-index.ts';
import { createKeys, type Keys } from './keys.ts';
import { createLocalSecrets } from './local-secrets.ts';

let made: KeysOnAgents;
let keys: Keys;
let agents: AgentsInProcess;
let index: KeyIndex;
let events: unknown[];
beforeEach(async () => {
  made = await createKeysOnAgents();
  ({ keys, agents, index, events } = made);
});
afterEach(() => made.close());

const [main, added] = ['croupier/live', 'croupier-new/live'];
const inKeychain = () =>
  Object.fromEntries(
    [...agents.library.entries]
      .filter(([name]) => name.includes('/'))
      .map(([name, key]) => [name.slice('Croupier '.length), key]),
  );
const notTwo = { code: 'conflict', message: expect.stringContaining("doesn't have two keys") };
/** Sets two keys; returns their fingerprints. */
async function setTwo(one = 'older-key', other = 'newer-key'): Promise<{ older: string; newer: string }> {
  const older = (await keys.setKey('live', one)).fingerprint ?? '';
  const newer = (await keys.setKey('live', other)).fingerprint ?? '';
  events.length = 0;
  return { older, newer };
}

describe('a key that another one follows', () => {
  it('is kept beside it: the new one signs, and both are known', async () => {
    const { older, newer } = await setTwo();
    expect(inKeychain()).toEqual({ [main]: 'older-key', [added]: 'newer-key' });
    expect(await keys.status('live')).toEqual({
      environmentId: 'live',
      state: 'present',
      storage: 'keychain',
      fingerprint: newer,
      bytes: 9,
      setAt: 1_000,
      message: null,
      pair: { signs: 'new', other: { state: 'present', storage: 'keychain', fingerprint: older, bytes: 9, setAt: 1_000 } },
    });
    const text = bytes('newer-key, older-key');
    const held = [
      {
        environmentId: 'live',
        places: [
          { start: 0, end: 9 },
          { start: 11, end: 20 },
        ],
      },
    ];
    expect(await keys.sign('live', [bytes('x')], text)).toEqual({ digest: sha('newer-keyx'), held, fingerprint: newer });
    expect(await keys.find(text)).toEqual(held);
    for (const one of ['older-key', 'newer-key']) expect(await keys.contains('live', bytes(one))).toBe(true);
    expect(await keys.contains('live', bytes('another-key'))).toBe(false);
  });

  it('is masked whole where one of the two begins with the other', async () => {
    await setTwo('the-key', 'the-key-and-more');
    expect(await keys.find(bytes('a the-key-and-more'))).toEqual([{ environmentId: 'live', places: [{ start: 2, end: 18 }] }]);
    expect(await keys.find(bytes('a the-key'))).toEqual([{ environmentId: 'live', places: [{ start: 2, end: 9 }] }]);
  });

  it('signs again where it is chosen, also in the next session and with its own fingerprint', async () => {
    const { older, newer } = await setTwo();
    expect(await keys.choose('live', 'older')).toMatchObject({ fingerprint: older, pair: { signs: 'older' } });
    expect(await keys.choose('live', 'older')).toMatchObject({ pair: { signs: 'older', other: { fingerprint: newer } } });
    expect(events).toEqual([['keys.changed', { environmentId: 'live' }]]);
    keys = made.restart().keys;
    expect(keys.fingerprint('live')).toBe(older);
    expect(await keys.sign('live', [], bytes(''))).toEqual({ digest: sha('older-key'), held: [], fingerprint: older });
    await keys.choose('live', 'new');
    expect(await keys.digest('live', [])).toBe(sha('newer-key'));
    await expect(keys.choose('other', 'older')).rejects.toMatchObject(notTwo);
  });

  it('goes when a call of the new one got code 0, and nothing else', async () => {
    const { older, newer } = await setTwo();
    await keys.prove('live', older, 5);
    await keys.prove('live', 'another', 6);
    await keys.prove('other', newer, 7);
    expect(inKeychain()).toEqual({ [main]: 'older-key', [added]: 'newer-key' });
    await keys.prove('live', newer, 8);
    expect(inKeychain()).toEqual({ [main]: 'newer-key' });
    expect(events).toEqual([['keys.proven', { environmentId: 'live', callId: 8, removed: older }]]);
    expect(await keys.status('live')).toMatchObject({ fingerprint: newer, bytes: 9, setAt: 1_000, pair: null });
    expect(index.accounts()).toEqual([main]);
    // Said once, however many calls got code 0.
    await keys.prove('live', newer, 9);
    expect(events).toHaveLength(1);
    expect(await keys.digest('live', [])).toBe(sha('newer-key'));
    expect(await keys.contains('live', bytes('older-key'))).toBe(false);
    await expect(keys.discard('live', 'older')).rejects.toMatchObject(notTwo);
  });

  it('goes once where many calls prove the new one at the same time, in two sessions, and no call fails', async () => {
    const { newer } = await setTwo();
    const other = made.restart().keys;
    const signed = Array.from({ length: 20 }, (_, at) => keys.sign('live', [bytes(`${at}`)], bytes('x')));
    const proofs = [keys, other, keys, other].map((one, at) => one.prove('live', newer, at));
    const later = Array.from({ length: 20 }, async (_, at) => {
      for (let turns = 0; turns < at; turns++) await new Promise(setImmediate);
      return keys.sign('live', [bytes(`${at}`)], bytes('x'));
    });
    await Promise.all(proofs);
    for (const [at, one] of (await Promise.all([...signed, ...later])).entries())
      expect(one).toEqual({ digest: sha(`newer-key${at % 20}`), held: [], fingerprint: newer });
    expect(events.filter((event) => JSON.stringify(event).includes('keys.proven'))).toHaveLength(1);
    expect(inKeychain()).toEqual({ [main]: 'newer-key' });
    expect(await other.digest('live', [])).toBe(sha('newer-key'));
  });

  it('stays where the keychain does not release it, without a word, until the next code 0', async () => {
    const { newer } = await setTwo();
    agents.library.locked = true;
    await keys.prove('live', newer, 8);
    expect(events).toEqual([]);
    expect(keys.fingerprint('live')).toBe(newer);
    agents.library.locked = false;
    await keys.prove('live', newer, 9);
    expect(events).toHaveLength(1);
  });

  it('is discarded, or the new one is; the other one signs', async () => {
    const { older, newer } = await setTwo();
    expect(await keys.discard('live', 'new')).toMatchObject({ fingerprint: older, pair: null });
    expect(inKeychain()).toEqual({ [main]: 'older-key' });
    await keys.setKey('live', 'newer-key');
    await keys.choose('live', 'older');
    expect(await keys.discard('live', 'older')).toMatchObject({ fingerprint: newer, pair: null });
    expect(inKeychain()).toEqual({ [main]: 'newer-key' });
    expect(await keys.digest('live', [])).toBe(sha('newer-key'));
  });

  it('is removed together with the new one, also by a sweep, and with what a killed program left', async () => {
    await setTwo();
    await keys.removeKey('live');
    expect(inKeychain()).toEqual({});
    expect(index.accounts()).toEqual([]);
    await setTwo();
    await keys.sweep(async () => ['live']);
    expect(index.accounts()).toEqual([added, main]);
    await keys.sweep(async () => []);
    expect(inKeychain()).toEqual({});
    await keys.setKey('live', 'older-key');
    agents.library.entries.set(`Croupier ${added}`, 'stored and not listed');
    await keys.removeKey('live');
    expect(inKeychain()).toEqual({});
  });
});

describe('setting a key', () => {
  it('that the environment has is no change', async () => {
    const { newer } = await setTwo();
    await keys.discard('live', 'older');
    events.length = 0;
    const before = index.entry(main);
    expect(await keys.setKey('live', 'newer-key')).toMatchObject({ fingerprint: newer, pair: null });
    expect(index.entry(main)).toEqual(before);
    expect(events).toEqual([]);
  });

  it('that is one of two has that one sign', async () => {
    const { older, newer } = await setTwo();
    expect(await keys.setKey('live', 'newer-key')).toMatchObject({ fingerprint: newer, pair: { signs: 'new' } });
    expect(events).toEqual([]);
    expect(await keys.setKey('live', 'older-key')).toMatchObject({ fingerprint: older, pair: { signs: 'older' } });
    expect(await keys.setKey('live', 'newer-key')).toMatchObject({ fingerprint: newer, pair: { signs: 'new' } });
    expect(inKeychain()).toEqual({ [main]: 'older-key', [added]: 'newer-key' });
  });

  it('that is a third takes the place of the new one, and signs', async () => {
    const { older } = await setTwo('older-key', 'mistyped');
    await keys.choose('live', 'older');
    const third = await keys.setKey('live', 'third-key');
    expect(third).toMatchObject({ pair: { signs: 'new', other: { fingerprint: older } } });
    expect(inKeychain()).toEqual({ [main]: 'older-key', [added]: 'third-key' });
    expect(await keys.sign('live', [], bytes(''))).toMatchObject({ digest: sha('third-key'), fingerprint: third.fingerprint });
  });

  it('that the keychain refuses leaves the older one to sign', async () => {
    await setTwo();
    agents.library.before = (call) => {
      agents.library.fault = call === `set ${added}` ? 'No room' : null;
    };
    await expect(keys.setKey('live', 'third-key')).rejects.toMatchObject({ code: 'key_unavailable' });
    agents.library.before = () => undefined;
    agents.library.fault = null;
    expect(await keys.digest('live', [])).toBe(sha('older-key'));
    expect(index.entry(added)).toMatchObject({ fingerprint: null, rests: true });
  });

  it('follows no key that is gone from the keychain', async () => {
    await keys.setKey('live', 'older-key');
    agents.library.entries.delete(`Croupier ${main}`);
    expect(await keys.setKey('live', 'newer-key')).toMatchObject({ pair: null });
    expect(inKeychain()).toEqual({ [main]: 'newer-key' });
    await keys.setKey('live', 'third-key');
    agents.library.entries.delete(`Croupier ${main}`);
    expect(await keys.setKey('live', 'fourth-key')).toMatchObject({ pair: { signs: 'new' } });
    expect(inKeychain()).toEqual({ [main]: 'third-key', [added]: 'fourth-key' });
  });

  it('of a program’s own keeps nothing', async () => {
    await setTwo();
    await keys.storeMade('live', 'made-here');
    expect(inKeychain()).toEqual({ [main]: 'made-here' });
    expect(await keys.status('live')).toMatchObject({ bytes: 9, pair: null });
    await keys.useKey('live', 'given');
    await keys.setKey('live', 'typed');
    expect(await keys.digest('live', [])).toBe(sha('typed'));
  });
});

describe('two keys of which one is held for this session', () => {
  it('go through the same without a keychain, and a proof needs none', async () => {
    agents.library.fault = 'Connection refused';
    const { older, newer } = await setTwo();
    expect(await keys.status('live')).toMatchObject({ fingerprint: newer, pair: { other: { fingerprint: older } } });
    await keys.choose('live', 'older');
    expect(await keys.digest('live', [])).toBe(sha('older-key'));
    await keys.prove('live', newer, 4);
    expect(events.at(-1)).toEqual(['keys.proven', { environmentId: 'live', callId: 4, removed: older }]);
    expect(await keys.status('live')).toMatchObject({
      fingerprint: newer,
      pair: null,
      message: expect.stringContaining('No keychain'),
    });
    expect(await keys.sign('live', [], bytes('older-key'))).toEqual({ digest: sha('newer-key'), held: [], fingerprint: newer });
    await keys.setKey('live', 'third-key');
    expect(await keys.digest('live', [])).toBe(sha('third-key'));
    expect(await keys.discard('live', 'new')).toMatchObject({ fingerprint: newer, pair: null });
  });

  it('keep the one that the keychain has: a proof of the other one holds for this session only', async () => {
    const { fingerprint } = await keys.setKey('live', 'older-key');
    agents.library.locked = true;
    const held = await keys.setKey('live', 'newer-key');
    expect(held).toMatchObject({ storage: 'session', pair: { signs: 'new', other: { state: 'locked', fingerprint } } });
    expect(held.message).toContain('an older key, which is used again after this session');
    await keys.prove('live', held.fingerprint ?? '', 4);
    expect(index.accounts()).toEqual([main]);
    agents.library.locked = false;
    // What the message asked for.
    expect(await keys.setKey('live', 'newer-key')).toMatchObject({ storage: 'keychain', pair: { signs: 'new' } });
    expect(inKeychain()).toEqual({ [main]: 'older-key', [added]: 'newer-key' });
  });

  it('do not step in for one another where one is lost', async () => {
    await keys.setKey('live', 'older-key');
    agents.library.locked = true;
    await keys.setKey('live', 'newer-key');
    agents.library.locked = false;
    events.length = 0;
    await made.crash();
    expect(events).toEqual([
      ['keys.changed', { environmentId: 'live' }],
      ['keys.lost', { environmentIds: ['live'] }],
    ]);
    for (const _ of [1, 2]) await expect(keys.digest('live', [])).rejects.toMatchObject({ code: 'key_missing' });
    expect(await keys.status('live')).toMatchObject({ state: 'absent', pair: { signs: 'new', other: { state: 'present' } } });
    expect(keys.fingerprint('live')).toBeNull();
    await keys.choose('live', 'older');
    expect(await keys.digest('live', [])).toBe(sha('older-key'));
    expect(await keys.setKey('live', 'newer-key')).toMatchObject({ state: 'present', pair: { signs: 'new' } });
  });

  it('are held by this process alone where no agent is used', async () => {
    const local = createKeys({ secrets: createLocalSecrets(), index, emit: () => undefined });
    await local.setKey('live', 'older-key');
    const { fingerprint } = await local.setKey('live', 'newer-key');
    expect(await local.setKey('live', 'older-key')).toMatchObject({ pair: { signs: 'older' } });
    await local.prove('live', fingerprint ?? '', 1);
    expect(await local.digest('live', [])).toBe(sha('newer-key'));
    expect(await local.status('live')).toMatchObject({ pair: null });
  });
});

describe('a program that is killed between two steps', () => {
  /** A session that stops before a step and never goes on: a change of the keychain or of the list. */
  function cutSession(before: number) {
    let left = before;
    const step = () => left-- <= 0;
    const never = new Promise<never>(() => undefined);
    const own = createKeyIndex({ path: made.path, report: (message) => expect.fail(message) });
    const change: KeyIndex['change'] = (edit) => (step() ? never : own.change(edit));
    const cut: KeyIndex = {
      ...own,
      change,
      put: (account, entry) => change((accounts) => void accounts.set(account, entry)),
      remove: (account) => change((accounts) => void accounts.delete(account)),
      // The system releases the lock of a process that is gone.
      alone: (work) => work(),
    };
    agents.library.before = (call) => {
      if (!call.startsWith('get') && step()) agents.library.silent = true;
    };
    const secrets = createAgentSecrets({ spawn: () => agents.spawn(), deadlineMs: 600_000 });
    const session = createKeys({ secrets, index: cut, emit: () => undefined });
    return { session, secrets, isCut: () => left < 0 };
  }

  /** Cuts a change before each of its steps; returns how many there were. `check` sees the next session. */
  async function cutEverywhere(change: (session: Keys) => Promise<unknown>, prepared: string[]): Promise<number> {
    for (let before = 0; ; before++) {
      for (const key of prepared) await keys.setKey('live', key);
      const { session, secrets, isCut } = cutSession(before);
      const done = change(session).then(
        () => true,
        () => true,
      );
      while (!isCut() && !(await Promise.race([done, new Promise((resolve) => setImmediate(resolve, false))]))) continue;
      agents.library.silent = false;
      agents.library.before = () => undefined;
      const next = made.restart().keys;
      await next.sweep(async () => ['live']);
      await checkNames(next);
      const ended = !isCut();
      await secrets.close();
      await next.removeKey('live');
      keys = next;
      if (ended) return before;
    }
  }

  /** Each key that is listed has its own fingerprint, or is gone and does not sign; the one that signs is one of them. */
  async function checkNames(next: Keys): Promise<void> {
    for (const account of [main, added]) {
      const entry = index.entry(account);
      if (typeof entry?.fingerprint !== 'string' || (account === added && !(account in inKeychain()))) continue;
      expect(byFingerprint.get(entry.fingerprint), account).toBe(inKeychain()[account]);
    }
    const signed = await next.sign('live', [], bytes(''));
    expect(sha(byFingerprint.get(signed.fingerprint ?? '') ?? '')).toBe(signed.digest);
    // Whatever was under way: no new key has the place of an older one that is there no more.
    expect(index.entry(main)).not.toBeNull();
  }

  const byFingerprint = new Map<string, string>();

  it('keeps the older key, or the new one alone, under its own name', async () => {
    const two = ['older-key', 'newer-key'];
    for (const key of [...two, 'third-key']) byFingerprint.set((await keys.setKey(`of ${key}`, key)).fingerprint ?? '', key);
    const newest = (session: Keys) => session.fingerprint('live') ?? '';
    expect(await cutEverywhere((session) => session.setKey('live', 'third-key'), ['older-key'])).toBe(2);
    expect(await cutEverywhere((session) => session.setKey('live', 'third-key'), two)).toBe(3);
    expect(await cutEverywhere((session) => session.choose('live', 'older'), two)).toBe(1);
    expect(await cutEverywhere((session) => session.discard('live', 'older'), two)).toBe(4);
    expect(await cutEverywhere((session) => session.discard('live', 'new'), two)).toBe(3);
    expect(await cutEverywhere((session) => session.prove('live', newest(session), 1), two)).toBe(4);
  });
});
