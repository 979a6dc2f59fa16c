import { encodeWith, encoderTools } from './encoders/live-encoders.ts';
import { payloads } from './encoders/payloads.ts';
import { encodedBy, prove, titleOf, type Encoded } from './encoders/proof.ts';
import { recordEncoders, recordedEncoders, writtenBy } from './encoders/recorded-encoders.ts';
import { findMistakes, isNamed, pairsOfMistakes } from './known-mistakes.ts';
import { createChoices, seededRandom } from './seeded-random.ts';

interface EncoderReport {
  /** Stage or `none` → how many hashes were found there. */
  readonly found: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** Compares what the recorded programs write now with the recording. Returns the differences. Throws, with the program to install, if one is missing. */
export function changedEncoders(): string[] {
  const [then, now] = [recordedEncoders(), recordEncoders()];
  return Object.keys(now.programs).flatMap((program) =>
    (['payloads', 'times'] as const).flatMap((what) => {
      const before = writtenBy(then, program, what);
      return [...writtenBy(now, program, what)].flatMap(([way, texts]) =>
        texts.flatMap((text, at) =>
          before.get(way)?.[at]?.equals(text) === true ? [] : [`${program}, ${way}, ${payloads[at]?.name}: ${text.toString()}`],
        ),
      );
    }),
  );
}

/** Searches what every program writes of every payload: singles, then pairs, and of the operations' payloads also any order and threes. */
export function encoderRounds(onProgress: (program: string, report: EncoderReport) => void): EncoderReport {
  const recorded = recordedEncoders();
  const found: Record<string, number> = {};
  const problems: string[] = [];
  const programs = [
    ...encoderTools.map(
      (tool) =>
        [
          tool,
          () =>
            encodeWith(
              tool,
              payloads.map(({ text }) => text),
            ),
        ] as const,
    ),
    ...Object.keys(recorded.programs).map((program) => [program, () => writtenBy(recorded, program)] as const),
  ];
  for (const [program, encode] of programs) {
    for (const one of encodedBy(program, encode())) {
      for (const sent of ['by the rule', 'as hashed'] as const) {
        const isLong = one.payload.action !== null;
        const outcome = prove(one, sent, ['rule', 'singles', 'pairs', ...(isLong ? (['orders', 'triples'] as const) : [])]);
        if (outcome === null) continue;
        const where = outcome.match === null ? `none, sent ${sent}` : (outcome.stage ?? '');
        found[where] = (found[where] ?? 0) + 1;
        if (outcome.problem !== null) problems.push(outcome.problem);
        else if (outcome.match === null && sent === 'by the rule' && isLong && !takesFour(one))
          problems.push(`not found: ${titleOf(one)}`);
      }
    }
    onProgress(program, { found, problems });
  }
  return { found, problems };
}

/** Returns whether a program makes more mistakes of a payload than any stage goes through: lua-cjson has slashes, é, U+007F and an order of its own. */
function takesFour({ program, payload }: Encoded): boolean {
  return program === 'lua' && payload.name === 'telling';
}

/** Searches hashes with two mistakes of different parts. Returns those that are not named. */
export function pairRounds(rounds: number, seed: number): string[] {
  return pairsOfMistakes(rounds, createChoices(seededRandom(seed)))
    .filter((pair) => !isNamed(findMistakes(pair, ['rule', 'singles', 'pairs']).match, pair))
    .map((pair) => pair.map(({ id }) => id).join(' + '));
}
