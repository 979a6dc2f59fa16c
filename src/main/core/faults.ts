import { AppError } from '#shared/errors.ts';
import { describeFault, faultDetails, isFault } from '#shared/faults.ts';
import type { Payload } from '#shared/ipc/index.ts';

export interface FaultsDeps {
  /** Writes an error to the host's log. */
  readonly log: (error: unknown) => void;
  /** Reports a fault to the pages. */
  readonly tell: (fault: Payload<'app.faulted'>) => void;
  /** Returns whether a text holds a private key. */
  readonly holdsKey: (text: string) => Promise<boolean>;
  /** Head of the details: host, version, runtime. */
  readonly where: string;
  /** Returns milliseconds that only grow. */
  readonly now: () => number;
  /** Returns milliseconds since the epoch. */
  readonly clock?: () => number;
}

/** A fault as it was told to the pages. `at`: milliseconds since the epoch. */
export interface ToldFault {
  readonly at: number;
  /** As in `app.faulted`. */
  readonly details: string;
}

/** Number of uncaught errors, within the time below, from which a program is not expected to recover. */
const most = 10;
const withinMs = 60_000;
/** Number of faults that are kept for a report. */
const mostKept = 10;

/** Reports what went wrong inside core: AppErrors to the log, faults to the log and to the pages. */
export function createFaults({ log, tell, holdsKey, where, now, clock = Date.now }: FaultsDeps) {
  let recent: number[] = [];
  let told: readonly ToldFault[] = [];
  let telling = false;

  function report(error: unknown): void {
    try {
      log(error);
    } catch {
      // A broken log must not cost the pages the report.
    }
    // An error that a listener throws while it hears of another one must not be reported to it again.
    if (isFault(error) && !telling) void tellPages(error);
  }

  async function tellPages(error: unknown): Promise<void> {
    const fault = describeFault(error);
    // If the key agent does not reply, nobody knows.
    const held = await holdsKey(fault.message).catch(() => true);
    const message = held ? 'An error whose message is hidden' : fault.message;
    const details = faultDetails({ ...fault, message }, where);
    told = [{ at: clock(), details }, ...told].slice(0, mostKept);
    telling = true;
    try {
      tell({ message, details });
    } finally {
      telling = false;
    }
  }

  return {
    report,
    /**
     * Reports an error that nobody caught in this process. Returns false if so many came that the program no longer does its work:
     * the host then closes the application and ends.
     */
    uncaught(error: unknown): boolean {
      // Whether it can be shown or not, somebody had to handle it.
      report(error instanceof AppError ? new AppError('internal', 'Uncaught', { fault: 'uncaught' }, { cause: error }) : error);
      recent = [...recent.filter((at) => now() - at < withinMs), now()];
      return recent.length < most;
    },
    /** Returns the newest faults of this process, the newest first. */
    recent: (): readonly ToldFault[] => told,
  };
}
