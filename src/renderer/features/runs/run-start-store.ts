import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Collection, CollectionNode, RunSummary } from '#shared/ipc/index.ts';
import { loaded, startWork, type Loaded } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { createAsking, refusalFrom, type AskingState } from '#renderer/calls/refusal.ts';
import { emptyForm, formOf, inputOf, type RunForm, type RunInput } from './run-form.ts';

/** The collections that were opened. */
type KnownCollections = Loaded<{ collections: readonly Collection[] }>;

/** Contents of the chosen collection. */
export type KnownTree = { readonly state: 'none' } | Loaded<{ nodes: readonly CollectionNode[]; readOnly: string | null }>;

export interface RunStartState extends AskingState {
  /** Null while no dialog is open. */
  readonly form: RunForm | null;
  readonly collections: KnownCollections;
  readonly tree: KnownTree;

  /** Opens the dialog for a collection, or a request or folder of it; without one, for the first open collection. */
  readonly startRun: (collectionId?: string, path?: string) => void;
  readonly change: (change: Partial<RunForm>) => void;
  readonly addVariable: () => void;
  /** Runs what the dialog says. */
  readonly submit: () => Promise<void>;
  /**
   * Runs the same again: at once if this page knows the input, else the dialog opens with what the report shows. `failedOnly`: only
   * the requests that did not pass, and those that they depend on.
   */
  readonly runAgain: (run: RunSummary, failedOnly: boolean) => Promise<void>;
}

export type RunStartStore = StoreApi<RunStartState>;

export interface RunStartDeps {
  readonly notify: Notify;
  /** Returns the ID of the environment in use; null for none. */
  readonly environmentId: () => string | null;
  readonly onStarted: (runId: string) => void;
}

const mostRemembered = 20;

/** Starts runs: the dialog for what, with which data and where, and the question before production. */
export function createRunStartStore(client: Client, { notify, environmentId, onStarted }: RunStartDeps): RunStartStore {
  return createStore<RunStartState>()((set, get, store) => {
    const { state, attempt } = createAsking(store);
    /** Inputs of the runs that this page started, by run ID. */
    const started = new Map<string, RunInput>();
    let lines = 0;
    let round = 0;

    async function readCollections(): Promise<void> {
      const known = await loaded(client.call('collections.list', {}));
      set({ collections: known });
      const { form } = get();
      if (form === null || known.state === 'failed') return;
      const [first] = known.collections;
      if (form.collectionId === '' && form.directory === '' && first !== undefined) choose(first.id);
      // A run of a directory that was not opened has an ID too.
      else if (form.collectionId !== '' && !known.collections.some(({ id }) => id === form.collectionId)) choose('');
    }

    function choose(collectionId: string): void {
      const { form } = get();
      if (form === null) return;
      set({ form: { ...form, collectionId } });
      startWork(readTree(collectionId));
    }

    async function readTree(id: string): Promise<void> {
      round += 1;
      const mine = round;
      if (id === '') return set({ tree: { state: 'none' } });
      set({ tree: { state: 'loading' } });
      const tree = await loaded(client.call('collections.tree', { id }));
      if (mine === round) set({ tree });
    }

    function show(form: RunForm): void {
      set({ form, asking: state.asking, collections: { state: 'loading' }, tree: { state: 'none' } });
      if (form.collectionId !== '') startWork(readTree(form.collectionId));
      startWork(readCollections());
    }

    function remember(runId: string, input: RunInput): void {
      started.set(runId, input);
      const [oldest] = started.keys();
      // The pasted rows of a run can be long.
      if (started.size > mostRemembered && oldest !== undefined) started.delete(oldest);
    }

    const start = (input: RunInput) =>
      attempt(async (confirmed) => {
        try {
          const { runId, notes } = await client.call('runs.start', { ...input, confirmed });
          remember(runId, input);
          set({ form: null });
          onStarted(runId);
          if (notes.length > 0) notify({ tone: 'note', text: notes.join(' ') });
        } catch (error) {
          const refusal = refusalFrom(error);
          // Without the dialog, no place shows it.
          if (refusal.state === 'unconfirmed' || get().form !== null) throw error;
          notify({ tone: 'bad', text: `Nothing was run. ${refusal.message}` });
        }
      });

    return {
      ...state,
      form: null,
      collections: { state: 'loading' },
      tree: { state: 'none' },

      startRun(collectionId, path) {
        const what = { ...(collectionId === undefined ? {} : { collectionId }), ...(path === undefined ? {} : { path }) };
        show(emptyForm(environmentId() ?? '', what));
      },
      change(change) {
        const { form, asking } = get();
        if (form === null) return;
        const other = change.collectionId !== undefined && change.collectionId !== form.collectionId;
        set({ form: { ...form, ...(other ? { path: '' } : {}), ...change } });
        // A refusal was about the form before.
        if (asking.state === 'refused') state.dismiss();
        if (other) startWork(readTree(change.collectionId ?? ''));
      },
      addVariable() {
        const { form, change } = get();
        lines += 1;
        if (form !== null) change({ variables: [...form.variables, { id: lines, name: '', value: '' }] });
      },
      async submit() {
        const { form } = get();
        const input = form === null ? null : inputOf(form);
        if (input !== null) await start(input);
      },
      async runAgain(run, failedOnly) {
        const input = started.get(run.runId);
        if (input === undefined) return show(formOf(run, failedOnly));
        await start({ ...input, options: { ...input.options, failedOf: failedOnly ? run.runId : null } });
      },
      /** Closes the question, or the dialog. */
      dismiss() {
        const { asking } = get();
        if (asking.state !== 'busy' && asking.state !== 'unconfirmed') set({ form: null });
        state.dismiss();
      },
    };
  });
}
