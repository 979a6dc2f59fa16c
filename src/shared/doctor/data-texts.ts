import { parseJson } from '#shared/json/parse.ts';
import { dataAxes, mistakesOf, type DataMistake } from './data-mistake.ts';
import { memberMistakes, mistakesOfMembers } from './member-mistakes.ts';
import type { Mistake, Part, Subject } from './model.ts';
import { mistakesOfNumbers, numberMistakes } from './number-mistakes.ts';
import { printedMistakes } from './printed-mistakes.ts';
import { queryMistakes } from './query-mistakes.ts';
import { layoutMistakes } from './layout-mistakes.ts';
import { htmlMistakes, slashMistakes } from './text-mistakes.ts';
import { bareButLines, unicodeMistakes } from './unicode-mistakes.ts';
import { once } from './once.ts';
import { finish, type Pieces } from './pieces.ts';
import { associative, nullWord, valueOf, type Value } from './value.ts';
import { wrapMistakes } from './wrap-mistakes.ts';
import { ruleStyle, write } from './write.ts';

/** One text of data, and all sets of mistakes that make it, of as few as possible. */
export interface DataText {
  readonly text: Part;
  readonly ways: readonly (readonly DataMistake[])[];
}

/** The texts of data by their number of mistakes. */
export type DataTexts = ReturnType<typeof createDataTexts>;

/** Characters to write between two pauses, and most texts: about two milliseconds of work. */
const between = { characters: 100_000, texts: 500 };

/** Longest data, in UTF-16 units, that is written in thousands of ways at once to explain how it differs from the rule. */
const longestExplained = 4_096;

const all: readonly DataMistake[] = [
  ...slashMistakes,
  ...unicodeMistakes,
  ...htmlMistakes,
  ...layoutMistakes,
  ...numberMistakes,
  ...memberMistakes,
  ...wrapMistakes,
  ...printedMistakes,
  ...queryMistakes,
];

/** The text that was sent, where it is not the rule's: how it differs is said by other mistakes. */
const asSent = mistakesOf('layout')(
  'as-sent',
  1,
  [],
  ['Your backend hashes data as it was sent, not in the form that the signing rule requires.'],
  { after: (_, { subject }) => subject.dataText },
);

/** The rule's form, where the text that is demanded is another: a provider that hashes what it receives. */
const encodedAgain = mistakesOf('layout')(
  'encoded-again',
  1,
  ['php'],
  ['Your backend hashes data decoded and encoded again, as PHP does, not as it was sent.'],
  { style: (style) => style },
);

/** The mistake of those who keep objects where the rule makes lists of them. */
function objectsKept(typed: Value): DataMistake {
  return mistakesOf('members')(
    'objects-kept',
    2,
    [],
    ['Your backend keeps empty objects as {}, but this provider decodes data to arrays and writes [].'],
    { change: () => typed },
  );
}

/** Names the mistake that the text was hashed as it was sent. */
export const asSentId = asSent.id;

