import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { compositions } from '#shared/doctor/composition-mistakes.ts';
import { createDataTexts, type DataTexts } from '#shared/doctor/data-texts.ts';
import { digestForms } from '#shared/doctor/digest-mistakes.ts';
import { fixIn, isInCode } from '#shared/doctor/fixes.ts';
import { keyForms } from '#shared/doctor/key-mistakes.ts';
import type { KeyName, Language, Mistake, Subject } from '#shared/doctor/model.ts';
import type { Dialect, Pair, Program } from '#shared/doctor/programs.ts';
import { spellings } from '#shared/doctor/received-hash.ts';
import type { Stage } from '#shared/doctor/search.ts';
import { seconds, timeForms, zones } from '#shared/doctor/time-mistakes.ts';
import { phpJson } from '#shared/json/php.ts';
import { someSubject } from './some-subject.ts';
import { findHash } from './encoders/proof.ts';
import { requireTool, toolPath } from './external-tools.ts';
import type { Choices } from './seeded-random.ts';

/** A request whose hash is made wrong. */
interface Signed {
  readonly name: string;
  readonly subject: Subject;
  readonly key: string;
  readonly texts: DataTexts;
  readonly tries: readonly Tried[];
}

type Tried = 'key' | 'time' | 'join' | 'spelling';

/** A Sunday. */
const dmy = '03-01-2027 15:05:08';
const oddKey = 'tEst_Key#9+/=$a1-z';

const rich = {
  exitURL: 'https://a.example/x/?a=1&b=2 3',
  name: "José <'+> \u{1f3b0} ",
  lang: 'en',
  logMonth: 0,
  betAmount: 1,
};
const written = (value: object, more = '') => `${JSON.stringify(value).slice(0, -1)}${more}}`;

/** A request with the parts whose mistakes are tried on it. `typed` is data as it was sent, before the rule. */
type Request = readonly [
  name: string,
  typed: string | null,
  tries?: readonly Tried[],
  more?: { readonly [Name in 'key' | 'time' | 'unicode']?: string },
];

/** Requests that together show every mistake that has code. */
const requests: readonly Request[] = [
  [
    'plain',
    written({ playerId: 'player-1', gameId: '1042', lang: 'en', exitURL: 'https://a.example/?x=1&y=2', count: 4 }),
    ['key', 'time', 'join', 'spelling'],
  ],
  ['rich', written(rich, ',"roundId":9007199254740993,"note":"","ids":["7","8"],"one":["9"],"none":null,"more":{},"live":true')],
  ['typed', '{"playerId":"p/1","betAmount":1.0,"roundId":7}'],
  ['amounts', '{"playerId":"p/1","betAmount":1,"roundId":7}'],
  ['fractions', '{"playerId":"p/1","betAmount":0.1,"roundId":7}'],
  ['many digits', '{"playerId":"p/1","betAmount":0.30000000000000004}'],
  ['nested', '{"playerId":"p/1","bet":{"win":7,"at":0},"rounds":[{"note":"","id":"a"}]}'],
  ['texts of numbers', '{"playerId":"77","roundId":7}'],
  ['words', '{"playerId":"p/1","live":true,"off":false}'],
  ['empties', '{"playerId":"","list":[],"more":{},"none":null,"count":0}'],
  ['list of one', '{"one":["p/1"],"playerId":"a"}'],
  ['blanks', '{"playerId":" p/1 ","lang":"en"}'],
  ['capitals', '{"PlayerId":"p/1","GameID":"7"}'],
  ['breaks', written({ name: 'a\u2028b é' })],
  ['DEL', written({ name: 'a\u007fb é' })],
  ['accents', written({ name: 'e\u0301' })],
  ['markup', written({ name: 'a</b>*\u001f é' })],
  ['backslashes', written({ name: 'a\\b"c' })],
  ['kept', written({ name: "José & <'>", url: 'https://a.example/' }), [], { unicode: 'bare' }],
  ['no data', null, ['join', 'spelling']],
  ['year first', '{"roundId":1001,"logMonth":0}', ['time'], { time: '2027-01-03 15:05:08' }],
  ['afternoon', '{"roundId":1001,"logMonth":0}', ['time'], { time: '09-11-2026 04:07:02' }],
  ['end of the year', '{"roundId":1001,"logMonth":0}', ['time'], { time: '27-12-2026 15:05:08' }],
  ['key of two words', '{"roundId":1001,"logMonth":0}', ['key'], { key: 'a b' }],
  ['zeros', '{"roundId":1001,"logMonth":0}', ['spelling'], { key: 'key-23' }],
  ['hexadecimal key', '{"roundId":1001,"logMonth":0}', ['key'], { key: 'a1b2c3d4e5f60718' }],
  ['base64 key', '{"roundId":1001,"logMonth":0}', ['key'], { key: 'q83v/Ty+4Q==' }],
  ['HTML key', '{"roundId":1001,"logMonth":0}', ['key'], { key: 'a&b<c>"d\\e' }],
  ['encoded key', '{"roundId":1001,"logMonth":0}', ['key'], { key: 'a%2Bb_C' }],
];

