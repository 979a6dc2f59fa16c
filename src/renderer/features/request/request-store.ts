import { createStore, type StoreApi } from 'zustand/vanilla';
import { EnvironmentDefaults } from '#shared/ipc/environments.ts';
import type { Call, Client, Environment, Overrides, RequestDraft, SandboxSamples } from '#shared/ipc/index.ts';
import { formOf, operationByName, templateText, type Operation, type OperationName } from '#shared/provider/index.ts';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import { carryFields } from './carry-fields.ts';
import { createSendTabs, type SendActions, type SendDeps } from './send-tabs.ts';
import { IDLE, type Sending } from './sending.ts';
import { createFileTabs, type FileActions } from './file-tabs.ts';
import { contentKey, noExtras, type RequestContent, type TabExtras, type TabFile } from './tab-file.ts';
import type { SavedTab, SavedWorkspace } from './workspace-text.ts';

/** Which of the views of the request is open. */
export type RequestView = 'form' | 'data' | 'checks' | 'envelope' | 'examples';

/** The two edges that a user moves: request and response, payload and hash input. */
export type SplitName = 'panes' | 'hash';

/** The call of the history that a request was opened from, with the environment that it went to. */
export interface TabOrigin {
  readonly callId: number;
  readonly environmentId: string;
  readonly environmentName: string;
}

/** One open request. `text` is what was typed, byte for byte. */
export interface RequestTab {
  readonly id: string;
  readonly operation: OperationName;
  readonly form: string;
  readonly text: string;
  readonly overrides: Overrides;
  readonly extras: TabExtras;
  /** The file that it is of; null for none. */
  readonly file: TabFile | null;
  readonly view: RequestView;
  /** True where the request differs from its file; without one, from its template and from what was last sent or opened. */
  readonly dirty: boolean;
  /** The state that counts as clean; null where there is none. */
  readonly clean: string | null;
  /** The last call of this tab; `call` is loaded when the tab is shown. */
  readonly callId: number | null;
  readonly call: Call | null;
  /** Null where it was not opened from a call, and once the user keeps it for another environment. */
  readonly origin: TabOrigin | null;
  readonly sending: Sending;
}

export interface RequestState extends FileActions, SendActions {
  readonly tabs: readonly RequestTab[];
  readonly activeId: string | null;
  /** Closed tabs, newest last. */
  readonly closed: readonly RequestTab[];
  readonly orientation: 'side' | 'stacked';
  /** The first pane's part of each split, in percent. */
  readonly shares: Readonly<Record<SplitName, number>>;
  readonly hashPane: boolean;
  /** Comments from the spec at the ends of the editor's lines. */
  readonly comments: boolean;
  /** What the spec says of the operation, above its form; null until the user opens or closes it. */
  readonly about: boolean | null;
  /** Why a call of the history could not be opened; null when nothing is wrong. */
  readonly problem: string | null;
  /** The tab that asks where it is to be saved, and the one whose answer is to be kept as an example. */
  readonly savingId: string | null;
  readonly keepingId: string | null;

  /** Selects the operation's tab, or opens one from the template. */
  readonly openOperation: (name: OperationName) => void;
  /** Opens a call of the history with its draft and its answer; gives null where it could not be read. */
  readonly openCall: (id: number) => Promise<Call | null>;
  /** Shows in the active tab that the call it has was sent again, as `call`; false where it has another one. */
  readonly showRepeat: (id: number, call: Call) => boolean;
  /** Opens a request of its own; `call` is the one that it was made from. */
  readonly openDraft: (draft: RequestDraft, call?: Call) => void;
  /** Forgets which call a tab was opened from. */
  readonly adopt: (id: string) => void;
  /** One more tab of the active tab's operation, from the template. */
  readonly newTab: (name?: OperationName) => void;
  readonly duplicateTab: (id?: string) => void;
  readonly closeTab: (id?: string) => void;
  readonly reopenTab: () => void;
  readonly selectTab: (id: string) => void;
  /** 0-based; out of range does nothing. */
  readonly selectTabAt: (index: number) => void;
  readonly moveTab: (id: string, to: number) => void;
  readonly setText: (id: string, text: string) => void;
  readonly setForm: (id: string, form: string) => void;
  readonly setView: (id: string, view: RequestView) => void;
  /** An undefined value puts the member back to how it should be. */
  readonly setOverride: <K extends keyof Overrides>(id: string, name: K, value: Overrides[K]) => void;
  readonly clearOverrides: (id: string) => void;
  readonly toggleOrientation: () => void;
  readonly setShare: (split: SplitName, share: number) => void;
  readonly toggleHashPane: () => void;
  readonly toggleComments: () => void;
  readonly setAbout: (open: boolean) => void;
  readonly dismissProblem: () => void;
  /** Puts back how the tabs were left, before those that were opened meanwhile. */
  readonly restoreWorkspace: (saved: SavedWorkspace) => void;
  /** Opens more tabs that were left elsewhere, behind the others; gives their ids. */
  readonly addSaved: (tabs: readonly SavedTab[]) => readonly string[];
  /** Stops listening to the client. */
  readonly close: () => void;
}

