import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Fidelity, PastedRequest } from '#shared/ipc/index.ts';
import { recognise } from './recognise.ts';

/** Sections of the fixture: name, source, text. */
const sections = readFileSync(new URL('fixtures/recorded-forms.txt', import.meta.url), 'utf8')
  .split('\n### ')
  .slice(1);
const texts = new Map(
  sections.map((section) => {
    const [name = '', , , ...lines] = section.replace(/\n$/, '').split('\n');
    return [name, lines.join('\n')];
  }),
);

const escaped = String.raw`{"gameMode":"real","gameId":"1042","lang":"en","externalToken":"aGVs+bG8/dG9rZW4=","playerId":"Jos\u00e9","country":"DE","ip":"203.0.113.9","exitURL":"https:\/\/l.example\/x?a=1&b=it's"}`;
const raw = escaped.replace(String.raw`\u00e9`, 'é');
const rewritten = raw.replaceAll('\\/', '/');
const sorted = `{${[...rewritten.matchAll(/"\w+":"[^"]*"/g)]
  .map(([field]) => field)
  .sort()
  .join(',')}}`;
const pretty = `{${[...rewritten.matchAll(/("\w+"):("[^"]*")/g)].map(([, name, value]) => `\n    ${name}: ${value}`).join(',')}\n  }`;
const hash = '5d0c7be19f02c8a4716be35d90f8127c3a4b5e6d7f8091a2b3c4d5e6f7e07b12';

const whole = {
  action: 'getLauncherURL',
  operations: ['getLauncherURL' as const],
  platform: '7',
  partnerId: '11',
  time: '22-11-2026 10:40:02',
  currency: null,
  hash,
  url: null,
  code: null,
  missing: [],
} satisfies Partial<PastedRequest>;
/** A text without an envelope. */
const apart = { action: null, platform: null, partnerId: null } as const;
const url = 'https://api.example/serviceApi.php';

const round = { ...apart, action: 'getGameRound', operations: ['getGameRound' as const], hash: null };
const masked = (token: string) => rewritten.replace('aGVs+bG8/dG9rZW4=', token);
const spaced = (json: string) => json.replaceAll('","', '", "').replaceAll('":"', '": "');

type Row = readonly [
  name: string,
  layers: readonly string[],
  fidelity: Fidelity,
  data: string | null,
  others?: Partial<PastedRequest>,
];