/** Makes the texts of data for a request. */
export function createDataTexts(subject: Subject) {
  const { ruleText, dataText, form } = subject;
  const parsed = dataText === null ? null : parseJson(dataText);
  const typed = parsed?.ok === true ? valueOf(parsed.root) : null;
  const value = typed !== null && form.objects === 'arrays' ? associative(typed) : typed;
  const base = ruleText ?? dataText ?? '';
  const seen = new Set<string>([markOf(base)]);

  const make = createWriter({ value, base, subject });
  const untilPause = Math.min(between.texts, Math.ceil(between.characters / (base.length + 1)));
  let written = 0;
  const isPause = () => (written += 1) % untilPause === 0;
  let sorted: Sorted | null = null;
  const levels: (readonly DataText[])[] = [[{ text: base, ways: [[]] }]];

  const candidates = once(() => [
    asSent,
    encodedAgain,
    ...all,
    ...(value === null ? [] : [objectsKept(typed ?? value), ...mistakesOfNumbers(value), ...mistakesOfMembers(value)]),
  ]);
  const byId = once(() => new Map(candidates().map((mistake) => [mistake.id, mistake])));

  /** Each is written whole, which takes its time for long data: only when a stage needs them. */
  function* sort(): Pieces<Sorted> {
    // Where the text as it came is demanded, each encoder writes another, whatever its mistake.
    const plain = value === null ? base : (make([encodedAgain]) ?? base);
    const changesNothing = (mistake: DataMistake, text: Part) =>
      text === base || (text === plain && mistake !== encodedAgain && (mistake.change ?? mistake.style) !== undefined);
    const effective: DataMistake[] = [];
    const unseen: DataMistake[] = [];
    for (const mistake of candidates()) {
      const text = make([mistake]);
      if (text === null || changesNothing(mistake, text)) unseen.push(mistake);
      else effective.push(mistake);
      if (isPause()) yield;
    }
    return { effective, unseen };
  }

  function* combine(effective: readonly DataMistake[], size: number): Pieces<DataText[]> {
    const made = new Map<string, { text: Part; ways: DataMistake[][] }>();
    for (const mistakes of combinations(effective, size)) {
      const text = make(mistakes);
      if (isPause()) yield;
      if (text === null) continue;
      const mark = markOf(text);
      if (seen.has(mark)) continue;
      const known = made.get(mark);
      if (known === undefined) made.set(mark, { text, ways: [mistakes] });
      else known.ways.push(mistakes);
    }
    for (const mark of made.keys()) seen.add(mark);
    return Array.from(made.values(), ({ text, ways }) => ({ text, ways: ways.length === 1 ? ways : plainest(ways) }));
  }

  function* prepare(mistakes: number): Pieces<Sorted> {
    const found = (sorted ??= yield* sort());
    while (levels.length <= mistakes) levels.push(yield* combine(found.effective, levels.length));
    return found;
  }

  function* waysOf({ text, ways }: DataText): Pieces<DataText['ways']> {
    if (ways.length > 1 || ways[0]?.length !== 1 || ways[0][0] !== asSent || base.length > longestExplained) return ways;
    const { effective } = yield* prepare(0);
    const others: DataMistake[][] = [];
    for (const mistakes of combinations(
      effective.filter((mistake) => mistake !== asSent),
      2,
    )) {
      if (make(mistakes) === text) others.push(mistakes);
      if (isPause()) yield;
    }
    return [...ways, ...plainest(others)];
  }

  return {
    /** The value that data stands for; null if there is none or it is not JSON. */
    value,
    /** Makes in pieces what `level` returns for so many mistakes and fewer. For 0, it finds the mistakes that change anything. */
    *prepare(mistakes: number): Pieces<void> {
      yield* prepare(mistakes);
    },
    /** Writes data with these mistakes; those that this request cannot have change nothing. */
    write: (mistakes: readonly Mistake[]): Part => make(mistakes.flatMap(({ id }) => byId().get(id) ?? [])) ?? base,
    /** Mistakes of data that change nothing in this request. */
    unseen: (): readonly DataMistake[] => finish(prepare(0)).unseen,
    /** Returns the ways of one of the texts. If it is only known as the text that was sent, those of two mistakes that write it come with it. */
    waysOf,
    /** Returns the sets of mistakes that write the text that was sent; `[[]]` if it has the rule's form, none if it is not known how it came about. */
    *sent(): Pieces<DataText['ways']> {
      yield* prepare(1);
      const found = [...(levels[0] ?? []), ...(levels[1] ?? [])].find(({ text }) => text === dataText);
      return found === undefined ? [] : (yield* waysOf(found)).filter(([first]) => first !== asSent);
    },
    /** Returns those of the texts that mistakes up to a rarity make. */
    usual(mistakes: number, rarity: number): readonly DataText[] {
      const isUsual = (mistake: DataMistake) => mistake.rarity <= rarity;
      // Of three, few are made here; the others are thousands.
      if (mistakes > 2) return finish(combine(finish(prepare(0)).effective.filter(isUsual), mistakes));
      return this.level(mistakes).filter(({ ways }) => ways.some((way) => way.every(isUsual)));
    },
    /** Texts that this many mistakes make, and fewer do not. Made at once if they are not prepared. */
    level(mistakes: number): readonly DataText[] {
      if (levels.length <= mistakes) finish(prepare(mistakes));
      return levels[mistakes] ?? [];
    },
  };
}

