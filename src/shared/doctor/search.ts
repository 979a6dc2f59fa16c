import { blindSpotsOf } from './blind-spots.ts';
import { textOfUnits } from '../json/text-pieces.ts';
import { compose, compositions, ruleComposition, shownParts, type Composition } from './composition-mistakes.ts';
import { createDataTexts, type DataText, type DataTexts } from './data-texts.ts';
import { digestForms, ruleDigest, type DigestForm, type HashInput } from './digest-mistakes.ts';
import { keyForms } from './key-mistakes.ts';
import type { Digests, Mistake, NamedKey, Part, Subject } from './model.ts';
import { otherOrders, type OtherOrders } from './other-orders.ts';
import { leavesDigest, oneDigitOff, targetsOf, type Target } from './received-hash.ts';
import { once } from './once.ts';
import type { Pieces } from './pieces.ts';
import { rankOf } from './ranking.ts';
import { allTimeForms, seconds, timeForms, zones, type TimeForm } from './time-mistakes.ts';

/** The stages of a search, in their order. Each goes through all that the one before does not. */
export const stages = ['rule', 'singles', 'seconds', 'pairs', 'orders', 'usual', 'triples', 'clock'] as const;
export type Stage = (typeof stages)[number];

/** The last stage of a search that is not deep: those behind it take a minute. */
export const lastQuick: Stage = 'usual';

/** One explanation: the mistakes that, together, make the received hash; empty if it is right. */
export type Way = readonly Mistake[];

/** A match, with the parts that were hashed. */
export interface Match {
  readonly ways: readonly Way[];
  /** The hash input with `<PRIVATE_KEY>` in place of the key. Bytes that no text stands for are read as Latin-1. */
  readonly input: string;
  readonly time: string;
  readonly data: string;
  /** Digits that were compared: 64, or fewer of a cut hash. */
  readonly digits: number;
  /** The text of `data` that was sent was hashed, at its place. */
  readonly isSent: boolean;
}

export type Step =
  /** A pause while the stage's texts are being made. How many hash inputs it has is not known yet. */
  | { readonly kind: 'preparing'; readonly stage: Stage }
  /** `unseen` says in sentences which usual mistakes this request cannot show, whatever is found. */
  | { readonly kind: 'begun'; readonly stage: Stage; readonly total: number; readonly unseen: readonly string[] }
  /** Not gone through, because data is too long for it. */
  | { readonly kind: 'skipped'; readonly stage: Stage }
  /** `match` has the explanations so far: they make the hash, but a likelier one of the same bytes may come. */
  | { readonly kind: 'tried'; readonly stage: Stage; readonly tried: number; readonly match: Match | null }
  /** The mistakes that wrote the text that was sent, likeliest first, which do not make the hash by themselves; `[[]]` if it has the rule's form. */
  | { readonly kind: 'guessed'; readonly guesses: readonly Way[] }
  /** `match` has all explanations that the stage holds. */
  | { readonly kind: 'ended'; readonly stage: Stage; readonly tried: number; readonly match: Match | null };

/** Characters to hash between two steps, and most hash inputs: about two milliseconds of work. */
const between = { characters: 400_000, inputs: 1_000 };
/** Longest data that each stage is gone through for, in UTF-16 units: its texts are in memory together, or there are very many. */
const longestData: Readonly<Record<Stage, number>> = {
  rule: Number.POSITIVE_INFINITY,
  singles: 200_000,
  seconds: 100_000,
  pairs: 32_768,
  orders: 8_192,
  usual: 2_048,
  triples: 2_048,
  clock: 4_096,
};
/** Most mistakes in data, by stage. */
const mistakesInData: Readonly<Record<Stage, number>> = {
  rule: 0,
  singles: 1,
  seconds: 0,
  pairs: 2,
  orders: 0,
  usual: 2,
  triples: 3,
  clock: 1,
};
/** The greatest rarity of a mistake that is tried together with two others first. */
const mostUsual = 2;
/** Seconds by which a clock is searched both ways. */
const mostSeconds = 3_600;

interface KeyLevel {
  readonly mistake: Mistake | null;
  readonly key: Part;
}
interface TimeLevel {
  readonly mistakes: readonly Mistake[];
  readonly time: string;
}

