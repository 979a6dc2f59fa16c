import { asSentId } from '#shared/doctor/data-texts.ts';
import type { Subject } from '#shared/doctor/model.ts';
import { once } from '#shared/doctor/once.ts';
import { rankOf } from '#shared/doctor/ranking.ts';
import { createTrial, search, type Stage, type Way } from '#shared/doctor/search.ts';
import { unicodeEscape } from '#shared/json/string-escapes.ts';
import { signerCases, throwAwayKey, type SignerCase } from '#shared/signer/cases.ts';
import { readyTests } from '#shared/signer/ready-tests.ts';
import { attributesOf, escapeXml } from '../files/xml.ts';
import { digests } from '../keys/digests.ts';

/** A case with the hash that the rule demands. */
export interface SignerVector extends SignerCase {
  readonly hash: string;
}

/** A case that a signer got wrong. */
interface WrongCase {
  readonly vector: SignerVector;
  /** The line that it printed; null if it printed none. */
  readonly answer: string | null;
  /** The likeliest explanation; null if no known mistake gives the answer. */
  readonly way: Way | null;
}

/** Cases that one mistake explains. */
interface MistakeGroup {
  /** The mistake in words; null for those that nothing explains. */
  readonly says: string | null;
  readonly cases: readonly WrongCase[];
}

export interface SignerResult {
  readonly right: number;
  /** The largest group first. */
  readonly groups: readonly MistakeGroup[];
}

/** Returns the cases with their hashes. */
export function signerVectors(): SignerVector[] {
  return signerCases().map((one) => ({ ...one, hash: digests.hash('sha256', throwAwayKey + one.time + (one.dataJson ?? '')) }));
}

/** Returns the files of the ready tests with their vectors, by name. */
export function signerFiles(): ReadonlyMap<string, string> {
  const shown = ({ id, time, data, dataJson, hash }: SignerVector) => ({ id, time, data, dataJson, hash });
  const vectors = signerVectors();
  const file = {
    privateKey: throwAwayKey,
    rule: 'hash = lowercase hexadecimal SHA-256 of privateKey + time + dataJson, in UTF-8; without data, of privateKey + time',
    cases: vectors.filter(({ edge }) => !edge).map(shown),
    edgeCases: vectors.filter(({ edge }) => edge).map(shown),
  };
  const tests = readyTests.map(({ name, text }) => [name, text] as const);
  return new Map([['vectors.json', `${JSON.stringify(file, null, 2)}\n`], ...tests]);
}

/**
 * Returns the line that a signer gets for a case, in ASCII, whatever its locale reads: a JSON object with `privateKey`, `time` and, unless there is none,
 * `data`.
 */
export function signerLine({ time, data }: SignerCase): string {
  const [key, when] = [throwAwayKey, time].map((text) => JSON.stringify(text));
  return `{"privateKey":${key},"time":${when}${data === null ? '' : `,"data":${data.replaceAll(/[\u0080-\uffff]+/g, unicodeEscape)}`}}`;
}

/**
 * Judges the lines that a signer printed, one for each vector in their order, and groups what is wrong by the mistake that it shows. A signer is one
 * program: a mistake counts only if it leaves every hash right that is right.
 */
export function judgeSigner(vectors: readonly SignerVector[], answers: readonly string[]): SignerResult {
  const tried = vectors.map((vector, at): Tried => {
    const answer = answers[at] ?? null;
    const subject = subjectOf(vector, answer ?? '');
    const right = subjectOf(vector, vector.hash);
    return {
      vector,
      answer,
      subject,
      isMadeBy: once(() => createTrial(subject, keys, digests)),
      isKeptBy: once(() => createTrial(right, keys, digests)),
    };
  });
  const [right, wrong] = [true, false].map((is) => tried.filter(({ vector, answer }) => (answer === vector.hash) === is)) as [
    Tried[],
    Tried[],
  ];
  const program = programOf(wrong, right);
  const groups = new Map<string, WrongCase[]>();
  for (const { vector, answer, isMadeBy } of wrong) {
    const way = partsOf(program).find((part) => isMadeBy()(part)) ?? null;
    const name = way === null ? '' : sayingOf(way);
    groups.set(name, [...(groups.get(name) ?? []), { vector, answer, way }]);
  }
  return {
    right: right.length,
    groups: [...groups]
      .map(([name, cases]) => ({ says: name === '' ? null : name, cases }))
      .toSorted((a, b) => b.cases.length - a.cases.length),
  };
}

/** A case with the signer's answer. */
interface Tried {
  readonly vector: SignerVector;
  readonly answer: string | null;
  readonly subject: Subject;
  /** Returns whether a program with these mistakes gives the answer. */
  readonly isMadeBy: () => (way: Way) => boolean;
  /** Returns whether it gives the right hash. */
  readonly isKeptBy: () => (way: Way) => boolean;
}