const rows: readonly Row[] = [
  ['nginx access log', ['log line', 'nginx log escapes'], 'exact', escaped],
  ['nginx access log of raw characters', ['log line', 'nginx log escapes'], 'exact', raw],
  ['nginx access log as JSON', ['log line', 'JSON inside JSON'], 'exact', escaped],
  ['nginx access log without escapes', ['log line'], 'exact', escaped],
  ['Apache dumpio', ['log line', 'Apache log escapes'], 'exact', escaped],
  ['Apache dumpio of raw characters', ['log line', 'Apache log escapes'], 'exact', raw],
  ['Apache access log', ['log line', 'Apache log escapes'], 'exact', raw],
  ['curl --trace-ascii', ['curl trace'], 'lossy', raw.replace('é', '..'), { code: 8 }],
  ['curl --trace', ['curl trace'], 'exact', raw, { code: 8 }],
  ['hexdump -C', ['hex dump'], 'exact', raw],
  ['xxd', ['hex dump'], 'exact', raw],
  ['SQLite insert', ['SQL string'], 'exact', escaped],
  ['Ruby inspect', ['Ruby hash'], 'reencoded', rewritten],
  ['Ruby inspect of symbols', ['Ruby hash'], 'reencoded', rewritten],
  ['Ruby inspect of the text', ['Ruby hash'], 'exact', escaped],
  ['Ruby p of the text', ['quoted string'], 'exact', escaped],
  ['Ruby Logger', ['log line', 'Ruby hash'], 'reencoded', rewritten],
  ['Ruby pp', ['Ruby hash'], 'reencoded', rewritten],
  ['Go %q', ['quoted string'], 'exact', escaped],
  ['Go %+q', ['quoted string'], 'exact', escaped],
  ['Go %v of a map', ['Go %+v'], 'lossy', sorted],
  ['Go %+v of a struct', ['Go %+v'], 'lossy', rewritten],
  ['Go %+v of a pointer', ['Go %+v'], 'lossy', rewritten],
  ['Go log', ['log line', 'Go %+v'], 'lossy', rewritten, { code: 8 }],
  ['Go json.Marshal', ['log line', 'JSON inside JSON'], 'exact', escaped],
  ['Go %#v', ['Go %#v'], 'reencoded', sorted],
  ['Java LinkedHashMap', ['Java toString'], 'lossy', rewritten],
  ['Java HashMap', ['Java toString'], 'lossy', rewritten],
  ['Java record', ['Java toString'], 'lossy', rewritten],
  ['Java round', ['Java toString'], 'lossy', '{"roundId":9007199254740993,"logMonth":0}', round],
  ['Java logging', ['log line', 'Java toString'], 'lossy', rewritten, { code: 8 }],
  ['Lombok', ['log line', 'Java toString'], 'lossy', rewritten],
  ['pino with the text', ['log line', 'JSON inside JSON'], 'exact', escaped, { code: 8 }],
  ['pino with the object', ['log line', 'object inside JSON'], 'reencoded', rewritten],
  ['pino with the fields', ['log line'], 'reencoded', rewritten],
  ['pino with the text in its message', ['log line', 'JSON inside JSON'], 'exact', escaped],
  ['winston json', ['log line', 'JSON inside JSON'], 'exact', escaped],
  ['winston with the fields', ['log line'], 'reencoded', sorted],
  ['winston simple', ['log line', 'object inside JSON'], 'reencoded', sorted],
  ['winston prettyPrint', ['Node inspect'], 'exact', escaped],
  ['winston splat', ['log line', 'Node inspect'], 'lossy', rewritten],
  ['bunyan', ['log line', 'JSON inside JSON'], 'exact', escaped],
  ['Docker json-file in parts', ['Docker log', 'log line', 'JSON inside JSON'], 'exact', escaped],
  ['Kubernetes in parts', ['Kubernetes log'], 'exact', escaped],
  ['CloudWatch CSV', ['CSV field'], 'exact', escaped],
  ['CloudWatch get-log-events', ['CloudWatch event'], 'exact', escaped],
  ['OpenSearch document', ['OpenSearch document', 'log line'], 'exact', escaped],
  ['OpenSearch columns', ['OpenSearch document', 'flattened fields'], 'lossy', sorted.replace('é', String.raw`\u00e9`)],
  ['Loki', ['Loki result'], 'exact', escaped],
  ['Splunk', ['Splunk result', 'log line'], 'exact', escaped],
  ['Splunk, truncated', ['Splunk result', 'log line'], 'exact', null, { hash: null, missing: ['data', 'hash'] }],
  ['journalctl -o json', ['journal entry'], 'exact', escaped],
  ['HAR', ['HAR entry'], 'exact', escaped, { code: 8, url }],
  ['HAR in Base64', ['HAR entry', 'Base64'], 'exact', escaped, { code: 8, url }],
  ['HAR entry', ['HAR entry'], 'exact', escaped, { code: 8, url }],
  ['Copy as cURL for bash', ['curl command'], 'exact', escaped, { url }],
  ['Copy as cURL for Windows', ['curl command'], 'exact', escaped, { url }],
  ['Copy as fetch', ['fetch call', 'JSON inside JSON'], 'exact', escaped, { url }],
  ['Postman console', ['Postman console', 'quoted string'], 'exact', pretty.replaceAll('\n', '\r\n'), { code: 8, url }],
  ['HTTP message', ['HTTP message'], 'exact', escaped, { code: 8, url }],
  ['Monolog with the object', ['Monolog line'], 'reencoded', rewritten],
  [
    'Monolog with data alone',
    ['Monolog line', 'object inside JSON'],
    'reencoded',
    rewritten,
    { ...apart, time: null, hash: null },
  ],
  ['Monolog with the text', ['Monolog line', 'JSON inside JSON'], 'exact', escaped, { code: 8 }],
  ['Serilog', ['log line', 'JSON inside JSON'], 'exact', escaped],
  ['Serilog with the object', ['log line', 'object inside JSON'], 'reencoded', rewritten],
  ['Rails parameters', ['Ruby hash'], 'reencoded', masked('[FILTERED]'), { hash: null, missing: ['hash', 'data.externalToken'] }],
  ['logfmt', ['log line', 'quoted string'], 'exact', escaped],
  [
    'chat',
    ['log line', 'copied text (typographic quotes, no-break or other wide spaces)'],
    'reencoded',
    spaced(masked('***')),
    { hash: '5d0c7be19f…e07b12', missing: ['data.externalToken'] },
  ],
  ['mail with no-break blanks', ['copied text (no-break or other wide spaces)'], 'reencoded', pretty],
  ['labelled lines', ['fields with labels'], 'exact', escaped, apart],
  ['labelled in one line', ['fields with labels'], 'exact', escaped, apart],
  ['hash, time and data in lines', ['hash, time and data'], 'exact', escaped, apart],
  ['hash input', ['hash input'], 'exact', escaped, { ...apart, hash: null }],
  ['data alone', [], 'exact', escaped, { ...apart, time: null, hash: null }],
  ['truncated hash', ['fields with labels'], 'exact', escaped, { ...apart, hash: '5d0c7be19f…' }],
  ['truncated hash that is too short', ['fields with labels'], 'exact', escaped, { ...apart, hash: null, missing: ['hash'] }],
];

/** Forms that only programs of one language write. */
const writers = [
  ['php', /^Monolog/],
  ['node', /^(?:pino|winston (?:prettyPrint|splat))/],
  ['ruby', /^(?:Ruby (?!p of)|Rails)/],
  ['java', /^(?:Java|Lombok)/],
  ['go', /^Go (?:%\+?v|%#v|log)/],
] as const;

it('has a row for each recorded form, and at least forty', () => {
  expect([...texts.keys()]).toEqual(rows.map(([name]) => name));
  expect(rows.length).toBeGreaterThanOrEqual(40);
});

it.each(rows.map((row) => [row[0], row] as const))('%s', (name, [, layers, fidelity, dataText, others = {}]) => {
  const { requests, problem, leftOff } = recognise(texts.get(name) ?? '');
  const { envelopeText, language, ...request } = requests[0] ?? { envelopeText: null, language: null };
  expect({ problem, leftOff }).toEqual({ problem: null, leftOff: 0 });
  expect(request).toEqual({ ...whole, layers, fidelity, dataText, ...others });
  expect(language).toBe(writers.find(([, names]) => names.test(name))?.[0] ?? null);
  if (envelopeText !== null) expect(JSON.parse(envelopeText)).toMatchObject({ action: 'getLauncherURL', hash });
});
