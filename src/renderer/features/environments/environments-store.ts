import { createStore, type StoreApi } from 'zustand/vanilla';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { Client, Environment, KeyStatus, Serialization } from '#shared/ipc/index.ts';
import {
  copyName,
  draftFrom,
  editedFrom,
  editedNew,
  errorsIn,
  sameEdited,
  type EditedEnvironment,
  type FieldErrors,
} from './environment-draft.ts';
import { readForms, writeForms } from './remembered-forms.ts';

/** The environments as core has them. */
type EnvironmentList =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | {
      readonly state: 'ready';
      readonly environments: readonly Environment[];
      readonly broken: readonly { readonly file: string; readonly message: string }[];
    };

/** What is known of an environment's key. */
export type KeyView =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly message: string }
  | { readonly state: 'known'; readonly status: KeyStatus };

/** One open form with what was typed; it stays when the user looks at something else. */
interface Editing {
  readonly edited: EditedEnvironment;
  readonly errors: FieldErrors;
  /** A refusal that belongs to no field. */
  readonly message: string | null;
  readonly saving: boolean;
}

/** Stands for the environment that is being made and has no id yet. */
export const newId = '';

export interface EnvironmentsState {
  readonly list: EnvironmentList;
  /** The environment that requests are sent to. */
  readonly currentId: string | null;
  /** The one whose form is open; `newId` for one being made. */
  readonly openId: string | null;
  readonly editing: Readonly<Record<string, Editing>>;
  readonly keys: Readonly<Record<string, KeyView>>;