const keys = [{ name: null, key: throwAwayKey }] as const;
/** Most cases without an explanation that are searched for two mistakes: each takes a part of a second. */
const mostPairs = 12;

function subjectOf({ action, time, data, dataJson }: SignerVector, hash: string): Subject {
  const form = { unicode: 'escaped', objects: 'kept' } as const;
  return { action, time, dataText: data, ruleText: dataJson, form, platform: '', partnerId: '', hash };
}

/** Returns the mistakes that, made together by one program, explain the most cases and change none that is right; few that change little first. */
function programOf(wrong: readonly Tried[], right: readonly Tried[]): Way {
  const known = new Map<string, Way>();
  const learn = ({ subject }: Tried, stages: readonly Stage[]) => {
    for (const way of waysOf(subject, stages))
      // One of two mistakes may be made with another one elsewhere.
      for (const part of [way, ...way.map((mistake) => [mistake])]) {
        const name = nameOf(part);
        if (!known.has(name) && right.every(({ isMadeBy }) => isMadeBy()(part))) known.set(name, part);
      }
  };
  for (const one of wrong) if (one.answer !== null) learn(one, ['rule', 'singles']);
  let program = grown([], [...known.values()], wrong);
  let pairs = 0;
  for (const one of wrong) {
    if (one.answer === null || pairs >= mostPairs || one.isMadeBy()(program)) continue;
    pairs += 1;
    learn(one, ['pairs']);
    program = grown([], [...known.values()], wrong);
  }
  return program;
}

/** Adds the explanation with which a program makes the most answers, until none makes more. */
function grown(program: Way, known: readonly Way[], wrong: readonly Tried[]): Way {
  const axes = new Set(program.map(({ axis }) => axis));
  const [made, open] = [true, false].map((is) => wrong.filter(({ isMadeBy }) => isMadeBy()(program) === is)) as [
    Tried[],
    Tried[],
  ];
  let most = made.length;
  let best: Way[] = [];
  for (const way of known) {
    if (way.some(({ axis }) => axes.has(axis))) continue;
    const isMade = ({ isMadeBy }: Tried) => isMadeBy()([...program, ...way]);
    const more = open.filter(isMade).length;
    if (more === 0 || made.length + more < most) continue;
    const cases = more + made.filter(isMade).length;
    if (cases > most) [most, best] = [cases, [way]];
    else if (cases === most && best.length > 0) best.push(way);
  }
  const ranked = best
    .map((way) => ({ way, changed: best.length === 1 ? 0 : changedBy(way, wrong), rank: rankOf(way) }))
    .toSorted((a, b) => a.way.length - b.way.length || a.changed - b.changed || a.rank - b.rank);
  return ranked[0] === undefined ? program : grown([...program, ...ranked[0].way], known, wrong);
}

/** Returns the number of cases that an explanation changes. */
function changedBy(way: Way, wrong: readonly Tried[]): number {
  return wrong.filter(({ isKeptBy }) => !isKeptBy()(way)).length;
}

/** Returns all parts of a program, the smallest first: of a case, only the mistakes that show in it are said. */
function partsOf(program: Way): Way[] {
  return program
    .reduce<Way[]>((parts, mistake) => [...parts, ...parts.map((part) => [...part, mistake])], [[]])
    .filter((part) => part.length > 0)
    .toSorted((a, b) => a.length - b.length);
}

function waysOf(subject: Subject, stages: readonly Stage[]): readonly Way[] {
  for (const step of search(subject, keys, digests, stages)) {
    // Nothing was sent: the text of data in the line is not the signer's.
    if (step.kind === 'ended' && step.match !== null)
      return step.match.ways.filter((way) => !way.some(({ id }) => id === asSentId));
  }
  return [];
}

function nameOf(way: Way): string {
  return way.map(({ id }) => id).join();
}

function sayingOf(way: Way): string {
  return way.map(({ says }) => says).join(' ');
}

/** Writes the result as JUnit XML: a test case for each vector. */
export function signerJunit(vectors: readonly SignerVector[], { groups }: SignerResult): string {
  const failures = new Map(groups.flatMap(({ says, cases }) => cases.map((one) => [one.vector.id, { says, one }] as const)));
  const suite = { name: 'signer', tests: vectors.length, failures: failures.size, errors: 0, skipped: 0 };
  const cases = vectors.flatMap(({ id, hash }) => {
    const [classname = '', name = ''] = id.split(': ');
    const opening = `    <testcase${attributesOf({ name, classname })}`;
    const failure = failures.get(id);
    if (failure === undefined) return [`${opening}/>`];
    const message = failure.says ?? 'No known mistake makes this hash.';
    const details = `expected ${hash}\nprinted  ${failure.one.answer ?? 'nothing'}`;
    return [
      `${opening}>`,
      `      <failure${attributesOf({ message, type: 'hash' })}>${escapeXml(details)}</failure>`,
      '    </testcase>',
    ];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite${attributesOf(suite)}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
