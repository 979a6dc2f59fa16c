import { createStore, type StoreApi } from 'zustand/vanilla';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import type { OwnWorkspace, PageWorkspace } from '#renderer/api/page-workspace.ts';
import { AppError } from '#shared/errors.ts';
import type { Client, LeftWorkspace, OpenedWorkspace } from '#shared/ipc/index.ts';
import { isSameLayout } from './request-layout.ts';
import type { RequestStore } from './request-store.ts';
import { createTabWriter, type TabWriter, type TabWriterDeps } from './tab-writer.ts';
import { createListWriter } from './list-writer.ts';
import { readTabs } from './read-tabs.ts';
import { readList, type SavedWorkspace } from './workspace-text.ts';

/** What a person has to know of how the open tabs are kept. */
interface KeeperState {
  /** Why a tab is not on the disk, by its id. */
  readonly problems: ReadonlyMap<string, string>;
  /** Why no tab is. */
  readonly problem: string | null;
  /** Tabs of windows that are closed, until they are taken up or put off. */
  readonly left: readonly LeftWorkspace[];
  /** Why some of them were not opened here. */
  readonly leftProblem: string | null;
  /** Where tabs are that cannot be read: another version may have written them. */
  readonly newer: readonly string[];
  /** How many tabs of this workspace are kept as they are, and not shown. */
  readonly hidden: number;
  /** Opens here what was left; what was typed in it stays on the disk throughout. */
  readonly takeUp: () => Promise<void>;
  readonly putOff: () => void;
  readonly dismissNewer: () => void;
  /** Tries now to write what could not be written. */
  readonly tryAgain: () => void;
}

/** Keeps the open tabs on the disk, each in a file of its own that only this page writes. */
export interface WorkspaceKeeper {
  readonly store: StoreApi<KeeperState>;
  /** Opens this page's workspace; null where there is nothing in it, or none could be opened. From then on everything is kept. */
  start(): Promise<SavedWorkspace | null>;
  /** Which workspace this page has; null until it has one. */
  mine(): OwnWorkspace | null;
  /** Writes what changed, until it is on the disk or is said not to be. */
  settled(): Promise<void>;
  /** The page may be about to go away: sends what it still can. True where something is not on the disk and would be lost. */
  leave(): boolean;
  /** The page goes away: whoever loads in its place finds this one's tabs. */
  left(): void;
}

export interface KeeperDeps {
  readonly page: string;
  readonly requests: RequestStore;
  /** Whether the host names this page's line by `app.joined`. */
  readonly hasLine: boolean;
  /** So many characters reach the host from a page that goes away. */
  readonly lastWords: number;
  readonly isReachable: () => boolean;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** Where a page that loads again finds which workspace it had; nobody else finds it while this page is there. */
  readonly place: PageWorkspace;
  readonly onMasked: () => void;
}

const settleMs = 400;
const againMs = 5_000;

