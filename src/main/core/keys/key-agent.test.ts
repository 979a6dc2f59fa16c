import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DriverInput, DriverOutput, DriverResult, DriverStep } from '../../../testing/key-agent-driver.ts';
import { leaksIn } from '../../../testing/secret-forms.ts';
import { describeWithTool } from '../../../testing/external-tools.ts';
import { createKeyIndex } from './key-index.ts';

// The real agent with real keychains: gnome-keyring open and locked, a service that never answers, and none at all.
const testing = join(import.meta.dirname, '../../../testing');
const secret = 'canary-K3y/+"\\ é😀~%20';
/** Variables that the agent must not get, one of them with the key. */
const environment = { ...process.env, PROVIDER_KEY: secret, NODE_OPTIONS: '--no-warnings' };

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'croupier-keychain-'));
  await mkdir(join(home, 'keyring'));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

async function drive(mode: string, steps: DriverStep[], deadlineMs?: number): Promise<DriverOutput> {
  const child = spawn(join(testing, 'with-keyring.sh'), [mode, process.execPath, join(testing, 'key-agent-driver.ts')], {
    env: { ...environment, KEYRING_HOME: join(home, 'keyring') },
  });
  const input: DriverInput = { home, steps, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
  child.stdin.end(JSON.stringify(input));
  const [out, error, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  expect(code, error).toBe(0);
  expect(leaksIn(out, secret)).toEqual([]);
  return JSON.parse(out) as DriverOutput;
}

const keys = (call: string, ...args: unknown[]): DriverStep => ({ on: 'keys', call, args });
const secrets = (call: string, ...args: unknown[]): DriverStep => ({ on: 'secrets', call, args });
const driver = (call: string, ...args: unknown[]): DriverStep => ({ on: 'driver', call, args });
const parts = (...texts: string[]) => texts.map((part) => ({ bytes: Buffer.from(part, 'utf8').toString('base64') }));
const sha = (...texts: string[]) => createHash('sha256').update(texts.join(''), 'utf8').digest('hex');
const value = (result: DriverResult | undefined): unknown => (result?.ok === true ? result.value : result);
const values = ({ results }: DriverOutput): unknown[] => results.map(value);
const fingerprint = expect.stringMatching(/^[0-9a-f]{4}-[0-9a-f]{2} keychain [0-9a-f]{8}$/) as string;
const setAt = expect.any(Number) as number;
const present = {
  state: 'present',
  storage: 'keychain',
  fingerprint,
  bytes: Buffer.byteLength(secret),
  setAt,
  message: null,
  pair: null,
};

describeWithTool('gnome-keyring-daemon', 'keys in an open keychain', () => {
  it('are set, recognised, used and removed', async () => {
    const output = await drive('unlocked', [
      secrets('keychainMessage'),
      keys('status', 'demo-1'),
      keys('setKey', 'demo-1', secret),
      keys('status', 'demo-1'),
      keys('fingerprint', 'demo-1'),
      keys('digest', 'demo-1', parts('20-11-2026 10:15:30', '{"a":"é"}')),
      keys('setKey', 'demo-1', 'another'),
      keys('digest', 'demo-1', []),
      keys('removeKey', 'demo-1'),
      keys('status', 'demo-1'),
      keys('digest', 'demo-1', []),
    ]);
    const [message, before, set, status, print, digest, , replaced, removed, after, missing] = values(output);
    expect(message).toBeNull();
    expect(before).toMatchObject({ state: 'absent', message: null });
    expect(set).toEqual({ environmentId: 'demo-1', ...present });
    expect(status).toEqual(set);
    expect(print).toBe((set as { fingerprint: string }).fingerprint);
    expect(digest).toBe(sha(secret, '20-11-2026 10:15:30', '{"a":"é"}'));
    expect(replaced).toBe(sha('another'));
    expect(removed).toMatchObject({ state: 'absent' });
    expect(after).toMatchObject({ state: 'absent', message: null });
    expect(missing).toMatchObject({ code: 'key_missing' });
    expect(output.events).toEqual(['keys.changed', 'keys.changed', 'keys.changed']);
    expect(output.ended).toBe(output.started);
  });

  it('are two while a new one is not proven, and one afterwards, whatever program goes on', { timeout: 120_000 }, async () => {
    const [older, newer, third] = ['an-older-key', `${secret}-new`, 'a-third-key'];
    const both = { bytes: Buffer.from(`${older}, ${newer}`).toString('base64') };
    const output = await drive('unlocked', [
      keys('setKey', 'demo-1', older),
      keys('setKey', 'demo-1', 'mistyped'),
      keys('setKey', 'demo-1', newer),
      driver('restart'),
      keys('digest', 'demo-1', []),
      keys('find', both),
      keys('choose', 'demo-1', 'older'),
      driver('restart'),
      keys('sign', 'demo-1', [], both),
      keys('prove', 'demo-1', 'another fingerprint', 7),
      keys('status', 'demo-1'),
      driver('lockKeyring'),
      keys('discard', 'demo-1', 'new'),
    ]);
    const [set, , , , digest, found, chosen, , signed, , status, , locked] = values(output);
    const places = [
      { start: 0, end: older.length },
      { start: older.length + 2, end: older.length + 2 + Buffer.byteLength(newer) },
    ];
    expect(digest).toBe(sha(newer));
    expect(found).toEqual([{ environmentId: 'demo-1', places }]);
    const { fingerprint: own } = set as { fingerprint: string };
    expect(signed).toEqual({ digest: sha(older), held: [{ environmentId: 'demo-1', places }], fingerprint: own });
    expect(chosen).toMatchObject({ fingerprint: own, pair: { signs: 'older', other: { bytes: Buffer.byteLength(newer) } } });
    expect(status).toEqual(chosen);
    expect(locked).toMatchObject({ code: 'key_unavailable' });

    const { other } = (status as { pair: { other: { fingerprint: string } } }).pair;
    const later = await drive('unlocked', [
      keys('prove', 'demo-1', other.fingerprint, 8),
      keys('digest', 'demo-1', []),
      keys('status', 'demo-1'),
      keys('setKey', 'demo-1', third),
      keys('discard', 'demo-1', 'new'),
      keys('digest', 'demo-1', []),
      keys('setKey', 'demo-1', third),
      keys('removeKey', 'demo-1'),
      secrets('status', 'croupier/demo-1', false),
      secrets('status', 'croupier-new/demo-1', false),
    ]);
    const [, proven, alone, , discarded, back, , , ...left] = values(later);
    expect([proven, back]).toEqual([sha(newer), sha(newer)]);
    expect(alone).toMatchObject({ fingerprint: other.fingerprint, pair: null });
    expect(discarded).toMatchObject({ fingerprint: other.fingerprint, pair: null });
    expect(left).toMatchObject([{ state: 'absent' }, { state: 'absent' }]);
    expect(later.events).toContain('keys.proven');
  });

  it('are told from lost ones: what a person removed by hand is gone, not locked', async () => {
    const output = await drive('unlocked', [
      keys('setKey', 'demo-1', secret),
      driver('deleteAccount', 'croupier/demo-1'),
      keys('status', 'demo-1'),
      driver('restart'),
      keys('digest', 'demo-1', []),
    ]);
    const [, , status, , digest] = values(output);
    expect(status).toMatchObject({ state: 'absent', message: expect.stringContaining('no longer has this key') });
    expect(digest).toMatchObject({ code: 'key_missing', message: expect.stringContaining('no longer has this key') });
  });

  it('are looked for in a text inside the agent, also across its pieces', async () => {
    const text = (before: number, form: string) => ({ bytes: Buffer.from(`${'x'.repeat(before)}${form}`).toString('base64') });
    const base64 = Buffer.from(secret).toString('base64');
    const output = await drive('unlocked', [
      keys('setKey', 'demo-1', secret),
      keys('contains', 'demo-1', text(3, base64)),
      keys('contains', 'demo-1', text(131_060, base64)),
      keys('contains', 'demo-1', text(600_000, base64.slice(1))),
      keys('contains', 'nobody', text(3, base64)),
      keys('find', text(3, base64)),
      driver('lockKeyring'),
      driver('restart'),
      keys('contains', 'demo-1', text(3, base64)),
      keys('contains', 'nobody', text(3, base64)),
      keys('find', text(3, base64)),
    ]);
    const [, found, across, none, nobody, places, , , locked, nobodyLocked, unknown] = values(output);
    expect(places).toEqual([{ environmentId: 'demo-1', places: [{ start: 3, end: expect.any(Number) as number }] }]);
    expect(unknown).toEqual([]);
    expect([found, across, none, nobody, nobodyLocked]).toEqual([true, true, false, false, false]);
    expect(locked).toMatchObject({ code: 'key_unavailable' });
  });

  it('are not kept where the keychain would cut them', async () => {
    const output = await drive('unlocked', [keys('setKey', 'demo-1', 'before\0after'), keys('status', 'demo-1')]);
    expect(values(output)).toEqual([
      expect.objectContaining({ code: 'key_unavailable', message: expect.stringContaining('NUL') }),
      expect.objectContaining({ state: 'absent' }),
    ]);
  });

  it('leave the agent’s process as a digest or a fingerprint, never in any form', async () => {
    const output = await drive('unlocked', [
      keys('setKey', 'demo-1', secret),
      secrets('set', 'run', secret, 'session'),
      driver('agentFacts'),
      keys('digest', 'demo-1', parts(secret)),
      driver('lockKeyring'),
      keys('setKey', 'demo-2', secret),
      keys('removeKey', 'demo-1'),
      driver('killAgents'),
      keys('status', 'demo-2'),
    ]);
    expect(output.messages.length).toBeGreaterThan(5);
    expect(leaksIn(output.messages.join('\n'), secret)).toEqual([]);
    const agents = value(output.results[2]) as { environ: string; cmdline: string; coredump: string }[];
    // The one that asked the keychain had the key as a text.
    expect(agents).toHaveLength(1);
    for (const agent of agents) {
      expect(agent.environ).not.toMatch(/PROVIDER_KEY|NODE_OPTIONS/);
      expect(leaksIn(Buffer.from(agent.environ + agent.cmdline, 'latin1').toString('utf8'), secret)).toEqual([]);
      if (process.platform === 'linux') expect(agent.coredump).toBe('00000000');
    }
    expect(await readdir(home)).toEqual(['keyring', 'keys.json', 'locks']);
    expect(leaksIn(await readFile(join(home, 'keys.json'), 'utf8'), secret)).toEqual([]);
  });
});

describeWithTool('gnome-keyring-daemon', 'keys in a locked keychain', () => {
  it('are locked, not absent, also for the next program', async () => {
    const [set] = values(await drive('unlocked', [keys('setKey', 'demo-1', secret)]));
    const output = await drive('locked', [
      secrets('keychainMessage'),
      keys('status', 'demo-1'),
      keys('digest', 'demo-1', []),
      keys('removeKey', 'demo-1'),
      keys('sweep', { ids: [] }),
      keys('status', 'never-had-one'),
      keys('digest', 'never-had-one', []),
    ]);
    const [message, status, digest, removed, , other, missing] = values(output);
    expect(message).toContain('locked');
    expect(status).toEqual({ ...(set as object), state: 'locked', message: expect.stringContaining('Unlock it') });
    expect(digest).toMatchObject({ code: 'key_unavailable', fault: 'locked' });
    expect(removed).toMatchObject({ code: 'key_unavailable', fault: 'locked' });
    expect(other).toMatchObject({ state: 'absent' });
    expect(missing).toMatchObject({ code: 'key_missing' });
    const again = values(await drive('unlocked', [keys('status', 'demo-1'), keys('digest', 'demo-1', [])]));
    expect(again).toEqual([set, sha(secret)]);
  });

  it('are taken back from the agent by the next status after the keyring was locked', async () => {
    const output = await drive('unlocked', [
      keys('setKey', 'demo-1', secret),
      keys('digest', 'demo-1', []),
      driver('lockKeyring'),
      keys('status', 'demo-1'),
      keys('digest', 'demo-1', []),
    ]);
    const [, , , status, digest] = values(output);
    expect(status).toMatchObject({ state: 'locked' });
    expect(digest).toMatchObject({ code: 'key_unavailable', fault: 'locked' });
  });

  it('are held for this run when they are set, and an older one is named', async () => {
    const output = await drive('unlocked', [
      keys('setKey', 'demo-1', 'older'),
      driver('lockKeyring'),
      keys('setKey', 'demo-1', secret),
      keys('setKey', 'demo-2', secret),
      keys('status', 'demo-1'),
      keys('digest', 'demo-1', []),
    ]);
    const [, , one, two, status, digest] = values(output);
    expect(one).toMatchObject({ state: 'present', storage: 'session', message: expect.stringContaining('older key') });
    expect(two).toMatchObject({ state: 'present', storage: 'session', message: expect.not.stringContaining('older key') });
    expect(status).toEqual(one);
    expect(digest).toBe(sha(secret));
  });
});

describe('keys without a keychain', () => {
  it.skipIf(process.platform !== 'linux')('are held for this run only, and it is said', async () => {
    const output = await drive('none', [
      secrets('keychainMessage'),
      keys('status', 'demo-1'),
      keys('setKey', 'demo-1', secret),
      keys('status', 'demo-1'),
      keys('digest', 'demo-1', parts('x')),
      keys('removeKey', 'demo-1'),
      keys('digest', 'demo-1', []),
    ]);
    const [message, before, set, status, digest, removed, missing] = values(output);
    expect(message).toContain('for this session only');
    expect(before).toMatchObject({ state: 'absent', message });
    expect(set).toMatchObject({ state: 'present', storage: 'session', message });
    expect(status).toEqual(set);
    expect(digest).toBe(sha(secret, 'x'));
    expect(removed).toMatchObject({ state: 'absent' });
    expect(missing).toMatchObject({ code: 'key_missing' });
    expect(await readdir(home)).toEqual(['keyring', 'locks']);
  });

  it.skipIf(process.platform !== 'linux')('are unavailable, not missing, where an earlier run had a keychain', async () => {
    const index = createKeyIndex({ path: join(home, 'keys.json'), report: (message) => expect.fail(message) });
    await index.put('croupier/demo-1', { fingerprint: '7f3e-91', bytes: 32, version: '1' });
    const output = await drive('none', [
      keys('status', 'demo-1'),
      keys('digest', 'demo-1', []),
      keys('removeKey', 'demo-1'),
      keys('sweep', { ids: [] }),
      keys('fingerprint', 'demo-1'),
    ]);
    expect(values(output)).toMatchObject([
      {
        state: 'locked',
        storage: 'keychain',
        fingerprint: '7f3e-91',
        bytes: 32,
        message: expect.stringContaining('No keychain answers'),
      },
      { code: 'key_unavailable', fault: 'no_keychain' },
      { code: 'key_unavailable', fault: 'no_keychain' },
      null,
      '7f3e-91',
    ]);
  });
});

describeWithTool('dbus-test-tool', 'keys in a keychain that never answers', () => {
  it('are reported at the deadline; the agent is killed, the next call has a new one, keys of this run stay', async () => {
    const output = await drive(
      'silent',
      [
        secrets('set', 'run', secret, 'session'),
        secrets('keychainMessage'),
        { together: [keys('status', 'demo-1'), keys('digest', 'demo-1', []), keys('setKey', 'demo-1', secret)] },
        secrets('digest', 'run', '', parts('x')),
      ],
      // Long enough for an agent to start on a busy machine, which the key of this session needs.
      2_500,
    );
    const [, message, status, digest, set, held] = values(output);
    // A computer that was busy meanwhile is named, in one of them or in all.
    const silent = expect.stringMatching(
      /^The keychain did not answer within [\d.]+ s(?:; this computer is busy)?\. If it shows a prompt, answer it, then try again\.$/,
    ) as string;
    expect(message).toEqual(silent);
    expect(status).toMatchObject({ state: 'absent', message: silent });
    for (const failed of [digest, set])
      expect(failed).toMatchObject({ code: 'key_unavailable', fault: 'not_answering', message: silent });
    expect(held).toBe(sha(secret, 'x'));
    expect(output).toMatchObject({ started: 3, ended: 3 });
  });

  it('do not keep the program: closing and killing take no deadline', async () => {
    const output = await drive(
      'silent',
      [
        { together: [secrets('status', 'a', false), driver('killAgents')] },
        { together: [secrets('status', 'a', false), secrets('close')] },
        driver('restart'),
        driver('orphan'),
      ],
      600_000,
    );
    expect(values(output)).toMatchObject([
      { code: 'key_unavailable', fault: 'ended' },
      null,
      { code: 'key_unavailable', fault: 'closed' },
      null,
      null,
      'gone',
    ]);
  });
});
