/**
 * Has the worst text within its limits read by each job of the reading threads, and prints each result as a line of JSON, with the
 * longest task of the thread that asks, which also makes the text. A step of
 * the engine that takes more memory than a thread has ends the whole program: then the line is missing.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { CollectionRequest } from '#shared/collections/model.ts';
import type { ExportFormat } from '#shared/ipc/index.ts';
import { exportFormats, isProgram } from '#shared/model/formats.ts';
import { createJobInThread } from '#core/formats/exports/export-job.ts';
import { createReading } from '#core/app/reading-jobs.ts';
import type { JobInput, Reading } from '#core/untrusted/jobs.ts';
import type { ReadingJobs } from '#core/untrusted/jobs.ts';
import { temporaryFolder } from './app.ts';
import { recordBodies } from './record-calls.ts';
import { someReported, someStart } from './some-run.ts';

interface Worst {
  readonly name: string;
  run(reading: Reading): Promise<unknown>;
}

const megabyte = 1_000_000;
const most = 4.9 * megabyte;

function worst<Name extends keyof ReadingJobs>(name: string, job: Name, input: () => JobInput<Name>): Worst {
  // Within the limits of every job: the text decides.
  const options = { subject: 'The text', bytes: 2 * megabyte, inPlace: false };
  return { name: `${job}: ${name}`, run: (reading) => reading.run(job, input(), options) };
}

const write = (name: string, data: string) =>
  worst(name, 'collections.writeFile', () => ({
    kind: 'request',
    source: null,
    value: CollectionRequest.parse({ operation: 'bet', data }),
  }));
const plan = (name: string, file: string, text: () => string) =>
  worst(name, 'imports.plan', () => ({
    files: [{ name: file, text: text() }],
    target: { folder: '', names: [] },
    environments: [],
  }));
const envelope = (data: string) =>
  `{"action":"getGameRound","platform":1,"partnerId":2,"time":"t","data":${data},"hash":"${'ab'.repeat(32)}"}`;

/** Returns an export of one recorded call, in its thread. */
const exported = (name: string, format: ExportFormat, body: string, answer: () => Buffer): Worst => ({
  name: `export: ${name}`,
  async run() {
    const home = await temporaryFolder();
    const [id = 0] = await recordBodies(home, 'bet', [{ request: body, response: answer() }]);
    const job = createJobInThread(fileURLToPath(new URL('../main/core/formats/exports/export-worker.ts', import.meta.url)), {
      historyPath: join(home, 'history.sqlite'),
      unrecorded: [],
      source: {
        request: { callIds: [id], format, form: 'as-sent', keyVariable: 'KEY', keepTokens: false },
        ids: [id],
        environments: [],
        version: '0',
        runtime: 'Node',
        now: 0,
      },
    });
    try {
      await job.begin();
      while (!(await job.next()).ended);
    } finally {
      await job.end();
      await rm(home, { recursive: true });
    }
  },
});

const formats = exportFormats.map(({ name }) => name);
const programs = formats.filter(isProgram);
const records = formats.filter((format) => !isProgram(format));

const example = (name: string, body: () => string) =>
  worst(name, 'example.mask', () => ({ requestText: '{}', url: 'https://a.example', body: Buffer.from(body()), answers: {} }));
const many = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length));
/** Returns numbered pieces of so many characters in all. */
function numbered(make: (at: number) => string, size: number): string {
  const parts: string[] = [];
  for (let length = 0; length < size; length += parts.at(-1)?.length ?? 0) parts.push(make(parts.length));
  return parts.slice(0, -1).join('');
}

/** Jobs that a suite has time for. */
const short: readonly Worst[] = [
  write('empty lines', `${'\n'.repeat(most)}x`),
  write('control characters', '\u0001'.repeat(most)),
  worst('slashes that were signed', 'imports.hash', () => ({
    rawBody: envelope(`"${'/'.repeat(most)}"`),
    mayHoldVariables: false,
  })),
  plan(
    'numbers that were signed',
    'a.sh',
    () => `curl https://a.example/serviceApi.php -d '${envelope(`[${many('1,', most)}1]`)}'\n`,
  ),
  plan('quotes of Bruno', 'a.bru', () => `meta {\n  name: ${"'".repeat(2 * most)}\n}\n`),
  exported('a page of ampersands', 'support', '{}', () => Buffer.from('&'.repeat(20 * megabyte))),
  worst('values that nothing closes', 'pasted.read', () => many("{'hash': ", 4 * megabyte)),
  worst('a support pack of wrong calls', 'packs.read', () => ({
    bytes: Buffer.from(`{"format":"croupier-support-pack","version":1,"calls":[${many('{},', 1.79 * megabyte)}{}]}`),
    address: '',
  })),
  example('a token before empty objects', () => `{"token":"abcdefgh","a":[${many('{},', 19 * megabyte)}{}]}`),
];

