import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { formsOf } from '#core/masking/secret-forms.ts';
import { findSecret } from '#core/masking/secret-places.ts';
import { createTokenMask } from '#core/masking/token-mask.ts';
import { readExport } from '#shared/ipc/read-export.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import type { ExportFormat } from '#shared/ipc/index.ts';
import { fillHistory } from './history-data.ts';
import { worstOf, type Figure } from './measure.ts';

const many = 10_000;
const few = 1_000;
const formats: readonly ExportFormat[] = ['har', 'jsonl', 'support', 'curl'];

/**
 * Measures exports of many calls against a tenth of them: time for each call, the longest wait of another call meanwhile, and
 * memory.
 */
export async function measureExports(): Promise<Figure[]> {
  const home = await temporaryFolder();
  await fillHistory(home, many);
  const test = await createTestApp({ home });
  try {
    await measure(test, 'har', 100);
    const [whole, each, cpu, ping, growth]: [Figure[], Figure[], Figure[], Figure[], Figure[]] = [[], [], [], [], []];
    for (const name of formats) {
      const small = await measure(test, name, few);
      // A pack has a limit of bytes.
      const calls = name === 'support' ? 3 * few : many;
      const large = await measure(test, name, calls);
      whole.push({ name, ours: large.ms, unit: 'ms', goal: 10_000 });
      each.push({ name, ours: large.ms / calls, baseline: small.ms / few, unit: 'ms', goal: 1.5 });
      cpu.push({ name, ours: large.cpuMs, unit: 'ms', goal: 10_000 });
      ping.push({ name, ours: large.pingMs, unit: 'ms', goal: 50 });
      growth.push({ name, ours: large.growthMb, unit: 'MB', goal: 300 });
    }
    const figures = [
      worstOf('10,000 calls, or a support pack of 3,000', whole),
      worstOf('each of them against each of 1,000', each),
      // On a busy machine the elapsed time means little.
      worstOf('what the program computes for them', cpu),
      worstOf('the longest ping meanwhile', ping),
      worstOf('memory that the program takes more', growth),
    ];
    return [...figures, measureMasking(), ...measureKeys()];
  } finally {
    await test.close();
    rmSync(home, { recursive: true });
  }
}

/** Measures masks of texts that repeat the beginning of a token at each of their characters. */
function measureMasking(): Figure {
  const [token, unit] = ['a'.repeat(20_000), 1e6];
  const texts = {
    'one letter, tokens of it': JSON.stringify({ externalToken: token, x: 'a'.repeat(20 * unit) }),
    'one letter, a token with another at its end': JSON.stringify({ externalToken: `${token}b`, x: 'a'.repeat(20 * unit) }),
    'one letter, in 200 tokens': JSON.stringify({
      token: Array.from({ length: 200 }, (_, at) => 'a'.repeat(at + 8)),
      x: 'a'.repeat(20 * unit),
    }),
    'escaped quotes': JSON.stringify({ x: '"'.repeat(10 * unit) }),
    'names of tokens in escaped quotes': '\\"token'.repeat(3 * unit),
    'beginnings of JWTs': 'eyJ'.repeat(7 * unit),
    'percent codes': `token=${token}&x=${'%61'.repeat(7 * unit)}`,
  };
  const figures = Object.entries(texts).map(([name, text]) => {
    const ms = cpuOf(() => void createTokenMask([text], isTokenName).text(text));
    return { name, ours: ms, unit: 'ms', goal: 1_000 };
  });
  return worstOf('mask tokens in 20 MB', figures);
}

/**
 * Measures the search of a usual key in texts of its first character, and of a key of one character in texts of it and of what begins none, in several
 * spellings, against a look at each of their characters.
 */
function measureKeys(): Figure[] {
  const usual = createHash('sha256').update('a key').digest('hex');
  const code = usual.charCodeAt(0).toString(16);
  const keys: readonly (readonly [name: string, key: string, spellings: readonly string[], goal: number])[] = [
    ['64 digits', usual, [usual.slice(0, 32), code, `\\u00${code}`, `\\x${code}`, `%${code}`, `&#x${code};`], 1_000],
    ['j', `${'j'.repeat(64)}!`, ['j', '6a', '6A ', '\\u006a', '%6a', '&#106;', '\\x6a', '&#', '\\u{'], 50],
    ['"', `${'"'.repeat(64)}!`, ['\\"', '\\\\\\"', `${'\\'.repeat(63)}"`], 50],
  ];
  return keys.map(([name, key, spellings, goal]) => {
    const forms = formsOf(Buffer.from(key));
    const figures = spellings.map((spelling) => {
      // As what is read: a repeated string is slower to look at.
      const text = Buffer.from(spelling.repeat(Math.ceil(20e6 / spelling.length))).toString();
      const baseline = cpuOf(() => {
        let sum = 0;
        for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
        if (sum === 0) throw new Error('It is empty.');
      });
      const ours = cpuOf(() => void findSecret(forms, text));
      return { name: `\`${spelling.slice(-8)}\``, ours, baseline, unit: 'ms', goal };
    });
    return worstOf(`find a key of \`${name}\` in 20 MB of one text`, figures);
  });
}

/** Returns the milliseconds of processor time that work takes. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function measure({ client }: TestApp, format: ExportFormat, calls: number) {
  const callIds = Array.from({ length: calls }, (_, at) => at + 1);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage().rss;
  let [peak, pingMs, going] = [before, 0, true];
  delay.enable();
  const pings = (async () => {
    while (going) {
      const asked = performance.now();
      await client.call('calls.get', { id: 1 });
      pingMs = Math.max(pingMs, performance.now() - asked);
      peak = Math.max(peak, process.memoryUsage().rss);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const begun = performance.now();
  const cpu = process.cpuUsage();
  await readExport(client, { callIds, format }, { onText: () => undefined }).masked;
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  going = false;
  await pings;
  delay.disable();
  return { ms, cpuMs: (user + system) / 1_000, pingMs: Math.max(pingMs, delay.max / 1e6), growthMb: (peak - before) / 1e6 };
}
