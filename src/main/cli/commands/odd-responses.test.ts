import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayHaveActed } from '#shared/calls/acting.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import { RunReport } from '#shared/collections/run-report.ts';
import type { Call, CallSummary } from '#shared/ipc/index.ts';
import { messageOf, outcomeOf } from '#renderer/calls/call-words.ts';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { createCli, type Cli } from '#testing/cli-driver.ts';
import { startTlsServer, type TestServer } from '#testing/https-server.ts';

// Every response that a provider, a gateway or a broken script may send: what Croupier says of it in a call, the list, a run, JUnit and HAR
// has to agree with the bytes that the server wrote, and with each other.

const accepted = '{"code":0,"message":"ok","data":{"slots":[]}}';
const rejected = '{"code":8,"message":"hash not valid","data":null}';
const warned = '<br />\n<b>Warning</b>:  Undefined variable $a in <b>/srv/api.php</b> on line <b>7</b><br />\n';

/** A body: its bytes, the code that a lenient reader finds, and the finding without which the code must not be shown. */
interface Body {
  readonly bytes: Buffer;
  readonly code: number | null;
  readonly odd: string | null;
}
const body = (bytes: string | Buffer, code: number | null, odd: string | null = null): Body => ({
  bytes: Buffer.from(bytes as string),
  code,
  odd,
});
const bodies = {
  accepted: body(accepted, 0),
  rejected: body(rejected, 8),
  'accepted behind a byte order mark': body(`\ufeff${accepted}`, 0, 'answer.bom'),
  'accepted in UTF-16': body(Buffer.from(accepted, 'utf16le'), 0, 'answer.charset'),
  'accepted behind a warning of PHP': body(warned + accepted, 0, 'answer.php'),
  'rejected before a warning of PHP': body(rejected + warned, 8, 'answer.php'),
  'with two codes': body('{"code":8,"message":"no","data":null,"code":0}', null, 'duplicate-key'),
  'a page of HTML': body('<html><body>Bad gateway</body></html>', null),
  'half of a document': body(accepted.slice(0, -9), null),
  'a fatal error of PHP': body(warned.replace('Warning', 'Fatal error'), null),
  nothing: body('', null),
} as const;

/** A way to write the response: its bytes, and the finding that it makes. */
interface Way {
  readonly write: (status: string, bytes: Buffer) => Buffer;
  readonly odd: string | null;
  /** True if the recorded body is not the bytes that were written, without any fault. */
  readonly packed?: boolean;
}
const head = (status: string, lines: readonly string[], end = '\r\n') =>
  Buffer.from([`HTTP/1.1 ${status}`, ...lines, '', ''].join(end), 'latin1');
const lengthOf = (bytes: Buffer) => `Content-Length: ${bytes.length}`;
const chunked = (bytes: Buffer) =>
  bytes.length === 0
    ? '0\r\n\r\n'
    : Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')]);
const plain =
  (...more: string[]): Way['write'] =>
  (status, bytes) =>
    Buffer.concat([head(status, [lengthOf(bytes), ...more]), bytes]);
const ways = {
  'a length': { write: plain('Content-Type: application/json'), odd: null },
  'the end of the connection': { write: (status, bytes) => Buffer.concat([head(status, []), bytes]), odd: null },
  chunks: {
    write: (status, bytes) => Buffer.concat([head(status, ['Transfer-Encoding: chunked']), Buffer.from(chunked(bytes))]),
    odd: null,
  },
  '100 Continue': {
    write: (status, bytes) => Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), plain()(status, bytes)]),
    odd: null,
    packed: true,
  },
  'lines that end in LF': {
    write: (status, bytes) => Buffer.concat([head(status, [lengthOf(bytes)], '\n'), bytes]),
    odd: 'http.lineEnds',
  },
  'two equal lengths': {
    write: (status, bytes) => Buffer.concat([head(status, [lengthOf(bytes), lengthOf(bytes)]), bytes]),
    odd: 'http.equalLengths',
  },
  'a blank before a colon': { write: plain('Server : a'), odd: 'http.spaceBeforeColon' },
  'a line without a colon': { write: plain('Server'), odd: 'http.noColon' },
  'a length beside chunks': {
    write: (status, bytes) =>
      Buffer.concat([head(status, [lengthOf(bytes), 'Transfer-Encoding: chunked']), Buffer.from(chunked(bytes))]),
    odd: 'http.lengthAndChunks',
  },
  'the encoding UTF-8': { write: plain('Content-Encoding: UTF-8'), odd: 'http.encoding' },
  'gzip, which it is not': { write: plain('Content-Encoding: gzip'), odd: 'http.encoding' },
  gzip: {
    write: (status, bytes) => {
      const packed = gzipSync(bytes);
      return Buffer.concat([head(status, [lengthOf(packed), 'Content-Encoding: gzip']), packed]);
    },
    odd: null,
    packed: true,
  },
  brotli: {
    write: (status, bytes) => {
      const packed = brotliCompressSync(bytes);
      return Buffer.concat([head(status, [lengthOf(packed), 'Content-Encoding: br']), packed]);
    },
    odd: null,
    packed: true,
  },
} satisfies Readonly<Record<string, Way>>;

