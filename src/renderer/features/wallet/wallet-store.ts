import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import { walletCollection } from '#shared/collections/run-words.ts';
import type { Client, Confirmed, Output, Payload, RunSummary } from '#shared/ipc/index.ts';
import { verdictsText } from '#shared/wallet/run-facts.ts';
import { stakeProblem } from '#shared/wallet/money.ts';
import { createRunExport, type RunExport } from '#renderer/calls/run-export.ts';
import { refusalFrom, type Unconfirmed } from '#renderer/calls/refusal.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { caseIdOf, type ToldCase } from './told-case.ts';

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
  /** Repeats the transactions of the shown run, as a provider may a day later. */
  readonly repeats: boolean;
}

/** The cases of the environment in use, and what it has told so far. */
export type WalletReport =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready';
      readonly plan: Output<'wallet.plan'>;
      /** Runs in this environment, newest first. */
      readonly runs: readonly RunSummary[];
      /** The run that is shown; null before the first one. */
      readonly run: RunSummary | null;
      /** By case: what the shown run told, or a later one of that case alone. */
      readonly told: ReadonlyMap<string, ToldCase>;
    };

/** The run that goes on. */
interface LiveRun {
  readonly runId: string;
  readonly startedAt: number;
  /** True if it runs all cases. */
  readonly whole: boolean;
  readonly planned: number;
  readonly done: number;
  /** The path of the case under way. */
  readonly current: string;
  readonly stopping: boolean;
}

/** A start, or putting back, that was asked for. */
type Asking =
  | { readonly state: 'idle' | 'starting' }
  | (Unconfirmed & { readonly again: (confirmed: Confirmed) => Promise<void> })
  | { readonly state: 'refused'; readonly message: string };

interface WalletState {
  readonly environmentId: string | null;
  readonly form: WalletForm;
  readonly report: WalletReport;
  readonly live: LiveRun | null;
  readonly asking: Asking;
  /** Title of the group whose cases are listed. */
  readonly group: string;
  /** ID of the case that is shown. */
  readonly chosen: string | null;
  /** The run with which the shown one is compared, and its cases. */
  readonly before: { readonly run: RunSummary; readonly cases: readonly CaseOutcome[] } | null;
  /** IDs of runs whose money was put back. */
  readonly restored: ReadonlySet<string>;
  /** Reads plan and runs of an environment. */
  readonly load: (environmentId: string | null) => Promise<void>;
  readonly setForm: (change: Partial<WalletForm>) => void;
  /** Runs all cases, or these alone. */
  readonly start: (only?: readonly string[]) => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly restore: (runId: string) => Promise<void>;
  readonly confirm: (confirmed: Confirmed) => Promise<void>;
  readonly dismiss: () => void;
  readonly showGroup: (group: string) => void;
  readonly choose: (id: string | null) => void;
  /** Compares with the run before, or no longer. */
  readonly compare: () => Promise<void>;
  readonly exportAs: RunExport;
}

export type WalletStore = StoreApi<WalletState>;

export interface WalletStoreDeps {
  readonly notify: Notify;
  readonly say: (text: string) => void;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly saveText: (name: string, text: string, mediaType: string) => void;
}

/** The group that has all cases. */
export const everyGroup = 'All cases';
const typingPause = 250;