export function createWorkspaceKeeper(client: Client, deps: KeeperDeps): WorkspaceKeeper {
  const { page, requests } = deps;
  const writers = new Map<string, TabWriter>();
  let mine: OwnWorkspace | null = null;
  let line: string | null = null;
  let number = 0;
  let callOff: (() => void) | null = null;
  let opening: Promise<void> = Promise.resolve();
  const joined = Promise.withResolvers<void>();

  const store = createStore<KeeperState>()((set, get) => ({
    problems: new Map(),
    problem: null,
    left: [],
    leftProblem: null,
    newer: [],
    hidden: 0,
    async takeUp() {
      const { left } = get();
      set({ left: [], leftProblem: null });
      for (const one of left) await takeUp(one);
    },
    putOff: () => set({ left: [], leftProblem: null }),
    dismissNewer: () => set({ newer: [], hidden: 0 }),
    tryAgain: () => startWork(flush()),
  }));

  const list = createListWriter({
    client,
    requests,
    writers,
    mine: () => mine,
    next: () => (number += 1),
    onWritten: () => problemIs('', null),
    onFailed: (error) => failed(error, (message) => problemIs('', message)),
    onGone: forgetTab,
  });

  client.on('app.joined', (payload) => {
    ({ line } = payload);
    joined.resolve();
    // The line was down: what was this page's may be another's by now.
    if (mine !== null || store.getState().problem !== null) reopen();
  });

  function begin(id: string, read: TabWriterDeps['read']): TabWriter {
    const writer = createTabWriter({
      client,
      tabId: id,
      tab: () => requests.getState().tabs.find((tab) => tab.id === id),
      at: () => mine ?? { page, id: '' },
      next: () => (number += 1),
      read,
      onMasked: deps.onMasked,
    });
    writers.set(id, writer);
    return writer;
  }

  function problemIs(id: string, problem: string | null): void {
    const { problems } = store.getState();
    if ((problems.get(id) ?? null) === problem) return;
    const next = new Map(problems);
    if (problem === null) next.delete(id);
    else next.set(id, problem);
    store.setState({ problems: next });
  }

  /** A failure that another one is to be tried after. */
  function failed(thrown: unknown, say: (message: string) => void): void {
    const error = asAppError(thrown);
    if (error.code === 'conflict') return reopen();
    // Where the host does not answer, that is said for the whole page.
    if (deps.isReachable()) say(error.message);
    callOff ??= deps.later(flushLater, againMs);
  }

  function flushLater(): void {
    callOff = null;
    startWork(flush());
  }

  async function flush(): Promise<void> {
    callOff?.();
    callOff = null;
    if (mine === null) return store.getState().problem === null ? undefined : reopen();
    list.notice(writers.keys());
    await Promise.all([...requests.getState().tabs.map(({ id }) => writeTab(id)), list.write()]);
  }

  async function writeTab(id: string): Promise<void> {
    const writer = writers.get(id) ?? begin(id, null);
    if (!writer.isBehind()) return problemIs(id, null);
    try {
      await writer.write();
      problemIs(id, null);
    } catch (error) {
      failed(error, (message) => problemIs(id, message));
    }
  }

  function forgetTab(id: string): void {
    writers.delete(id);
    problemIs(id, null);
    // Opened again meanwhile: its file is to be made again.
    if (requests.getState().tabs.some((tab) => tab.id === id)) callOff ??= deps.later(flushLater, settleMs);
  }

  async function takeUp(one: LeftWorkspace): Promise<void> {
    const { id } = one;
    const taken = await took(one);
    if (taken === null) return;
    const read = await readTabs(client, page, taken);
    const ids = requests.getState().addSaved(read.flatMap(({ tab }) => (tab === null ? [] : [tab.tab])));
    await flush();
    const unread = read.filter(({ tab }) => tab === null).length;
    if (unread > 0) store.setState(({ hidden }) => ({ hidden: hidden + unread }));
    // Only what is here and on the disk goes there.
    if (unread > 0 || !ids.every((tab) => writers.get(tab)?.isKept())) return;
    try {
      await client.call('workspaces.drop', { page, id });
    } catch (error) {
      // It is offered once more after this page, which loses nothing.
      reportIfFault(error);
    }
  }

  /** Null where it cannot be had, which is said; it is offered again unless another window has it. */
  async function took(one: LeftWorkspace): Promise<Pick<OpenedWorkspace, 'id' | 'tabs'> | null> {
    try {
      return await client.call('workspaces.take', { page, id: one.id });
    } catch (thrown) {
      const error = asAppError(thrown);
      const { code, message } = error;
      store.setState(({ left }) => ({ left: code === 'conflict' ? left : [...left, one], leftProblem: message }));
      return null;
    }
  }

  /** Takes this page's workspace again, or a new one where another page has it: then everything is written once more. */
  function reopen(): void {
    opening = opening.then(async () => {
      try {
        const before = mine;
        const opened = await client.call('workspaces.open', { page, line, mine: before, begin: true });
        mine = { page, id: opened.id };
        store.setState({ problem: null });
        if (before?.id !== opened.id) {
          for (const writer of writers.values()) writer.startOver();
          list.startOver();
        }
        await flush();
      } catch (error) {
        failedToOpen(error);
      }
    });
  }

  function failedToOpen(thrown: unknown): void {
    const error = asAppError(thrown);
    if (deps.isReachable()) store.setState({ problem: `The open tabs are not kept. ${error.message}` });
    callOff ??= deps.later(flushLater, againMs);
  }

  function watch(): void {
    requests.subscribe((state, before) => {
      if (state.tabs === before.tabs && state.activeId === before.activeId && isSameLayout(state, before)) return;
      callOff ??= deps.later(flushLater, settleMs);
    });
  }

  return {
    store,
    async start() {
      if (deps.hasLine) await joined.promise;
      const last = deps.place.take();
      try {
        const opened = await client.call('workspaces.open', { page, line, mine: last, begin: false });
        const read = await readTabs(client, page, opened);
        const saved = readList(opened.list);
        const others = opened.problem === null ? read.flatMap(({ id, tab }) => (tab === null ? [id] : [])) : [];
        if (opened.problem === null) {
          mine = { page, id: opened.id };
          for (const { id, text, tab } of read) if (tab !== null) begin(id, { before: tab.before, text });
          list.continue(opened.list, saved.raw, others);
        } else {
          failedToOpen(new AppError('storage', opened.problem));
        }
        store.setState({ left: opened.left, newer: opened.newer, hidden: others.length });
        watch();
        const tabs = read.flatMap(({ id, tab }) => (tab === null ? [] : [{ id, tab: tab.tab }]));
        return opened.list === null && tabs.length === 0 ? null : { list: saved.list, tabs };
      } catch (error) {
        if (last !== null) deps.place.put(last);
        failedToOpen(error);
        watch();
        return null;
      }
    },
    mine: () => mine,
    async settled() {
      await opening;
      await flush();
    },
    leave() {
      const behind = requests.getState().tabs.flatMap(({ id }) => {
        const writer = writers.get(id) ?? begin(id, null);
        return writer.isBehind() ? writer.lastWords() : [];
      });
      const characters = behind.reduce((sum, one) => sum + one.characters, 0);
      const { problems, problem } = store.getState();
      const isDirty = requests.getState().tabs.some(({ dirty }) => dirty);
      if (mine === null) return problem !== null && isDirty;
      if (!deps.isReachable()) return behind.length > 0 && isDirty;
      if (characters > deps.lastWords) {
        startWork(flush());
        return true;
      }
      for (const { send } of behind) send().catch(reportIfFault);
      // Its file may be lost without a text being: it is read without the list, too.
      if (characters + 2_000 <= deps.lastWords) startWork(list.write());
      return problems.size > 0;
    },
    left() {
      if (mine !== null) deps.place.put(mine);
    },
  };
}
