import type { ReportedCall } from '#shared/collections/reported-request.ts';
import { holdsWord } from '#shared/provider/players.ts';
import { readdirSync, statSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { FinishedRequest, RunSummary } from '#shared/ipc/index.ts';
import { writeFailure } from '../files/files.ts';
import { each, type Naming } from '../history/player-naming.ts';
import { readEntry, type RunEnd, type RunStart } from './report-lines.ts';
import { createReportReader, mostReports } from './report-reader.ts';
import { unlink } from '../files/moves.ts';

/** The report of a run that goes on, as it is written. */
export type OpenReport = ReturnType<typeof openReport>;

/**
 * The reports of runs, one file each: a line for the start, a line for each request when it is done, a line for the end. So a report takes no
 * memory while it grows, and what ended with its program is there up to then.
 */
export type ReportFiles = ReturnType<typeof createReportFiles>;

const mostBytes = 500_000_000;
const ending = '.jsonl';
const flushAt = 65_536;

export function createReportFiles(folder: string, isAlive: (process: string) => boolean, onFault: (error: unknown) => void) {
  const fileOf = (runId: string) => join(folder, `${runId}${ending}`);
  const reader = createReportReader(fileOf, isAlive);
  /** Runs whose reports could not be written: one without an end does not go on. */
  const lost = new Set<string>();

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

  return {
    /** Fails with `storage`. */
    async begin(start: RunStart): Promise<OpenReport> {
      let file: FileHandle | null = null;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await removeOld();
        file = await open(fileOf(start.runId), 'wx', 0o600);
        await file.appendFile(`${JSON.stringify({ start })}\n`);
      } catch (cause) {
        await file?.close().catch(onFault);
        // Without its first line it is no report.
        if (file !== null) await unlink(fileOf(start.runId)).catch(onFault);
        throw writeFailure(fileOf(start.runId), cause);
      }
      return openReport(file, (cause) => {
        lost.add(start.runId);
        onFault(writeFailure(fileOf(start.runId), cause));
      });
    },
    /** Newest first. */
    async list(): Promise<RunSummary[]> {
      const found = await Promise.all(names().map((name) => reader.summary(name.slice(0, -ending.length))));
      return found
        .filter((summary) => summary !== null)
        .map((summary) =>
          summary.state === 'running' && lost.has(summary.runId) ? { ...summary, state: 'interrupted' } : summary,
        );
    },
    read: reader.read,
    part: reader.part,
    start: reader.start,
    requests: reader.requests,
    /** The reports that name a player, by their runs; those of runs that go on apart. */
    async naming(naming: Naming, stop: AbortSignal): Promise<{ reports: string[]; running: string[] }> {
      const found = { reports: [] as string[], running: [] as string[] };
      await each(names(), stop, async (name) => {
        const runId = name.slice(0, -ending.length);
        let named = false;
        for await (const line of reader.lines(runId)) {
          if (stop.aborted) return;
          if (!lineNames(naming, runId, line, readEntry)) continue;
          named = true;
          break;
        }
        if (!named) return;
        const running = (await reader.summary(runId))?.state === 'running';
        (running ? found.running : found.reports).push(runId);
      });
      return found;
    },
    async remove(runIds: readonly string[]): Promise<void> {
      for (const runId of runIds) await unlink(fileOf(runId)).catch(ignoreMissing);
    },
  };
}

/** `onLost` is called with the first failure alone: on a full disk each line would fail. */
function openReport(file: FileHandle, onLost: (cause: unknown) => void) {
  let isLost = false;
  const fail = (cause: unknown) => {
    if (!isLost) onLost(cause);
    isLost = true;
  };
  let pending: string[] = [];
  let length = 0;
  let writing = Promise.resolve();

  /** Writes everything added so far. Never rejects: a full disk costs the report, not the run. */
  function flush(): Promise<void> {
    if (pending.length > 0) {
      const text = pending.join('');
      [pending, length] = [[], 0];
      writing = writing.then(() => file.appendFile(text)).catch(fail);
    }
    return writing;
  }

  return {
    add({ index, ...request }: FinishedRequest): void {
      const line = `${JSON.stringify({ index, request })}\n`;
      pending.push(line);
      length += line.length;
      if (length > flushAt) void flush();
    },
    flush,
    async end(end: RunEnd): Promise<void> {
      pending.push(`${JSON.stringify({ end })}\n`);
      await flush();
      await file.close().catch(fail);
    },
  };
}

function ignoreMissing(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

const playerField = /\bplayerIds?\b/;

/**
 * Returns whether a line of a run's report names the player: in a field that the spec gives (also in a response that a check
 * quotes), in a check of such a field, or with the ID as a word in the report of a call that names the player.
 */
export function lineNames(naming: Naming, runId: string, line: string, read: (line: string) => object | null): boolean {
  if (naming.text(line)) return true;
  // A report says little about most requests: only a line with the ID is read.
  if (!line.includes(JSON.stringify(naming.player).slice(1, -1))) return false;
  const entry = read(line) as { request?: FinishedRequest } | null;
  if (entry?.request === undefined) return false;
  const { callId, checks, findings, reason, path, call } = entry.request.request;
  if (call !== undefined && textsOf(call).some((text) => naming.text(text))) return true;
  const says = (texts: readonly string[]) => texts.some((text) => holdsWord(text, naming.player));
  if (checks.some(({ check, expected, actual }) => playerField.test(check) && says([check, expected, actual]))) return true;
  if (callId === null || !naming.callOfRun(runId, callId)) return false;
  return says([
    reason,
    path,
    ...checks.flatMap(({ check, expected, actual, message }) => [check, expected, actual, message]),
    JSON.stringify(findings),
    ...(call === undefined ? [] : textsOf(call)),
  ]);
}

function textsOf({ url, requestBody, hashInput, responseBody, verdict }: ReportedCall): string[] {
  return [url, requestBody, hashInput ?? '', responseBody ?? '', verdict];
}
