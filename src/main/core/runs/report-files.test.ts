import { execFileSync } from 'node:child_process';
import {
  appendFile,
  mkdir,
  open as openFile,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FinishedRequest } from '#shared/ipc/index.ts';
import { countRequest, noRequests } from '#shared/collections/run-totals.ts';
import { createTestApp, temporaryFolder } from '#testing/app.ts';
import { openFilesIn } from '#testing/open-files.ts';
import { someReported, someStart } from '#testing/some-run.ts';
import { createReportFiles } from './report-files.ts';
import type { RunStart } from './report-lines.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

it.skipIf(process.platform === 'win32')('a pipe among the reports keeps nobody waiting', async () => {
  const { client, home, close } = await createTestApp();
  ended.push(close);
  await mkdir(join(home, 'collection-runs'), { recursive: true });
  const runId = 'mwskhxnt00-0818ad66';
  execFileSync('mkfifo', [join(home, 'collection-runs', `${runId}.jsonl`)]);
  expect(await client.call('runs.list', {})).toEqual({ runs: [] });
  await expect(client.call('runs.export', { runId, as: 'json' })).rejects.toThrow();
  await expect(client.call('runs.requests', { runId })).rejects.toThrow();
});

const startOf = (runId: string, more: Partial<RunStart> = {}): RunStart =>
  someStart({ runId, planned: 2, process: 'alive', ...more });

const finished = (path: string, index = 0): FinishedRequest => ({
  index,
  iteration: 1,
  row: null,
  request: someReported({ path }),
});

const totalsOf = (...paths: string[]) => {
  const totals = noRequests();
  for (const path of paths) countRequest(totals, finished(path).request);
  return totals;
};

async function open() {
  const home = await temporaryFolder();
  ended.push(() => rm(home, { recursive: true, force: true }));
  const folder = join(home, 'collection-runs');
  const faults: unknown[] = [];
  const files = createReportFiles(
    folder,
    (process) => process === 'alive',
    (error) => faults.push(error),
  );
  const write = async (runId: string, paths: readonly string[], end = true, more: Partial<RunStart> = {}) => {
    const report = await files.begin(startOf(runId, more));
    for (const [index, path] of paths.entries()) report.add(finished(path, index));
    const finish = () => report.end({ state: 'finished', durationMs: 5, totals: totalsOf(...paths) });
    if (end) await finish();
    else {
      await report.flush();
      ended.push(finish);
    }
  };
  const requestsOf = async (runId: string) => {
    const found: string[] = [];
    for await (const { request } of files.requests(runId)) found.push(request.path);
    return found;
  };
  return { folder, files, faults, write, requestsOf, pathOf: (runId: string) => join(folder, `${runId}.jsonl`) };
}

/** Returns what all open files share; the module that has it does not export it. */
async function prototypeOfFiles(path: string): Promise<FileHandle> {
  const file = await openFile(path);
  await file.close();
  return Object.getPrototypeOf(file) as FileHandle;
}

