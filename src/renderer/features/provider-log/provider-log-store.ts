import { createStore, type StoreApi } from 'zustand/vanilla';
import { late, otherwise, z } from '#shared/model/schema.ts';
import type { Client, LoggedVerdict } from '#shared/ipc/index.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';

/** Verdicts of the built-in provider in this session, newest first. */
type ProviderLog =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready';
      readonly entries: readonly LoggedVerdict[];
      /** Number of older verdicts that the provider released. */
      readonly dropped: number;
    };

/** The marked verdict: by its number, or by its call in the history. A new object brings it into sight again. */
type LogChoice = { readonly number: number } | { readonly callId: number };

type LogSplit = 'beside' | 'stacked' | 'details';

export interface ProviderLogState {
  /** True if the log is beside the history, in place of the selected call. */
  readonly shown: boolean;
  /** The parts of the first panes in percent. */
  readonly shares: Readonly<Record<LogSplit, number>>;
  readonly log: ProviderLog;
  readonly choice: LogChoice | null;
  /** Reads all of the log; what is shown stays meanwhile. */
  readonly load: () => Promise<void>;
  /** Called when the log came into sight: reads it once, and follows its events from then on. */
  readonly visit: () => Promise<void>;
  readonly setShown: (shown: boolean) => void;
  readonly setShare: (split: LogSplit, share: number) => void;
  readonly choose: (choice: LogChoice | null) => void;
  /** Returns the layout as text for `restoreView`. */
  readonly exportView: () => string;
  readonly restoreView: (text: string | undefined) => void;
}

export type ProviderLogStore = StoreApi<ProviderLogState>;

export interface ProviderLogDeps {
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

const page = 200;
/** Number of verdicts that core keeps; it reports if it releases some for their size. */
const mostKept = 1_000;
const quietTime = 200;

/** The parts of the first panes before anybody moved their edges, in percent. */
export const usualShares: Readonly<Record<LogSplit, number>> = { beside: 58, stacked: 52, details: 40 };
const viewSchema = late(() => {
  const share = z.number().check(z.gte(5), z.lte(95));
  return z.object({
    shown: otherwise(z.boolean(), false),
    shares: otherwise(z.object({ beside: share, stacked: share, details: share }), usualShares),
  });
});

/** Creates the log of the provider as the page knows it: read once in pages, then kept up to date by events. */
export function createProviderLogStore(client: Client, deps: ProviderLogDeps): ProviderLogStore {
  return createStore<ProviderLogState>()((set, get) => {
    let round = 0;
    let loading = false;
    /** True if a verdict was reported while the log was read. */
    let missed = false;
    let counting: (() => void) | null = null;

    client.on('sandbox.judged', (entry) => {
      if (loading) missed = true;
      const { log } = get();
      if (loading || log.state === 'loading') return;
      // Numbers follow each other: a number out of order is of another start of the provider, or a verdict was missed.
      if (log.state !== 'ready' || entry.number !== (log.entries[0]?.number ?? log.dropped) + 1) return startWork(get().load());
      set({ log: { ...log, entries: [entry, ...log.entries] } });
      counting ??= deps.later(() => {
        counting = null;
        startWork(trim());
      }, quietTime);
    });

    /** Drops the verdicts that the provider released. */
    async function trim(): Promise<void> {
      const mine = round;
      try {
        const { dropped } = await client.call('sandbox.log', { limit: 1 });
        const { log } = get();
        if (mine !== round || log.state !== 'ready') return;
        set({ log: { ...log, dropped, entries: log.entries.filter(({ number }) => number > dropped) } });
      } catch (error) {
        // The next verdict asks again.
        reportIfFault(error);
      }
    }

    async function readAll(mine: number): Promise<void> {
      const read: LoggedVerdict[] = [];
      try {
        for (;;) {
          const before = read.at(-1)?.number;
          const next = await client.call('sandbox.log', { limit: page, ...(before === undefined ? {} : { before }) });
          if (mine !== round) return;
          read.push(...next.entries);
          if (next.entries.length === page && read.length < mostKept) continue;
          return set({ log: { state: 'ready', entries: read, dropped: next.dropped } });
        }
      } catch (thrown) {
        if (mine === round) set({ log: { state: 'failed', message: asAppError(thrown).message } });
      }
    }

    return {
      shown: false,
      shares: usualShares,
      log: { state: 'loading' },
      choice: null,
      async load() {
        round += 1;
        const mine = round;
        loading = true;
        missed = false;
        await readAll(mine);
        if (mine !== round) return;
        loading = false;
        if (missed && get().log.state === 'ready') await get().load();
      },
      visit: () => (get().log.state === 'ready' ? Promise.resolve() : get().load()),
      setShown: (shown) => set({ shown }),
      setShare: (split, value) => set((state) => ({ shares: { ...state.shares, [split]: value } })),
      choose: (choice) => set({ choice }),
      exportView: () => JSON.stringify({ shown: get().shown, shares: get().shares }),
      restoreView(text) {
        if (text === undefined) return;
        const view = viewSchema().safeParse(parsed(text));
        if (view.success) set(view.data);
      },
    };
  });
}

/** Returns the marked verdict; null if none is, or if the call has none in the log. */
export function chosenVerdict({ log, choice }: Pick<ProviderLogState, 'log' | 'choice'>): LoggedVerdict | null {
  if (log.state !== 'ready' || choice === null) return null;
  const found = log.entries.find((entry) =>
    'number' in choice ? entry.number === choice.number : entry.callId === choice.callId,
  );
  return found ?? null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