/**
 * Searches the known mistakes for those that make the received hash, likeliest stages first, and ends after the first stage with a match. A
 * generator, so that its caller decides when to go on, to tell of it, and to stop. Without a form that can be a digest it yields nothing.
 *
 * @param keys the environment's own key first, then those of others that may have been used in its place
 */
export function* search(
  subject: Subject,
  keys: readonly [NamedKey, ...NamedKey[]],
  digests: Digests,
  wanted: readonly Stage[] = stages,
): Generator<Step, void> {
  const texts = createDataTexts(subject);
  const length = subject.dataText?.length ?? 0;
  const untilStep = Math.min(between.inputs, Math.ceil(between.characters / (length + 1)));
  const space = spaceOf(subject, keys, texts);
  const nearly = nearMiss(space, subject, digests);
  const targets = nearly === null ? targetsOf(subject.hash) : [nearly];
  if (targets.length === 0) return;
  for (const stage of wanted) {
    // From here on it takes long enough to read them.
    if (stage === 'orders') {
      const sent = yield* pausing(texts.sent(), { kind: 'preparing', stage });
      yield { kind: 'guessed', guesses: guessesOf(sent) };
    }
    if (length > longestData[stage]) {
      yield { kind: 'skipped', stage };
      continue;
    }
    const isWritten = length <= longestData.singles;
    if (isWritten) yield* pausing(texts.prepare(mistakesInData[stage]), { kind: 'preparing', stage });
    const unseen = isWritten ? blindSpotsOf(texts) : [];
    const plans = plansOf(stage, space);
    yield { kind: 'begun', stage, total: plans.reduce((sum, plan) => sum + sizeOf(plan), 0) * targets.length, unseen };
    let tried = 0;
    const found: Match[] = [];
    let match: Match | null = null;
    for (const plan of plans)
      for (const data of plan.data())
        for (const time of plan.times)
          for (const key of plan.keys)
            for (const composition of plan.compositions) {
              const input = inputOf(key.key, time.time, data.text, composition, subject);
              for (const digest of plan.digests)
                for (const target of targets) {
                  const hex = digest.make(digests, target.algorithm, input);
                  tried += 1;
                  if (hex !== null && target.accepts(hex)) {
                    const ways = yield* pausing(texts.waysOf(data), { kind: 'tried', stage, tried, match });
                    found.push(matchOf({ key, time, data, composition, digest }, ways, target, subject));
                    match = merged(found);
                  }
                  if (tried % untilStep === 0) yield { kind: 'tried', stage, tried, match };
                }
            }
    yield { kind: 'ended', stage, tried, match };
    if (match !== null) return;
  }
}

/**
 * Creates the trial of explanations: whether a program that makes these mistakes and no others gives the received hash. A mistake that changes
 * nothing in this request is made all the same.
 */
export function createTrial(subject: Subject, keys: readonly [NamedKey, ...NamedKey[]], digests: Digests): (way: Way) => boolean {
  const texts = createDataTexts(subject);
  const targets = targetsOf(subject.hash);
  const byId = <Made extends { readonly mistake: Mistake | null }>(made: Iterable<Made>) =>
    new Map(Array.from(made, (one) => [one.mistake?.id, one] as const));
  const known = {
    times: byId([...allTimeForms(subject.time), ...zones(subject.time), ...seconds(subject.time, 2)]),
    keys: byId(keyForms(keys, subject)),
    compositions: byId(compositions),
    digests: byId(digestForms),
  };
  return (way) => {
    const made = <Made>(from: ReadonlyMap<string | undefined, Made>) => way.flatMap(({ id }) => from.get(id) ?? [])[0];
    const time = made(known.times)?.time ?? subject.time;
    const digest = made(known.digests) ?? ruleDigest;
    const composition = made(known.compositions) ?? ruleComposition;
    const input = inputOf(made(known.keys)?.key ?? keys[0].key, time, texts.write(way), composition, subject);
    const written = way.filter((one) => (one.axis === 'spelling' || one.axis === 'digest') && one.id !== digest.mistake?.id);
    return targets.some(({ algorithm, mistakes, accepts }) => {
      const hex = digest.make(digests, algorithm, input);
      if (hex === null || !accepts(hex) || !mistakes.every(({ id }) => written.some((one) => one.id === id))) return false;
      return written.every((one) => mistakes.some(({ id }) => id === one.id) || leavesDigest(one, hex));
    });
  };
}

