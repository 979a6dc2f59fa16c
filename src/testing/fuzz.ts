import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededRandom } from './seeded-random.ts';

type Verdict = 'refused' | 'through';

/** Something that reads texts of others. */
export interface FuzzTarget {
  readonly name: string;
  /** Texts to begin with: good ones, and bad ones of the past. */
  readonly corpus: readonly string[];
  /** Pieces of its texts. */
  readonly words: readonly string[];
  /** Reads a text; `refused` is a good verdict, too. Throws if a promise is broken. `random` is for whatever else it needs. */
  readonly read: (text: string, random: () => number) => Verdict | Promise<Verdict>;
  /** Creates what `read` needs, and returns what ends it. Called again after some hundred texts, which may have used it up. */
  readonly open?: () => Promise<() => Promise<void>>;
  /** Returns a changed text, if the target knows a better way than any text; else null. */
  readonly change?: (text: string, random: () => number) => string | null;
}

export interface FuzzReport {
  readonly name: string;
  readonly tried: number;
  readonly refused: number;
  readonly through: number;
  readonly slowestMs: number;
  /** The first few faults, each with its text. */
  readonly faults: readonly { readonly message: string; readonly text: string }[];
}

const mostFaults = 5;
const longest = 20_000;
const textsBetweenOpenings = 400;

/** Folder of the texts that once broke a promise, with a folder for each target. */
const keptTexts = fileURLToPath(new URL('fuzz-corpus', import.meta.url));
const folderOf = ({ name }: FuzzTarget, kept: string): string => join(kept, name.replaceAll(' ', '-'));

/** Reads the texts that once broke a promise of a target. */
export function readKept(target: FuzzTarget, kept = keptTexts): string[] {
  const folder = folderOf(target, kept);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string);
}

/**
 * Keeps a text that broke a promise, as JSON, because half a character has no UTF-8. Returns its file, which belongs into git with
 * the correction.
 */
export function keepText(target: FuzzTarget, text: string, kept = keptTexts): string {
  const folder = folderOf(target, kept);
  mkdirSync(folder, { recursive: true });
  const json = `${JSON.stringify(text)}\n`;
  const file = join(folder, `${createHash('sha256').update(json).digest('hex').slice(0, 12)}.json`);
  writeFileSync(file, json);
  return file;
}

/**
 * Gives a target its corpus, the texts that once broke a promise, and then changed texts of both until `isDone`. The same seed
 * gives the same texts.
 */
export async function fuzz(
  target: FuzzTarget,
  seed: number,
  isDone: (tried: number) => boolean,
  kept = keptTexts,
): Promise<FuzzReport> {
  const random = seededRandom(seed);
  const corpus = [...readKept(target, kept), ...target.corpus];
  const faults: { message: string; text: string }[] = [];
  const counts = { refused: 0, through: 0 };
  let [tried, slowestMs] = [0, 0];
  let close = await target.open?.();
  try {
    while (!isDone(tried) && faults.length < mostFaults) {
      if (tried > 0 && tried % textsBetweenOpenings === 0) {
        await close?.();
        close = await target.open?.();
      }
      // Each text of the corpus is first read as it is.
      const text = corpus[tried] ?? changed(target, corpus, random);
      const started = performance.now();
      try {
        counts[await target.read(text, random)] += 1;
      } catch (error) {
        faults.push({ message: error instanceof Error ? `${error.name}: ${error.message}` : String(error), text });
      }
      slowestMs = Math.max(slowestMs, performance.now() - started);
      tried += 1;
    }
  } finally {
    await close?.();
  }
  return { name: target.name, tried, ...counts, slowestMs: Math.round(slowestMs), faults };
}

function changed(target: FuzzTarget, corpus: readonly string[], random: () => number): string {
  const first = corpus[Math.floor(random() * corpus.length)] ?? '';
  return target.change?.(first, random) ?? mutate({ ...target, corpus }, random);
}

function mutate({ corpus, words }: Pick<FuzzTarget, 'corpus' | 'words'>, random: () => number): string {
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(options: readonly T[]): T => options[below(options.length)] as T;
  let text = pick(corpus);
  for (let changes = 1 + below(4); changes > 0; changes -= 1) {
    const at = below(text.length + 1);
    const to = Math.min(text.length, at + below(random() < 0.8 ? 8 : 200));
    const piece = text.slice(at, to);
    const changed = [
      () => '',
      () => piece + piece,
      () => piece.repeat(2 + below(50)),
      () => pick(words),
      () => pick(words) + piece,
      () => pick(strangeTexts),
      () => String.fromCharCode(below(random() < 0.7 ? 128 : 65_536)),
      () => {
        const other = pick(corpus);
        const start = below(other.length + 1);
        return other.slice(start, start + below(200));
      },
      () => Array.from(piece).toReversed().join(''),
    ];
    text = text.slice(0, at) + pick(changed)() + text.slice(to);
    if (random() < 0.05) text = text.slice(0, at);
  }
  return text.slice(0, longest);
}

/** Texts that many languages read badly. */
const strangeTexts = [
  '\u0000',
  '\ufeff',
  '\ud800',
  '\udc00\ud800',
  '\u2028',
  '\u202e',
  '\r',
  '\r\n',
  '\t',
  '\\',
  '"',
  "'",
  '`',
  '${',
  '{{',
  '}}',
  '%00',
  '%ff',
  '__proto__',
  'constructor',
  'toString',
  '9007199254740993',
  '-0',
  '1e400',
  '1e-400',
  '../../etc/passwd',
  '[['.repeat(300),
  '{"a":'.repeat(300),
  ']'.repeat(300),
];
