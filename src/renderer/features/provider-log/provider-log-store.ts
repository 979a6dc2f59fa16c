import { createStore, type StoreApi } from 'zustand/vanilla';
import { late, otherwise, z } from '#shared/model/schema.ts';
import type { Client, LoggedVerdict } from '#shared/ipc/index.ts';
import { createSessionLog, type SessionLogPart } from '#renderer/calls/session-log.ts';

/** The marked verdict: by its number, or by its call in the history. A new object brings it into sight again. */
type LogChoice = { readonly number: number } | { readonly callId: number };

type LogSplit = 'beside' | 'stacked' | 'details';

export interface ProviderLogState extends SessionLogPart<LoggedVerdict> {
  /** True if the log is beside the history, in place of the selected call. */
  readonly shown: boolean;
  /** The parts of the first panes in percent. */
  readonly shares: Readonly<Record<LogSplit, number>>;
  readonly choice: LogChoice | null;
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
export function createProviderLogStore(client: Client, { later }: ProviderLogDeps): ProviderLogStore {
  return createStore<ProviderLogState>()((set, get, store) => {
    return {
      ...createSessionLog(store, {
        read: (query) => client.call('sandbox.log', query),
        follow: (told) => client.on('sandbox.judged', told),
        mostKept: 1_000,
        later,
      }),
      shown: false,
      shares: usualShares,
      choice: null,
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
