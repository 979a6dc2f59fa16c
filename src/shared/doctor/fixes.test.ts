import { expect, test } from 'vitest';
import { knownMistakes, signedRequests, singleTrials } from '#testing/fix-rounds.ts';
import { adviceOn, advisedIds } from './advice.ts';
import { advicesOn, dialects, fixesFor, isInCode } from './fixes.ts';
import type { Mistake, Subject } from './model.ts';
import { go } from './programs-go.ts';
import { fixText } from './words.ts';

const known = new Map(knownMistakes().map((mistake) => [mistake.id, mistake]));
const mistake = (id: string): Mistake => {
  const found = known.get(id);
  if (found === undefined) throw new Error(`There is no ${id}.`);
  return found;
};
const subjectOf = (name: string): Subject => {
  const found = signedRequests.find((request) => request.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found.subject;
};
const patch = (ids: readonly string[], name = 'plain', pasted: Parameters<typeof fixesFor>[2] = null) => {
  const [fix] = fixesFor([ids.map(mistake)], subjectOf(name), pasted);
  return fix === undefined
    ? null
    : [
        fix.language,
        ...fixText(fix)
          .split('\n')
          .filter((line) => !line.startsWith(' ')),
      ];
};

test('every mistake has code in a language, or says what to look up', () => {
  expect([...known.keys()].filter((id) => !isInCode(id) && adviceOn({ id }) === null)).toEqual([]);
});

test('every advice is for a mistake that exists', () => {
  expect(
    advisedIds.filter((id) => ![...known.keys()].some((one) => one === id || (id.endsWith(':') && one.startsWith(id)))),
  ).toEqual([]);
});

test.each(dialects.map((dialect) => [dialect.language, dialect] as const))(
  'all code of %s is run with some request',
  (_, dialect) => {
    const run = new Set(singleTrials(dialect).flatMap(({ way }) => way.map(({ id }) => id)));
    const isRun = (id: string) => run.has(id) || (id.endsWith(':') && [...run].some((one) => one.startsWith(id)));
    expect(Object.keys(dialect.code).filter((id) => !isRun(id))).toEqual([]);
  },
);

test('each mistake has its own fix', () => {
  expect(patch(['slash.escaped'])).toEqual([
    'php',
    '- $json = json_encode($data);',
    '+ $json = json_encode($data, JSON_UNESCAPED_SLASHES);',
  ]);
  // Nothing to hash: the part is left out, and not made.
  expect(patch(['wrap.is:[]'], 'no data')).toEqual([
    'php',
    '- $json = json_encode([], JSON_UNESCAPED_SLASHES);',
    "- $hash = hash('sha256', $privateKey . $time . $json);",
    "+ $hash = hash('sha256', $privateKey . $time);",
  ]);
  // A round ID keeps its digits.
  expect(patch(['numbers.double'], 'rich')).toEqual([
    'node',
    '- const json = JSON.stringify({ ...data, roundId: Number(data.roundId) }).replace(/[\\u0080-\\uffff]/g, escaped);',
    '+ const json = JSON.stringify({ ...data, roundId: JSON.rawJSON(String(data.roundId)) }).replace(/[\\u0080-\\uffff]/g, escaped);',
  ]);
  // The clock is read once.
  expect(patch(['clock.seconds:1'])).toEqual([
    'php',
    "- $signedTime = date('d-m-Y H:i:s');",
    "- $hash = hash('sha256', $privateKey . $signedTime . $json);",
    "+ $hash = hash('sha256', $privateKey . $time . $json);",
  ]);
  expect(patch(['key.quoted'])).toEqual([
    'php',
    "- $privateKey = getenv('PRIVATE_KEY');",
    "+ $privateKey = trim(getenv('PRIVATE_KEY'), '\"\\'');",
  ]);
});

test('the lines of a change are those of both programs', () => {
  for (const { way, request, pair } of singleTrials(go).filter((one) => one.request.name === 'empties')) {
    const lines = fixesFor([way], request.subject, 'go')[0]?.lines ?? [];
    const without = (change: string) => lines.filter((line) => line.change !== change).map(({ text }) => text);
    expect([without('added'), without('removed')]).toEqual([pair.before.flat(), pair.after.flat()]);
  }
});

test('two mistakes are mended together', () => {
  expect(patch(['slash.escaped', 'key.line-feed', 'digest.hmac'])).toEqual([
    'php',
    "- $privateKey = getenv('PRIVATE_KEY');",
    `+ $privateKey = rtrim(getenv('PRIVATE_KEY'), "\\r\\n");`,
    '- $json = json_encode($data);',
    '+ $json = json_encode($data, JSON_UNESCAPED_SLASHES);',
    "- $hash = hash_hmac('sha256', $time . $json, $privateKey);",
    "+ $hash = hash('sha256', $privateKey . $time . $json);",
  ]);
});

test('the language of the pasted text comes first, if its usual code makes the mistakes', () => {
  const languages = (ids: readonly string[], pasted: 'python' | 'node' | null) =>
    fixesFor([ids.map(mistake)], subjectOf('plain'), pasted).map(({ language }) => language);
  expect(languages(['slash.escaped'], null)).toEqual(['php', 'node', 'python', 'ruby', 'go', 'java']);
  expect(languages(['slash.escaped'], 'python')).toEqual(['python', 'php', 'node', 'ruby', 'go', 'java']);
  expect(languages(['layout.spaced'], 'node')).toEqual(['python']);
});

test('what no code can mend says what to look up, beside the fix of the other mistakes', () => {
  const way = ['key.other:Staging', 'slash.escaped'].map(mistake);
  expect(advicesOn(way)).toEqual([expect.stringContaining('which key the backend loads')]);
  expect(fixesFor([way], subjectOf('plain'), null)[0]).toEqual(
    fixesFor([[mistake('slash.escaped')]], subjectOf('plain'), null)[0],
  );
  expect(fixesFor([[mistake('key.other:Staging')]], subjectOf('plain'), null)).toEqual([]);
});

test('code that cannot write data as the rule does is not offered', () => {
  const subject = { ...subjectOf('plain'), dataText: '{"a":1.0e-7}', ruleText: '{"a":1.0e-7}' };
  expect(fixesFor([[mistake('slash.escaped')]], subject, 'node').map(({ language }) => language)).toEqual(['php']);
  // The provider hashes what it receives, in whatever form: no encoder is right.
  expect(fixesFor([[mistake('slash.escaped')]], { ...subject, ruleText: '{ "a": 1 }' }, null)).toEqual([]);
});