const isBare = (unicode: string | undefined) => unicode === 'bare';

export const signedRequests: readonly Signed[] = requests.map(
  ([name, typed, tries = [], { key = oddKey, time = dmy, unicode } = {}]) => {
    const rule = typed === null ? null : phpJson(typed, { unicode: isBare(unicode), assoc: false });
    if (rule?.ok === false) throw new Error(`PHP refuses ${typed}`);
    const ruleText = rule === null ? null : rule.json;
    // Only a float that is whole is sent in another form than that of the rule.
    const subject = someSubject({
      time,
      dataText: typed?.includes('1.0') === true ? typed : ruleText,
      ruleText,
      form: { unicode: isBare(unicode) ? 'bare' : 'escaped', objects: 'kept' },
    });
    return { name, subject, key, texts: createDataTexts(subject), tries };
  },
);

const keysOf = ({ subject, key }: Signed) => keyForms([{ name: null, key }], subject);
const named = (id: string, axis: Mistake['axis']): Mistake => ({ ...spellings.upper, id, axis });

/** Returns the mistakes that the doctor can find in a request, each alone. */
function mistakesIn(request: Signed): readonly Mistake[] {
  const { subject, texts, tries } = request;
  // Times that are far off differ in nothing but the distance.
  const clocks = [...zones(subject.time)].filter(({ mistake }) => /:(60|-330)$/.test(mistake.id));
  return [
    ...texts.level(1).flatMap(({ ways }) => ways.flatMap(([one]) => one ?? [])),
    ...(subject.form.unicode === 'escaped' &&
    texts.value?.kind === 'object' &&
    texts.value.members.length > 1 &&
    texts.value.members.length < 6
      ? [named('order.any', 'order')]
      : []),
    ...(tries.includes('key') ? keysOf(request).map(({ mistake }) => mistake) : []),
    ...(tries.includes('time')
      ? [...timeForms(subject.time), ...clocks, ...seconds(subject.time, 2)].map(({ mistake }) => mistake)
      : []),
    ...(tries.includes('join') ? [...compositions, ...digestForms].flatMap(({ mistake }) => mistake ?? []) : []),
    ...(tries.includes('spelling')
      ? [...algorithms.map((name) => named(`digest.${name}`, 'digest')), ...Object.values(spellings)]
      : []),
  ];
}

const algorithms = ['md5', 'sha1', 'sha512', 'sha384', 'sha224'];

/** Returns every mistake that the doctor knows, also those that no request here shows. */
export function knownMistakes(): readonly Mistake[] {
  const others: KeyName[] = ['Staging', { pair: 'new' }, { pair: 'older' }];
  const keys = others.map((name, at) => ({ name, key: `other ${at}` }));
  return signedRequests.flatMap((request) => [
    ...mistakesIn({ ...request, tries: ['key', 'time', 'join', 'spelling'] }),
    ...request.texts.unseen(),
    ...keyForms([{ name: null, key: ' spaced' }, ...keys], request.subject).map(({ mistake }) => mistake),
    named('spelling.one-digit', 'spelling'),
  ]);
}

/** A program with mistakes, and the same without them, for one request. */
export interface Trial {
  readonly dialect: Dialect;
  readonly request: Signed;
  readonly way: readonly Mistake[];
  readonly pair: Pair;
}

/** Returns the programs for a mistake, or for several, in one language; null if it offers no fix. */
function trialOf(dialect: Dialect, request: Signed, way: readonly Mistake[]): Trial | null {
  const pair = fixIn(dialect, [way], request.subject);
  return pair === null || gotBy(request, pair.given) === null ? null : { dialect, request, way, pair };
}

/** Returns the trials of single mistakes in a language, of all requests. */
export function singleTrials(dialect: Dialect): Trial[] {
  return signedRequests.flatMap((request) =>
    mistakesIn(request).flatMap((mistake) => trialOf(dialect, request, [mistake]) ?? []),
  );
}

