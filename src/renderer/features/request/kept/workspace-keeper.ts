import { createStore } from 'zustand/vanilla';
import { asAppError, reportIfFault, startWork } from '#renderer/faults/faults.ts';
import type { OwnWorkspace, PageWorkspace } from '#renderer/api/page-workspace.ts';
import { AppError } from '#shared/errors.ts';
import type { Client, LeftWorkspace, OpenedWorkspace } from '#shared/ipc/index.ts';
import { isSameLayout } from '../request-layout.ts';
import type { RequestStore } from '../tabs/request-store.ts';
import { createTabWriter, type TabWriter, type TabWriterDeps } from './tab-writer.ts';
import { createListWriter } from './list-writer.ts';
import { readList, type SavedWorkspace } from './workspace-text.ts';
import type { readTab } from '../tabs/read-tab.ts';

/** State of the open tabs on the disk, as far as the user must know it. */
interface KeeperState {
  /** Reasons why a tab is not on the disk, by its ID. */
  readonly problems: ReadonlyMap<string, string>;
  /** The reason why no tab is on the disk. */
  readonly problem: string | null;
  /** Tabs of windows that are closed, until they are taken up or put off. */
  readonly left: readonly LeftWorkspace[];
  /** The reason why some of them were not opened here. */
  readonly leftProblem: string | null;
  /** Directories of tabs that cannot be read: another version may have written them. */
  readonly newer: readonly string[];
  /** Number of tabs of this workspace that are kept as they are, and not shown. */
  readonly hidden: number;
  /** Opens these tabs here; what was typed in them stays on the disk throughout. */
  readonly takeUp: () => Promise<void>;
  readonly putOff: () => void;
  readonly dismissNewer: () => void;
  /** Tries now to write what could not be written. */
  readonly tryAgain: () => void;
}

/** Keeps the open tabs on the disk, each in a file of its own that only this page writes. */
export type WorkspaceKeeper = ReturnType<typeof createWorkspaceKeeper>;

export interface KeeperDeps {
  readonly page: string;
  readonly requests: RequestStore;
  /** True if the host names this page's line by `app.joined`. */
  readonly hasLine: boolean;
  /** Number of characters that reach the host from a page that goes away. */
  readonly lastWords: number;
  readonly isReachable: () => boolean;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  /** The memory from which a page that loads again learns its workspace; nobody else finds it while this page exists. */
  readonly place: PageWorkspace;
  readonly onMasked: () => void;
}

const settleMs = 400;
const againMs = 5_000;