/** The mistakes of data that change something in a request, and those that do not. */
interface Sorted {
  readonly effective: readonly DataMistake[];
  readonly unseen: readonly DataMistake[];
}

/** Yields the sets of so many mistakes, each of another axis. */
function* combinations(from: readonly DataMistake[], size: number, start = 0): Generator<DataMistake[]> {
  if (size === 0) return yield [];
  for (let at = start; at < from.length; at++) {
    const first = from[at] as DataMistake;
    for (const rest of combinations(from, size - 1, at + 1))
      if (!rest.some(({ axis }) => axis === first.axis)) yield [first, ...rest];
  }
}

/** Leaves out the ways that differ from another one only in a mistake that has a plainer one. */
function plainest(ways: readonly (readonly DataMistake[])[]): (readonly DataMistake[])[] {
  const nameOf = (ids: readonly string[]) => ids.toSorted().join();
  const names = new Set(ways.map((way) => nameOf(way.map(({ id }) => id))));
  return ways.filter(
    (way) =>
      !way.some(({ unless }, at) =>
        unless?.some((plainer) => names.has(nameOf(way.map(({ id }, other) => (other === at ? plainer : id))))),
      ),
  );
}

/** A value as some mistakes change and write it. */
interface Written {
  readonly value: Value;
  readonly text: string;
}

/** Creates the function that writes data with some mistakes; null where they cannot happen together. */
function createWriter(about: { readonly value: Value | null; readonly base: string; readonly subject: Subject }) {
  const { value: given, base, subject } = about;
  const plain: Written = { value: given ?? nullWord, text: base };
  const rule = subject.form.unicode === 'bare' ? bareButLines(ruleStyle) : ruleStyle;
  /** Most mistakes are of the text alone, and follow the same others. */
  const known = new Map<string, Written>();

  function written(mistakes: readonly DataMistake[]): Written {
    let value = plain.value;
    let style = rule;
    for (const mistake of mistakes) {
      value = mistake.change?.(value) ?? value;
      style = mistake.style?.(style) ?? style;
    }
    return { value, text: write(value, style) };
  }

  function writtenOnce(mistakes: readonly DataMistake[]): Written {
    const name = mistakes.map(({ id }) => id).join();
    const found = known.get(name) ?? written(mistakes);
    known.set(name, found);
    return found;
  }

  return (mistakes: readonly DataMistake[]): Part | null => {
    const sorted =
      mistakes.length < 2 ? mistakes : mistakes.toSorted((a, b) => dataAxes.indexOf(a.axis) - dataAxes.indexOf(b.axis));
    const ofValue = sorted.filter(({ change, style }) => change !== undefined || style !== undefined);
    if (ofValue.length > 0 && given === null) return null;
    const start = ofValue.length === 0 ? plain : ofValue.length < sorted.length ? writtenOnce(ofValue) : written(ofValue);
    let text: Part | null = start.text;
    for (const { after } of sorted) {
      if (after === undefined) continue;
      if (typeof text !== 'string') return null;
      text = after(text, { value: start.value, subject });
    }
    return text;
  };
}

/** Distinguishes texts from bytes, which are few. */
function markOf(text: Part): string {
  return typeof text === 'string' ? text : `bytes:${text.join()}`;
}
