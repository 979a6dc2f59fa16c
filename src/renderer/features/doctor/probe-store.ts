import { createStore, type StoreApi } from 'zustand/vanilla';
import { createAsking, type AskingState } from '#renderer/calls/refusal.ts';
import { asAppError, loaded, type Loaded } from '#renderer/faults/faults.ts';
import { AppError } from '#shared/errors.ts';
import type { Client, ProbePlan, ProbeReport, ProbeStep } from '#shared/ipc/index.ts';
import { withProbed } from '#shared/probes/recorded.ts';

/** State of the answers that a plan found. */
type Recording =
  | { readonly state: 'offered' }
  | { readonly state: 'saving' }
  | { readonly state: 'recorded' }
  | { readonly state: 'failed'; readonly message: string };

interface ProbeState extends AskingState {
  /** The environment that the plan is for. */
  readonly environmentId: string | null;
  readonly plan: Loaded<{ plan: ProbePlan }>;
  /** True to send moved times as well. */
  readonly moved: boolean;
  /** The questions that were asked so far. */
  readonly steps: readonly ProbeStep[];
  readonly cancelled: boolean;
  /** Null until the plan was sent. */
  readonly report: ProbeReport | null;
  readonly recording: Recording;

  /** Shows the plan for an environment; while one is being sent, that one stays. */
  readonly enter: (environmentId: string) => Promise<void>;
  readonly setMoved: (moved: boolean) => void;
  /** Sends the plan; a second call while it is being sent does nothing. */
  readonly start: () => Promise<void>;
  readonly cancel: () => Promise<void>;
  /** Records the answers in the environment. */
  readonly record: () => Promise<void>;
}

export type ProbeStore = StoreApi<ProbeState>;

const unsent = { steps: [], cancelled: false, report: null, recording: { state: 'offered' } } as const;

/** Creates the store of the plan of calls that finds out how a provider checks hashes. */
export function createProbeStore(client: Client, { newId }: { readonly newId: () => string }): ProbeStore {
  return createStore<ProbeState>()((set, get, store) => {
    const { state, attempt } = createAsking(store);
    let ticket = '';
    client.on('probes.progressed', (told) => {
      if (get().asking.state === 'busy' && told.ticket === ticket) set(({ steps }) => ({ steps: [...steps, told.step] }));
    });

    return {
      ...state,
      environmentId: null,
      plan: { state: 'loading' },
      moved: false,
      ...unsent,

      async enter(environmentId) {
        const { asking, environmentId: before } = get();
        if (asking.state === 'busy' || (before === environmentId && get().plan.state !== 'failed')) return;
        set({ ...unsent, asking: state.asking, plan: { state: 'loading' }, environmentId });
        const plan = await loaded(client.call('probes.plan', { environmentId }).then((plan) => ({ plan })));
        if (get().environmentId === environmentId) set({ plan });
      },
      setMoved: (moved) => set({ moved }),
      start: () =>
        attempt(async (confirmed) => {
          const { environmentId, moved } = get();
          if (environmentId === null) return;
          ticket = newId();
          set(unsent);
          const report = await client.call('probes.start', { environmentId, ticket, moved, confirmed });
          set({ report, steps: report.steps });
        }),
      async cancel() {
        if (get().asking.state !== 'busy') return;
        set({ cancelled: true });
        await client.call('probes.cancel', { ticket });
      },
      async record() {
        const { report } = get();
        if (report === null) return;
        const { environmentId, answers } = report;
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