const statuses = [
  '200 OK',
  '302 Found',
  '400 Bad Request',
  '401 Unauthorized',
  '403 Forbidden',
  '404 Not Found',
  '408 Request Timeout',
  '413 Content Too Large',
  '429 Too Many Requests',
  '500 Internal Server Error',
  '502 Bad Gateway',
  '503 Service Unavailable',
  '504 Gateway Timeout',
] as const;

type End = 'whole' | 'cut in its head' | 'cut in its body' | 'cut at its end';

interface Row {
  readonly name: string;
  readonly status: number;
  readonly body: Body;
  readonly way: Way;
  /** Everything that the server writes, and how it ends then: `notify` by TLS's close_notify, `fin` without, `open` not at all. */
  readonly written: Buffer;
  readonly ends: 'notify' | 'fin' | 'open';
  /** True if a client can know that the response is whole. */
  readonly isWhole: boolean;
}

function row(status: string, way: keyof typeof ways, of: keyof typeof bodies, end: End): Row {
  const how: Way = ways[way];
  const all = how.write(status, bodies[of].bytes);
  const inHead = all.indexOf(way === 'lines that end in LF' ? '\n\n' : '\r\n\r\n') - 3;
  const length = {
    whole: all.length,
    'cut in its head': inHead,
    'cut in its body': all.length - 8,
    'cut at its end': all.length,
  }[end];
  return {
    name: `${status.slice(0, 3)}, ${of}, by ${way}, ${end}`,
    status: Number(status.slice(0, 3)),
    body: bodies[of],
    way: how,
    written: all.subarray(0, length),
    ends: end !== 'whole' ? 'fin' : way === 'the end of the connection' ? 'notify' : 'open',
    isWhole: end === 'whole' || (end === 'cut at its end' && way !== 'the end of the connection'),
  };
}

const names = <T extends object>(record: T) => Object.keys(record) as (keyof T)[];
const rows: readonly Row[] = [
  ...statuses.flatMap((status) =>
    (['accepted', 'rejected', 'a page of HTML', 'nothing'] as const).map((of) => row(status, 'a length', of, 'whole')),
  ),
  ...names(ways).flatMap((way) =>
    names(bodies)
      .filter((of) => of !== 'nothing' || !way.startsWith('gzip,'))
      .map((of) => row('200 OK', way, of, 'whole')),
  ),
  ...(['cut in its head', 'cut in its body', 'cut at its end'] as const).flatMap((end) =>
    (['a length', 'chunks', 'the end of the connection', 'lines that end in LF', 'two equal lengths'] as const).flatMap((way) =>
      (['accepted', 'a page of HTML'] as const).map((of) =>
        row(end === 'cut in its body' ? '502 Bad Gateway' : '200 OK', way, of, end),
      ),
    ),
  ),
];

const operations = { gameList: 'read', bet: 'write' } as const;
type Sent = keyof typeof operations;
const number = (at: number) => `N${String(at).padStart(3, '0')}`;

let cli: Cli;
let server: TestServer;
let looking: TestApp;
const report: ReportedRequest[] = [];
let junit = '';
let list: CallSummary[];
let printed: string[];
const har = new Map<string, { status: number; comment: string; text: string; raw: string | null }>();

