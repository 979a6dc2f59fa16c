import { createStore, type StoreApi } from 'zustand/vanilla';
import { asAppError, orNull, startWork } from '#renderer/faults/faults.ts';
import { textIn } from '#renderer/api/bytes.ts';
import type { ErrorCode } from '#shared/errors.ts';
import type { Call, Client, Comparison, DoctorReport, DoctorStage, Fix, FoundMistake, Recognition } from '#shared/ipc/index.ts';
import { callNumber } from '#shared/calls/pack-words.ts';
import { firstChoice, otherReadings } from '#shared/doctor/readings.ts';
import { longestFile } from '#shared/model/limits.ts';
import { canSearch, comparedOf, emptySubject, subjectOf, withField, type FieldName, type Subject } from './doctor-fields.ts';
import { startSearch, type RunningSearch } from './doctor-search.ts';

/** State of the reading of the pasted text. */
export type Reading =
  | { readonly state: 'empty' }
  | { readonly state: 'reading' }
  | { readonly state: 'read'; readonly recognition: Recognition }
  | { readonly state: 'failed'; readonly message: string };

/** State of the search. */
export type Searching =
  | { readonly state: 'idle' }
  | {
      readonly state: 'searching';
      readonly stages: readonly DoctorStage[];
      readonly perSecond: number;
      readonly guesses: readonly (readonly FoundMistake[])[];
      readonly cancelled: boolean;
    }
  | { readonly state: 'done'; readonly report: DoctorReport }
  | { readonly state: 'failed'; readonly code: ErrorCode; readonly message: string };

/** Panes of the screen, of which a narrow window shows one. */
type DoctorView = 'request' | 'inputs' | 'finding';

interface DoctorState {
  /** From a request with its hash, or from the provider's codes alone. */
  readonly way: 'request' | 'codes';
  /** The pasted text, and its source in a few words: a call, a file; empty for a paste. */
  readonly text: string;
  readonly source: string;
  readonly reading: Reading;
  /** Position of the chosen request among those that were recognised. */
  readonly chosen: number;
  readonly subject: Subject;
  /** True if the user changed a field. */
  readonly edited: boolean;
  /** The input that the rule demands, beside that of data as it was sent; null before there is a time. */
  readonly comparison: Comparison | null;
  /** The environment whose key is used; null: the one that is selected in the workbench. */
  readonly environmentId: string | null;
  readonly searching: Searching;
  readonly view: DoctorView;
  /** Width of the first pane in percent. */
  readonly share: number;
  /** The language whose fix is shown; null: the likeliest. */
  readonly language: Fix['language'] | null;
  /** Grows with each wish to have the keyboard in the paste field. */
  readonly focusAsked: number;

  /** Replaces everything by a text from outside and examines it. */
  readonly paste: (text: string, source?: string) => void;
  /** Takes the text as it is typed, and examines it a moment later. */
  readonly type: (text: string) => void;
  readonly addFile: (file: Pick<File, 'name' | 'size' | 'arrayBuffer'> | undefined) => Promise<void>;
  /** Examines the request of a call as it was sent, with the key of its environment; one of a support pack with that of the selected one. */
  readonly openCall: (call: Pick<Call, 'id' | 'environmentId' | 'request' | 'pack'>) => void;
  readonly choose: (at: number) => void;
  readonly setField: (name: FieldName, text: string) => void;
  readonly setEnvironment: (id: string | null) => void;
  /** Searches again if what is used has changed: the selected environment, or a lost line. */
  readonly refresh: () => void;
  /** Starts the search; does nothing without a time and a hash. */
  readonly search: () => void;
  /** Starts it again, and also tries the stages that take a minute. */
  readonly searchDeeper: () => void;
  readonly cancel: () => void;
  readonly clear: () => void;
  readonly focusPaste: () => void;
  readonly setWay: (way: 'request' | 'codes') => void;
  readonly setView: (view: DoctorView) => void;
  readonly setShare: (share: number) => void;
  readonly setLanguage: (language: Fix['language']) => void;
}

export type DoctorStore = StoreApi<DoctorState>;

