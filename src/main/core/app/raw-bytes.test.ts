import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallSummary, Environment } from '#shared/ipc/index.ts';
import type { ExportFormat } from '#shared/ipc/exports.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { recordBodies } from '#testing/record-calls.ts';
import { openPackIn } from '#testing/support-pack.ts';
import { recoverCalls } from '../database/recover.ts';
import { recoveredPath } from '../database/set-aside.ts';
import { createDatabase } from '../database/database.ts';
import { rawBytes } from '../formats/write/recorded-call.ts';
import { totalsOf } from '../history/totals.ts';
import { createTokenMask, keepTokens } from '../masking/token-mask.ts';
import { reportedCall } from '../runs/reported-call.ts';
import { createEvaluation } from '../collections/checks/response-evaluation.ts';

const canary = 'canary-of-the-bytes';
const requestOf = (n: number) => `{"externalToken":"a${n}"}`;
/** As long, without a token. */
const traced = '{"externalTrace":"a4"}';
const body = Buffer.from('{"code":0,"message":"ok"}');
const raw = {
  'a response': Buffer.from(
    `HTTP/1.1 103 Early Hints\nLink : <${canary}>\n\nHTTP/1.1 200 OK\nContent-Length : 25\n\n${body.toString()}`,
  ),
  'no response': Buffer.concat([
    Buffer.from(`SSH-2.0-OpenSSH_9.6 ${canary} {"playerId":"player-of-the-bytes"}\r\n`),
    Buffer.from([0xff, 0]),
  ]),
  'a request': Buffer.from(
    `POST /serviceApi.php HTTP/1.1\r\nX-Trace : ${canary} {"playerId":"player-of-the-request"}\r\nContent-Length: 22\n\n${traced}`,
  ),
};
type Kind = keyof typeof raw;
const kinds = Object.keys(raw) as Kind[];

let home = '';
let test: TestApp;
let ids: Record<Kind, number>;
/** Of the call whose bytes are not kept beside its response. */
let plain = 0;
let aside = '';
beforeAll(async () => {
  home = await temporaryFolder();
  const [one = 0, two = 0, three = 0, four = 0] = await recordBodies(home, 'playerInfo', [
    { request: requestOf(1), response: body, raw: raw['a response'] },
    { request: requestOf(2), response: null, raw: raw['no response'] },
    { request: requestOf(3), response: body },
    {
      request: traced,
      response: body,
      passed: { origin: 'backend', isOperation: false, raw: raw['a request'] },
    },
  ]);
  ids = { 'a response': one, 'no response': two, 'a request': four };
  plain = three;
  aside = join(home, 'aside.sqlite');
  cpSync(join(home, 'history.sqlite'), aside);
  recoverCalls(aside);
  test = await createTestApp({ home, sandbox: true });
});
afterAll(async () => {
  await test.close();
  rmSync(home, { recursive: true, force: true });
});

async function exported(id: number, format: ExportFormat): Promise<string[]> {
  return (await exportWhole(test.client, { callIds: [id], format })).files.map(({ text }) => text);
}

interface Place {
  /** Absent if it has the bytes of both. */
  readonly only?: Kind;
  /** Gives the bytes, or a text with them or with their base64. */
  readonly shown: (id: number) => Promise<string | Uint8Array>;
}

/** Returns the bytes of a call and their number, as the call says it. */
async function bytesOf(id: number) {
  const { rawBytes, request } = await test.client.call('calls.get', { id });
  const part = request.rawBytes === undefined ? 'raw' : 'sentRaw';
  return { came: await test.client.body(id, part), length: rawBytes ?? request.rawBytes ?? 0 };
}

/** Each place that keeps or shows what came. */
const places: Record<string, Place> = {
  'the route of the host': { shown: async (id) => (await bytesOf(id)).came },
  'a search': {
    async shown(id) {
      const { calls } = await test.client.call('calls.list', { text: canary });
      return calls.some((call) => call.id === id) ? canary : '';
    },
  },
  HAR: { shown: async (id) => (await exported(id, 'har'))[0] ?? '' },
  'JSON lines': { shown: async (id) => (await exported(id, 'jsonl'))[0] ?? '' },
  'the page of a support pack': { shown: async (id) => (await exported(id, 'support'))[0] ?? '' },
  'an opened support pack': {
    async shown(id) {
      const pack = await openPackIn(test.client, (await exported(id, 'support'))[1] ?? '');
      const [call] = (await test.client.call('calls.list', { pack: pack.id })).calls;
      const { came, length } = await bytesOf(call?.id ?? 0);
      await test.client.call('packs.close', { id: pack.id });
      expect(call).toMatchObject(id === ids['a request'] ? { operation: null, origin: 'backend' } : { operation: 'playerInfo' });
      expect(came).toHaveLength(length);
      return came;
    },
  },
  'the lines of a damaged history': {
    async shown(id) {
      const lines = readFileSync(recoveredPath(aside), 'utf8').trim().split('\n');
      return lines.find((line) => (JSON.parse(line) as { id: number }).id === id) ?? '';
    },
  },
  // Where there is a response, a report shows its body.
  'the report of a run': {
    only: 'no response',
    async shown(id) {
      const [call, { environments }] = await Promise.all([
        test.client.call('calls.get', { id }),
        test.client.call('environments.list', {}),
      ]);
      const evaluate = createEvaluation({ run: () => Promise.reject(new Error('It is short.')) });
      const deps = { environment: environments[0] as Environment, evaluate, stopped: new AbortController().signal };
      const received = { body: await test.client.body(id), raw: await test.client.body(id, 'raw') };
      return (await reportedCall(deps, { call, ...received, known: [] })).responseBody ?? '';
    },
  },
};

