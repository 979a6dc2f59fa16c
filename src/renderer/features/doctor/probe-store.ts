import { createStore, type StoreApi } from 'zustand/vanilla';
import { refusalFrom, type Refusal } from '#renderer/calls/refusal.ts';
import { asAppError, loaded, type Loaded } from '#renderer/faults/faults.ts';
import { AppError } from '#shared/errors.ts';
import type { Client, Confirmed, ProbePlan, ProbeReport, ProbeStep } from '#shared/ipc/index.ts';
import { withProbed } from '#shared/probes/recorded.ts';

/** State of the sending of the plan. */
export type Asking =
  | { readonly state: 'idle' }
  | { readonly state: 'asking'; readonly ticket: string; readonly steps: readonly ProbeStep[]; readonly cancelled: boolean }
  | { readonly state: 'ended'; readonly report: ProbeReport }
  | Refusal;

/** State of the answers that a plan found. */
type Recording =
  | { readonly state: 'offered' }
  | { readonly state: 'saving' }
  | { readonly state: 'recorded' }
  | { readonly state: 'failed'; readonly message: string };

interface ProbeState {
  /** The environment that the plan is for. */
  readonly environmentId: string | null;
  readonly plan: Loaded<{ plan: ProbePlan }>;
  /** True to send moved times as well. */
  readonly moved: boolean;
  readonly asking: Asking;
  readonly recording: Recording;

  /** Shows the plan for an environment; while one is being sent, that one stays. */
  readonly enter: (environmentId: string) => Promise<void>;
  readonly setMoved: (moved: boolean) => void;
  /** Sends the plan; a second call while it is being sent does nothing. */
  readonly start: (confirmed: Confirmed) => Promise<void>;
  readonly cancel: () => Promise<void>;
  /** Closes the question or the refusal. */
  readonly dismiss: () => void;
  /** Records the answers in the environment. */
  readonly record: () => Promise<void>;
}

export type ProbeStore = StoreApi<ProbeState>;

const fresh = { plan: { state: 'loading' }, asking: { state: 'idle' }, recording: { state: 'offered' } } as const;

/** Creates the store of the plan of calls that finds out how a provider checks hashes. */
export function createProbeStore(client: Client, { newId }: { readonly newId: () => string }): ProbeStore {
  return createStore<ProbeState>()((set, get) => {
    client.on('probes.progressed', ({ ticket, step }) => {
      const { asking } = get();
      if (asking.state === 'asking' && asking.ticket === ticket) set({ asking: { ...asking, steps: [...asking.steps, step] } });
    });

    return {
      environmentId: null,
      moved: false,
      ...fresh,

      async enter(environmentId) {
        const { asking, environmentId: before } = get();
        if (asking.state === 'asking' || (before === environmentId && get().plan.state !== 'failed')) return;
        set({ ...fresh, environmentId });
        const plan = await loaded(client.call('probes.plan', { environmentId }).then((plan) => ({ plan })));
        if (get().environmentId === environmentId) set({ plan });
      },
      setMoved: (moved) => set({ moved }),
      async start(confirmed) {
        const { environmentId, asking, moved } = get();
        if (environmentId === null || asking.state === 'asking') return;
        const ticket = newId();
        set({ asking: { state: 'asking', ticket, steps: [], cancelled: false }, recording: fresh.recording });
        try {
          const report = await client.call('probes.start', { environmentId, ticket, moved, confirmed });
          set({ asking: { state: 'ended', report } });
        } catch (error) {
          set({ asking: refusalFrom(error) });
        }
      },
      async cancel() {
        const { asking } = get();
        if (asking.state !== 'asking') return;
        set({ asking: { ...asking, cancelled: true } });
        await client.call('probes.cancel', { ticket: asking.ticket });
      },
      dismiss: () => set({ asking: fresh.asking }),
      async record() {
        const { asking } = get();
        if (asking.state !== 'ended') return;
        const { environmentId, answers } = asking.report;
        set({ recording: { state: 'saving' } });
        try {
          const { environments } = await client.call('environments.list', {});
          const environment = environments.find(({ id }) => id === environmentId);
          if (environment === undefined) throw new AppError('not_found', 'The environment was removed. Nothing was recorded.');
          await client.call('environments.save', { environment: withProbed(environment, answers) });
          set({ recording: { state: 'recorded' } });
        } catch (error) {
          set({ recording: { state: 'failed', message: asAppError(error).message } });
        }
      },
    };
  });
}

/** Returns the steps that were asked so far. */
export function stepsOf(asking: Asking): readonly ProbeStep[] {
  if (asking.state === 'asking') return asking.steps;
  return asking.state === 'ended' ? asking.report.steps : [];
}
