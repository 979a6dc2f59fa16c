import { seededRandom } from './seeded-random.ts';

type Verdict = 'refused' | 'through';

/** Something that reads texts of others. */
export interface FuzzTarget {
  readonly name: string;
  /** Texts to begin with: good ones, and those that once broke a promise. */
  readonly corpus: readonly string[];
  /** Pieces of its texts. */
  readonly words: readonly string[];
  /** Reads a text; `refused` is a good verdict, too. Throws if a promise is broken. */
  readonly read: (text: string) => Verdict;
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

/** Gives a target its corpus, and then changed texts of it until `isDone`. The same seed gives the same texts. */
export function fuzz(target: FuzzTarget, seed: number, isDone: (tried: number) => boolean): FuzzReport {
  const random = seededRandom(seed);
  const faults: { message: string; text: string }[] = [];
  const counts = { refused: 0, through: 0 };
  let [tried, slowestMs] = [0, 0];
  while (!isDone(tried) && faults.length < mostFaults) {
    // Each text of the corpus is first read as it is.
    const text = target.corpus[tried] ?? mutate(target, random);
    const started = performance.now();
    try {
      counts[target.read(text)] += 1;
    } catch (error) {
      faults.push({ message: error instanceof Error ? `${error.name}: ${error.message}` : String(error), text });
    }
    slowestMs = Math.max(slowestMs, performance.now() - started);
    tried += 1;
  }
  return { name: target.name, tried, ...counts, slowestMs: Math.round(slowestMs), faults };
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