/** Files of a collection, behind their first line. */
const yaml: Readonly<Record<string, () => string>> = {
  'one line of data': () => `data: |\n  ${'x'.repeat(most)}\n`,
  'empty lines in data': () => `data: |\n${'\n'.repeat(most)}  a\n`,
  'lines folded': () => `notes: >\n${many('  a\n   b\n', most)}`,
  'names that nothing reads': () => numbered((at) => `zzqx${at}: 1\n`, 400_000),
  'mistaken names': () => numbered((at) => `expect${at}: 1\n`, 400_000),
  comments: () => many(`# ${'c'.repeat(60)}\n`, most),
  documents: () => many('---\n', most),
  brackets: () => `expect: ${'['.repeat(most)}`,
  'closing brackets': () => ']'.repeat(most),
  'a flow of empty lists': () => `expect: [${many('[],', 190_000)}]`,
  'a flow of quotes without commas': () => `expect: [${many('"a"', 180_000)}]`,
  'names without a colon': () => many('k\n', 130_000),
  anchors: () => `expect:\n${numbered((at) => `- &a${at} b\n`, most)}`,
  tags: () => `expect:\n${many('- !!str b\n', most)}`,
  laughs: () => `a: &a [x,x]\n${numbered((at) => `b${at}: &b${at} [*a,*a]\n`, most)}`,
  'blanks behind a mark': () => `form: | # ${' '.repeat(most)}x\n  a\n`,
  escapes: () => `notes: "${many('\\x41', most)}"\n`,
  'question marks': () => many('?\n', 100_000),
  tabs: () => `form:${'\t'.repeat(most)}a\n`,
};

const slots = (inner: string) => `{"code":0,"message":"ok","data":{"slots":[${inner}]}}`;

/** Responses of so many bytes. */
const answers: Readonly<Record<string, (size: number) => string | Buffer>> = {
  'empty objects': (size) => slots(`${many('{},', size)}{}`),
  numbers: (size) => slots(`${many('1,', size)}1`),
  'deep arrays': (size) => slots('['.repeat(size / 2) + ']'.repeat(size / 2)),
  'arrays that never close': (size) => '['.repeat(size),
  'a number of many digits': (size) => slots(`{"id":1${'7'.repeat(size)}}`),
  'long texts': (size) => slots(`${many(`"${'x'.repeat(10_000)}",`, size)}""`),
  escapes: (size) => slots(`"${many('\\u00e9\\"', size)}"`),
  'characters of two bytes': (size) => slots(`"${'ż'.repeat(size / 2)}"`),
  'one name again and again': (size) => slots(`{${many('"id":1,', size)}"id":2}`),
  'other names each': (size) => slots(`{${numbered((at) => `"n${at}":${at},`, size)}"id":2}`),
  'games with everything else': (size) =>
    slots(`${numbered((at) => `{"id":${at},"gameName":"a","bets":[0.25,0.5],"status":1},`, size)}{}`),
  'a message': (size) => `{"code":7,"message":"${'m'.repeat(size)}","data":null}`,
  'a page of HTML': (size) => `<html>${many('<p class="a">[{</p>', size)}`,
  'JSON that breaks at its end': (size) => `{"code":0,"data":[${many('"abcdefgh",', size)}}`,
  'bytes that are no UTF-8': (size) => Buffer.concat([Buffer.from(slots(many('"a",', size))), Buffer.from([0xff])]),
  'quotes behind backslashes': (size) => `{"a":"${many('\\"', size)}`,
};