interface DoctorDeps {
  readonly newId: () => string;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Returns the environment that is selected in the workbench. */
  readonly selected: () => string | null;
}

/** Milliseconds after the last key press. */
const pause = 250;
const idle: Searching = { state: 'idle' };
const emptyDoctor = {
  reading: { state: 'empty' },
  chosen: 0,
  subject: emptySubject,
  edited: false,
  comparison: null,
  searching: idle,
  language: null,
} as const;

/** Creates the store of the doctor: what was pasted, what was recognised in it, and the search in its hash. Nothing of it is kept. */
export function createDoctorStore(client: Client, { newId, later, selected }: DoctorDeps): DoctorStore {
  return createStore<DoctorState>()((set, get) => {
    let running: RunningSearch | null = null;
    /** Call off the reading of the text, and the search, that wait for the end of typing. */
    let callOffReading: (() => void) | null = null;
    let callOffSearch: (() => void) | null = null;
    /** The newest text whose recognition counts. */
    let wanted = 0;

    /** The newest comparison that counts. */
    let compared = 0;
    /** Number of changes of keys: one may come while a search is being refused for want of it. */
    let keyChanges = 0;

    client.on('keys.changed', () => {
      keyChanges += 1;
      const { searching } = get();
      if (searching.state === 'failed' && isAboutKey(searching.code)) get().search();
    });

    /** Ends what is searched; the text is read all the same. */
    function stop(): void {
      callOffSearch?.();
      callOffSearch = null;
      running?.leave();
      running = null;
    }

    /** Ends everything that belongs to the text before. */
    function takeText(): void {
      stop();
      callOffReading?.();
      callOffReading = null;
      wanted += 1;
    }

    async function recognise(): Promise<void> {
      const mine = ++wanted;
      const { text } = get();
      if (text.trim() === '') return set(emptyDoctor);
      set({ ...emptyDoctor, reading: { state: 'reading' } });
      try {
        const recognition = await client.call('doctor.recognise', { text });
        if (mine !== wanted) return;
        set({ reading: { state: 'read', recognition } });
        get().choose(firstChoice(recognition.requests));
      } catch (error) {
        if (mine === wanted) set({ reading: { state: 'failed', message: asAppError(error).message } });
      }
    }

    /** Compares the request with the rule: it needs neither key nor hash, and is there before any search ends. */
    async function compare(environmentId: string | null): Promise<void> {
      const mine = ++compared;
      const { subject } = get();
      if (environmentId === null || subject.fields.time === '') return set({ comparison: null });
      const comparison = await orNull(client.call('doctor.compare', { environmentId, request: comparedOf(subject) }));
      if (mine === compared && get().subject === subject) set({ comparison });
    }

    /** Returns the ways to read the request, the chosen one first, with their positions. What the user changed was meant. */
    function readingsOf(): { at: number; subject: Subject }[] {
      const { reading, chosen, subject, edited } = get();
      if (reading.state !== 'read' || edited) return [{ at: chosen, subject }];
      const { recognition } = reading;
      const others = otherReadings(recognition.requests, chosen).map((at) => ({ at, subject: subjectAt(recognition, at) }));
      return [{ at: chosen, subject }, ...others];
    }

    function refuse(source: string, message: string): void {
      takeText();
      set({ ...emptyDoctor, text: '', source, reading: { state: 'failed', message } });
    }

    async function follow(
      search: RunningSearch,
      readings: readonly { at: number; subject: Subject }[],
      changesBefore: number,
    ): Promise<void> {
      try {
        const found = await search.found;
        if (found === null || running !== search) return;
        running = null;
        const { at: chosen, subject } = readings[found.reading] ?? { at: get().chosen, subject: get().subject };
        set({ searching: { state: 'done', report: found.report }, chosen, subject, language: null });
      } catch (error) {
        if (running !== search) return;
        running = null;
        const { code, message } = asAppError(error);
        if (isAboutKey(code) && keyChanges !== changesBefore) return get().search();
        set({ searching: { state: 'failed', code, message } });
      }
    }

    function begin(deep: boolean): void {
      stop();
      const { subject, environmentId } = get();
      const used = environmentId ?? selected();
      startWork(compare(used));
      if (used === null || !canSearch(subject)) return set({ searching: idle });
      const readings = readingsOf();
      const changesBefore = keyChanges;
      set({ searching: { state: 'searching', stages: [], perSecond: 0, guesses: [], cancelled: false } });
      const search = startSearch(
        client,
        { environmentId: used, readings: [subject, ...readings.slice(1).map((reading) => reading.subject)], deep },
        {
          newId,
          onProgress({ stages, perSecond, guesses }) {
            const { searching } = get();
            if (running !== search || searching.state !== 'searching') return;
            set({ searching: { ...searching, stages, perSecond, guesses } });
          },
        },
      );
      running = search;
      startWork(follow(search, readings, changesBefore));
    }

    return {
      way: 'request',
      text: '',
      source: '',
      ...emptyDoctor,
      environmentId: null,
      view: 'request',
      share: 50,
      focusAsked: 0,

      paste(text, source = '') {
        if (text.length > longestFile) return refuse(source, tooLong(source));
        takeText();
        set({ text, source, environmentId: null, way: 'request' });
        startWork(recognise());
      },
      type(text) {
        takeText();
        set({ ...emptyDoctor, text, source: '', reading: text.trim() === '' ? emptyDoctor.reading : { state: 'reading' } });
        callOffReading = later(() => startWork(recognise()), pause);
      },
      async addFile(file) {
        if (file === undefined) return;
        // A character has at most four bytes.
        if (file.size > 4 * longestFile) return refuse(file.name, tooLong(file.name));
        try {
          get().paste(await textIn(file), file.name);
        } catch (error) {
          refuse(file.name, asAppError(error).message);
        }
      },
      openCall(call) {
        const { environmentId, request, pack } = call;
        get().paste(request.bodyText, `Call ${callNumber(call)}`);
        set({ environmentId: pack !== undefined || environmentId === selected() ? null : environmentId });
      },
      choose(at) {
        const { reading } = get();
        if (reading.state !== 'read') return;
        stop();
        set({ chosen: at, subject: subjectAt(reading.recognition, at), edited: false, searching: idle });
        get().search();
      },
      setField(name, text) {
        stop();
        set(({ subject }) => ({ subject: withField(subject, name, text), edited: true, searching: idle }));
        callOffSearch = later(() => get().search(), pause);
      },
      setEnvironment(id) {
        set({ environmentId: id === selected() ? null : id });
        get().search();
      },
      refresh() {
        if (get().searching.state !== 'idle' || get().comparison !== null) get().search();
      },
      search: () => begin(false),
      searchDeeper: () => begin(true),
      cancel() {
        running?.cancel();
        set(({ searching }) => (searching.state === 'searching' ? { searching: { ...searching, cancelled: true } } : {}));
      },
      clear() {
        takeText();
        set(({ focusAsked }) => ({
          ...emptyDoctor,
          text: '',
          source: '',
          environmentId: null,
          view: 'request',
          focusAsked: focusAsked + 1,
        }));
      },
      focusPaste: () => set(({ focusAsked }) => ({ way: 'request', view: 'request', focusAsked: focusAsked + 1 })),
      setWay: (way) => set({ way }),
      setView: (view) => set({ view }),
      setShare: (share) => set({ share }),
      setLanguage: (language) => set({ language }),
    };
  });
}

function subjectAt({ requests, hashes }: Recognition, at: number): Subject {
  const request = requests[at];
  const hash = hashes[0] ?? null;
  if (request !== undefined) return subjectOf(request, hash);
  return { ...emptySubject, fields: { ...emptySubject.fields, hash: hash ?? '' } };
}

/** Returns whether a search was refused because it had no key. */
export function isAboutKey(code: ErrorCode): boolean {
  return code === 'key_missing' || code === 'key_unavailable';
}

function tooLong(source: string): string {
  const name = source === '' ? 'This text' : source;
  return `${name} has more than ${longestFile.toLocaleString('en')} characters. Paste only the lines around the rejected request.`;
}