describe('reports of runs', () => {
  it('have a line for the start, for each request and for the end, and are for their owner alone', async () => {
    const { folder, files, write, requestsOf, pathOf, faults } = await open();
    expect(await files.list()).toEqual([]);
    await write('a1-x', ['One', 'Two']);
    const lines = (await readFile(pathOf('a1-x'), 'utf8')).split('\n');
    expect(lines.map((line) => (line === '' ? null : Object.keys(JSON.parse(line) as object)))).toEqual([
      ['start'],
      ['index', 'request'],
      ['index', 'request'],
      ['end'],
      null,
    ]);
    expect(await requestsOf('a1-x')).toEqual(['One', 'Two']);
    expect(await files.start('a1-x')).toEqual(startOf('a1-x'));
    expect(Buffer.from(await files.read('a1-x')).toString()).toBe(lines.join('\n'));
    if (process.platform !== 'win32')
      expect([(await stat(folder)).mode & 0o777, (await stat(pathOf('a1-x'))).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(faults).toEqual([]);
  });

  it('are listed from the newest on, with what became of each', async () => {
    const { files, write, pathOf } = await open();
    await write('a1-x', ['One']);
    await write('a2-x', ['One', 'Two'], false);
    await write('a3-x', ['One'], false, { process: 'gone' });
    await write('a4-x', ['One'], false, { process: 'gone' });
    await appendFile(pathOf('a4-x'), '{"end":{"state":"from a newer version"}}\n');
    await write('a5-x', [], false, { process: 'gone' });
    await appendFile(pathOf('a5-x'), '{"index":0,"requ');
    await writeFile(pathOf('a6-x'), '{"index":0}\n');
    await writeFile(pathOf('a7-x'), '');
    await writeFile(`${pathOf('a8-x')}.tmp`, '');
    await writeFile(pathOf('A9-x'), 'x');
    const { process: _process, repeat: _repeat, hasData: _hasData, ...start } = startOf('a1-x');
    expect(await files.list()).toEqual([
      { ...start, runId: 'a5-x', state: 'interrupted', durationMs: null, totals: totalsOf() },
      { ...start, runId: 'a4-x', state: 'unknown', durationMs: null, totals: totalsOf('One') },
      { ...start, runId: 'a3-x', state: 'interrupted', durationMs: null, totals: totalsOf('One') },
      { ...start, runId: 'a2-x', state: 'running', durationMs: null, totals: totalsOf('One', 'Two') },
      { ...start, runId: 'a1-x', state: 'finished', durationMs: 5, totals: totalsOf('One') },
    ]);
  });

  it('of long runs are written as they come, and their ends are found', async () => {
    const { files, write, pathOf } = await open();
    const paths = Array.from({ length: 600 }, (_, at) => `folder/Request ${at}`);
    const report = await files.begin(startOf('a1-x'));
    const append = vi.spyOn(await prototypeOfFiles(pathOf('a1-x')), 'appendFile');
    ended.push(() => append.mockRestore());
    for (const [index, path] of paths.entries()) report.add(finished(path, index));
    // Nobody asked for it yet.
    await expect.poll(async () => (await stat(pathOf('a1-x'))).size).toBeGreaterThan(65_536);
    await report.end({ state: 'cancelled', durationMs: 7, totals: totalsOf(...paths) });
    expect(append.mock.calls.length).toBeLessThan(10);
    expect(await files.list()).toMatchObject([{ state: 'cancelled', durationMs: 7, totals: { requests: 600 } }]);
    await write('a2-x', paths, false, { process: 'gone' });
    expect(await files.list()).toMatchObject([{ state: 'interrupted', totals: { requests: 600 } }, { state: 'cancelled' }]);
  });

  it('are given in parts, each from where the last one ended', async () => {
    const { files, write, pathOf } = await open();
    await write('a1-x', ['Ä', 'Two', 'Three'], false);
    const size = (await stat(pathOf('a1-x'))).size;
    const first = await files.part('a1-x', 0, 2);
    expect(first.requests.map(({ request, index }) => [index, request.path])).toEqual([
      [0, 'Ä'],
      [1, 'Two'],
    ]);
    expect(first).toMatchObject({ next: first.end, unknown: false });
    const second = await files.part('a1-x', first.end, 2);
    expect(second).toMatchObject({ requests: [{ index: 2, request: { path: 'Three' } }], next: null, end: size, unknown: false });
    expect(await files.part('a1-x', size, 2)).toEqual({ requests: [], next: null, end: size, unknown: false });
    await appendFile(pathOf('a1-x'), '{"something":"new"}\n{"index":3,"requ');
    expect(await files.part('a1-x', size, 2)).toEqual({ requests: [], next: null, end: size + 20, unknown: true });
    expect((await files.part('a1-x', 0, 3)).next).not.toBeNull();
  });

  it('that are not there are not found, and those that are none are said to be damaged', async () => {
    const { folder, files, write, requestsOf, pathOf } = await open();
    const missing = { code: 'not_found', message: expect.stringContaining('keeps the newest 100') as string };
    // A name leads to no file outside of the folder, and to none of another form.
    await mkdir(folder);
    for (const name of ['../a1-x', 'A1-x', 'a1']) await writeFile(pathOf(name), '{}\n');
    for (const runId of ['a1-x', '../a1-x', 'A1-x', 'a1', `${'a'.repeat(50)}-x`, 'a1-x/']) {
      await expect(files.read(runId)).rejects.toMatchObject(missing);
      await expect(files.part(runId, 0, 1)).rejects.toMatchObject(missing);
      await expect(files.start(runId)).rejects.toMatchObject(missing);
      await expect(requestsOf(runId)).rejects.toMatchObject(missing);
    }
    await expect(files.read('b'.repeat(60))).rejects.toThrow(`run ${'b'.repeat(40)}.`);
    await write('a2-x', ['One']);
    await writeFile(pathOf('a3-x'), '{"index":0}\n');
    await expect(files.start('a3-x')).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('is damaged, or') as string,
    });
    await mkdir(pathOf('a4-x'));
    await expect(requestsOf('a4-x')).rejects.toMatchObject({
      code: 'storage',
      message: `Croupier cannot read the report ${pathOf('a4-x')}. Check its permissions.`,
      cause: expect.anything() as unknown,
    });
    // No line is so long: what is read of it would have no end.
    await writeFile(pathOf('a5-x'), Buffer.alloc(16_000_000, 'x'));
    expect(await files.part('a5-x', 0, 1)).toMatchObject({ requests: [], next: null });
    await appendFile(pathOf('a5-x'), 'x');
    await expect(files.part('a5-x', 0, 1)).rejects.toMatchObject({ code: 'storage' });
  });

  it('that are larger than an export are refused', async () => {
    const { files, write, pathOf } = await open();
    await write('a1-x', ['One']);
    await truncate(pathOf('a1-x'), 100_000_000);
    expect(await files.read('a1-x')).toHaveLength(100_000_000);
    await truncate(pathOf('a1-x'), 100_000_001);
    await expect(files.read('a1-x')).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/100,000,001 bytes; .* 100,000,000\./) as string,
    });
  });

  it('make room for a new one: the oldest of a hundred goes, and of too many bytes all but the newest', async () => {
    const { folder, write, pathOf } = await open();
    await mkdir(folder);
    const names = Array.from({ length: 100 }, (_, at) => `a${String(at).padStart(3, '0')}-x`);
    for (const name of names) await writeFile(pathOf(name), 'x');
    await write('b1-x', []);
    expect((await readdir(folder)).sort()).toEqual([...names.slice(1), 'b1-x'].map((name) => `${name}.jsonl`));
    await truncate(pathOf('a050-x'), 499_999_000);
    await truncate(pathOf('a060-x'), 10_000);
    await write('b2-x', []);
    expect((await readdir(folder)).sort()).toEqual([...names.slice(51), 'b1-x', 'b2-x'].map((name) => `${name}.jsonl`));
    await truncate(pathOf('b2-x'), 600_000_000);
    await write('b3-x', []);
    expect((await readdir(folder)).sort()).toEqual(['b2-x.jsonl', 'b3-x.jsonl']);
  });

  it('leave the files of others alone and need no room for them', async () => {
    const { folder, write, pathOf } = await open();
    await mkdir(folder);
    const others = ['A00-x.jsonl', 'a00-x.jsonl.tmp', 'a00.jsonl', '-x.jsonl', 'a00-.jsonl', 'a00-x-y.jsonl', 'a00-x_jsonl'];
    for (const name of others) await writeFile(join(folder, name), 'x');
    const names = Array.from({ length: 99 }, (_, at) => `a${String(at).padStart(3, '0')}-xy`);
    for (const name of names) await writeFile(pathOf(name), 'x');
    await write('b1-xy', []);
    expect((await readdir(folder)).sort()).toEqual([...others, ...[...names, 'b1-xy'].map((name) => `${name}.jsonl`)].sort());
  });

  it('are removed by their names, also where they are gone', async () => {
    const { folder, files, write } = await open();
    for (const runId of ['a1-x', 'a2-x', 'a3-x']) await write(runId, []);
    await files.remove(['a1-x', 'a9-x', 'a3-x']);
    expect(await readdir(folder)).toEqual(['a2-x.jsonl']);
    await mkdir(join(folder, 'a4-x.jsonl'));
    await expect(files.remove(['a4-x'])).rejects.toThrow();
  });

  it('of a name that is taken are not begun', async () => {
    const { write, files } = await open();
    await write('a1-x', []);
    await expect(files.begin(startOf('a1-x'))).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('already exists') as string,
    });
  });

  /** Makes a function of every open file fail, as a full or a broken disk does. */
  async function failing(path: string, name: 'appendFile' | 'read', code: string): Promise<void> {
    const spy = vi.spyOn(await prototypeOfFiles(path), name).mockRejectedValue(Object.assign(new Error(code), { code }));
    ended.push(() => spy.mockRestore());
  }

  it('that a broken disk does not give back are said to be there', async () => {
    const { folder, files, write, pathOf } = await open();
    await write('a1-x', ['One']);
    await failing(pathOf('a1-x'), 'read', 'EIO');
    await expect(files.read('a1-x')).rejects.toMatchObject({
      code: 'storage',
      message: `Croupier cannot read the report ${pathOf('a1-x')}. Check its permissions.`,
      cause: { code: 'EIO' },
    });
    if (process.platform === 'linux') expect(openFilesIn(folder)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('hold no file open if their first line cannot be written', async () => {
    const { folder, files, write, pathOf } = await open();
    await write('a1-x', []);
    await failing(pathOf('a1-x'), 'appendFile', 'ENOSPC');
    await expect(files.begin(startOf('a2-x'))).rejects.toMatchObject({ code: 'storage', cause: { code: 'ENOSPC' } });
    expect(openFilesIn(folder)).toEqual([]);
  });

  it('say once that the disk is full, and that a run without an end does not go on', async () => {
    const { files, write, pathOf, faults } = await open();
    await write('a1-x', []);
    const report = await files.begin(startOf('a2-x'));
    await failing(pathOf('a1-x'), 'appendFile', 'ENOSPC');
    for (const path of ['One', 'Two', 'Three']) {
      report.add(finished(path));
      await report.flush();
    }
    await report.end({ state: 'interrupted', durationMs: 1, totals: totalsOf('One') });
    const why = 'the disk is full. Free some space.';
    expect(faults).toMatchObject([{ code: 'storage', message: expect.stringContaining(why) as string }]);
    expect((await files.list()).map(({ runId, state }) => [runId, state])).toEqual([
      ['a2-x', 'interrupted'],
      ['a1-x', 'finished'],
    ]);
  });
});