const long: readonly Worst[] = [
  ...short,
  write('quotes', '"'.repeat(most)),
  write('lines of blanks', many(' \n', most)),
  ...Object.entries(yaml).map(([name, text]) =>
    worst(name, 'collections.readFile', () => ({ kind: 'request', source: `operation: bet\n${text()}` })),
  ),
  ...Object.entries(answers).map(([name, text]) =>
    worst(name, 'response.read', () => ({
      operation: 'gameList',
      form: 'main',
      requestBody: Buffer.from('{}'),
      body: Buffer.from(text(19 * megabyte)),
      status: 200,
      answers: {},
    })),
  ),
  worst('commas that were signed', 'imports.hash', () => ({
    rawBody: envelope(`[${many('1,', 490_000)}1]`),
    mayHoldVariables: false,
  })),
  plan('a body of one text', 'a.json', () =>
    JSON.stringify({
      info: { name: 'a', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [
        {
          name: 'a',
          request: {
            method: 'POST',
            url: 'https://a.example/serviceApi.php',
            body: { mode: 'raw', raw: envelope(`"${'\\"'.repeat(1.6 * megabyte)}"`) },
          },
        },
      ],
    }),
  ),
  plan('words', 'a.sh', () => `curl ${many('a ', 9.9 * megabyte)}`),
  plan('empty lines', 'a.sh', () => `curl x${'\n'.repeat(9.9 * megabyte)}`),
  plan('empty objects', 'a.har', () => `{"log":{"entries":[${many('{},', 9.9 * megabyte)}{}]}}`),
  ...records.flatMap((format) => [
    exported('ampersands', format, '{}', () => Buffer.from('&'.repeat(20 * megabyte))),
    exported('control characters', format, '{}', () => Buffer.from('\u0001'.repeat(20 * megabyte))),
    exported('characters of two bytes', format, '{}', () => Buffer.from('ż'.repeat(10 * megabyte))),
    exported('no UTF-8', format, '{}', () => Buffer.alloc(20 * megabyte, 0xff)),
    exported('names', format, '{}', () => Buffer.from(`{${many('"a":1,', 7.1 * megabyte)}"token":"abcdefgh"}`)),
    exported('tokens', format, '{}', () => Buffer.from(many('token=abcdefgh&', 20 * megabyte))),
  ]),
  ...programs.flatMap((format) => [
    exported('quotes', format, `"${"'".repeat(most)}"`, () => Buffer.alloc(0)),
    exported('control characters', format, '\u0001'.repeat(most), () => Buffer.alloc(0)),
  ]),
  example('many tokens', () => `[${many('{"token":"abcdefgh"},', 12.5 * megabyte)}1]`),
  example('one long text', () => JSON.stringify('\u0001'.repeat(3 * megabyte))),
  worst('other bytes', 'catalogue.games', () =>
    Buffer.from(`{"data":{"slots":[${many('{"id":"1","bets":[1,2]},', 5.7 * megabyte)}{}]}}`),
  ),
  worst('records', 'rounds.records', () => Buffer.from(`{"data":[${many('{"id":"1"},', 6.5 * megabyte)}{}]}`)),
  worst('requests', 'runs.report', () => ({ bytes: report(100_000), as: 'html' })),
  worst('requests', 'runs.report', () => ({ bytes: report(100_000), as: 'junit' })),
  worst('many requests', 'pasted.read', () => many(`${envelope('{"roundId":1}')}\n`, 4 * megabyte)),
  worst('many fields', 'pasted.read', () => `{"hash":"x",${many('"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa":{},', 3 * megabyte)}"b":1}`),
  worst('one long text', 'pasted.read', () => JSON.stringify({ body: envelope(`"${'\\u0001'.repeat(600_000)}"`) })),
  worst('few requests', 'runs.report', () => ({ bytes: report(20_000), as: 'html' })),
];

function report(requests: number): Uint8Array<ArrayBuffer> {
  const start = someStart({ planned: requests });
  const check = { check: 'code is 0', passed: true, expected: '0', actual: '0', message: '' };
  const lines = Array.from({ length: requests }, (_, index) =>
    JSON.stringify({
      index,
      request: {
        iteration: 1,
        row: null,
        request: someReported({ path: `folder/request ${index}`, state: 'skipped', checks: [check] }),
      },
    }),
  );
  return new Uint8Array(Buffer.from(`${[JSON.stringify({ start }), ...lines].join('\n')}\n`));
}

const [kind = 'short', only] = process.argv.slice(2);
for (const one of kind === 'long' ? long : short) {
  if (only !== undefined && !one.name.includes(only)) continue;
  const reading = createReading({
    program: fileURLToPath(new URL('../main/core/app/reading-worker.ts', import.meta.url)),
    later(work, milliseconds) {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
  });
  const from = performance.now();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const outcome = await one.run(reading).then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  await reading.close();
  const [ms, longestTaskMs] = [Math.round(performance.now() - from), Math.round(delay.max / 1e6)];
  process.stdout.write(`${JSON.stringify({ name: one.name, outcome, ms, longestTaskMs })}\n`);
}
