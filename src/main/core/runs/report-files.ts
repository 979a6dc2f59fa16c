import { readdirSync, statSync } from 'node:fs';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { countRequest, noRequests } from '#shared/collections/run-totals.ts';
import { AppError } from '#shared/errors.ts';
import type { FinishedRequest, Output, RunSummary } from '#shared/ipc/index.ts';
import { openToRead } from '../files/files.ts';
import { each, type Naming } from '../history/player-naming.ts';
import { lineNames } from './player-lines.ts';
import { readEntry, readLine, type Entry, type RunEnd, type RunStart } from './report-lines.ts';

/** The report of a run that goes on, as it is written. */
export interface OpenReport {
  add(finished: FinishedRequest): void;
  /** Writes everything added so far. Never rejects: a full disk costs the report, not the run. */
  flush(): Promise<void>;
  end(end: RunEnd): Promise<void>;
}

/**
 * The reports of runs, one file each: a line for the start, a line for each request when it is done, a line for the end. So a report takes no
 * memory while it grows, and what ended with its program is there up to then.
 */
export interface ReportFiles {
  /** Fails with `storage`. */
  begin(start: RunStart): Promise<OpenReport>;
  /** Newest first. */
  list(): Promise<RunSummary[]>;
  /** The file as it is, for `reportOf`. Fails with `not_found` and `storage`, as the following three do, and with `refused` where it is too large. */
  read(runId: string): Promise<Uint8Array<ArrayBuffer>>;
  /** At most `limit` requests that are done, from a place in the file on, and the place behind them. */
  part(runId: string, from: number, limit: number): Promise<Output<'runs.requests'>>;
  start(runId: string): Promise<RunStart>;
  /** Each request that is done, with its place in the plan, in the order they were done. */
  requests(runId: string): AsyncGenerator<FinishedRequest>;
  /** The reports that name a player, by their runs; those of runs that go on apart. */
  naming(naming: Naming, stop: AbortSignal): Promise<{ reports: string[]; running: string[] }>;
  remove(runIds: readonly string[]): Promise<void>;
}

const mostReports = 100;
const mostBytes = 500_000_000;
const ending = '.jsonl';
/** Of a report that is exported: some 200,000 requests. */
const mostReadBytes = 100_000_000;
const reportName = /^[0-9a-z]+-[0-9a-z]+$/;
const flushAt = 65_536;
/** A line holds one request with its checks, whose texts are shortened. */
const longestLine = 16_000_000;

