import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Handlers } from '#shared/ipc/index.ts';
import type { SessionLock } from '../files/session-lock.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { createReportFiles } from '../runs/report-files.ts';
import { createRuns, type Runs, type RunsDeps } from '../runs/runs.ts';

/** Dependencies of runs; time and IDs come from the machine. */
export type AppRunsDeps = Pick<
  RunsDeps,
  | 'calls'
  | 'look'
  | 'reader'
  | 'environment'
  | 'session'
  | 'games'
  | 'locate'
  | 'requireKey'
  | 'pass'
  | 'emit'
  | 'onRemoved'
  | 'onFault'
  | 'version'
> & {
  readonly home: string;
  readonly reading: Pick<Reading, 'run'>;
  readonly lock: Pick<SessionLock, 'token' | 'hold' | 'isAlive'>;
};

export function createAppRuns({ home, lock, reading, ...deps }: AppRunsDeps): Runs {
  return createRuns({
    ...deps,
    writeReport(input) {
      const { buffer, byteLength: bytes } = input.bytes;
      const options = { subject: 'The report', bytes, transfer: [buffer] };
      return reading.run('runs.report', input, options);
    },
    files: createReportFiles(join(home, 'collection-runs'), (token) => token === lock.token || lock.isAlive(token), deps.onFault),
    process() {
      lock.hold();
      return lock.token;
    },
    // A pause between requests keeps a program alive.
    later(work, milliseconds) {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
    now: Date.now,
    monotonic: () => performance.now(),
    newId: randomUUID,
  });
}

/** Handlers of the contract's calls about runs. */
export function runHandlers(
  runs: Runs,
): Pick<Handlers, 'runs.start' | 'runs.cancel' | 'runs.list' | 'runs.requests' | 'runs.export'> {
  return {
    'runs.start': (input) => runs.start(input),
    'runs.cancel': ({ runId }) => ({ cancelled: runs.cancel(runId) }),
    'runs.list': ({ collectionId }) => runs.list(collectionId),
    'runs.requests': (input) => runs.requests(input),
    'runs.export': (input) => runs.export(input),
  };
}