export function createWorkspaceKeeper(client: Client, deps: KeeperDeps) {
  const { page, requests } = deps;
  const writers = new Map<string, TabWriter>();
  let mine: OwnWorkspace | null = null;
  let line: string | null = null;
  let number = 0;
  const next = () => (number += 1);
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
    next,
    onWritten: () => problemIs('', null),
    onFailed: (error) => failed(error, (message) => problemIs('', message)),
    onGone: forgetTab,
  });

  client.on('app.joined', (payload) => {
    ({ line } = payload);
    joined.resolve();
    // The line was down: another page may have this page's workspace by now.
    if (mine !== null || store.getState().problem !== null) reopen();
  });

  client.on('workspaces.taken', ({ id }) => {
    const { left, leftProblem } = store.getState();
    const others = left.filter((one) => one.id !== id);
    if (others.length < left.length) store.setState({ left: others, leftProblem: others.length === 0 ? null : leftProblem });
  });

  /** Opens a workspace: that of `own`, or another that no page of the browser has. */
  async function openFor(own: OwnWorkspace | null, begin: boolean): Promise<OpenedWorkspace> {
    const waiting = (await deps.place.held()).filter((id) => id !== own?.id);
    const opened = await client.call('workspaces.open', { page, line, mine: own, begin, waiting });
    if (opened.problem === null) {
      mine = { page, id: opened.id };
      deps.place.hold(opened.id);
    }
    return opened;
  }

  function begin(id: string, read: TabWriterDeps['read']): TabWriter {
    const writer = createTabWriter({
      client,
      tabId: id,
      tab: () => requests.getState().tabs.find((tab) => tab.id === id),
      at: () => mine ?? { page, id: '' },
      next,
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

  /** Reports a failure, after which another try follows. */
  function failed(thrown: unknown, say: (message: string) => void): void {
    const error = asAppError(thrown);
    if (error.code === 'conflict') return reopen();
    // If the host does not respond, the whole page says so.
    if (deps.isReachable()) say(error.message);
    callOff ??= deps.later(flushLater, againMs);
  }

  function flushLater(): void {
    startWork(flush());
  }

  async function flush(): Promise<void> {
    callOff?.();
    callOff = null;
    if (mine === null) return store.getState().problem === null ? undefined : reopen();
    list.notice();
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
    // Opened again meanwhile: its file has to be created again.
    if (requests.getState().tabs.some((tab) => tab.id === id)) callOff ??= deps.later(flushLater, settleMs);
  }

  async function takeUp(one: LeftWorkspace): Promise<void> {
    const { id } = one;
    const taken = await took(one);
    if (taken === null) return;
    const read = await fetchTabs(client, page, taken);
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

  /** Takes a workspace. Returns null if it cannot be taken, which is reported; it is offered again unless another window has it. */
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

  /** Takes this page's workspace again, or a new one if another page has it: then everything is written once more. */
  function reopen(): void {
    opening = opening.then(async () => {
      try {
        const before = mine;
        const opened = await openFor(before, true);
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
    if (deps.isReachable()) store.setState({ problem: `The open tabs aren't backed up. ${error.message}` });
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
    /** Opens this page's workspace; null if it is empty, or none could be opened. From then on everything is kept. */
    async start(): Promise<SavedWorkspace | null> {
      if (deps.hasLine) await joined.promise;
      const last = deps.place.take();
      try {
        const opened = await openFor(last, false);
        // At once: what another page takes meanwhile is no longer offered.
        store.setState({ left: opened.left });
        const read = await fetchTabs(client, page, opened);
        const saved = readList(opened.list);
        const others = opened.problem === null ? read.flatMap(({ id, tab }) => (tab === null ? [id] : [])) : [];
        if (opened.problem === null) {
          for (const { id, text, tab } of read) if (tab !== null) begin(id, { before: tab.before, text });
          list.resume(opened.list, saved.raw, others);
        } else {
          failedToOpen(new AppError('storage', opened.problem));
        }
        store.setState({ newer: opened.newer, hidden: others.length });
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
    /** Returns the workspace of this page; null until it has one. */
    mine: (): OwnWorkspace | null => mine,
    /** Writes changes until they are on the disk, or a problem says that they are not. */
    async settled(): Promise<void> {
      await opening;
      await flush();
    },
    /**
     * Sends what it still can when the page may be about to go away. Returns true if something is not on the disk and would be lost.
     */
    leave(): boolean {
      const behind = requests.getState().tabs.flatMap(({ id }) => {
        const writer = writers.get(id) ?? begin(id, null);
        return writer.isBehind() ? writer.lastWords() : [];
      });
      const characters = behind.reduce((sum, one) => sum + one.characters, 0);
      const { problems, problem } = store.getState();
      const typed = requests.getState().tabs.filter(({ dirty }) => dirty);
      if (mine === null) return problem !== null && typed.length > 0;
      if (!deps.isReachable()) return behind.length > 0 && typed.length > 0;
      if (characters > deps.lastWords) {
        startWork(flush());
        return true;
      }
      for (const { send } of behind) send().catch(reportIfFault);
      // Its file may be lost without losing a text: it is read without the list, too.
      if (characters + 2_000 <= deps.lastWords) startWork(list.write());
      return typed.some(({ id }) => problems.has(id));
    },
    /** Leaves the workspace to the page that loads in place of this one. */
    left() {
      if (mine !== null) deps.place.put(mine);
    },
  };
}

/** A tab as its file holds it. */
interface ReadTab {
  readonly id: string;
  readonly text: string;
  /** Null if this version cannot read it. */
  readonly tab: ReturnType<typeof readTab>;
}

/** Reads the tabs of a workspace one after the other, because each may be long. A tab that cannot be fetched counts as one that cannot be read. */
async function fetchTabs(client: Client, page: string, { id, tabs }: Pick<OpenedWorkspace, 'id' | 'tabs'>): Promise<ReadTab[]> {
  const read: ReadTab[] = [];
  if (tabs.length === 0) return read;
  const reader = await import('../tabs/read-tab.ts');
  for (const { id: tab, text: short } of tabs) {
    try {
      let text = short ?? '';
      for (let from: number | null = short === null ? 0 : null; from !== null;) {
        const piece: { text: string; next: number | null } = await client.call('workspaces.read', { page, id, tab, from });
        text += piece.text;
        from = piece.next;
      }
      read.push({ id: tab, text, tab: reader.readTab(text) });
    } catch (error) {
      reportIfFault(error);
      read.push({ id: tab, text: '', tab: null });
    }
  }
  return read;
}
