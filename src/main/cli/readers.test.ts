import { truncate, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeExcess } from '#core/app/router.ts';
import { readBytes as readTeamFile } from '#core/collections/disk.ts';
import { readTree } from '#core/collections/yaml-tree.ts';
import { readWhole } from '#core/files/files.ts';
import { readDataRows } from '#core/formats/read/data-rows.ts';
import { createLosses } from '#core/formats/read/import-source.ts';
import { readFiles } from '#core/formats/read/read-files.ts';
import { runProgram } from '#core/host/run-program.ts';
import { createGuardedGet } from '#core/network/guarded-get.ts';
import { readPack } from '#core/packs/read-pack.ts';
import { createReportReader } from '#core/runs/report-reader.ts';
import { createThreads } from '#core/untrusted/threads.ts';
import { readBody } from '#sandbox/request-handler.ts';
import { excessOf, type Limits, type Measured } from '#shared/json/measure.ts';
import { Environment } from '#shared/ipc/index.ts';
import { beyond, readers, type Kind } from '#shared/model/readers.ts';
import { temporaryFolder } from '#testing/app.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { testJobs } from '#testing/reading-jobs.ts';
import { readBytes } from '../loopback/read-json.ts';
import type { Context } from './command.ts';
import { linesOf, readInputFile } from './read-input.ts';

type Measure = keyof Measured;

let folder: string;
let server: TestServer;
let picture = Buffer.alloc(0);
const threads = createThreads({
  program: fileURLToPath(new URL('../../testing/reading-thread.ts', import.meta.url)),
  table: testJobs,
  // Under the name of a job that does nothing.
  limits: readers as never,
  later: () => () => undefined,
});

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startHttpsServer((_, response) => void response.end(picture));
});
afterAll(async () => {
  await threads.close();
  await server.close();
});

const piece = Buffer.alloc(1_000_000, 'x');
/** So many bytes in pieces, which are one in memory. */
function* pieces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
}
const list = (values: number) => `[${'1,'.repeat(values - 2)}1]`;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
/** JSON of so many bytes, values or levels. */
const json = (measure: Measure, size: number) =>
  measure === 'values' ? list(size) : measure === 'depth' ? nested(size) : `"${'x'.repeat(size - 2)}"`;

async function fileOf(bytes: number): Promise<string> {
  const path = join(folder, 'file');
  await writeFile(path, '');
  await truncate(path, bytes);
  return path;
}

/** Has the reader of each kind read something of so much. Fails as it does, or returns what it says. */
const read: { readonly [Way in (typeof readers)[Kind]['by']]: (kind: Kind<Way>, measure: Measure, size: number) => unknown } = {
  file: async (kind, _, size) => void readWhole(kind, await fileOf(size)),
  team: async (kind, _, size) => readTeamFile(kind, await fileOf(size)),
  async input(kind, _, size) {
    const terminal = { stdin: Readable.from(pieces(size)) } as unknown as Context['terminal'];
    await readInputFile(kind, '-', { terminal, stop: new AbortController().signal });
  },
  async lines(kind, measure, size) {
    if (kind === 'data.lines') {
      const value = measure === 'values' ? list(size - 1) : 'x'.repeat(size - 8);
      const rows = readDataRows(Readable.from([Buffer.from(`{"a":${measure === 'values' ? value : `"${value}"`}}`)]), 'jsonl');
      return rows.next();
    }
    if (kind === 'hash.lines') {
      for await (const [line] of linesOf(Readable.from(pieces(size)), kind))
        if (line === null) return `it ${beyond(kind, { line: size })}`;
      return null;
    }
    const path = await fileOf(size);
    for await (const _line of createReportReader(
      () => path,
      () => true,
    ).lines('a-a'));
    return null;
  },
  async program(kind, _, size) {
    const ended = new AbortController().signal;
    return runProgram('head', ['-c', String(size), '/dev/zero'], { cwd: '/', env: process.env, kind, signal: ended });
  },
  async message(kind, measure, size) {
    if (kind === 'page.input') {
      const value: unknown = measure === 'characters' ? 'x'.repeat(size) : JSON.parse(json(measure, size));
      return describeExcess(value);
    }
    const answer = await readBytes(kind, Buffer.from(json(measure, size)));
    return answer.ok ? null : answer.message;
  },
  async answer(kind, measure, size) {
    if (kind === 'answer.response') return excessOf(Buffer.from(json(measure, size)), 'It', readers[kind].advice);
    if (kind === 'provider.request') {
      const body = Readable.from(pieces(size)) as unknown as IncomingMessage;
      const said = await new Promise((resolve) => readBody(body, resolve));
      return said === 'too large' ? `It ${beyond(kind, { bytes: Number.POSITIVE_INFINITY })}` : null;
    }
    picture = Buffer.alloc(size);
    const environment = { id: 'e', name: 'e', baseUrl: server.baseUrl, ca: server.ca, platform: 1, partnerId: 1 };
    const get = createGuardedGet({
      authorities: async () => [],
      resolve: async () => ['127.0.0.1'],
      kind,
      redirects: 3,
      timeoutMs: 20_000,
      accept: '*/*',
    });
    const got = await get.get(Environment.parse(environment), server.baseUrl, new AbortController().signal);
    await get.close();
    return got.ok ? null : got.message;
  },
  async job(kind, measure, size) {
    if (kind === 'collections.readFile' && measure !== 'bytes')
      return readTree(measure === 'lines' ? `${'#\n'.repeat(size - 1)}a: b` : `a: ${nested(size)}`);
    if (kind === 'imports.plan' && measure !== 'bytes')
      return readFiles([{ name: 'It', text: measure === 'lines' ? '\n'.repeat(size - 1) : list(size) }], createLosses());
    if (kind === 'packs.read' && measure !== 'bytes') return readPack({ bytes: Buffer.from(json(measure, size)), address: '' });
    const about = { subject: 'It', bytes: 0, [measure]: size };
    return threads.run(kind as never, undefined as never, about);
  },
};

const rows = (Object.keys(readers) as Kind[]).flatMap((kind) => {
  const limits: Limits = readers[kind];
  return (['bytes', 'line', 'lines', 'characters', 'depth', 'values'] as const).flatMap((measure) =>
    limits[measure] === undefined ? [] : [{ kind, measure, most: limits[measure] }],
  );
});

const attempt = async (kind: Kind, measure: Measure, size: number): Promise<string> => {
  const reader = read[readers[kind].by] as (kind: Kind, measure: Measure, size: number) => unknown;
  try {
    return String(await reader(kind, measure, size));
  } catch (error) {
    return (error as Error).message;
  }
};

describe('what comes in', () => {
  it.each(rows)(
    '$kind: $most of $measure are read, one more is refused with the sentence of its row',
    async ({ kind, measure, most }) => {
      // The beginning of either sentence: some readers add where it is.
      const sentences = [most + 1, Number.POSITIVE_INFINITY].map(
        (size) => (beyond(kind, { [measure]: size }) ?? '').split(/[.;]/)[0],
      );
      const saysSo = (said: string) => sentences.some((sentence) => said.includes(sentence as string));
      // More than this is gathered only by a machine that has the memory.
      if (most <= 256_000_000) expect(saysSo(await attempt(kind, measure, most)), 'within').toBe(false);
      const said = await attempt(kind, measure, most + 1);
      expect(saysSo(said), said.slice(0, 300)).toBe(true);
    },
  );
});