export type RequestStore = StoreApi<RequestState>;

export interface RequestStoreDeps extends SendDeps {
  /** Values that the provider of that environment accepts now; empty for every one but the built-in. */
  readonly samples: (environment: Environment) => SandboxSamples;
}

const CLOSED_KEPT = 20;

/** The open requests of the workbench: their texts, what is being sent, and the last call of each. */
export function createRequestStore(client: Client, deps: RequestStoreDeps): RequestStore {
  return createStore<RequestState>()((set, get) => {
    const stop = client.on('calls.changed', ({ id }) => {
      for (const tab of get().tabs) {
        if (tab.callId === id && tab.call?.state === 'pending') startWork(loadCall(tab.id, id));
      }
    });

    function update(id: string, change: (tab: RequestTab) => RequestTab): void {
      set((state) => ({ tabs: state.tabs.map((tab) => (tab.id === id ? change(tab) : tab)) }));
    }

    function find(id: string | undefined): RequestTab | undefined {
      const wanted = id ?? get().activeId;
      return get().tabs.find((tab) => tab.id === wanted);
    }

    function add(tab: RequestTab): void {
      set((state) => {
        const after = state.tabs.findIndex((open) => open.id === state.activeId);
        const at = after < 0 ? state.tabs.length : after + 1;
        return { tabs: state.tabs.toSpliced(at, 0, tab), activeId: tab.id };
      });
    }

    function fresh(name: OperationName): RequestTab {
      const operation = operationByName(name);
      const form = formOf(operation, '').id;
      return started({ operation: name, form, text: template(operation, form), overrides: {} }, null);
    }

    function template(operation: Operation, form: string): string {
      const environment = deps.environment();
      if (environment === null) return templateText(operation, form, EnvironmentDefaults.parse({}), { now: deps.now() });
      const { defaults, timeZone, answers } = environment;
      const samples = deps.samples(environment);
      return templateText(operation, form, defaults, { now: deps.now(), timeZone, answers, samples });
    }

    function started(draft: Omit<RequestDraft, 'environmentId'>, call: Call | null, extras = noExtras): RequestTab {
      const { operation, form, text, overrides } = draft;
      const tab = { operation, form, text, overrides, extras };
      return {
        id: deps.newId(),
        ...tab,
        file: null,
        view: 'form',
        dirty: false,
        clean: contentKey(tab),
        callId: call?.id ?? null,
        call,
        origin: call === null ? null : originOf(call),
        sending: IDLE,
      };
    }

    async function loadCall(tabId: string, callId: number): Promise<void> {
      try {
        const call = await client.call('calls.get', { id: callId });
        update(tabId, (tab) => (tab.callId === callId ? { ...tab, call } : tab));
      } catch (error) {
        // The row may have been removed since; the typed text stays and the answer's pane is empty again.
        update(tabId, (tab) => (tab.callId === callId && tab.call === null ? { ...tab, callId: null } : tab));
        reportIfFault(error);
      }
    }

    function show(id: string | null): void {
      set({ activeId: id });
      const tab = find(id ?? undefined);
      if (tab !== undefined && tab.callId !== null && tab.call === null) startWork(loadCall(tab.id, tab.callId));
    }

    const [fileActions, stopFiles] = createFileTabs(client, {
      update,
      find,
      add,
      show,
      edited,
      started: ({ extras, ...draft }) => started(draft, null, extras),
      set: (state) => set(state),
      tabs: () => get().tabs,
    });

    const sendActions = createSendTabs(client, deps, { update, find });

    return {
      tabs: [],
      activeId: null,
      closed: [],
      orientation: 'side',
      shares: { panes: 50, hash: 70 },
      hashPane: true,
      comments: true,
      about: null,
      problem: null,
      savingId: null,
      keepingId: null,
      ...fileActions,
      ...sendActions,

      openOperation(name) {
        const { tabs, activeId } = get();
        const fits = (tab: RequestTab) => tab.operation === name && tab.file === null;
        const open = tabs.find((tab) => tab.id === activeId && fits(tab)) ?? tabs.find(fits);
        if (open === undefined) add(fresh(name));
        else show(open.id);
      },
      async openCall(id) {
        try {
          const call = await client.call('calls.get', { id });
          set({ problem: null });
          const open = get().tabs.find((tab) => tab.callId === id && !tab.dirty && tab.file === null);
          if (open === undefined) add(started(call.draft, call));
          else {
            update(open.id, (tab) => ({ ...tab, call, origin: originOf(call) }));
            show(open.id);
          }
          return call;
        } catch (thrown) {
          const error = asAppError(thrown);
          set({ problem: `The call could not be opened. ${error.message}` });
          return null;
        }
      },
      showRepeat(id, call) {
        const tab = find(undefined);
        if (tab === undefined || tab.callId !== id || tab.sending.state === 'sending') return false;
        update(tab.id, (now) => ({ ...now, call, callId: call.id }));
        return true;
      },
      openDraft(draft, call) {
        const tab = started(draft, null);
        add(call === undefined ? tab : { ...tab, origin: originOf(call) });
      },
      adopt(id) {
        update(id, (tab) => ({ ...tab, origin: null }));
      },
      newTab(name) {
        add(fresh(name ?? find(undefined)?.operation ?? 'gameList'));
      },
      duplicateTab(id) {
        const tab = find(id);
        if (tab !== undefined) add({ ...tab, id: deps.newId(), file: null, sending: IDLE });
      },
      closeTab(id) {
        const tab = find(id);
        if (tab === undefined) return;
        const { tabs, closed, activeId } = get();
        const at = tabs.indexOf(tab);
        const rest = tabs.toSpliced(at, 1);
        // A call under way goes on; its outcome is in the history.
        const kept = [...closed, { ...tab, sending: IDLE }].slice(-CLOSED_KEPT);
        set({ tabs: rest, closed: kept });
        if (activeId === tab.id) show(rest[Math.min(at, rest.length - 1)]?.id ?? null);
      },
      reopenTab() {
        const { closed } = get();
        const tab = closed.at(-1);
        if (tab === undefined) return;
        set({ closed: closed.slice(0, -1) });
        add(tab);
        show(tab.id);
      },
      selectTab: show,
      selectTabAt(index) {
        const tab = get().tabs[index];
        if (tab !== undefined) show(tab.id);
      },
      moveTab(id, to) {
        const { tabs } = get();
        const from = tabs.findIndex((tab) => tab.id === id);
        const tab = tabs[from];
        if (tab === undefined || to < 0 || to >= tabs.length) return;
        set({ tabs: tabs.toSpliced(from, 1).toSpliced(to, 0, tab) });
      },
      setText(id, text) {
        update(id, (tab) => (tab.text === text ? tab : edited(tab, { text })));
      },
      setForm(id, form) {
        update(id, (tab) => {
          if (tab.form === form) return tab;
          const operation = operationByName(tab.operation);
          const text = carryFields(tab.text, template(operation, form), operation, form);
          return edited(tab, { form, text });
        });
      },
      setView(id, view) {
        update(id, (tab) => ({ ...tab, view }));
      },
      setOverride(id, name, value) {
        update(id, (tab) => {
          const overrides: Overrides = { ...tab.overrides };
          delete overrides[name];
          if (value !== undefined && !(Array.isArray(value) && value.length === 0)) overrides[name] = value;
          return edited(tab, { overrides });
        });
      },
      clearOverrides(id) {
        update(id, (tab) => edited(tab, { overrides: {} }));
      },
      toggleOrientation() {
        set((state) => ({ orientation: state.orientation === 'side' ? 'stacked' : 'side' }));
      },
      setShare(split, share) {
        set((state) => ({ shares: { ...state.shares, [split]: share } }));
      },
      toggleHashPane() {
        set((state) => ({ hashPane: !state.hashPane }));
      },
      toggleComments() {
        set((state) => ({ comments: !state.comments }));
      },
      setAbout: (about) => set({ about }),
      dismissProblem() {
        set({ problem: null });
      },
      restoreWorkspace({ list: { active, ...layout }, tabs }) {
        const { tabs: open, activeId } = get();
        set({ ...layout, tabs: [...tabs.map(({ id, tab }) => restored(id, tab)), ...open] });
        show(activeId ?? tabs.find(({ id }) => id === active)?.id ?? tabs[0]?.id ?? null);
        fileActions.lookAtFiles();
      },
      addSaved(saved) {
        const more = saved.map((tab) => restored(deps.newId(), tab));
        set(({ tabs }) => ({ tabs: [...tabs, ...more] }));
        if (more[0] !== undefined) show(more[0].id);
        fileActions.lookAtFiles();
        return more.map(({ id }) => id);
      },
      close() {
        stop();
        stopFiles();
      },
    };
  });
}

function edited(tab: RequestTab, change: Partial<RequestContent>): RequestTab {
  const next = { ...tab, ...change };
  // A refusal was about the text before this edit.
  const sending = next.sending.state === 'refused' ? IDLE : next.sending;
  return { ...next, sending, dirty: next.clean === null || contentKey(next) !== next.clean };
}

function restored(id: string, { dirty, file, ...rest }: SavedTab): RequestTab {
  const known = file === null ? null : { ...file, gone: false, theirs: null, problem: null };
  return { id, ...rest, file: known, dirty, clean: dirty ? null : contentKey(rest), call: null, sending: IDLE };
}

function originOf({ id, environmentId, environmentName }: Call): TabOrigin {
  return { callId: id, environmentId, environmentName };
}