/** Returns random trials of two mistakes of different parts. */
export function pairTrials(dialect: Dialect, count: number, { pick }: Choices): Trial[] {
  const trials: Trial[] = [];
  while (trials.length < count) {
    const request = pick(signedRequests);
    const all = mistakesIn({ ...request, tries: ['key', 'time', 'join', 'spelling'] });
    const [one, other] = [pick(all), pick(all)];
    const trial =
      // The doctor knows a field by its name in the request, and one of these renames it.
      one.axis === other.axis ||
      ([one, other].some(({ axis }) => axis === 'members') && /:/.test(one.id + other.id)) ||
      ![one, other].every(({ id }) => isInCode(id) && id !== 'order.any') ||
      // A key that is not base64 is decoded in some languages alone.
      ([one, other].some(({ id }) => id === 'key.from-base64') && !request.tries.includes('key'))
        ? null
        : trialOf(dialect, request, [one, other]);
    if (trial !== null) trials.push(trial);
  }
  return trials;
}

/** Returns the key and the text of data that a program gets; null if these mistakes do not happen in the request. */
function gotBy(request: Signed, given: readonly string[]): { readonly key: string; readonly data: string | null } | null {
  const { subject, key, texts } = request;
  const stored = given.find((id) => id.startsWith('key.'));
  const own = stored === undefined ? key : keysOf(request).find(({ mistake }) => mistake.id === stored)?.key;
  // What is printed is data as it was sent.
  const sent = given.some((id) => id.startsWith('wrap.')) ? subject.dataText : subject.ruleText;
  const ids = given.filter((id) => !/^(key|wrap)\./.test(id));
  const data = ids.length === 0 ? sent : textWith(texts, ids);
  return typeof own !== 'string' || (data === null && subject.ruleText !== null) ? null : { key: own, data };
}

function textWith(texts: DataTexts, ids: readonly string[]): string | null {
  if (ids.join() === 'order.any') {
    const { value } = texts;
    if (value?.kind !== 'object' || value.members.length < 2) return null;
    const parsed = Object.entries(JSON.parse(String(texts.level(0)[0]?.text)) as object);
    return JSON.stringify(Object.fromEntries([...parsed.slice(1), ...parsed.slice(0, 1)]));
  }
  const isSame = (way: readonly Mistake[]) => way.length === ids.length && ids.every((id) => way.some((one) => one.id === id));
  const made = texts.level(ids.length).find(({ ways }) => ways.some(isSame))?.text;
  return typeof made === 'string' ? made : null;
}

/** Output of a program; `problem` if it failed. */
type Printed = { readonly hash: string; readonly time: string } | { readonly problem: string };

const jars = ['jackson-databind', 'jackson-core', 'jackson-annotations', 'gson'].map((name) => `/usr/share/java/${name}.jar`);

/** Runners of the programs of each language, with their scripts as last arguments. */
const runners: Readonly<Record<string, readonly [program: string, ...args: readonly string[]]>> = {
  php: ['php', 'run.php'],
  node: ['node', 'run.mjs'],
  python: ['python3', 'run.py'],
  ruby: ['ruby', 'run.rb'],
  go: ['go', 'run-go.mjs'],
  java: ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-cp', jars.join(':'), 'run.java'],
};

/** Returns what the programs of a language need and is missing; the program that runs them, if nothing is. */
export function toolOf(language: Language): string {
  const [runner = ''] = runners[language] ?? [];
  return [runner, ...(language === 'java' ? jars : [])].find((name) => toolPath(name) === null) ?? runner;
}

/**
 * Runs both programs of each trial, in one process, and returns what is wrong. The doctor searches the wrong hashes of those that are `searched`.
 * Throws, with the program to install, if it is missing.
 */
