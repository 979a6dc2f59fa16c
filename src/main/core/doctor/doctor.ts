import type { Comparison, DoctorReport, Environment, Input, Payload } from '#shared/ipc/index.ts';
import type { Language } from '#shared/doctor/model.ts';
import type { Fidelity } from '#shared/model/fidelity.ts';
import type { KeySearch } from '../host/host.ts';
import type { Keys } from '../keys/keys.ts';
import { seenIn } from '#shared/doctor/seen.ts';
import { subjectOf } from '#shared/request/hash-subject.ts';
import { lastQuick, stages, type Stage } from '#shared/doctor/search.ts';
import { createProgress, type Progress } from './progress.ts';
import { compareInputs, reportOf } from './report.ts';

type Question = Input<'doctor.search'> & {
  readonly fidelity: Fidelity;
  readonly missing: readonly string[];
  readonly deep: boolean;
  readonly language: Language | null;
};

interface DoctorDeps {
  readonly keys: Pick<Keys, 'digest' | 'search'>;
  readonly environment: (id: string) => Pick<Environment, 'serialization' | 'answers'>;
  readonly environments: () => readonly Pick<Environment, 'id' | 'name'>[];
  /** Returns milliseconds from any start. */
  readonly now: () => number;
  readonly emit: (progress: Payload<'doctor.progressed'>) => void;
}

interface UnderWay {
  /** Null until its process has the keys. */
  search: KeySearch | null;
  cancelled: boolean;
}

/** Finds the mistake in a request's hash. */
export function createDoctor({ keys, environment: environmentOf, environments, now, emit }: DoctorDeps) {
  const underWay = new Map<string, UnderWay>();
  const reports = new Set<Promise<DoctorReport>>();

  async function search({ environmentId, ticket, request, fidelity, missing, deep, language }: Question): Promise<DoctorReport> {
    const environment = environmentOf(environmentId);
    const { subject, problem } = subjectOf(request, environment);
    const seen = seenIn({ ...request, missing });
    const last = deep ? null : seen.some(({ part, hides }) => hides && part === 'data') ? 'singles' : lastQuick;
    const entry: UnderWay = { search: null, cancelled: false };
    underWay.set(ticket, entry);
    try {
      const expected =
        problem === null ? await keys.digest(environmentId, bytesOf([subject.time, subject.ruleText ?? ''])) : null;
      const others = environments().filter(({ id }) => id !== environmentId);
      const found = await keys.search(environmentId, others, subject);
      entry.search = found;
      // A string in place of the object is not the text of data.
      const trust = subject.dataText === request.dataText ? fidelity : 'reencoded';
      const progress = createProgress(now(), trust === 'exact');
      await follow(entry, found, progress, { ticket, last });
      const outcome = { ...progress.outcome(), cancelled: entry.cancelled, keys: found.keys };
      return reportOf({ subject, problem, fidelity: trust, language, seen, expected }, outcome);
    } finally {
      entry.search?.end();
      if (underWay.get(ticket) === entry) underWay.delete(ticket);
    }
  }

  /** Goes on step by step until the search ends, is past its last stage, or is cancelled. */
  async function follow(
    entry: UnderWay,
    found: KeySearch,
    progress: Progress,
    { ticket, last }: { readonly ticket: string; readonly last: Stage | null },
  ): Promise<void> {
    while (!entry.cancelled) {
      try {
        const news = await found.next();
        progress.add(
          news.steps.filter((step) => last === null || !('stage' in step) || !isBehind(step.stage, last)),
          now(),
        );
        if (news.ended || (last !== null && progress.isPast(last))) return;
      } catch (error) {
        // Its process was ended in the midst of a step.
        if (entry.cancelled) return;
        throw error;
      }
      emit({ ticket, ...progress.shown(now()) });
    }
  }

  /** Returns whether a search with this ticket was under way. */
  function cancel(ticket: string): boolean {
    const entry = underWay.get(ticket);
    if (entry === undefined) return false;
    entry.cancelled = true;
    entry.search?.end();
    return true;
  }

  return {
    /** Needs no key. Fails with `not_found`. */
    compare: ({ environmentId, request }: Input<'doctor.compare'>): Comparison =>
      compareInputs(subjectOf({ ...request, hash: '' }, environmentOf(environmentId))),
    /** Fails with `not_found`, `key_missing` or `key_unavailable`. */
    search(question: Question): Promise<DoctorReport> {
      const report = search(question);
      reports.add(report);
      return report.finally(() => reports.delete(report));
    },
    cancel,
    /** Ends all searches, and waits for their reports. */
    async close(): Promise<void> {
      for (const ticket of underWay.keys()) cancel(ticket);
      await Promise.allSettled(reports);
    },
  };
}

function isBehind(stage: Stage, last: Stage): boolean {
  return stages.indexOf(stage) > stages.indexOf(last);
}

function bytesOf(parts: readonly string[]): Uint8Array[] {
  return parts.map((part) => new TextEncoder().encode(part));
}
