import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import { EnvironmentDefaults } from '#shared/ipc/environments.ts';
import type { Call, Client, Confirmed, Environment, Overrides, RequestDraft, SandboxSamples } from '#shared/ipc/index.ts';
import { formOf, operationByName, templateText, type Operation, type OperationName } from '#shared/provider/index.ts';
import type { FilledChecks } from '#shared/variables/request.ts';
import { carryFields } from './carry-fields.ts';
import { IDLE, refusal, unresolved, type Sending } from './sending.ts';
import { createFileTabs, type FileActions } from './file-tabs.ts';
import { contentKey, noExtras, type RequestContent, type TabExtras, type TabFile } from './tab-file.ts';
import type { TabVariables } from './tab-variables.ts';
import { readWorkspace, writeWorkspace } from './workspace-text.ts';

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

export interface RequestState extends FileActions {
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
  /** Sends the active tab; a second call while it is under way does nothing. */
  readonly send: (environmentId: string) => Promise<void>;
  /** Answers the question that core asked, and sends what it was about. */
  readonly confirmSend: (id: string, confirmed: Confirmed) => Promise<void>;
  /** Closes the question or the refusal of a tab. */
  readonly dismiss: (id: string) => void;
  readonly cancel: (id?: string) => Promise<void>;
  /** JSON text of the open tabs with everything typed, for `settings.write`. */
  readonly exportWorkspace: () => string;
  /** Puts back what `exportWorkspace` wrote; gives false for a text it does not know, and changes nothing then. */
  readonly restoreWorkspace: (text: string) => boolean;
  /** Stops listening to the client. */
  readonly close: () => void;
}

export type RequestStore = StoreApi<RequestState>;

export interface RequestStoreDeps {
  /** The environment that templates start from; null while none is loaded. */
  readonly environment: () => Environment | null;
  /** Values that the provider of that environment accepts now; empty for every one but the built-in. */
  readonly samples: (environment: Environment) => SandboxSamples;
  readonly now: () => number;
  /** A fresh id for tabs and tickets. */
  readonly newId: () => string;
  /** Puts values into what is sent. */
  readonly variables: Pick<TabVariables, 'substitute' | 'ready' | 'checks' | 'renew'>;
  /** Told when a request of a collection was answered, with what is wanted of the answer. */
  readonly onAnswered: (file: TabFile, call: Call, checks: FilledChecks) => void;
}

const CLOSED_KEPT = 20;

/** What one press of Send hands to core. */
interface Outgoing {
  readonly draft: RequestDraft;
  readonly file: TabFile | null;
  readonly checks: FilledChecks | null;
  /** Whether values of variables were put in. */
  readonly filled: boolean;
  /** The tab's content as it was. */
  readonly content: string;
}

