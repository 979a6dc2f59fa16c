import { amount } from '#shared/amount.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { longestFile } from '#shared/model/limits.ts';
import type { Client, ImportPlan, Input, Payload } from '#shared/ipc/index.ts';
import { textIn } from '#renderer/api/bytes.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';
import type { Notify } from '#renderer/ui/notice.tsx';
import type { Place } from './tree-rows.ts';

type Files = Input<'collections.import'>['files'];
type Progress = Pick<Payload<'collections.importing'>, 'step' | 'done' | 'total'>;

/** The dialog of an import. */
export interface ImportQuestion {
  /** The collection and folder of its requests; null until a collection is open. */
  readonly place: Place | null;
  /** Name of what was chosen, and its files; null until something was. */
  readonly source: { readonly name: string; readonly files: Files } | null;
  /** True if values that look like secrets are written into the files. */
  readonly keepsSecrets: boolean;
  /** The files that core would create; null while they are not known, and if it refuses. */
  readonly plan: ImportPlan | null;
  readonly problem: string | null;
  /** True while the files are written. */
  readonly writing: boolean;
  readonly progress: Progress | null;
}

interface ImportState {
  /** Null while the dialog is closed. */
  readonly question: ImportQuestion | null;
  /** Opens the dialog, with the place that is offered. */
  readonly ask: (place: Place | null) => void;
  /** Reads files of other tools and asks core what they would become. */
  readonly take: (files: readonly File[]) => Promise<void>;
  /** The same with a pasted text. */
  readonly takeText: (text: string) => void;
  /** Forgets what was chosen. */
  readonly clear: () => void;
  readonly setPlace: (place: Place) => void;
  readonly setKeepsSecrets: (keeps: boolean) => void;
  readonly run: () => Promise<void>;
  /** Closes the dialog; an import that is under way is cancelled, and leaves nothing. */
  readonly dismiss: () => void;
}

export type ImportStore = StoreApi<ImportState>;

export interface ImportStoreDeps {
  readonly notify: Notify;
  readonly newId: () => string;
  /** Called when requests were imported. */
  readonly onImported: (place: Place) => void;
}

/** The files of Bruno; others in a directory are not read. */
const inDirectory = /\.(?:bru|json|ya?ml)$/;
const ignored = /(?:^|\/)(?:\.|node_modules\/)/;

/** Creates the store of the import of other tools' files. */
export function createImportStore(client: Client, { notify, newId, onImported }: ImportStoreDeps): ImportStore {
  return createStore<ImportState>()((set, get) => {
    let ticket = '';
    client.on('collections.importing', ({ ticket: its, ...progress }) => {
      if (its === ticket) change({ progress });
    });

    function change(part: Partial<ImportQuestion>): void {
      set(({ question }) => ({ question: question === null ? null : { ...question, ...part } }));
    }

    /** Stops what core does for the dialog, and names what it does next. */
    function begin(): string {
      if (ticket !== '') startWork(client.call('collections.cancelImport', { ticket }));
      ticket = newId();
      return ticket;
    }

    /** Asks core again what would be created. */
    async function preview(): Promise<void> {
      const mine = begin();
      const { source, place, keepsSecrets } = get().question ?? {};
      change({ plan: null, problem: null, progress: null });
      if (source === undefined || source === null || place === undefined) return;
      const into = place === null ? null : { id: place.collectionId, folder: place.path };
      try {
        const asked = await client.call('collections.importPreview', { files: source.files, into, ticket: mine });
        const secrets = keepsSecrets === true ? choices(asked, 'keep') : {};
        const plan =
          Object.keys(secrets).length === 0
            ? asked
            : await client.call('collections.importPreview', { files: source.files, into, secrets, ticket: mine });
        if (mine === ticket) change({ plan, progress: null });
      } catch (thrown) {
        const { message } = asAppError(thrown);
        if (mine === ticket) change({ problem: message, progress: null });
      }
    }

    return {
      question: null,
      ask(place) {
        const question = { place, source: null, keepsSecrets: false, plan: null, problem: null, writing: false, progress: null };
        set({ question });
      },
      async take(given) {
        const mine = begin();
        change({ source: null, plan: null, problem: null });
        const read = await readFiles(given);
        if (mine !== ticket) return;
        if ('problem' in read) return change({ problem: read.problem });
        change({ source: read });
        await preview();
      },
      takeText(text) {
        change({ source: text.trim() === '' ? null : { name: 'pasted text', files: [{ name: 'pasted text', text }] } });
        startWork(preview());
      },
      clear() {
        begin();
        change({ source: null, plan: null, problem: null, keepsSecrets: false, progress: null });
      },
      setPlace(place) {
        change({ place });
        startWork(preview());
      },
      setKeepsSecrets(keepsSecrets) {
        change({ keepsSecrets });
        startWork(preview());
      },
      async run() {
        const { question } = get();
        if (question === null || question.writing) return;
        const { place, source, plan, keepsSecrets } = question;
        if (place === null || source === null || plan === null) return;
        const mine = begin();
        change({ writing: true, problem: null, progress: null });
        try {
          const secrets = choices(plan, keepsSecrets ? 'keep' : 'out');
          const input = { files: source.files, id: place.collectionId, folder: place.path, secrets, ticket: mine };
          const { requests, notCarried } = await client.call('collections.import', input);
          if (mine === ticket) set({ question: null });
          onImported(place);
          const left = notCarried.length === 0 ? '' : ` ${amount(notCarried.length, 'part')} left out, as listed.`;
          notify({ tone: 'good', text: `Imported ${amount(requests.length, 'request')} from ${source.name}.${left}` });
        } catch (thrown) {
          const { message } = asAppError(thrown);
          if (mine === ticket) change({ writing: false, problem: message, progress: null });
        }
      },
      dismiss() {
        begin();
        set({ question: null });
      },
    };
  });
}

/** Returns the choice for each value that looks like a secret and was not chosen before, or that stands in the plan. */
function choices({ secrets }: ImportPlan, choice: 'keep' | 'out'): Record<string, 'keep' | 'out'> {
  const open = secrets.filter(({ asked, kept }) => asked || kept);
  return Object.fromEntries(open.map(({ name }) => [name, choice]));
}

/** Reads what the user chose as text; of a directory, the files of Bruno. */
async function readFiles(given: readonly File[]): Promise<{ name: string; files: Files } | { problem: string }> {
  const [first] = given;
  if (first === undefined) return { problem: 'Nothing was chosen.' };
  const directory = first.webkitRelativePath.split('/')[0] ?? '';
  const wanted =
    directory === ''
      ? given
      : given.filter(({ name, webkitRelativePath: path }) => inDirectory.test(name) && !ignored.test(path));
  if (wanted.length === 0) return { problem: `${directory} has no files that Croupier can import.` };
  const size = wanted.reduce((sum, file) => sum + file.size, 0);
  if (size > longestFile || wanted.length > 10_000)
    return { problem: 'An import can have at most 10,000 files and 10 MB. Import fewer files at a time.' };
  const files: Files = [];
  for (const file of wanted) {
    const name = directory === '' ? file.name : file.webkitRelativePath.slice(directory.length + 1);
    try {
      files.push({ name, text: await textIn(file, name) });
    } catch (error) {
      return { problem: asAppError(error).message };
    }
  }
  files.sort((one, other) => (one.name < other.name ? -1 : 1));
  const name = directory !== '' ? directory : wanted.length === 1 ? first.name : `${wanted.length.toLocaleString('en')} files`;
  return { name, files };
}
