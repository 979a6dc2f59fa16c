import type { FileHandle } from 'node:fs/promises';
import { countRequest, noRequests } from '#shared/collections/run-totals.ts';
import { AppError } from '#shared/errors.ts';
import type { FinishedRequest, Output, RunSummary } from '#shared/ipc/index.ts';
import { beyond } from '#shared/model/readers.ts';
import { openToRead } from '../files/files.ts';
import { readEntry, readLine, type Entry, type RunStart } from './report-lines.ts';

/** The newest reports are kept, so many. */
export const mostReports = 100;
const reportName = /^[0-9a-z]+-[0-9a-z]+$/;
/** Bytes at each end of a report that hold its first and its last line: a start and an end are short. */
const endBytes = 65_536;

/**
 * Reads the reports of runs, also while they grow. Every function but `summary` fails with `not_found` and `storage`. `isAlive` says
 * whether a process still uses the home.
 */
export function createReportReader(fileOf: (runId: string) => string, isAlive: (process: string) => boolean) {
  /** Whole lines, from a byte on; what follows the last line end is none yet. */
  async function* lines(runId: string, start = 0): AsyncGenerator<string> {
    if (!reportName.test(runId)) throw missing(runId);
    let file: FileHandle | null = null;
    try {
      file = await openToRead('report.lines', fileOf(runId));
      let rest = '';
      const stream = file.createReadStream({ encoding: 'utf8', start });
      for await (const chunk of stream as AsyncIterable<string>) {
        const whole = (rest + chunk).split('\n');
        rest = whole.pop() ?? '';
        const excess = beyond('report.lines', { line: rest.length });
        if (excess !== null) throw new AppError('storage', `${fileOf(runId)} was not read: a line of it ${excess}`);
        yield* whole;
      }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw missing(runId);
      throw cause instanceof AppError && cause.code === 'storage' ? cause : unreadable(fileOf(runId), cause);
    } finally {
      await file?.close();
    }
  }

  async function* entriesOf(runId: string): AsyncGenerator<Entry> {
    for await (const line of lines(runId)) {
      const entry = readEntry(line);
      // The last line of a program that was killed may be half of one.
      if (entry !== null) yield entry;
    }
  }

  /** Null where it cannot be read, or does not begin as a report does. */
  async function summaryOf(runId: string): Promise<RunSummary | null> {
    const ends = await endsOf(fileOf(runId)).catch(() => null);
    if (ends === null) return null;
    const first = readEntry(ends.first);
    if (first === null || !('start' in first)) return null;
    const { process, repeat: _repeat, hasData: _hasData, part: _part, ...start } = first.start;
    const { entry: last, unknown } = readLine(ends.last);
    if (last !== null && 'end' in last) return { ...start, ...last.end };
    const totals = noRequests();
    for await (const entry of entriesOf(runId)) if ('request' in entry) countRequest(totals, entry.request.request);
    const ended = last === null && unknown ? 'unknown' : 'interrupted';
    return { ...start, state: isAlive(process) ? 'running' : ended, durationMs: null, totals };
  }

  return {
    lines,
    summary: summaryOf,
    /** The file as it is, for `reportOf`. Fails with `refused` where it is too large. */
    async read(runId: string): Promise<Uint8Array<ArrayBuffer>> {
      if (!reportName.test(runId)) throw missing(runId);
      const file = await openToRead('report.lines', fileOf(runId)).catch((cause: unknown) => {
        throw (cause as NodeJS.ErrnoException).code === 'ENOENT' ? missing(runId) : unreadable(fileOf(runId), cause);
      });
      try {
        const { size } = await file.stat();
        const excess = beyond('report.whole', { bytes: size });
        if (excess !== null) throw new AppError('refused', `The report ${excess}`);
        const bytes = new Uint8Array(size);
        let length = 0;
        for (let read = -1; read !== 0 && length < size; length += read) {
          ({ bytesRead: read } = await file.read(bytes, length, size - length, length));
        }
        return bytes.subarray(0, length);
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        throw unreadable(fileOf(runId), cause);
      } finally {
        await file.close();
      }
    },
    /** At most `limit` requests that are done, from a place in the file on, and the place behind them. */
    async part(runId: string, from: number, limit: number): Promise<Output<'runs.requests'>> {
      const requests: Output<'runs.requests'>['requests'] = [];
      let at = from;
      let holdsUnknown = false;
      for await (const line of lines(runId, from)) {
        if (requests.length >= limit) return { requests, next: at, end: at, unknown: holdsUnknown };
        at += Buffer.byteLength(line) + 1;
        const { entry, unknown } = readLine(line);
        holdsUnknown ||= unknown;
        if (entry !== null && 'request' in entry) requests.push(entry.request);
      }
      return { requests, next: null, end: at, unknown: holdsUnknown };
    },
    async start(runId: string): Promise<RunStart> {
      for await (const entry of entriesOf(runId)) if ('start' in entry) return entry.start;
      throw new AppError(
        'storage',
        `The report ${fileOf(runId)} is damaged, or a newer version of Croupier wrote it. Croupier left it unchanged.`,
      );
    },
    /** Each request that is done, with its place in the plan, in the order they were done. */
    async *requests(runId: string): AsyncGenerator<FinishedRequest> {
      for await (const entry of entriesOf(runId)) if ('request' in entry) yield entry.request;
    },
  };
}

/** Returns the first and the last line of a file. */
async function endsOf(path: string): Promise<{ first: string; last: string }> {
  const file = await openToRead('report.lines', path);
  try {
    const { size } = await file.stat();
    const read = async (from: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, endBytes)), 0, undefined, from);
      return buffer.subarray(0, bytesRead).toString();
    };
    const head = await read(0);
    const tail = (await read(Math.max(0, size - endBytes))).trimEnd();
    return { first: head.slice(0, head.indexOf('\n')), last: tail.slice(tail.lastIndexOf('\n') + 1) };
  } finally {
    await file.close();
  }
}

function unreadable(path: string, cause: unknown): AppError {
  return new AppError('storage', `Croupier cannot read the report ${path}. Check its permissions.`, undefined, { cause });
}

function missing(runId: string): AppError {
  return new AppError('not_found', `There is no report of run ${runId.slice(0, 40)}. Croupier keeps the newest ${mostReports}.`);
}