export function proveFixes(language: Language, trials: readonly Trial[], searched: readonly Trial[]): string[] {
  const [runner = '', ...args] = runners[language] ?? [];
  const script = args.at(-1) ?? '';
  const tool = requireTool(runner);
  const input = trials.flatMap((trial) => [caseOf(trial, trial.pair.before), caseOf(trial, trial.pair.after)]);
  const { status, stdout, stderr, error } = spawnSync(
    script.endsWith('.mjs') ? process.execPath : tool,
    args.with(-1, fileURLToPath(new URL(`signing-programs/${script}`, import.meta.url))),
    { input: input.map((one) => `${JSON.stringify(one)}\n`).join(''), encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (error !== undefined) throw error;
  if (status !== 0 || stderr !== '') throw new Error(`${script} ended with ${status}: ${stderr}`);
  const printed = stdout.trimEnd().split('\n').map(readPrinted);
  return trials.flatMap((trial, at) => {
    const problem =
      problemOf(trial, printed[2 * at], printed[2 * at + 1]) ??
      (searched.includes(trial) ? findingOf(trial, printed[2 * at]) : null);
    return problem === null ? [] : `${titleOf(trial)}: ${problem}`;
  });
}

const shown = (program: Program) => `\n${program.flat().join('\n')}\n`;

function rightHash({ subject, key }: Signed): string {
  return hash('sha256', `${key}${subject.time}${subject.ruleText ?? ''}`);
}

export function titleOf({ dialect, request, way }: Trial): string {
  return `${dialect.language}, ${request.name}, ${way.map(({ id }) => id).join(' + ')}`;
}

function readPrinted(line: string): Printed {
  const { hash: base64, time, error } = JSON.parse(line) as { readonly [Name in 'hash' | 'time' | 'error']?: string };
  if (base64 === undefined || time === undefined) return { problem: error ?? line };
  const bytes = Buffer.from(base64, 'base64');
  return { hash: bytes.toString(bytes.length === 32 ? 'latin1' : 'utf8'), time };
}

function caseOf({ request, way, pair }: Trial, program: Program) {
  const { subject } = request;
  const got = gotBy(request, pair.given) ?? { key: request.key, data: null };
  const moved = way.find(({ id }) => id.startsWith('clock.'))?.id.split(':');
  const by = Number(moved?.[1] ?? 0);
  // The backend that hashes UTC runs in a zone that its requests show.
  const [zone, offset] = moved?.[0] !== 'clock.zone' ? ['UTC', 0] : by === 60 ? ['Etc/GMT+1', -3_600] : ['Asia/Kolkata', 19_800];
  const now = Date.parse(`${isoOf(subject.time)}Z`) / 1_000 - offset;
  const { action } = subject;
  const [platform, partnerId] = [Number(subject.platform), Number(subject.partnerId)];
  const clock = moved?.[0] === 'clock.seconds' ? [now, now + by] : [now];
  return { program: program.flat().join('\n'), ...got, zone, clock, action, platform, partnerId };
}

function isoOf(time: string): string {
  return time.replace(/^(\d\d)-(\d\d)-(\d{4}) /, '$3-$2-$1T').replace(' ', 'T');
}

function problemOf(trial: Trial, before: Printed | undefined, after: Printed | undefined): string | null {
  const { request, pair } = trial;
  const { subject } = request;
  if (before === undefined || after === undefined) return 'did not run';
  if ('problem' in before) return `with the mistake: ${before.problem}${shown(pair.before)}`;
  if ('problem' in after) return `with the fix: ${after.problem}${shown(pair.after)}`;
  if (before.time !== subject.time || after.time !== subject.time)
    return `the time is ${before.time}, with the fix ${after.time}`;
  const right = rightHash(request);
  if (after.hash !== right) return `the fix does not make the right hash${shown(pair.after)}`;
  if (before.hash === right) return isInvisible(trial) ? null : `the mistake makes the right hash${shown(pair.before)}`;
  return null;
}

/** Has the doctor search the hash that a program made; null if it names the mistakes. */
function findingOf({ dialect, request, way, pair }: Trial, before: Printed | undefined): string | null {
  const { subject, key } = request;
  if (before === undefined || !('hash' in before) || before.hash === rightHash(request)) return null;
  const stages: readonly Stage[] =
    way[0]?.id === 'order.any' ? ['orders'] : way.length === 1 ? ['rule', 'singles'] : ['rule', 'singles', 'pairs'];
  const found = findHash({ ...subject, hash: before.hash }, key, stages).match?.ways ?? [];
  // One mistake can hide another: a time that is not hashed may have any form. And one program can make what two mistakes are called.
  const isSame = (one: readonly Mistake[]) => String(fixIn(dialect, [one], subject)?.before) === String(pair.before);
  const isNamed = found.some(
    (one) => one.length < way.length || way.every(({ id }) => one.some((other) => other.id === id)) || isSame(one),
  );
  return isNamed
    ? null
    : `the doctor finds ${found.map((one) => one.map(({ id }) => id).join(' + ')).join(' | ') || 'nothing'}${shown(pair.before)}`;
}

/** Returns whether a request does not show a mistake around data, which the doctor does not find then. */
function isInvisible({ way, request }: Trial): boolean {
  const { dataText } = request.subject;
  // What a composition without data leaves out may have any form.
  const axes = ['spelling', ...(dataText === null ? ['composition', 'digest', ...(way.length > 1 ? ['wrap'] : [])] : [])];
  return way.every(({ axis }) => axes.includes(axis));
}
