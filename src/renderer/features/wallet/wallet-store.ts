import { createStore, type StoreApi } from 'zustand/vanilla';
import { walletCollection } from '#shared/collections/run-words.ts';
import type { Client, FinishedRequest, Output, RunSummary } from '#shared/ipc/index.ts';
import { stakeProblem } from '#shared/wallet/money.ts';
import { countsText } from '#shared/wallet/run-facts.ts';
import { createAsking, refusalFrom, type AskingState } from '#renderer/calls/refusal.ts';
import type { RunExport } from '#renderer/calls/run-export.ts';
import type { RunListState } from '#renderer/calls/run-list.ts';
import type { StopRunsState } from '#renderer/calls/stop-runs.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { nameParts, notPutBack, type Told } from './case-rows.ts';

/** Texts and choices of the next run. */
interface WalletForm {
  /** Empty for the usual one. */
  readonly stake: string;
  /** Session tokens of one player, or of two; never kept. */
  readonly first: string;
  readonly second: string;
  readonly strict: boolean;
  /** The open collection whose own cases are run, too; empty for none. */
  readonly collectionId: string;
}

/** Cases in sight, also after a look at another screen. */
interface WalletView {
  /** The group whose cases are listed; empty for all cases. */
  readonly group: string;
  /** ID of the case that is shown. */
  readonly chosen: string | null;
  /** True if the run is compared with the one before. */
  readonly compares: boolean;
}

interface WalletState extends AskingState, WalletForm, WalletView {
  readonly environmentId: string | null;
  /** The cases of the environment in use; null until they were read. */
  readonly plan: Output<'wallet.plan'> | null;
  readonly told: Told;
  /** ID of the run whose money was put back last. */
  readonly restored: string | null;
  /** Reads the cases of an environment, and what its runs told. */
  readonly load: (environmentId: string | null) => Promise<void>;
  readonly setForm: (change: Partial<WalletForm>) => void;
  readonly show: (change: Partial<WalletView>) => void;
  /** Runs all cases, or these cases and groups alone. */
  readonly start: (only?: readonly string[]) => Promise<void>;
  readonly restore: (runId: string) => Promise<void>;
}

export type WalletStore = StoreApi<WalletState>;

/** The runs of the page, some of which are wallet tests: it reads, follows, stops and exports them. */
export type KnownRuns = StoreApi<RunListState & StopRunsState & { readonly exportAs: RunExport }>;

/** Creates the store of the wallet test: the cases, what the runs of an environment told of them, and the next run. */
export function createWalletStore(
  client: Client,
  { runs, notify, say }: { readonly runs: KnownRuns; readonly notify: Notify; readonly say: (text: string) => void },
): WalletStore {
  return createStore<WalletState>()((set, get, store) => {
    const { state, attempt } = createAsking(store);
    let round = 0;

    client.on('runs.progressed', ({ runId, state: now, finished }) => {
      if (!get().told.has(runId)) return;
      tell(runId, finished);
      if (now !== 'running') say(`Wallet test ${now}: ${countsText([...(get().told.get(runId)?.values() ?? [])])}.`);
    });
    runs.subscribe(({ list }, before) => {
      if (list !== before.list) startWork(readTold());
    });

    function tell(runId: string, finished: readonly FinishedRequest[]): void {
      const fresh = finished.map(({ request }) => [nameParts(request.path).id, request] as const);
      set(({ told }) => ({ told: new Map([...told, [runId, new Map([...(told.get(runId) ?? []), ...fresh])]]) }));
    }

    /** Reads what was not heard from the runs in sight, and forgets the others. */
    async function readTold(): Promise<void> {
      // The event that changed the list is heard above, too.
      await Promise.resolve();
      const { shown, earlier } = walletRuns(runs.getState().list, get().environmentId);
      const wanted = new Map([...shown, ...(earlier === null ? [] : [earlier])].map((run) => [run.runId, run.totals.requests]));
      set(({ told }) => ({ told: new Map([...told].filter(([runId]) => wanted.has(runId))) }));
      try {
        for (const [runId, requests] of wanted)
          if (get().told.get(runId)?.size !== requests)
            tell(runId, (await client.call('runs.requests', { runId, limit: 1_000 })).requests);
      } catch (thrown) {
        set({ asking: { ...refusalFrom(thrown), again: readTold } });
      }
    }

    function cases(environmentId: string) {
      const { stake, collectionId } = get();
      return { environmentId, stake: stake.trim(), ...(collectionId === '' ? {} : { collectionId }) };
    }

    async function readPlan(): Promise<void> {
      const { environmentId } = get();
      if (environmentId === null) return;
      round += 1;
      const mine = round;
      const input = cases(environmentId);
      try {
        const plan = await client.call('wallet.plan', stakeProblem(input.stake) === null ? input : { ...input, stake: '' });
        if (mine === round) set({ plan });
      } catch (thrown) {
        if (mine === round) set({ asking: { ...refusalFrom(thrown), again: readPlan } });
      }
    }

    function tokens(): string[] {
      const [first = '', second = ''] = [get().first, get().second].map((token) => token.trim());
      return first === '' ? [] : [first, second].filter((token) => token !== '');
    }

    return {
      ...state,
      environmentId: null,
      stake: '',
      first: '',
      second: '',
      strict: false,
      collectionId: '',
      plan: null,
      told: new Map(),
      group: '',
      chosen: null,
      compares: false,
      restored: null,
      async load(environmentId) {
        // Another environment's players and currency.
        if (environmentId !== get().environmentId) set({ environmentId, plan: null, ...state, first: '', second: '', stake: '' });
        await Promise.all([readPlan(), readTold()]);
      },
      setForm(change) {
        set({ ...change, ...(get().asking.state === 'refused' ? state : {}) });
        if (change.stake !== undefined || change.collectionId !== undefined) startWork(readPlan());
      },
      show: set,
      start: (only = []) =>
        attempt(async (confirmed) => {
          const { environmentId, strict } = get();
          if (environmentId === null) return;
          const input = { ...cases(environmentId), strict, tokens: tokens(), only: [...only], confirmed };
          const { runId } = await client.call('wallet.start', input);
          tell(runId, []);
          // From now on they, or those that replaced them, are in the pool.
          set({ first: '', second: '' });
          await runs.getState().load();
        }),
      restore: (runId) =>
        attempt(async (confirmed) => {
          const { players } = await client.call('wallet.restore', { runId, tokens: tokens(), confirmed });
          const words = players.map(({ playerId, before, after }) => `${playerId}: ${before} → ${after}`).join(', ');
          const left = notPutBack(players);
          if (left !== '') return notify({ tone: 'warn', text: `Not everything was put back. ${words}. Left: ${left}.` });
          set({ restored: runId });
          notify({ tone: 'good', text: `Put back. ${words}.` });
        }),
    };
  });
}

/**
 * Finds the wallet tests of an environment: the newest run of all cases with the later ones of single cases, which replace what it told
 * of them; the run of all cases before it; and the one that goes on.
 */
export function walletRuns(list: RunListState['list'], environmentId: string | null) {
  const all = list.state === 'ready' ? list.runs.filter(({ collectionId }) => collectionId === walletCollection) : [];
  const own = all.filter((run) => run.environmentId === environmentId);
  const isWhole = ({ path }: RunSummary) => path === '';
  const end = Math.max(0, own.findIndex(isWhole)) + 1;
  const shown: readonly RunSummary[] = own.slice(0, end);
  const earlier = own.slice(end).find(isWhole) ?? null;
  return { shown, earlier, live: shown.find(({ state }) => state === 'running') ?? null };
}