/** Does the work, and yields the step at each pause of it. */
function* pausing<Made>(work: Pieces<Made>, step: Step): Generator<Step, Made> {
  for (;;) {
    const piece = work.next();
    if (piece.done === true) return piece.value;
    yield step;
  }
}

/** Returns the rule's digest as the target, if one digit of the received text is another. */
function nearMiss({ keys, times, texts }: Space, subject: Subject, digests: Digests): Target | null {
  const [key, time, data] = [keys[0]?.[0], times(0)[0], texts.level(0)[0]];
  if (key === undefined || time === undefined || data === undefined) return null;
  const right = digests.hash('sha256', inputOf(key.key, time.time, data.text, ruleComposition, subject).whole);
  const mistake = oneDigitOff(right, subject.hash);
  return mistake === null ? null : { algorithm: 'sha256', mistakes: [mistake], accepts: (hex) => hex === right, digits: 63 };
}

/** One combination. */
interface Candidate {
  readonly key: KeyLevel;
  readonly time: TimeLevel;
  readonly data: DataText;
  readonly composition: Composition;
  readonly digest: DigestForm;
}

function inputOf(key: Part, time: string, data: Part, composition: Composition, subject: Subject): HashInput {
  const parts = { key, time, data };
  if (composition === ruleComposition && typeof key === 'string' && typeof data === 'string')
    return { whole: key + time + data, rest: time + data, key };
  // The part without the key is for an HMAC, which few candidates make.
  return {
    whole: compose(composition, parts, subject),
    get rest() {
      return compose(composition, parts, subject, false);
    },
    key,
  };
}

function matchOf(
  { key, time, data, composition, digest }: Candidate,
  dataWays: DataText['ways'],
  target: Target,
  subject: Subject,
): Match {
  const around = [
    ...(key.mistake === null ? [] : [key.mistake]),
    ...time.mistakes,
    ...(composition.mistake === null ? [] : [composition.mistake]),
    ...(digest.mistake === null ? [] : [digest.mistake]),
    ...target.mistakes,
  ];
  const text = typeof data.text === 'string' ? data.text : textOfUnits(data.text);
  const ways = dataWays.map((way): Way => [...way.map(plainMistake), ...around]);
  return {
    ways,
    input: shownParts(composition, time.time, text, subject),
    time: time.time,
    data: text,
    digits: target.digits,
    isSent: around.length === 0 && data.text === (subject.dataText ?? ''),
  };
}

/** Joins the matches of a stage: equal hashes are of equal bytes, so each explains what the others do. */
function merged(found: readonly Match[]): Match | null {
  const ways = new Map<string, { readonly way: Way; readonly match: Match }>();
  for (const match of found) for (const way of match.ways) ways.set(way.map(({ id }) => id).join(), { way, match });
  const ranked = [...ways.values()].toSorted((a, b) => rankOf(a.way) - rankOf(b.way));
  const [likeliest] = ranked;
  if (likeliest === undefined) return null;
  return { ...likeliest.match, isSent: found.some(({ isSent }) => isSent), ways: ranked.map(({ way }) => way) };
}