beforeAll(async () => {
  server = await startTlsServer((socket, raw) => {
    let asked = '';
    socket.on('data', (bytes: Buffer) => {
      asked += bytes.toString('latin1');
      const found = /"(N\d{3})"/.exec(asked)?.[1];
      const one = found === undefined ? undefined : rows[Number(found.slice(1))];
      if (one === undefined || !asked.trimEnd().endsWith('}')) return;
      asked = '';
      socket.write(one.written, () => {
        if (one.ends === 'notify') socket.end();
        else if (one.ends === 'fin') raw.end();
      });
    });
  });
  cli = await createCli();
  const authority = join(cli.home, '..', 'ca.pem');
  await writeFile(authority, server.ca);
  // After a whole response, a connection may end just when the next request leaves on it: those calls are far apart.
  const folderOf = ({ ends, isWhole }: Row) => join(cli.home, '..', ends === 'fin' && isWhole ? 'apart' : 'together', 'odd');
  for (const operation of names(operations)) {
    for (const [at, one] of rows.entries()) {
      const folder = folderOf(one);
      await mkdir(join(folder, operation), { recursive: true });
      const data =
        operation === 'gameList'
          ? { currency: number(at) }
          : { externalToken: 't', playerId: 'p', gameId: '1', transactionId: number(at), amount: 1, currency: 'EUR' };
      await writeFile(
        join(folder, operation, `${number(at)}.yaml`),
        `operation: ${operation}\ndata: |\n  ${JSON.stringify(data)}\n`,
      );
    }
  }
  const env = { ODD_KEY: 'a-test-key' };
  const identity = ['--platform', '7', '--partner-id', '31', '--no-production', '--ca', authority];
  await cli.run(['env', 'set', 'Odd', '--base-url', server.baseUrl, ...identity]);
  for (const [part, delay] of [
    ['together', '0'],
    ['apart', '100'],
  ] as const) {
    const at = (file: string) => join(cli.home, '..', part, file);
    const [json, xml, archive] = [at('report.json'), at('junit.xml'), at('calls.har')];
    const wanted = ['--env', 'Odd', '--key-env', 'ODD_KEY', '--delay', delay, '--report-json', json, '--junit', xml];
    await cli.run(['run', at('odd'), ...wanted], { env });
    const whole = RunReport.parse(JSON.parse(await readFile(json, 'utf8')));
    report.push(...(whole.iterations[0]?.requests ?? []));
    junit += (await readFile(xml, 'utf8')).replace(
      /&(lt|gt|quot|apos|amp);/g,
      (_, name: string) => marks[name as keyof typeof marks],
    );
    await cli.run(['history', 'export', '--run', whole.runId, '--as', 'har', '--out', archive, '--key-env', 'ODD_KEY'], { env });
    const { log } = JSON.parse(await readFile(archive, 'utf8')) as { log: { entries: HarEntry[] } };
    for (const { request, response } of log.entries) {
      const name = `${request.url.endsWith('/bet') ? 'bet' : 'gameList'}/${/N\d{3}/.exec(request.postData.text)?.[0] ?? ''}`;
      const { content, _raw: raw, comment = '', status } = response;
      har.set(name, { status, comment, text: harText(content), raw: raw === undefined ? null : harText(raw) });
    }
  }
  list = (JSON.parse((await cli.run(['history', 'list', '--json', '--limit', '1000'])).out) as { calls: CallSummary[] }).calls;
  printed = (await cli.run(['history', 'list', '--limit', '1000'])).out.split('\n');
  looking = await createTestApp({ home: cli.home });
}, 180_000);
afterAll(async () => {
  await looking.close();
  await cli.close();
  await server.close();
});

const marks = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' } as const;

interface HarEntry {
  request: { url: string; postData: { text: string } };
  response: { status: number; comment?: string; content: HarBytes; _raw?: HarBytes };
}
interface HarBytes {
  text?: string;
  encoding?: string;
}
const harText = ({ text = '', encoding }: HarBytes) =>
  (encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.from(text)).toString('latin1');

/** Findings that a status, or a response that says nothing, makes: they stand wherever the code is shown. */
const said: ReadonlySet<string> = new Set(['http-status', 'answer.status', 'answer.acting']);

/** The demands of the table on one response to one operation. */
function expected({ status, body: { code, odd }, way, isWhole }: Row, operation: Sent) {
  const undecided = code === null && (status < 400 || status >= 500 || status === 408);
  return {
    state: isWhole ? 'answered' : 'failed',
    code: isWhole ? code : null,
    odd: isWhole ? [way.odd, odd].filter((rule) => rule !== null) : [],
    acts: operations[operation] === 'write' && (!isWhole || undecided),
  };
}