/** The open requests of the workbench: their texts, what is being sent, and the last call of each. */
export function createRequestStore(client: Client, deps: RequestStoreDeps): RequestStore {
  /** What a tab would send that core asks about: the user says yes to exactly that. */
  const asked = new Map<string, Outgoing>();
  /** Tabs whose sending waits for the files around them. */
  const waiting = new Set<string>();

  return createStore<RequestState>()((set, get) => {
    const stop = client.on('calls.changed', ({ id }) => {
      for (const tab of get().tabs) {
        if (tab.callId === id && tab.call?.state === 'pending') void loadCall(tab.id, id);
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
        if (!(error instanceof AppError)) throw error;
      }
    }

    function show(id: string | null): void {
      set({ activeId: id });
      const tab = find(id ?? undefined);
      if (tab !== undefined && tab.callId !== null && tab.call === null) void loadCall(tab.id, tab.callId);
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

    async function transmit(tabId: string, environmentId: string, waited = false): Promise<void> {
      const tab = find(tabId);
      if (tab === undefined || tab.sending.state === 'sending') return;
      const environment = deps.environment();
      const target = environment?.id === environmentId ? environment : null;
      const startedAt = deps.now();
      const filled = target === null ? null : deps.variables.substitute(tab, target, startedAt);
      if (filled?.ok === false && filled.errors.length === 0 && !waited) {
        // Opened a moment ago: the files around it are still being read.
        if (waiting.has(tabId)) return;
        waiting.add(tabId);
        await deps.variables.ready(tab).catch(() => undefined);
        waiting.delete(tabId);
        return transmit(tabId, environmentId, true);
      }
      if (filled?.ok === false) {
        const [first] = filled.errors;
        update(tabId, (now) => ({ ...now, sending: refusal(unresolved(first)) }));
        return;
      }
      const { file } = tab;
      const checks = target === null || file === null || file.gone ? null : deps.variables.checks(tab, target, startedAt);
      const draft = { environmentId, ...(filled?.draft ?? draftOf(tab)) };
      await deliver(tabId, { draft, file, checks, filled: filled !== null, content: contentKey(tab) }, false);
    }

    async function deliver(tabId: string, outgoing: Outgoing, confirmed: Confirmed): Promise<void> {
      const { draft, file, checks, filled, content } = outgoing;
      const ticket = deps.newId();
      update(tabId, (now) => ({ ...now, sending: { state: 'sending', ticket, startedAt: deps.now() } }));
      const mine = (now: RequestTab) => now.sending.state === 'sending' && now.sending.ticket === ticket;
      try {
        const call = await client.call('calls.send', { draft, ticket, confirmed });
        asked.delete(tabId);
        deps.variables.renew(tabId);
        if (file !== null && checks !== null && call.response !== null) deps.onAnswered(file, call, checks);
        update(tabId, (now) => {
          if (!mine(now)) return now;
          if (now.file !== null || filled) return { ...now, call, callId: call.id, sending: IDLE };
          // What was sent is in the history from here on, so it counts as kept.
          return { ...now, call, callId: call.id, clean: content, dirty: contentKey(now) !== content, sending: IDLE };
        });
      } catch (error) {
        const sending = refusal(error);
        if (sending.state === 'unconfirmed') asked.set(tabId, outgoing);
        update(tabId, (now) => (mine(now) ? { ...now, sending } : now));
      }
    }

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
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
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
      async send(environmentId) {
        const { activeId } = get();
        if (activeId !== null) await transmit(activeId, environmentId);
      },
      async confirmSend(id, confirmed) {
        const outgoing = asked.get(id);
        if (outgoing === undefined || find(id)?.sending.state !== 'unconfirmed') return;
        asked.delete(id);
        await deliver(id, outgoing, confirmed);
      },
      dismiss(id) {
        update(id, (tab) => (tab.sending.state === 'sending' ? tab : { ...tab, sending: IDLE }));
      },
      async cancel(id) {
        const tab = find(id);
        if (tab?.sending.state === 'sending') await client.call('calls.cancel', { ticket: tab.sending.ticket });
      },
      exportWorkspace() {
        return writeWorkspace(get());
      },
      restoreWorkspace(text) {
        const saved = readWorkspace(text);
        if (saved === null) return false;
        const tabs = saved.tabs.map((tab): RequestTab => {
          const { dirty, file, ...rest } = tab;
          const known = file === null ? null : { ...file, gone: false, theirs: null, problem: null };
          return {
            id: deps.newId(),
            ...rest,
            file: known,
            dirty,
            clean: dirty ? null : contentKey(tab),
            call: null,
            sending: IDLE,
          };
        });
        const { orientation, shares, hashPane, comments, about } = saved;
        set({ tabs, orientation, shares, hashPane, comments, about, activeId: null });
        show(tabs[saved.active]?.id ?? tabs[0]?.id ?? null);
        fileActions.lookAtFiles();
        return true;
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

function originOf({ id, environmentId, environmentName }: Call): TabOrigin {
  return { callId: id, environmentId, environmentName };
}

function draftOf({ operation, form, text, overrides }: RequestTab): Omit<RequestDraft, 'environmentId'> {
  return { operation, form, text, overrides };
}