function guessesOf(sent: DataText['ways']): readonly Way[] {
  return sent.map((way): Way => way.map(plainMistake)).toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Without the functions of a mistake of data: a finding is plain data. */
function plainMistake({ id, axis, says, who, rarity, languages }: Mistake): Mistake {
  return { id, axis, says, who, rarity, languages };
}

/** All values of each dimension, by the number of their mistakes. */
interface Space {
  readonly keys: readonly (readonly KeyLevel[])[];
  times(mistakes: number): readonly TimeLevel[];
  readonly texts: DataTexts;
  readonly compositions: readonly (readonly Composition[])[];
  readonly digests: readonly (readonly DigestForm[])[];
  readonly seconds: () => readonly TimeLevel[];
  readonly orders: OtherOrders;
}

function spaceOf(subject: Subject, keys: readonly [NamedKey, ...NamedKey[]], texts: DataTexts): Space {
  const level = ({ mistake, time }: TimeForm): TimeLevel => ({ mistakes: [mistake], time });
  const moved = [...zones(subject.time), ...seconds(subject.time, 2)];
  const written = timeForms(subject.time);
  // Those of two mistakes are thousands: they are made when they are needed.
  const levels = [
    () => [{ mistakes: [], time: subject.time }],
    () => [...written, ...moved].map(level),
    () =>
      moved.flatMap((one) =>
        timeForms(one.time).map((form): TimeLevel => ({ mistakes: [one.mistake, form.mistake], time: form.time })),
      ),
  ].map(once);
  return {
    keys: [[{ mistake: null, key: keys[0].key }], keyForms(keys, subject)],
    times: (mistakes) => levels[mistakes]?.() ?? [],
    texts,
    compositions: [[ruleComposition], compositions],
    digests: [[ruleDigest], digestForms],
    seconds: once(() => [...seconds(subject.time, mostSeconds)].slice(4).map(level)),
    orders: otherOrders(texts),
  };
}

/** A product of some values of each dimension, by the number of their mistakes. */
interface Plan {
  readonly keys: readonly KeyLevel[];
  readonly times: readonly TimeLevel[];
  readonly texts: number;
  readonly data: () => Iterable<DataText>;
  readonly compositions: readonly Composition[];
  readonly digests: readonly DigestForm[];
}

function sizeOf({ keys, times, texts, compositions: joins, digests }: Plan): number {
  return keys.length * times.length * texts * joins.length * digests.length;
}

function plansOf(stage: Stage, space: Space): Plan[] {
  switch (stage) {
    case 'rule':
      return product(space, 0);
    case 'singles':
      return product(space, 1);
    case 'seconds':
      return [planOf(space, [0, 0, 0, 0, 0], { times: space.seconds() })];
    case 'pairs':
      return product(space, 2);
    case 'orders':
      return [planOf(space, [0, 0, 0, 0, 0], { data: space.orders })];
    case 'usual':
      return product(usualOf(space), 3);
    case 'triples':
      return product(space, 3);
    case 'clock': {
      const times = space.seconds();
      return levelsOf(1)
        .filter(([, time]) => time === 0)
        .map((levels) => planOf(space, levels, { times }));
    }
  }
}

/** Returns the space of the mistakes that are met often. */
function usualOf(space: Space): Space {
  const isUsual = ({ mistake }: { readonly mistake: Mistake | null }) => mistake === null || mistake.rarity <= mostUsual;
  return {
    ...space,
    keys: space.keys.map((level) => level.filter(isUsual)),
    times: (mistakes) => space.times(mistakes).filter(({ mistakes: made }) => made.every((mistake) => isUsual({ mistake }))),
    texts: { ...space.texts, level: (mistakes) => space.texts.usual(mistakes, mostUsual) },
    compositions: space.compositions.map((level) => level.filter(isUsual)),
    digests: space.digests.map((level) => level.filter(isUsual)),
  };
}

type Levels = readonly [key: number, time: number, data: number, composition: number, digest: number];

function product(space: Space, mistakes: number): Plan[] {
  return levelsOf(mistakes).map((levels) => planOf(space, levels));
}

/** Returns all ways to spread so many mistakes over the dimensions: those of data first, which are the likeliest. */
function levelsOf(mistakes: number): Levels[] {
  const made: Levels[] = [];
  for (let data = mistakes; data >= 0; data--)
    for (const time of [0, 1, 2])
      for (const key of [0, 1])
        for (const composition of [0, 1])
          for (const digest of [0, 1])
            if (data + time + key + composition + digest === mistakes) made.push([key, time, data, composition, digest]);
  return made;
}

function planOf(
  space: Space,
  [key, time, data, composition, digest]: Levels,
  instead: { readonly times?: readonly TimeLevel[]; readonly data?: OtherOrders } = {},
): Plan {
  return {
    keys: space.keys[key] ?? [],
    times: instead.times ?? space.times(time),
    texts: instead.data?.size ?? space.texts.level(data).length,
    data: () => instead.data?.each() ?? space.texts.level(data),
    compositions: space.compositions[composition] ?? [],
    digests: space.digests[digest] ?? [],
  };
}
