import { AppError } from '#shared/errors.ts';
import { describeFault, faultDetails, isFault } from '#shared/faults.ts';
import type { Payload } from '#shared/ipc/index.ts';

export interface FaultsDeps {
  /** Writes an error to the host's log. */
  readonly log: (error: unknown) => void;
  /** Tells the pages. */
  readonly tell: (fault: Payload<'app.faulted'>) => void;
  /** Whether a text holds a private key. */
  readonly holdsKey: (text: string) => Promise<boolean>;
  /** Stands above the details: host, version, runtime. */
  readonly where: string;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

/** Reports what went wrong inside core: AppErrors to the log, faults to the log and to the pages. */
export interface Faults {
  readonly report: (error: unknown) => void;
  /**
   * Reports what nobody caught in this process. False where so many came that the program no longer does its work: the host then closes
   * the application and ends.
   */
  readonly uncaught: (error: unknown) => boolean;
}

/** A program with this many uncaught errors within this time is not expected to recover. */
const most = 10;
const withinMs = 60_000;

export function createFaults({ log, tell, holdsKey, where, now }: FaultsDeps): Faults {
  let recent: number[] = [];
  let telling = false;

  function report(error: unknown): void {
    try {
      log(error);
    } catch {
      // A broken log must not cost the pages the report.
    }
    // What a listener throws while it is told must not be told to it again.
    if (isFault(error) && !telling) void tellPages(error);
  }

  async function tellPages(error: unknown): Promise<void> {
    const fault = describeFault(error);
    // Where the key agent does not answer, nobody knows.
    const held = await holdsKey(fault.message).catch(() => true);
    const message = held ? 'An error with a hidden message' : fault.message;
    telling = true;
    try {
      tell({ message, details: faultDetails({ ...fault, message }, where) });
    } finally {
      telling = false;
    }
  }

  return {
    report,
    uncaught(error) {
      // Fit to be shown or not, somebody had to handle it.
      report(error instanceof AppError ? new AppError('internal', 'Uncaught', { fault: 'uncaught' }, { cause: error }) : error);
      recent = [...recent.filter((at) => now() - at < withinMs), now()];
      return recent.length < most;
    },
  };
}
