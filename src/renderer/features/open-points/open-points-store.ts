import { createStore, type StoreApi } from 'zustand/vanilla';
import { asAppError } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { Client, Environment, RecordedAnswer } from '#shared/ipc/index.ts';
import { dayOf, type OpenPointId } from '#shared/provider/index.ts';
import type { PointFilter } from './filter-points.ts';

/** An answer that is being typed and is not saved yet. */
interface AnswerDraft {
  readonly value: string;
  readonly note: string;
}

interface OpenPointsState {
  readonly text: string;
  readonly filter: PointFilter;
  readonly openId: OpenPointId | null;
  /** Drafts by environment and point, so that text typed for one never shows for another. */
  readonly drafts: Readonly<Record<string, AnswerDraft>>;
  readonly saving: boolean;
  /** The reason why the last answer was not kept. */
  readonly failed: string | null;
  readonly setText: (text: string) => void;
  readonly setFilter: (filter: PointFilter) => void;
  readonly open: (id: OpenPointId | null) => void;
  readonly edit: (environmentId: string, id: OpenPointId, draft: AnswerDraft) => void;
  readonly discard: (environmentId: string, id: OpenPointId) => void;
  readonly save: (environment: Environment, id: OpenPointId) => Promise<void>;
  /** Records an answer that was observed. */
  readonly record: (environment: Environment, id: OpenPointId, value: string) => Promise<void>;
  readonly clear: (environment: Environment, id: string) => Promise<void>;
}

export type OpenPointsStore = StoreApi<OpenPointsState>;

/** Returns the key of a draft. */
export function draftKey(environmentId: string, id: string): string {
  return `${environmentId} ${id}`;
}

/** Creates the store of the open points: the points that are shown, drafts of answers, and recording them in an environment. */
export function createOpenPointsStore(client: Client, deps: { notify: Notify; now?: () => number }): OpenPointsStore {
  return createStore<OpenPointsState>()((set, get) => {
    function drop(key: string): void {
      set((state) => {
        const drafts = { ...state.drafts };
        delete drafts[key];
        return { drafts };
      });
    }

    async function write(environment: Environment, id: string, answer: RecordedAnswer | null): Promise<boolean> {
      set({ saving: true, failed: null });
      try {
        // The newest answers, so that one recorded elsewhere a moment ago is not overwritten.
        const { environments } = await client.call('environments.list', {});
        const newest = environments.find((candidate) => candidate.id === environment.id) ?? environment;
        const answers = { ...newest.answers };
        if (answer === null) delete answers[id];
        else answers[id] = answer;
        await client.call('environments.save', { environment: { ...newest, answers } });
        set({ saving: false });
        return true;
      } catch (thrown) {
        set({ saving: false, failed: asAppError(thrown).message });
        return false;
      }
    }

    /** Tells of a change of an answer, and takes it back to what it was before unless it was changed again. */
    function tell(environment: Environment, id: string, verb: 'Cleared' | 'Recorded', now: string | undefined): void {
      const before = environment.answers[id] ?? null;
      deps.notify({
        tone: 'note',
        text: `${verb} the answer for ${environment.name}.`,
        undo: {
          what: `${verb.toLowerCase()} an answer of ${environment.name}`,
          async run() {
            const { environments } = await client.call('environments.list', {});
            const newest = environments.find((one) => one.id === environment.id);
            const why =
              newest === undefined
                ? 'The environment was removed.'
                : newest.answers[id]?.value !== now
                  ? 'Another answer has been recorded.'
                  : (await write(newest, id, before))
                    ? null
                    : (get().failed ?? '');
            if (why !== null) deps.notify({ tone: 'bad', text: `The answer for ${environment.name} was not restored. ${why}` });
            return why === null;
          },
        },
      });
    }

    const today = () => dayOf(deps.now?.() ?? Date.now());

    return {
      text: '',
      filter: 'all',
      openId: null,
      drafts: {},
      saving: false,
      failed: null,
      setText: (text) => set({ text }),
      setFilter: (filter) => set({ filter }),
      open: (openId) => set({ openId, failed: null }),
      edit: (environmentId, id, draft) =>
        set((state) => ({ drafts: { ...state.drafts, [draftKey(environmentId, id)]: draft }, failed: null })),
      discard(environmentId, id) {
        drop(draftKey(environmentId, id));
        set({ failed: null });
      },
      async save(environment, id) {
        const key = draftKey(environment.id, id);
        const draft = get().drafts[key];
        if (draft === undefined || draft.value.trim() === '') return;
        const [value, before] = [draft.value.trim(), environment.answers[id]];
        // Another note leaves the answer as old as it is.
        const date = before !== undefined && before.value === value ? before.date : today();
        const answer = { value, note: draft.note.trim(), ...(date === undefined ? {} : { date }) };
        const saved = await write(environment, id, answer);
        if (saved && get().drafts[key] === draft) drop(key);
      },
      async record(environment, id, value) {
        const date = today();
        if (await write(environment, id, { value, note: '', ...(date === undefined ? {} : { date }) }))
          tell(environment, id, 'Recorded', value);
        else deps.notify({ tone: 'bad', text: `The answer was not saved. ${get().failed ?? ''}` });
      },
      async clear(environment, id) {
        if (environment.answers[id] === undefined || !(await write(environment, id, null))) return;
        drop(draftKey(environment.id, id));
        tell(environment, id, 'Cleared', undefined);
      },
    };
  });
}
