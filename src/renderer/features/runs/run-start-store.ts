import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client, Collection, Confirmed, CollectionNode, RunSummary } from '#shared/ipc/index.ts';
import { loaded, startWork, type Loaded } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import { refusalFrom, type Unconfirmed } from '#renderer/calls/refusal.ts';
import { emptyForm, formOf, inputOf, type RunForm, type RunInput } from './run-form.ts';

/** State of the start of a run. */
type Starting =
  | { readonly state: 'idle' }
  | { readonly state: 'starting' }
  | (Unconfirmed & { readonly input: RunInput })
  | { readonly state: 'refused'; readonly message: string };

/** The collections that were opened. */
type KnownCollections = Loaded<{ collections: readonly Collection[] }>;

/** Contents of the chosen collection. */
export type KnownTree = { readonly state: 'none' } | Loaded<{ nodes: readonly CollectionNode[]; readOnly: string | null }>;

export interface RunStartState {
  /** Null while no dialog is open. */
  readonly form: RunForm | null;
  readonly collections: KnownCollections;
  readonly tree: KnownTree;
  readonly starting: Starting;

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
  readonly confirm: (confirmed: Confirmed) => Promise<void>;
  /** Closes the question, or the dialog. */
  readonly dismiss: () => void;
}

export type RunStartStore = StoreApi<RunStartState>;

export interface RunStartDeps {
  readonly notify: Notify;
  /** Returns the ID of the environment in use; null for none. */
  readonly environmentId: () => string | null;
  readonly onStarted: (runId: string) => void;
}

const mostRemembered = 20;
const idle: Starting = { state: 'idle' };

/** Starts runs: the dialog for what, with which data and where, and the question before production. */
export function createRunStartStore(client: Client, { notify, environmentId, onStarted }: RunStartDeps): RunStartStore {
  return createStore<RunStartState>()((set, get) => {
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
      set({ form, starting: idle, collections: { state: 'loading' }, tree: { state: 'none' } });
      if (form.collectionId !== '') startWork(readTree(form.collectionId));
      startWork(readCollections());
    }

    function remember(runId: string, input: RunInput): void {
      started.set(runId, input);
      const [oldest] = started.keys();
      // The pasted rows of a run can be long.
      if (started.size > mostRemembered && oldest !== undefined) started.delete(oldest);
    }

    async function start(input: RunInput): Promise<void> {
      if (get().starting.state === 'starting') return;
      set({ starting: { state: 'starting' } });
      try {
        const { runId, notes } = await client.call('runs.start', input);
        remember(runId, { ...input, confirmed: false });
        set({ form: null, starting: idle });
        onStarted(runId);
        if (notes.length > 0) notify({ tone: 'note', text: notes.join(' ') });
      } catch (error) {
        const refusal = refusalFrom(error);
        if (refusal.state === 'unconfirmed') return set({ starting: { ...refusal, input } });
        if (get().form !== null) return set({ starting: refusal });
        set({ starting: idle });
        notify({ tone: 'bad', text: `Nothing was run. ${refusal.message}` });
      }
    }

    return {
      form: null,
      collections: { state: 'loading' },
      tree: { state: 'none' },
      starting: idle,

      startRun(collectionId, path) {
        const what = { ...(collectionId === undefined ? {} : { collectionId }), ...(path === undefined ? {} : { path }) };
        show(emptyForm(environmentId() ?? '', what));
      },
      change(change) {
        const { form, starting } = get();
        if (form === null) return;
        const other = change.collectionId !== undefined && change.collectionId !== form.collectionId;
        set({
          form: { ...form, ...(other ? { path: '' } : {}), ...change },
          // A refusal was about the form before.
          ...(starting.state === 'refused' ? { starting: idle } : {}),
        });
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
      async confirm(confirmed) {
        const { starting } = get();
        if (starting.state === 'unconfirmed') await start({ ...starting.input, confirmed });
      },
      dismiss() {
        const { starting } = get();
        if (starting.state === 'starting') return;
        if (starting.state === 'unconfirmed') set({ starting: idle });
        else set({ form: null, starting: idle });
      },
    };
  });
}