  readonly load: () => Promise<void>;
  readonly loadKey: (id: string) => Promise<void>;
  /** Something that tells of its key came into sight: that is read, unless it is known. */
  readonly seeKey: (id: string) => void;
  /** Makes it the one that requests are sent to. */
  readonly select: (id: string) => void;
  readonly open: (id: string) => void;
  /** Opens it with the keyboard in the field of its key. */
  readonly openKey: (id: string) => void;
  /** Whose key field takes the keyboard as soon as it is there. */
  readonly keyWanted: string | null;
  readonly startNew: () => void;
  readonly change: (id: string, change: Partial<EditedEnvironment>) => void;
  readonly discard: (id: string) => void;
  readonly save: (id: string) => Promise<boolean>;
  /** Saves another serialization, which a notice undoes. A form with changes gets it instead, to be saved with them. */
  readonly setSerialization: (id: string, serialization: Serialization) => Promise<void>;
  readonly duplicate: (id: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** Gives null, or why the key was not kept. The key is passed on and not held here. */
  readonly setKey: (id: string, key: string) => Promise<string | null>;
  readonly removeKey: (id: string) => Promise<void>;
  /** The forms that are not saved, as the text that is remembered. Never a key. */
  readonly exportForms: () => string;
  /** Opens them again over the environments that are known. */
  readonly restoreForms: (remembered: string | undefined) => void;
  readonly close: () => void;
}

export type EnvironmentsStore = StoreApi<EnvironmentsState>;

/** The environments, the forms that are open over them and the state of their keys (never a key). */
export function createEnvironmentsStore(client: Client, deps: { notify: Notify; initialId: string | null }): EnvironmentsStore {
  return createStore<EnvironmentsState>()((set, get) => {
    const stops = [
      client.on('environments.changed', () => startWork(get().load())),
      client.on('keys.changed', ({ environmentId }) => {
        if (get().keys[environmentId] !== undefined) startWork(get().loadKey(environmentId));
      }),
    ];

    function find(id: string): Environment | undefined {
      const { list } = get();
      return list.state === 'ready' ? list.environments.find((environment) => environment.id === id) : undefined;
    }

    function setEditing(id: string, editing: Editing | null): void {
      set((state) => {
        const rest = { ...state.editing };
        delete rest[id];
        return { editing: editing === null ? rest : { ...rest, [id]: editing } };
      });
    }

    function setKeyView(id: string, view: KeyView): void {
      set((state) => ({ keys: { ...state.keys, [id]: view } }));
    }

    /** Puts a saved environment into the list at once, before the event about it arrives. */
    function adopt(environment: Environment): void {
      set((state) => {
        if (state.list.state !== 'ready') return {};
        const { environments } = state.list;
        const known = environments.some(({ id }) => id === environment.id);
        const next = known
          ? environments.map((old) => (old.id === environment.id ? environment : old))
          : [...environments, environment];
        return { list: { ...state.list, environments: next } };
      });
    }

    return {
      list: { state: 'loading' },
      currentId: deps.initialId,
      openId: null,
      keyWanted: null,
      editing: {},
      keys: {},

      async load() {
        try {
          const { environments, broken } = await client.call('environments.list', {});
          set((state) => {
            const has = (id: string | null) => environments.some((environment) => environment.id === id);
            const first = environments[0]?.id ?? null;
            const currentId = has(state.currentId) ? state.currentId : first;
            const openId = state.openId === newId || has(state.openId) ? state.openId : currentId;
            return { list: { state: 'ready', environments, broken }, currentId, openId };
          });
          const { currentId, openId, keys } = get();
          // Those of the others when they are seen: there may be thousands.
          const wanted = environments.filter(({ id }) => (id === currentId || id === openId) && keys[id] === undefined);
          await Promise.all(wanted.map(({ id }) => get().loadKey(id)));
        } catch (error) {
          const message = asAppError(error).message;
          // A list that is shown stays shown; it is only older than it could be.
          set((state) => (state.list.state === 'ready' ? {} : { list: { state: 'failed', message } }));
        }
      },
      async loadKey(id) {
        if (get().keys[id] === undefined) setKeyView(id, { state: 'loading' });
        try {
          setKeyView(id, { state: 'known', status: await client.call('keys.status', { environmentId: id }) });
        } catch (error) {
          setKeyView(id, { state: 'failed', message: asAppError(error).message });
        }
      },
      seeKey(id) {
        if (get().keys[id] === undefined) startWork(get().loadKey(id));
      },
      select(id) {
        if (find(id) === undefined) return;
        set({ currentId: id });
        get().seeKey(id);
      },
      open(id) {
        set({ openId: id, keyWanted: null });
        if (find(id) !== undefined) get().seeKey(id);
      },
      openKey(id) {
        get().open(id);
        set({ keyWanted: id });
      },
      startNew() {
        if (get().editing[newId] === undefined) {
          setEditing(newId, { edited: editedNew(), errors: {}, message: null, saving: false });
        }
        set({ openId: newId });
      },
      change(id, change) {
        const environment = find(id);
        const base = get().editing[id] ?? (environment === undefined ? null : begin(environment));
        if (base === null) return;
        const edited = { ...base.edited, ...change };
        const errors = Object.fromEntries(Object.entries(base.errors).filter(([path]) => !touches(change, path)));
        const unchanged = environment !== undefined && sameEdited(edited, editedFrom(environment));
        setEditing(id, unchanged ? null : { ...base, edited, errors, message: null });
      },
      discard(id) {
        setEditing(id, null);
        if (id === newId) set((state) => ({ openId: state.currentId }));
      },
      async save(id) {
        const editing = get().editing[id];
        if (editing === undefined || editing.saving) return editing === undefined;
        const environment = find(id);
        setEditing(id, { ...editing, saving: true, errors: {}, message: null });
        try {
          const { EnvironmentDraft } = await import('#shared/ipc/environments.ts');
          const read = draftFrom(EnvironmentDraft, editing.edited, environment?.answers ?? {});
          if (!read.ok) {
            setEditing(id, { ...editing, saving: false, errors: read.errors, message: null });
            return false;
          }
          const saved =
            environment === undefined
              ? await client.call('environments.create', { environment: read.draft })
              : await client.call('environments.save', {
                  environment: { ...environment, ...(read.draft as Environment), answers: environment.answers },
                });
          adopt(saved);
          setEditing(id, null);
          if (id === newId) {
            set({ openId: saved.id });
            await get().loadKey(saved.id);
          }
          return true;
        } catch (thrown) {
          const { details, message } = asAppError(thrown);
          const errors = errorsIn(details, message);
          setEditing(id, { ...editing, saving: false, errors, message: Object.keys(errors).length === 0 ? message : null });
          return false;
        }
      },
      async setSerialization(id, serialization) {
        const environment = find(id);
        if (environment === undefined || environment.serialization === serialization) return;
        if (get().editing[id] !== undefined) {
          get().change(id, { serialization });
          deps.notify({ tone: 'note', text: `Set in the open form of ${environment.name}. Save it there.` });
          return;
        }
        try {
          adopt(await client.call('environments.save', { environment: { ...environment, serialization } }));
          const undo = () => startWork(get().setSerialization(id, environment.serialization));
          deps.notify({
            tone: 'good',
            text: `${environment.name} now uses the serialization ${serialization}. Send again to see whether it is accepted.`,
            action: { label: 'Undo', run: undo },
          });
        } catch (error) {
          deps.notify({ tone: 'bad', text: `The serialization was not saved. ${asAppError(error).message}` });
        }
      },
      async duplicate(id) {
        const environment = find(id);
        const { list } = get();
        if (environment === undefined || list.state !== 'ready') return;
        const name = copyName(
          environment.name,
          list.environments.map((other) => other.name),
        );
        const { id: _id, kind: _kind, ...draft } = environment;
        try {
          const saved = await client.call('environments.create', { environment: { ...draft, name } });
          adopt(saved);
          set({ openId: saved.id });
          await get().loadKey(saved.id);
          deps.notify({ tone: 'note', text: `Made ${saved.name}. A copy has no key; set one before you sign with it.` });
        } catch (error) {
          deps.notify({ tone: 'bad', text: `${environment.name} was not copied. ${asAppError(error).message}` });
        }
      },
      async remove(id) {
        const environment = find(id);
        if (environment === undefined) return;
        try {
          const removed = await client.call('environments.remove', { id });
          setEditing(id, null);
          set((state) => {
            if (state.list.state !== 'ready') return {};
            const environments = state.list.environments.filter((other) => other.id !== id);
            const first = environments[0]?.id ?? null;
            return {
              list: { ...state.list, environments },
              currentId: state.currentId === id ? first : state.currentId,
              openId: state.openId === id ? first : state.openId,
            };
          });
          for (const shown of [get().currentId, get().openId]) if (shown !== null && shown !== newId) get().seeKey(shown);
          deps.notify({
            tone: 'note',
            text: `Removed ${removed.name}. Its key goes at the next start.`,
            action: { label: 'Undo', run: () => startWork(restore(removed)) },
          });
        } catch (error) {
          deps.notify({ tone: 'bad', text: `${environment.name} was not removed. ${asAppError(error).message}` });
        }
      },
      async setKey(id, key) {
        try {
          setKeyView(id, { state: 'known', status: await client.call('keys.set', { environmentId: id, key }) });
          return null;
        } catch (error) {
          return asAppError(error).message;
        }
      },
      async removeKey(id) {
        try {
          setKeyView(id, { state: 'known', status: await client.call('keys.remove', { environmentId: id }) });
          deps.notify({ tone: 'note', text: `The key of ${find(id)?.name ?? 'the environment'} was removed.` });
        } catch (error) {
          deps.notify({ tone: 'bad', text: `The key was not removed. ${asAppError(error).message}` });
        }
      },
      exportForms() {
        const { openId, editing } = get();
        const forms = Object.entries(editing).map(([id, { edited }]) => [id, edited] as const);
        return writeForms({ open: openId, forms: Object.fromEntries(forms) });
      },
      restoreForms(remembered) {
        const { open, forms } = readForms(remembered);
        const { list } = get();
        for (const [id, edited] of Object.entries(forms)) {
          const environment = find(id);
          // Removed meanwhile, or saved from elsewhere.
          if (id !== newId && environment === undefined && list.state === 'ready') continue;
          if (environment !== undefined && sameEdited(edited, editedFrom(environment))) continue;
          setEditing(id, { edited, errors: {}, message: null, saving: false });
        }
        if (open !== null && (find(open) !== undefined || get().editing[open] !== undefined)) set({ openId: open });
      },
      close() {
        for (const stop of stops) stop();
      },
    };

    async function restore(environment: Environment): Promise<void> {
      try {
        adopt(await client.call('environments.save', { environment }));
        set({ openId: environment.id });
        await get().loadKey(environment.id);
      } catch (error) {
        deps.notify({ tone: 'bad', text: `${environment.name} could not be put back. ${asAppError(error).message}` });
      }
    }
  });
}

/** The environment that requests are sent to; null while none is known. */
export function currentEnvironment(state: Pick<EnvironmentsState, 'list' | 'currentId'>): Environment | null {
  if (state.list.state !== 'ready') return null;
  return state.list.environments.find((environment) => environment.id === state.currentId) ?? null;
}

/** Whether a form holds something that was typed and not saved. */
export function hasUnsaved(state: Pick<EnvironmentsState, 'editing'>): boolean {
  return Object.keys(state.editing).length > 0;
}

function begin(environment: Environment): Editing {
  return { edited: editedFrom(environment), errors: {}, message: null, saving: false };
}

function touches(change: Partial<EditedEnvironment>, path: string): boolean {
  const [field = ''] = path.split('.');
  return Object.hasOwn(change, field);
}