export function createReportFiles(
  folder: string,
  isAlive: (process: string) => boolean,
  onFault: (error: unknown) => void,
): ReportFiles {
  const fileOf = (runId: string) => join(folder, `${runId}${ending}`);

  /** Newest first, by names that begin with the time. */
  function names(): string[] {
    try {
      return readdirSync(folder)
        .filter((name) => /^[0-9a-z]+-[0-9a-z]+\.jsonl$/.test(name))
        .sort()
        .reverse();
    } catch {
      return [];
    }
  }

  /** Makes room for one more. */
  async function removeOld(): Promise<void> {
    let bytes = 0;
    for (const [place, name] of names().entries()) {
      bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      if (place >= mostReports - 1 || (place > 0 && bytes > mostBytes)) await unlink(join(folder, name)).catch(() => undefined);
    }
  }

  /** Whole lines, from a byte on; what follows the last line end is none yet. */
  async function* linesOf(runId: string, start = 0): AsyncGenerator<string> {
    if (!reportName.test(runId)) throw missing(runId);
    let file: FileHandle | null = null;
    try {
      file = await openToRead(fileOf(runId));
      let rest = '';
      const stream = file.createReadStream({ encoding: 'utf8', start, autoClose: false });
      for await (const chunk of stream as AsyncIterable<string>) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        if (rest.length > longestLine) throw new Error('A line is longer than any that was written.');
        yield* lines;
      }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw missing(runId);
      throw new AppError('storage', `The report ${fileOf(runId)} cannot be read.`, undefined, { cause });
    } finally {
      await file?.close();
    }
  }

  async function* entriesOf(runId: string): AsyncGenerator<Entry> {
    for await (const line of linesOf(runId)) {
      const entry = readEntry(line);
      // The last line of a program that was killed may be half of one.
      if (entry !== null) yield entry;
    }
  }

  async function summaryOf(runId: string): Promise<RunSummary | null> {
    const ends = await endsOf(fileOf(runId)).catch(() => null);
    const first = ends === null ? null : readEntry(ends.first);
    if (first === null || !('start' in first)) return null;
    const { process, repeat: _repeat, hasData: _hasData, ...start } = first.start;
    const { entry: last, unknown } = readLine(ends?.last ?? '');
    if (last !== null && 'end' in last) return { ...start, ...last.end };
    const totals = noRequests();
    for await (const entry of entriesOf(runId)) if ('request' in entry) countRequest(totals, entry.request.request);
    const ended = last === null && unknown ? 'unknown' : 'interrupted';
    return { ...start, state: isAlive(process) ? 'running' : ended, durationMs: null, totals };
  }

  return {
    async begin(start) {
      let file: FileHandle | null = null;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await removeOld();
        file = await open(fileOf(start.runId), 'wx', 0o600);
        await file.appendFile(`${JSON.stringify({ start })}\n`);
      } catch (cause) {
        await file?.close().catch(onFault);
        throw new AppError('storage', `The report of the run cannot be written to ${folder}. Check the free space.`, undefined, {
          cause,
        });
      }
      return openReport(file, onFault);
    },
    async list() {
      const found = await Promise.all(names().map((name) => summaryOf(name.slice(0, -ending.length))));
      return found.filter((summary) => summary !== null);
    },
    async read(runId) {
      if (!reportName.test(runId)) throw missing(runId);
      const file = await openToRead(fileOf(runId)).catch(() => {
        throw missing(runId);
      });
      try {
        const { size } = await file.stat();
        if (size > mostReadBytes) throw tooLarge(size);
        const bytes = new Uint8Array(size);
        let length = 0;
        for (let read = -1; read !== 0 && length < size; length += read) {
          ({ bytesRead: read } = await file.read(bytes, length, size - length, length));
        }
        return bytes.subarray(0, length);
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        throw new AppError('storage', `The report ${fileOf(runId)} cannot be read.`, undefined, { cause });
      } finally {
        await file.close();
      }
    },
    async part(runId, from, limit) {
      const requests: Output<'runs.requests'>['requests'] = [];
      let at = from;
      let holdsUnknown = false;
      for await (const line of linesOf(runId, from)) {
        if (requests.length >= limit) return { requests, next: at, end: at, unknown: holdsUnknown };
        at += Buffer.byteLength(line) + 1;
        const { entry, unknown } = readLine(line);
        holdsUnknown ||= unknown;
        if (entry !== null && 'request' in entry) requests.push(entry.request);
      }
      return { requests, next: null, end: at, unknown: holdsUnknown };
    },
    async start(runId) {
      for await (const entry of entriesOf(runId)) if ('start' in entry) return entry.start;
      throw missing(runId);
    },
    async *requests(runId) {
      for await (const entry of entriesOf(runId)) if ('request' in entry) yield entry.request;
    },
    async naming(naming, stop) {
      const found = { reports: [] as string[], running: [] as string[] };
      await each(names(), stop, async (name) => {
        const runId = name.slice(0, -ending.length);
        let named = false;
        for await (const line of linesOf(runId)) {
          if (stop.aborted) return;
          if (!lineNames(naming, runId, line, readEntry)) continue;
          named = true;
          break;
        }
        if (!named) return;
        const running = (await summaryOf(runId))?.state === 'running';
        (running ? found.running : found.reports).push(runId);
      });
      return found;
    },
    async remove(runIds) {
      for (const runId of runIds) await unlink(fileOf(runId)).catch(ignoreMissing);
    },
  };
}

function openReport(file: FileHandle, onFault: (error: unknown) => void): OpenReport {
  let pending: string[] = [];
  let length = 0;
  let writing = Promise.resolve();

  function flush(): Promise<void> {
    if (pending.length > 0) {
      const text = pending.join('');
      [pending, length] = [[], 0];
      writing = writing.then(() => file.appendFile(text)).catch(onFault);
    }
    return writing;
  }

  return {
    add({ index, ...request }) {
      const line = `${JSON.stringify({ index, request })}\n`;
      pending.push(line);
      length += line.length;
      if (length > flushAt) void flush();
    },
    flush,
    async end(end) {
      pending.push(`${JSON.stringify({ end })}\n`);
      await flush();
      await file.close().catch(onFault);
    },
  };
}

/** The first and the last line of a file; a start and an end are short. */
async function endsOf(path: string): Promise<{ first: string; last: string }> {
  const file = await openToRead(path);
  try {
    const { size } = await file.stat();
    const read = async (from: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, flushAt)), 0, undefined, from);
      return buffer.toString('utf8', 0, bytesRead);
    };
    const head = await read(0);
    const tail = await read(Math.max(0, size - flushAt));
    return { first: head.slice(0, head.indexOf('\n')), last: tail.trimEnd().split('\n').at(-1) ?? '' };
  } finally {
    await file.close();
  }
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function tooLarge(size: number): AppError {
  const [has, most] = [size, mostReadBytes].map((bytes) => `${Math.ceil(bytes / 1_000_000)} MB`);
  return new AppError(
    'refused',
    `The report has ${has}; Croupier exports up to ${most}. It stays in the runs; run a part of it.`,
  );
}

function missing(runId: string): AppError {
  return new AppError('not_found', `There is no report of the run ${runId.slice(0, 40)}. The newest ${mostReports} are kept.`);
}
