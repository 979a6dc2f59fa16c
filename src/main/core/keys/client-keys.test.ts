import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgentsInProcess } from '#testing/agents-in-process.ts';
import { makeCertificate } from '#testing/https-server.ts';
import type { Secrets } from '#core/host/host.ts';
import { accountOf } from './accounts.ts';
import { createAgentSecrets } from './agent-secrets.ts';
import { createClientKeys } from './client-keys.ts';
import { createKeyIndex } from './key-index.ts';
import { createLocalSecrets } from './local-secrets.ts';

let folder: string;
let agents: ReturnType<typeof createAgentsInProcess>;
let secrets: Secrets;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'croupier-client-keys-'));
  agents = createAgentsInProcess();
  secrets = createAgentSecrets({ spawn: agents.spawn });
});
afterEach(async () => {
  await secrets.close();
  rmSync(folder, { recursive: true });
});

const path = () => join(folder, 'keys.json');
const open = (over = secrets) =>
  createClientKeys({
    secrets: over,
    index: createKeyIndex({ path: path(), report: () => {} }),
    changed: () => {},
    newVersion: randomUUID,
    now: Date.now,
  });

/** As large as keys of certificates are: RSA with 4,096 bits. */
const large = generateKeyPairSync('rsa', { modulusLength: 4_096 })
  .privateKey.export({ format: 'der', type: 'pkcs8' })
  .toString('base64');

describe('the key of a client certificate', () => {
  it('is in the keychain in parts that every system takes, and in no file; another session uses it', async () => {
    const { cert } = await makeCertificate();
    await open().set('a', cert, large);
    expect(open().of('a')).toMatchObject({ certificate: cert, storage: 'keychain' });
    expect(await open().key('a')).toBe(large);
    const stored = [...agents.library.entries].filter(([account]) => account.includes('croupier-client/'));
    expect(stored.map(([account]) => account)).toEqual(['Croupier croupier-client/a', 'Croupier croupier-client/a/2']);
    for (const [, text] of stored) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_560);
    const file = readFileSync(path(), 'utf8');
    for (let at = 0; at < large.length; at += 100) expect(file).not.toContain(large.slice(at, at + 40));
    expect(JSON.stringify(agents.started)).not.toContain(large.slice(40, 80));
  });

  it('gives way to another one whole, and is gone with the environment', async () => {
    const [one, other] = [await makeCertificate(), await makeCertificate()];
    const keys = open();
    await keys.set('a', one.cert, large);
    const { version } = keys.of('a') ?? {};
    await keys.set('a', other.cert, 'short');
    expect(await keys.key('a')).toBe('short');
    expect(keys.of('a')?.version).not.toBe(version);
    await keys.set('b', one.cert, large);
    await keys.sweep(async () => ['b']);
    expect([keys.of('a'), keys.of('b')?.storage]).toEqual([null, 'keychain']);
    await keys.remove('b');
    expect([...agents.library.entries.keys()].filter((account) => account.includes('croupier-client/'))).toEqual([]);
    expect(await keys.key('b')).toBe('');
  });

  it('is held for the session where no keychain takes it', async () => {
    const { cert } = await makeCertificate();
    agents.library.locked = true;
    const keys = open();
    await keys.set('a', cert, large);
    expect(keys.of('a')).toMatchObject({ storage: 'session' });
    expect(await keys.key('a')).toBe(large);
    expect(open().of('a')).toBeNull();
    await keys.remove('a');
    expect(keys.of('a')).toBeNull();
  });

  it('is not available while the keychain is locked, and to a session without one', async () => {
    const { cert } = await makeCertificate();
    await open().set('a', cert, 'short');
    const later = createAgentSecrets({ spawn: agents.spawn });
    agents.library.locked = true;
    await expect(open(later).key('a')).rejects.toMatchObject({ code: 'key_unavailable' });
    agents.library.locked = false;
    expect(await open(later).key('a')).toBe('short');
    await later.close();
    await expect(open(createLocalSecrets()).key('a')).rejects.toMatchObject({ code: 'key_unavailable' });
  });

  it('comes out alone: a key that signs never does', async () => {
    for (const over of [secrets, createLocalSecrets()]) {
      await over.set(accountOf('a'), 'a key that signs', 'session');
      await expect(over.take(accountOf('a'), '')).rejects.toThrow(/Only the key of a client certificate/);
    }
  });
});
