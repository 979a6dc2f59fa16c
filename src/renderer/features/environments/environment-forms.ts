import { asAppError } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { StorePart } from '#renderer/ui/store-part.ts';
import type { Client, Environment } from '#shared/ipc/index.ts';
import {
  draftFrom,
  editedFrom,
  editedNew,
  errorsIn,
  sameEdited,
  type EditedEnvironment,
  type FieldErrors,
} from './environment-draft.ts';
import type { KeysState } from './environment-keys.ts';
import { newId, type EnvironmentListState, type KnownEnvironments } from './environment-list.ts';
import { readForms, writeForms } from './remembered-forms.ts';

/** One open form with the text typed in it; it stays when the user looks at something else. */
interface Editing {
  readonly edited: EditedEnvironment;
  readonly errors: FieldErrors;
  /** A refusal that belongs to no field. */
  readonly message: string | null;
  readonly saving: boolean;
}

/** The forms that are open over the environments. */
export interface FormsState {
  readonly editing: Readonly<Record<string, Editing>>;
  readonly open: (id: string) => void;
  /** Opens the form with the keyboard in the field of its key. */
  readonly openKey: (id: string) => void;
  /** ID of the environment whose key field takes the keyboard as soon as it exists. */
  readonly keyWanted: string | null;
  /** Opens the form with the keyboard in the field of its extra authority. */
  readonly openAuthority: (id: string) => void;
  /** ID of the environment whose field for an authority takes the keyboard as soon as it exists. */
  readonly authorityWanted: string | null;
  /** Reads the key that was entered for the new environment; null while its form is not shown. The key is not held here. */
  readonly newKey: (() => string) | null;
  readonly startNew: () => void;
  readonly change: (id: string, change: Partial<EditedEnvironment>) => void;
  readonly discard: (id: string) => void;
  /** Returns the ID of the saved environment; null if it was not saved. */
  readonly save: (id: string) => Promise<string | null>;
  /** Returns the unsaved forms as the text to remember. Never a key. */
  readonly exportForms: () => string;
  /** Opens them again over the environments that are known. */
  readonly restoreForms: (remembered: string | undefined) => void;
}

/** The part of the store that holds the forms, and its functions for the other parts. */
export interface Forms {
  readonly state: FormsState;
  /** Closes a form and drops what was typed in it. */
  readonly close: (id: string) => void;
}

/** Creates the part of the store that holds the forms. */
export function createForms(
  client: Client,
  notify: Notify,
  { getState, setState }: StorePart<FormsState & EnvironmentListState & Pick<KeysState, 'loadKey' | 'seeKey' | 'setKey'>>,
  { find, adopt }: Pick<KnownEnvironments, 'find' | 'adopt'>,
): Forms {
  function setEditing(id: string, editing: Editing | null): void {
    setState((state) => {
      const rest = { ...state.editing };
      delete rest[id];
      return { editing: editing === null ? rest : { ...rest, [id]: editing } };
    });
  }

  return {
    state: {
      keyWanted: null,
      authorityWanted: null,
      newKey: null,
      editing: {},
      open(id) {
        setState({ openId: id, keyWanted: null, authorityWanted: null });
        if (find(id) !== undefined) getState().seeKey(id);
      },
      openKey(id) {
        getState().open(id);
        setState({ keyWanted: id });
      },
      openAuthority(id) {
        getState().open(id);
        setState({ authorityWanted: id });
      },
      startNew() {
        if (getState().editing[newId] === undefined) setEditing(newId, untouched(editedNew()));
        setState({ openId: newId });
      },
      change(id, change) {
        const environment = find(id);
        const base = getState().editing[id] ?? (environment === undefined ? null : untouched(editedFrom(environment)));
        if (base === null) return;
        const edited = { ...base.edited, ...change };
        const errors = Object.fromEntries(Object.entries(base.errors).filter(([path]) => !touches(change, path)));
        const unchanged = environment !== undefined && sameEdited(edited, editedFrom(environment));
        setEditing(id, unchanged ? null : { ...base, edited, errors, message: null });
      },
      discard(id) {
        setEditing(id, null);
        if (id === newId) setState((state) => ({ openId: state.currentId }));
      },
      async save(id) {
        const editing = getState().editing[id];
        const environment = find(id);
        if (editing === undefined || editing.saving) return editing === undefined ? (environment?.id ?? null) : null;
        const key = id === newId ? (getState().newKey?.() ?? '') : '';
        setEditing(id, { ...editing, saving: true, errors: {}, message: null });
        try {
          const { EnvironmentDraft } = await import('#shared/ipc/environments.ts');
          const read = draftFrom(EnvironmentDraft, editing.edited, environment?.answers ?? {});
          if (!read.ok) {
            setEditing(id, { ...editing, saving: false, errors: read.errors, message: null });
            return null;
          }
          const { sameProviderAs: _before, ...kept } = environment ?? {};
          const saved =
            environment === undefined
              ? await client.call('environments.create', { environment: read.draft })
              : await client.call('environments.save', {
                  environment: { ...kept, ...(read.draft as Environment), id, answers: environment.answers },
                });
          adopt(saved);
          setEditing(id, null);
          announcer.say(`${environment === undefined ? 'Created' : 'Saved'} ${saved.name}.`);
          if (id === newId) {
            // Unless another was opened in the meantime.
            if (getState().openId === newId) setState({ openId: saved.id });
            if (key === '') await getState().loadKey(saved.id);
            const problem = key === '' ? null : await getState().setKey(saved.id, key);
            if (problem !== null) {
              notify({ tone: 'bad', text: `The key of ${saved.name} was not saved. ${problem} Enter it again.` });
              getState().openKey(saved.id);
            }
          }
          return saved.id;
        } catch (thrown) {
          const { details, message } = asAppError(thrown);
          const errors = errorsIn(details, message);
          setEditing(id, { ...editing, saving: false, errors, message: Object.keys(errors).length === 0 ? message : null });
          return null;
        }
      },
      exportForms() {
        const { openId, editing } = getState();
        const forms = Object.entries(editing).map(([id, { edited }]) => [id, edited] as const);
        return writeForms({ open: openId, forms: Object.fromEntries(forms) });
      },
      restoreForms(remembered) {
        const { open, forms } = readForms(remembered);
        const { list } = getState();
        for (const [id, edited] of Object.entries(forms)) {
          const environment = find(id);
          // Removed meanwhile, or saved from elsewhere.
          if (id !== newId && environment === undefined && list.state === 'ready') continue;
          if (environment !== undefined && sameEdited(edited, editedFrom(environment))) continue;
          setEditing(id, untouched(edited));
        }
        if (open !== null && (find(open) !== undefined || getState().editing[open] !== undefined)) setState({ openId: open });
      },
    },
    close: (id) => setEditing(id, null),
  };
}

/** Returns a form of which nothing was refused yet. */
function untouched(edited: EditedEnvironment): Editing {
  return { edited, errors: {}, message: null, saving: false };
}

function touches(change: Partial<EditedEnvironment>, path: string): boolean {
  const [field = ''] = path.split('.');
  return Object.hasOwn(change, field);
}
