import { orNull, startWork } from '#renderer/faults/faults.ts';
import { isPastSingles } from '#shared/doctor/words.ts';
import type { Client, DoctorReport, Payload } from '#shared/ipc/index.ts';
import { questionOf, type Subject } from './doctor-fields.ts';

/** One request, read in one way or several, and the environment whose key made its hash. */
export interface SearchTask {
  readonly environmentId: string;
  /** The chosen reading first. */
  readonly readings: readonly [Subject, ...Subject[]];
  readonly deep: boolean;
}

/** A report, and the position of the reading that it is about. */
interface Found {
  readonly report: DoctorReport;
  readonly reading: number;
}

/** The search of one request. */
export interface RunningSearch {
  /** Resolves to null after `leave`. Rejects with the refusal of core. */
  readonly found: Promise<Found | null>;
  /** Ends it; the report says how far it came. */
  readonly cancel: () => void;
  /** Ends it, and lets nothing of it be shown any more. */
  readonly leave: () => void;
}

interface SearchDeps {
  readonly newId: () => string;
  readonly onProgress: (progress: Payload<'doctor.progressed'>) => void;
}

/**
 * Searches the mistake in a hash. If a request was read in several ways, it looks for a single mistake in each, which takes less than a second,
 * before it searches the chosen reading as far as it goes: nothing but the hash says which reading is right.
 */
export function startSearch(client: Client, { environmentId, readings, deep }: SearchTask, deps: SearchDeps): RunningSearch {
  let ticket: string | null = null;
  const ended = { cancelled: false, left: false };

  function end(): void {
    if (ticket !== null) startWork(orNull(client.call('doctor.cancel', { ticket })));
  }

  /** Asks core; a quick search ends after the single mistakes, and then returns null. */
  async function ask(subject: Subject, quick: boolean): Promise<DoctorReport | null> {
    const mine = deps.newId();
    ticket = mine;
    let enough = false;
    const stop = client.on('doctor.progressed', (progress) => {
      if (progress.ticket !== mine || ended.left || enough) return;
      if (!quick) return deps.onProgress(progress);
      enough = isPastSingles(progress.stages);
      if (enough) end();
    });
    try {
      const report = await client.call('doctor.search', { environmentId, ticket: mine, ...questionOf(subject), deep });
      const isShort = enough && !ended.cancelled && report.verdict === 'cancelled';
      return isShort || (quick && report.verdict === 'none') ? null : report;
    } finally {
      stop();
      ticket = null;
    }
  }

  async function search(): Promise<Found | null> {
    for (const [reading, subject] of readings.length > 1 ? readings.entries() : []) {
      const report = await ask(subject, true);
      if (ended.left) return null;
      if (report !== null) return { report, reading };
    }
    const report = await ask(readings[0], false);
    return ended.left || report === null ? null : { report, reading: 0 };
  }

  return {
    found: search(),
    cancel() {
      ended.cancelled = true;
      end();
    },
    leave() {
      ended.left = true;
      end();
    },
  };
}