it('is a table of at least 150 responses', () => expect(rows.length).toBeGreaterThanOrEqual(150));

describe.each(names(operations))('what is said of a response to %s', (operation) => {
  it.each(rows.map((one, at) => [one.name, one, at] as const))('%s', async (_, one, at) => {
    const path = `${operation}/${number(at)}`;
    const summary = list.find(({ collectionRun }) => collectionRun?.path === path);
    if (summary === undefined) throw new Error(`${path} is not in the history`);
    const call = await looking.client.call('calls.get', { id: summary.id });
    const request = report.find((reported) => reported.path === path);
    const entry = har.get(path);
    const wanted = expected(one, operation);
    const rules = call.findings.map(({ rule }) => rule);

    // The record agrees with the bytes.
    expect([call.state, call.code]).toEqual([wanted.state, wanted.code]);
    if (call.status !== null) expect(call.status).toBe(one.status);
    for (const rule of wanted.odd) expect(rules).toContain(rule);
    expect(await kept(call, one)).toBe(one.written.toString('latin1'));

    // The list, on screen and on the command line, says what keeps a code from being plainly right.
    const doubts = call.findings.filter(({ rule }) => wanted.odd.includes(rule) || said.has(rule));
    const line = printed.find((text) => text.trimStart().startsWith(`${summary.id} `)) ?? '';
    if (call.failure !== null) expect(line).toContain(call.failure.message);
    else if (doubts.length > 0) {
      expect(doubts.map(({ message }) => message)).toContain(messageOf(summary));
      expect(outcomeOf(summary).tone).not.toBe('good');
      expect(line).toContain(messageOf(summary));
    } else if (wanted.code === 0) expect(outcomeOf(summary)).toEqual({ tone: 'good', text: '0 ok' });

    // A run has the same findings, and counts as passed only what was accepted.
    expect(request?.code).toBe(wanted.code);
    expect(request?.findings.filter(({ about }) => about === 'response').map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(doubts.map(({ rule }) => rule)),
    );
    // Without a code none of these bodies is a wallet's response either.
    expect(request?.state === 'passed').toBe(wanted.code === 0);
    const test = junitOf(path);
    expect(test.includes('<failure') || test.includes('<error')).toBe(request?.state !== 'passed');

    const told = junit.split('\n').filter((text) => text.includes(`${path}: response, `));
    for (const { message } of doubts) expect(told.join('\n')).toContain(message);

    // HAR has the body that is shown, and the bytes that came where they are others.
    expect(entry?.status).toBe(call.status ?? 0);
    expect(entry?.text).toBe(Buffer.from(await looking.client.body(call.id)).toString('latin1'));
    expect(entry?.raw ?? null).toBe(call.rawBytes === undefined ? null : one.written.toString('latin1'));
    for (const { message } of doubts) expect(entry?.comment).toContain(message);
    if (call.failure !== null) expect(entry?.comment).toContain(call.failure.message);

    // Money may have moved until a response says otherwise; a call that only reads never warns of it.
    const everything = JSON.stringify([call.failure, call.findings, request, test, line]);
    expect(everything.includes(mayHaveActed)).toBe(wanted.acts);
    if (wanted.acts && request?.state !== 'passed') expect(test).toContain(mayHaveActed);
  });
});

/** The bytes that the record has of what the server wrote: as they came, or else the written head with the recorded body. */
async function kept(call: Call, one: Row): Promise<string> {
  if (call.rawBytes !== undefined) return Buffer.from(await looking.client.body(call.id, 'raw')).toString('latin1');
  const recorded = Buffer.from(await looking.client.body(call.id)).toString('latin1');
  const written = one.written.toString('latin1');
  // Chunks are undone without a trace; everything else of the body stands as it was written.
  const [top = '', ...rest] = written.split('\r\n\r\n');
  const came = rest.join('\r\n\r\n');
  return top.includes('chunked') ? (came.includes(recorded) ? written : `${top} ${recorded}`) : `${top}\r\n\r\n${recorded}`;
}

function junitOf(path: string): string {
  const [operation = '', name = ''] = path.split('/');
  const at = junit.indexOf(`name="${name}" classname="odd.${operation}"`);
  return /<testcase[^\n]*\/>|<testcase[^]*?<\/testcase>/.exec(junit.slice(junit.lastIndexOf('<testcase', at)))?.[0] ?? '';
}
