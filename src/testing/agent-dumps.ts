/**
 * Counts how often the memory of the key agents holds the key: dumps at random moments, while nothing is asked and while much is
 * signed. A program, because it takes a keyring of its own (`with-keyring.sh`). Takes the number of dumps; prints one row of JSON
 * for each kind of key.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createAgentSecrets } from '#core/keys/agent-secrets.ts';
import { forkAgent } from '#core/keys/fork-agent.ts';
import { createKeyIndex } from '#core/keys/key-index.ts';
import { createKeys } from '#core/keys/keys.ts';
import { dumpChildren } from './process-memory.ts';

interface DumpRow {
  readonly what: string;
  readonly dumps: number;
  /** Dumps in which an agent had the key, or half of it, in clear or encoded. */
  readonly held: number;
  readonly signed: number;
}

/**
 * Returns the key as a program may have it: bytes, UTF-16 and UTF-32, words as SHA-256 reads them, hexadecimal, base64; halves of
 * it, too.
 */
function formsOf(key: string): Buffer[] {
  const bytes = Buffer.from(key);
  const halves = [bytes.subarray(0, 16), bytes.subarray(16, 32)];
  const wide = Buffer.from(key, 'utf16le');
  const points = Buffer.from(Uint32Array.from(bytes).buffer);
  const texts = [bytes.toString('hex'), bytes.toString('base64').slice(0, 40)].map((text) => Buffer.from(text));
  return [...halves, wide, points, ...halves.map((half) => Buffer.from(half).swap32()), ...texts];
}

async function measure(storage: 'session' | 'keychain', signing: boolean, dumps: number): Promise<DumpRow> {
  const home = mkdtempSync(join(tmpdir(), 'croupier-dumps-'));
  const key = randomBytes(24).toString('base64url');
  const forms = formsOf(key);
  const agent = join(import.meta.dirname, '../main/core/keys/agent.ts');
  // A dump stops an agent for longer than any deadline on a busy machine.
  const secrets = createAgentSecrets({ spawn: () => forkAgent(agent), deadlineMs: 600_000 });
  const index = createKeyIndex({ path: join(home, 'keys.json'), report: (message) => process.stderr.write(`${message}\n`) });
  const keys = createKeys({ secrets, index, emit: () => undefined });
  const stored = await (storage === 'session' ? keys.useKey('a', key) : keys.setKey('a', key));
  if (stored.storage !== storage) throw new Error(`The key is not kept as it should be: ${String(stored.storage)}`);

  let going = true;
  let signed = 0;
  async function sign(): Promise<void> {
    while (going) {
      // As for a call: its hash, and whether its text holds a key.
      await keys.sign('a', [randomBytes(300)], Buffer.from(randomBytes(300).toString('base64')));
      signed++;
    }
  }
  await keys.digest('a', [randomBytes(300)]);
  await keys.contains('a', Buffer.from('a text that is searched'));
  const load = signing ? [sign(), sign(), sign(), sign()] : [];
  let held = 0;
  for (let dump = 0; dump < dumps; dump++) {
    await setTimeout(Math.random() * 100);
    // As often as a newly opened page asks, and no more.
    if (signing && dump % 10 === 5) await keys.status('a');
    if (dumpChildren(process.pid, forms).some((found) => found > 0)) held++;
  }
  going = false;
  await Promise.all(load);
  await secrets.close();
  rmSync(home, { recursive: true });
  return { what: `a key of the ${storage}, ${signing ? 'signing' : 'idle'}`, dumps, held, signed };
}

const each = Math.ceil(Number(process.argv[2] ?? 200) / 4);
for (const storage of ['session', 'keychain'] as const)
  for (const signing of [false, true]) process.stdout.write(`${JSON.stringify(await measure(storage, signing, each))}\n`);