/** Creates the test of the operator's wallet: its plan, its run, and what the last runs told. */
export function createWalletStore(client: Client, { notify, say, later, saveText }: WalletStoreDeps): WalletStore {
  return createStore<WalletState>()((set, get) => {
    let round = 0;
    let planning: (() => void) | null = null;

    client.on('runs.progressed', follow);
    client.on('runs.removed', () => startWork(get().load(get().environmentId)));

    async function casesOf({ runId, startedAt }: Pick<RunSummary, 'runId' | 'startedAt'>): Promise<ToldCase[]> {
      const found: ToldCase[] = [];
      for (let from: number | null = 0; from !== null;) {
        const part: Output<'runs.requests'> = await client.call('runs.requests', { runId, from });
        found.push(...part.requests.map(({ request }) => ({ runId, startedAt, request })));
        from = part.next;
      }
      return found;
    }

    function caseInput(environmentId: string) {
      const { stake, collectionId } = get().form;
      return { environmentId, stake: stake.trim(), ...(collectionId === '' ? {} : { collectionId }) };
    }

    function planOf(environmentId: string): Promise<Output<'wallet.plan'>> {
      const input = caseInput(environmentId);
      return client.call('wallet.plan', stakeProblem(input.stake) === null ? input : { ...input, stake: '' });
    }

    /** Reads the newest run of all cases, and the later ones of single cases, which replace what it told of them. */
    async function read(environmentId: string): Promise<void> {
      round += 1;
      const mine = round;
      try {
        const [plan, list] = await Promise.all([
          planOf(environmentId),
          client.call('runs.list', { collectionId: walletCollection }),
        ]);
        const runs = list.runs.filter((run) => run.environmentId === environmentId);
        const at = Math.max(
          0,
          runs.findIndex(({ path }) => path === ''),
        );
        const told = new Map<string, ToldCase>();
        for (const run of runs.slice(0, at + 1).toReversed())
          for (const one of await casesOf(run)) told.set(caseIdOf(one.request), one);
        if (mine === round) set({ report: { state: 'ready', plan, runs, run: runs[at] ?? null, told } });
      } catch (thrown) {
        if (mine === round) set({ report: { state: 'failed', message: asAppError(thrown).message } });
      }
    }

    function follow({ runId, state, planned, totals, current, finished }: Payload<'runs.progressed'>): void {
      const { report, environmentId } = get();
      // A page that was opened later follows, too.
      const live = get().live ?? liveRun(report);
      if (live?.runId !== runId) return;
      if (report.state === 'ready') {
        const fresh = finished.map(({ request }) => [caseIdOf(request), { runId, startedAt: live.startedAt, request }] as const);
        set({ report: { ...report, told: new Map([...report.told, ...fresh]) } });
      }
      if (state === 'running') return set({ live: { ...live, planned, done: totals.requests, current } });
      set({ live: null });
      const { report: last } = get();
      const told = last.state === 'ready' ? [...last.told.values()].filter((one) => one.runId === runId) : [];
      say(`Wallet test ${state}: ${verdictsText(told.map(({ request }) => request.case?.verdict ?? 'not run'))}.`);
      if (environmentId !== null) startWork(read(environmentId));
    }

    /** Does what may be refused or asked about. */
    async function attempt(work: (confirmed: Confirmed) => Promise<void>, confirmed: Confirmed = false): Promise<void> {
      if (get().asking.state === 'starting') return;
      set({ asking: { state: 'starting' } });
      try {
        await work(confirmed);
        set({ asking: { state: 'idle' } });
      } catch (thrown) {
        const refusal = refusalFrom(thrown);
        set({ asking: refusal.state === 'refused' ? refusal : { ...refusal, again: (yes) => attempt(work, yes) } });
      }
    }

    function tokens(): string[] {
      const [first = '', ...others] = [get().form.first, get().form.second].map((token) => token.trim());
      return first === '' ? [] : [first, ...others.filter((token) => token !== '')];
    }

    return {
      environmentId: null,
      form: { stake: '', first: '', second: '', strict: false, collectionId: '', repeats: false },
      report: { state: 'loading' },
      live: null,
      asking: { state: 'idle' },
      group: everyGroup,
      chosen: null,
      before: null,
      restored: new Set(),
      async load(environmentId) {
        const { environmentId: last, form } = get();
        if (environmentId !== last)
          set({
            environmentId,
            report: { state: 'loading' },
            live: null,
            before: null,
            asking: { state: 'idle' },
            // Another environment's players and currency.
            form: { ...form, first: '', second: '', stake: '', repeats: false },
          });
        if (environmentId !== null && get().live === null) await read(environmentId);
      },
      setForm(change) {
        set(({ form, asking }) => ({
          form: { ...form, ...change },
          asking: asking.state === 'refused' ? { state: 'idle' } : asking,
        }));
        const { environmentId } = get();
        if ((change.stake ?? change.collectionId) === undefined || environmentId === null) return;
        planning?.();
        planning = later(() => {
          planning = null;
          startWork(replan(environmentId));
        }, typingPause);
      },
      start: (only = []) =>
        attempt(async (confirmed) => {
          const { environmentId, form, live, report } = get();
          if (environmentId === null || live !== null) return;
          const retryOf = form.repeats && report.state === 'ready' ? (report.run?.runId ?? null) : null;
          const asked = { strict: form.strict, tokens: tokens(), only: [...only], retryOf, confirmed };
          const input = { ...caseInput(environmentId), ...asked };
          const { runId, planned } = await client.call('wallet.start', input);
          const whole = only.length === 0;
          // From now on they, or those that replaced them, are in the pool.
          set({ form: { ...form, first: '', second: '' } });
          set({
            live: { runId, startedAt: Date.now(), whole, planned, done: 0, current: '', stopping: false },
            ...(whole && report.state === 'ready' ? { report: { ...report, told: new Map() }, before: null } : {}),
          });
          // What it told before its ID was known, perhaps that it ended.
          const { runs } = await client.call('runs.list', { collectionId: walletCollection });
          const run = runs.find((one) => one.runId === runId);
          if (run !== undefined)
            follow({
              ...run,
              underWay: 0,
              waiting: 0,
              current: '',
              finished: (await client.call('runs.requests', { runId })).requests,
            });
        }),
      async stop() {
        const { live } = get();
        if (live === null) return;
        set({ live: { ...live, stopping: true } });
        await client.call('runs.cancel', { runId: live.runId });
      },
      restore: (runId) =>
        attempt(async (confirmed) => {
          const { players } = await client.call('wallet.restore', { runId, tokens: tokens(), confirmed });
          const words = players.map(({ playerId, before, after }) => `${playerId}: ${before} → ${after}`);
          set(({ restored }) => ({ restored: new Set([...restored, runId]) }));
          notify({ tone: 'good', text: `Put back. ${words.join(', ')}.` });
        }),
      async confirm(confirmed) {
        const { asking } = get();
        if (asking.state !== 'unconfirmed') return;
        set({ asking: { state: 'idle' } });
        await asking.again(confirmed);
      },
      dismiss: () => set({ asking: { state: 'idle' } }),
      showGroup: (group) => set({ group }),
      choose: (chosen) => set({ chosen }),
      async compare() {
        const { report, before } = get();
        const run = report.state === 'ready' ? runBefore(report) : null;
        if (before !== null || run === null) return set({ before: null });
        const cases = (await casesOf(run)).flatMap(({ request }) => request.case ?? []);
        set({ before: { run, cases } });
      },
      exportAs: createRunExport(client, { notify, saveText }),
    };

    async function replan(environmentId: string): Promise<void> {
      try {
        const plan = await planOf(environmentId);
        const { report } = get();
        if (report.state === 'ready' && get().environmentId === environmentId) set({ report: { ...report, plan } });
      } catch (thrown) {
        set({ asking: { state: 'refused', message: asAppError(thrown).message } });
      }
    }
  });
}

/** Returns the shown run as one that goes on; null if it does not. */
function liveRun(report: WalletReport): LiveRun | null {
  if (report.state !== 'ready' || report.run?.state !== 'running') return null;
  const { runId, startedAt, path, planned, totals } = report.run;
  return { runId, startedAt, whole: path === '', planned, done: totals.requests, current: '', stopping: false };
}

/** Returns the run of all cases before the one that is shown; null for none. */
export function runBefore({ runs, run }: Extract<WalletReport, { state: 'ready' }>): RunSummary | null {
  const older = run === null ? [] : runs.slice(runs.indexOf(run) + 1);
  return older.find(({ path }) => path === '') ?? null;
}
