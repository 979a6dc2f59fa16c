import { asAppError, reportIfFault, startWork, type Loaded } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';

/** Entries that core keeps in this session, newest first. */
type SessionLog<Entry> = Loaded<{
  entries: readonly Entry[];
  /** Number of older entries that core dropped. */
  dropped: number;
}>;

/** The part of a store that follows a log. */
export interface SessionLogPart<Entry> {
  readonly log: SessionLog<Entry>;
  /** Reads all of the log; what is shown stays meanwhile. */
  readonly load: () => Promise<void>;
  /** Called when the log came into sight: reads it once, and follows its events from then on. */
  readonly visit: () => Promise<void>;
}

interface SessionLogSource<Entry> {
  /** Returns the newest entries below the number `before`. */
  readonly read: (query: {
    readonly limit: number;
    readonly before?: number;
  }) => Promise<{ readonly entries: readonly Entry[]; readonly dropped: number }>;
  /** Calls back for each new entry. */
  readonly follow: (told: (entry: Entry) => void) => void;
  /** Returns whether an entry will be told again, with more of it. */
  readonly isOpen?: (entry: Entry) => boolean;
  /** Number of entries that core keeps; it reports if it releases some for their size. */
  readonly mostKept: number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Called when new entries are in the log, but not for each. */
  readonly onGrown?: () => Promise<void>;
}

const page = 200;
const quietTime = 200;

/** Creates the part: a log as the page knows it, read once in pages, then kept up to date by events. */
export function createSessionLog<Entry extends { readonly number: number }>(
  { getState, setState }: StorePart<SessionLogPart<Entry>>,
  { read, follow, isOpen = () => false, mostKept, later, onGrown }: SessionLogSource<Entry>,
): SessionLogPart<Entry> {
  let round = 0;
  let loading = false;
  /** True if an entry was reported while the log was read. */
  let missed = false;
  /** New entries that are shown together, newest first: each of many would have the page drawn again. */
  let waiting: readonly Entry[] = [];
  let resting = false;

  follow((entry) => {
    if (loading) missed = true;
    const { log, load } = getState();
    if (loading || log.state === 'loading') return;
    if (log.state !== 'ready') return startWork(load());
    const newest = (waiting[0] ?? log.entries[0])?.number ?? log.dropped;
    if (entry.number !== newest + 1) {
      const known = [...waiting, ...log.entries].find(({ number }) => number === entry.number);
      // Numbers follow each other: another one out of order is of another start of its source, or an entry was missed.
      if (known === undefined || !isOpen(known)) return startWork(load());
      const again = (entries: readonly Entry[]) => entries.map((one) => (one === known ? entry : one));
      waiting = again(waiting);
      return setState({ log: { ...log, entries: again(log.entries) } });
    }
    waiting = [entry, ...waiting];
    if (resting) return;
    grow();
    resting = true;
    later(() => {
      resting = false;
      grow();
      startWork(trim());
    }, quietTime);
  });

  function grow(): void {
    const { log } = getState();
    if (log.state === 'ready' && waiting.length > 0) setState({ log: { ...log, entries: [...waiting, ...log.entries] } });
    waiting = [];
  }

  /** Drops the entries that core released. */
  async function trim(): Promise<void> {
    const mine = round;
    try {
      const [{ dropped }] = await Promise.all([read({ limit: 1 }), onGrown?.()]);
      const { log } = getState();
      if (mine !== round || log.state !== 'ready') return;
      setState({ log: { ...log, dropped, entries: log.entries.filter(({ number }) => number > dropped) } });
    } catch (error) {
      // The next entry asks again.
      reportIfFault(error);
    }
  }

  async function readAll(mine: number): Promise<void> {
    const all: Entry[] = [];
    try {
      for (;;) {
        const before = all.at(-1)?.number;
        const next = await read({ limit: page, ...(before === undefined ? {} : { before }) });
        if (mine !== round) return;
        all.push(...next.entries);
        if (next.entries.length === page && all.length < mostKept) continue;
        return setState({ log: { state: 'ready', entries: all, dropped: next.dropped } });
      }
    } catch (thrown) {
      if (mine === round) setState({ log: { state: 'failed', message: asAppError(thrown).message } });
    }
  }

  return {
    log: { state: 'loading' },
    async load() {
      round += 1;
      const mine = round;
      loading = true;
      missed = false;
      waiting = [];
      await readAll(mine);
      if (mine !== round) return;
      loading = false;
      if (missed && getState().log.state === 'ready') await getState().load();
    },
    visit: () => (getState().log.state === 'ready' ? Promise.resolve() : getState().load()),
  };
}
