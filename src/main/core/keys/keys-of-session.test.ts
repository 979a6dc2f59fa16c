import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Secrets } from '#core/host/host.ts';
import type { AgentsInProcess } from '#testing/agents-in-process.ts';
import { bytes, sha, createKeysOnAgents, type KeysOnAgents } from '#testing/keys-on-agents.ts';
import type { KeyIndex } from './key-index.ts';
import type { Keys } from './keys.ts';

let made: KeysOnAgents;
let keys: Keys;
let secrets: Secrets;
let agents: AgentsInProcess;
let index: KeyIndex;
let events: unknown[];
beforeEach(async () => {
  made = await createKeysOnAgents();
  ({ keys, secrets, agents, index, events } = made);
});
afterEach(() => made.close());

const changed = (environmentId: string) => ['keys.changed', { environmentId }];
const unavailable = (reason: string) => ({ code: 'key_unavailable', details: { reason } });

describe('a key of the session', () => {
  it('is told as lost with the process that held it, until it is entered again', async () => {
    await index.put('croupier/one', { fingerprint: '7f3e-91', bytes: 7, version: '1' });
    agents.library.entries.set('Croupier croupier/one', 'in the keychain');
    await keys.useKey('one', 'first');
    await keys.useKey('two', 'second');
    await secrets.set('of another kind', 'third', 'session');
    events.length = 0;
    await made.crash();
    expect(events).toEqual([changed('one'), changed('two'), ['keys.lost', { environmentIds: ['one', 'two'] }]]);
    events.length = 0;
    // No older key of the keychain steps in.
    const gone = { code: 'key_missing', message: expect.stringContaining('was held for this session only and is lost') };
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
    await made.crash();
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
    await made.crash();
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
    ({ keys } = made.restart());
    expect(await made.restart().secrets.lend('croupier/own', () => 'made here')).toBeNull();
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

  it('that the holder did not get is not taken for one that was lost, unless it was to follow one that is', async () => {
    const { spawn } = agents;
    let fails = false;
    agents.spawn = () => {
      const agent = spawn();
      const { post, kill } = agent;
      return { ...agent, post: (request) => (fails && request.op === 'hold' ? kill() : post(request)) };
    };
    ({ keys } = made.restart());
    await keys.useKey('old', 'first');
    fails = true;
    const both = await Promise.allSettled([keys.useKey('old', 'second'), keys.useKey('new', 'the-key')]);
    expect(both).toMatchObject([1, 2].map(() => ({ status: 'rejected', reason: unavailable('ended') })));
    expect(await keys.status('new')).toMatchObject({ state: 'absent', message: null });
    expect(await keys.status('old')).toMatchObject({ state: 'absent', message: expect.stringContaining('Enter it again') });
  });

  it('is not found in a text where the holder ends meanwhile, and a fault of the program is passed on', async () => {
    await keys.useKey('demo', 'the-key');
    const account = 'croupier/demo';
    const inspection = { accounts: [{ account, version: '' }], bytes: bytes('the-key') };
    const inspected = secrets.find(inspection);
    await made.crash();
    expect(await inspected).toEqual({ found: [], unknown: [account] });
    const { spawn } = agents;
    agents.spawn = () => ({
      ...spawn(),
      post() {
        throw new TypeError('a fault');
      },
    });
    const broken = made.restart().secrets;
    await expect(broken.find(inspection)).rejects.toThrow('a fault');
    await expect(broken.lend('own', () => 'made here')).rejects.toThrow('a fault');
    await expect(broken.find({ ...inspection, accounts: [{ account: 'own', version: '' }] })).rejects.toThrow('a fault');
    await expect(broken.keychainMessage()).rejects.toThrow('a fault');
  });

  it('compares two environments by their keys', async () => {
    await keys.setKey('one', 'same');
    await keys.setKey('two', 'same');
    await keys.setKey('three', 'other');
    await keys.useKey('four', 'same');
    expect(['two', 'three', 'four', 'none'].map((other) => keys.isSame('one', other))).toEqual([true, false, false, false]);
  });
});
