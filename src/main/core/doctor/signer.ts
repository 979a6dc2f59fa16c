import { asSentId } from '#shared/doctor/data-texts.ts';
import { search, type Stage, type Way } from '#shared/doctor/search.ts';
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

/** Judges the lines that a signer printed, one for each vector in their order, and groups what is wrong by the mistake that it shows. */
export function judgeSigner(vectors: readonly SignerVector[], answers: readonly string[]): SignerResult {
  const wrong = vectors.flatMap((vector, at) => {
    const answer = answers[at] ?? null;
    return answer === vector.hash ? [] : [{ vector, answer, ways: answer === null ? [] : waysOf(vector, answer, atOnce) }];
  });
  const common = mostCommon(wrong.map(({ ways }) => ways));
  const groups = new Map<string, WrongCase[]>();
  for (const { vector, answer, ways } of wrong) {
    const way = likeliest(vector, answer, ways, common);
    const name = way === null ? '' : sayingOf(way);
    groups.set(name, [...(groups.get(name) ?? []), { vector, answer, way }]);
  }
  return {
    right: vectors.length - wrong.length,
    groups: [...groups]
      .map(([name, cases]) => ({ says: name === '' ? null : name, cases }))
      .toSorted((a, b) => b.cases.length - a.cases.length),
  };
}

const atOnce = ['rule', 'singles', 'pairs'] as const;

function waysOf({ action, time, data, dataJson }: SignerVector, answer: string, stages: readonly Stage[]): readonly Way[] {
  const form = { unicode: 'escaped', objects: 'kept' } as const;
  const subject = { action, time, dataText: data, ruleText: dataJson, form, platform: '', partnerId: '', hash: answer };
  for (const step of search(subject, [{ name: null, key: throwAwayKey }], digests, stages)) {
    // Nothing was sent: the text of data in the line is not the signer's.
    if (step.kind === 'ended' && step.match !== null)
      return step.match.ways.filter((way) => !way.some(({ id }) => id === asSentId));
  }
  return [];
}

/** Returns the way that explains most cases: a program that makes a mistake makes it everywhere. */
function mostCommon(all: readonly (readonly Way[])[]): Way | null {
  const counts = new Map<string, { readonly way: Way; count: number }>();
  for (const way of all.flat()) {
    const name = sayingOf(way);
    const known = counts.get(name);
    if (known === undefined) counts.set(name, { way, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)[0]?.way ?? null;
}

/** Returns the common way if it explains the case, by itself or with one more mistake; else the likeliest; null if none does. */
function likeliest(vector: SignerVector, answer: string | null, ways: readonly Way[], common: Way | null): Way | null {
  const isCommon = (way: Way) => common !== null && common.every(({ id }) => way.some((mistake) => mistake.id === id));
  const found = ways.find(isCommon);
  if (found !== undefined || answer === null || ways.length === 0) return found ?? ways[0] ?? null;
  return waysOf(vector, answer, ['pairs']).find(isCommon) ?? ways[0] ?? null;
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
    const message = failure.says ?? 'No known mistake gives this hash.';
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