describe.each(Object.entries(places))('%s', (_, { only, shown }) => {
  const textOf = async (id: number) => Buffer.from(await shown(id)).toString();

  it.each(only === undefined ? kinds : [only])('has the bytes of %s as they came', async (kind) => {
    const text = await textOf(ids[kind]);
    expect(text.includes(canary) || text.includes(raw[kind].toString('base64'))).toBe(true);
  });

  it('has nothing of a call that needs none', async () => {
    const text = await textOf(plain);
    expect(text).not.toContain(canary);
    expect(text).not.toMatch(/"_?raw":[^n]|as (?:it|they) came/i);
  });
});

it('the call says how many there are', async () => {
  const lengths = await Promise.all([...Object.values(ids), plain].map(async (id) => (await bytesOf(id)).length));
  expect(lengths).toEqual([...Object.values(raw).map((bytes) => bytes.length), 0]);
});

it('the limits of the history weigh them', () => {
  const database = createDatabase(join(home, 'history.sqlite'));
  const bytes = Object.values(raw).reduce((sum, { length }) => sum + length, 0) + 3 * body.length;
  expect(database.run(totalsOf)).toMatchObject({ calls: 4, bytes: 4 * (2 * requestOf(1).length + 1_024) + bytes });
  database.close();
});

describe('tokens in an export', () => {
  const secret = 'session-token-4711';
  const answer = `{"code":0,"token":"${secret}"}`;
  const written = (came: string, mask = createTokenMask([answer], (name) => name === 'token')) =>
    rawBytes({ body: Buffer.from(answer), raw: Buffer.from(came) }, mask);

  it('are masked in the bytes as they came', () => {
    expect(written(`HTTP/1.1 200 OK\n\n${answer}`)).toEqual({ text: 'HTTP/1.1 200 OK\n\n{"code":0,"token":"[token]"}' });
  });

  it('that are in pieces in them keep them out, unless tokens are kept', () => {
    const inPieces = `10\r\n${answer.slice(0, 16)}\r\n`;
    expect(written(inPieces)).toEqual({ leftOut: expect.stringContaining('are left out') as string });
    expect(written(inPieces, keepTokens())).toEqual({ text: inPieces });
  });
});

it('each file that reads answers from the history reads these too', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  /** Files that take the body of a response alone, and why. */
  const alone: Readonly<Record<string, string>> = {
    'main/cli/commands/history-diff.ts': 'compares two bodies',
    'main/cli/mcp-tools.ts': 'looks for tokens in the body',
    'renderer/app/response-value.ts': 'takes a value out of the body',
    'renderer/app/shell-store.ts': 'copies the body',
    'renderer/features/comparison/comparison-store.ts': 'compares two bodies',
    'main/core/database/recover.ts': 'reads all columns that the schema has',
  };
  const readers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|^testing\/|migrations\.ts$/.test(name))
    .filter((name) =>
      /call_responses|\bpartQuery\b|\banswerBody\b|\bclient\.body\(/.test(readFileSync(join(root, name), 'utf8')),
    );
  const without = readers.filter((name) => !/\braw\b|rawBytes/.test(readFileSync(join(root, name), 'utf8')));
  expect(readers.length).toBeGreaterThan(10);
  expect(without.sort()).toEqual(Object.keys(alone).sort());
});

it.each([
  ['player-of-the-bytes', 'no response'],
  ['player-of-the-request', 'a request'],
] as const)('forgetting a player finds one that they alone name, and leaves no byte of them: %s', async (player, kind) => {
  const { id } = (await test.client.call('calls.list', { text: player })).calls[0] as CallSummary;
  expect(id).toBe(ids[kind]);
  rmSync(aside, { force: true });
  rmSync(recoveredPath(aside), { force: true });
  const report = await test.client.call('history.forget', { player, dryRun: false, setAside: true, ticket: 'forget' });
  expect(report).toMatchObject({ calls: 1, remains: null });
  const files = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.filter(({ name }) => readFileSync(join(home, name)).includes(player))).toEqual([]);
});
