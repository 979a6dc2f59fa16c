import type { LaunchEntry } from '../ipc/index.ts';

type Timed = Pick<LaunchEntry, 'seq' | 'at' | 'kind' | 'signal'>;

/**
 * Returns the one clock of a launch: it gives a time of the record in milliseconds since the page of that opening began to load. What Croupier
 * did before has a time below zero. A frame has no such moment: there it is the opening.
 */
export function launchClock(entries: readonly Timed[]): (entry: Pick<LaunchEntry, 'seq'>, at: number) => number {
  const zeros: { readonly seq: number; at: number }[] = [];
  let waits = false;
  for (const { seq, at, kind, signal } of entries) {
    if (kind === 'opened') {
      zeros.push({ seq, at });
      waits = signal?.type !== 'opened' || signal.host === 'view';
    }
    const zero = zeros.at(-1);
    if (!waits || kind !== 'navigation' || zero === undefined) continue;
    zero.at = at;
    waits = false;
  }
  return ({ seq }, at) => at - (zeros.findLast((zero) => zero.seq <= seq) ?? zeros[0] ?? { at: 0 }).at;
}

/** Returns a moment that no entry has, as of a picture, by that clock; `at` in milliseconds since the launch was prepared. */
export function momentOf(entries: readonly Timed[], at: number): number {
  return launchClock(entries)(entries.findLast((entry) => entry.at <= at) ?? { seq: 0 }, at);
}

/** Returns the entries with their times by that clock. */
export function byClock<T extends Timed & Pick<LaunchEntry, 'lastAt'>>(entries: readonly T[]): T[] {
  const clock = launchClock(entries);
  return entries.map((entry) => ({ ...entry, at: clock(entry, entry.at), lastAt: clock(entry, entry.lastAt) }));
}
