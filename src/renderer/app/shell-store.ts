import { createStore, type StoreApi } from 'zustand/vanilla';
import { otherVersionText } from '#shared/collections/file-names.ts';
import type { AppInfo, CallSummary, Client, SandboxStatus, UpdateStatus } from '#shared/ipc/index.ts';
import { searchCalls } from '#shared/ipc/search-calls.ts';
import { notCopiedText } from '#renderer/calls/copy-call.ts';
import { orNull, startWork } from '#renderer/faults/faults.ts';
import { announcer } from '#renderer/ui/announcer.ts';
import type { NoticeItem, Notify, Undo } from '#renderer/ui/notice.tsx';
import type { AreaName } from '#shared/areas.ts';
import { choiceCommands, type Appearance, type ChoiceCommandId } from '#shared/choices.ts';
import { readAppearance } from './appearance.ts';
import { callQueries } from './call-queries.ts';
import type { Layout } from './remembered.ts';

/** State of the search in the history for the palette's text. */
export type Searched = 'going' | 'ended' | 'failed';

type Overlay = 'none' | 'everything' | 'quick' | 'help' | 'manual';

interface ShellState extends Appearance {
  readonly area: AreaName;
  readonly sidebar: boolean;
  /** True while the sidebar is over the page, if there is no room beside it. */
  readonly drawer: boolean;
  readonly overlay: Overlay;
  /** Text with which the palette opens. */
  readonly paletteText: string;
  readonly environmentMenu: boolean;
  readonly notices: readonly NoticeItem[];
  /** Null until core has replied. */
  readonly info: AppInfo | null;
  readonly sandbox: SandboxStatus | null;
  /** Result of the last check for a newer version; null until core has replied. */
  readonly update: UpdateStatus | null;
  /** Calls of the history that the palette's text finds. */
  readonly found: readonly CallSummary[];
  readonly searched: Searched;

  readonly show: (area: AreaName) => void;
  readonly toggleSidebar: () => void;
  readonly setDrawer: (open: boolean) => void;
  /** Opens an overlay, or closes it if it is open; `text` begins the search of the palette. */
  readonly setOverlay: (overlay: Overlay, text?: string) => void;
  readonly setEnvironmentMenu: (open: boolean) => void;
  readonly choose: (change: Partial<Appearance>) => void;
  /** Makes the choice of a command, which is said: no control shows it. */
  readonly chooseBy: (id: ChoiceCommandId) => void;
  readonly restore: (layout: Layout) => void;
  readonly notify: Notify;
  readonly closeNotice: (id: string) => void;
  /** Changes that can be taken back, the newest first. */
  readonly undos: readonly KeptUndo[];
  /** Takes one of them back, without an ID the newest. */
  readonly undo: (id?: string) => Promise<void>;
  readonly load: () => Promise<void>;
  readonly findCalls: (text: string) => void;
  /** Copies the body of a call's response to the clipboard, as text. */
  readonly copyResponse: (callId: number) => Promise<void>;
  /** Copies the facts for a report of a fault. */
  readonly copyDiagnostics: () => Promise<void>;
  /** Returns the licence of Croupier and those of the packages that it holds. */
  readonly licences: () => Promise<string>;
}

/** A change that can be taken back, by the ID of its notice. */
interface KeptUndo extends Undo {
  readonly id: string;
}

export type ShellStore = StoreApi<ShellState>;

export interface ShellDeps {
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly copy: (text: string) => Promise<void>;
  /** Returns whether the sidebar has no room beside the content now. */
  readonly narrow: () => boolean;
}

const [noticesKept, undosKept] = [4, 20];
/** Number of calls that the palette shows. */
const mostFound = 8;

/** Drops the oldest of too many notices; lasting ones last. */
function newest(notices: readonly NoticeItem[]): readonly NoticeItem[] {
  if (notices.length <= noticesKept) return notices;
  const dropped = notices.slice(0, -1).find(({ lasting }) => lasting !== true) ?? notices[0];
  return notices.filter((notice) => notice !== dropped);
}

/** Creates the state of the page's frame: the area that is shown, what is over it, the notices, and core's facts about itself. */
export function createShellStore(client: Client, deps: ShellDeps): ShellStore {
  return createStore<ShellState>()((set, get) => {
    let count = 0;
    let moved = false;
    let recount: (() => void) | null = null;
    let searching: (() => void) | null = null;
    let round = 0;
    let countRound = 0;
    let rereading = false;
    let rereadAgain = false;
    let rereadLater: (() => void) | null = null;

    client.on('calls.changed', recountSoon);
    client.on('history.changed', recountSoon);
    // A reply that is on its way may be older.
    client.on('app.screenReaderChanged', () => startWork(loadInfo()));
    client.on('environments.changed', () => startWork(loadSandbox()));
    // Any request may have ended a token, a round or a bet: the next request that is opened names what is there then.
    client.on('sandbox.judged', () => startWork(rereadSandbox()));
    client.on('collections.kept', ({ path, copy }) =>
      get().notify({ tone: 'warn', text: otherVersionText(path, copy), lasting: true }),
    );

    function recountSoon(): void {
      recount ??= deps.later(() => {
        recount = null;
        startWork(loadInfo());
      }, 300);
    }

    async function loadInfo(): Promise<void> {
      countRound += 1;
      const mine = countRound;
      // If this is missing, it is only not shown; the screen that needs it says why.
      const info = await orNull(client.call('app.info', {}));
      if (mine === countRound && info !== null) set({ info });
    }

    async function rereadSandbox(): Promise<void> {
      rereadAgain = rereading;
      if (rereading) return;
      rereading = true;
      await loadSandbox();
      rereading = false;
      // A run may send thousands in a second; they are looked at together.
      if (rereadAgain) rereadLater ??= deps.later(rereadOnce, 100);
    }

    function rereadOnce(): void {
      rereadLater = null;
      startWork(rereadSandbox());
    }

    async function loadSandbox(): Promise<void> {
      const sandbox = await orNull(client.call('sandbox.status', {}));
      if (sandbox !== null) set({ sandbox });
    }

    async function search(text: string): Promise<void> {
      round += 1;
      const mine = round;
      set({ searched: 'going' });
      const findCalls = async () => {
        const calls = new Map<number, CallSummary>();
        for (const query of callQueries(text)) {
          for await (const page of searchCalls(client, { limit: mostFound, ...query })) {
            // Nobody looks at it any more.
            if (mine !== round || get().overlay === 'none') return null;
            for (const call of page.calls) if (calls.size < mostFound || calls.has(call.id)) calls.set(call.id, call);
            set({ found: [...calls.values()] });
          }
          if (calls.size === mostFound) break;
        }
        return calls;
      };
      const calls = await orNull(findCalls());
      if (mine === round) set(calls === null ? { found: [], searched: 'failed' } : { searched: 'ended' });
    }

    return {
      area: 'requests',
      sidebar: true,
      drawer: false,
      overlay: 'none',
      paletteText: '',
      environmentMenu: false,
      ...readAppearance(undefined),
      notices: [],
      info: null,
      sandbox: null,
      update: null,
      found: [],
      searched: 'ended',

      show(area) {
        moved = true;
        set({ area, overlay: 'none', drawer: false });
        // Its list shows what other programs recorded, too.
        if (area === 'history') recountSoon();
      },
      toggleSidebar() {
        if (deps.narrow()) set((state) => ({ drawer: !state.drawer }));
        else set((state) => ({ sidebar: !state.sidebar }));
      },
      setDrawer: (drawer) => set({ drawer }),
      setOverlay(overlay, paletteText = '') {
        set((state) => ({ overlay: state.overlay === overlay ? 'none' : overlay, paletteText }));
        if (overlay === 'everything' || overlay === 'quick') startWork(search(paletteText));
      },
      setEnvironmentMenu: (environmentMenu) => set({ environmentMenu }),
      choose: (change) => set(change),
      chooseBy(id) {
        const chosen = choiceCommands.find((one) => one.id === id);
        if (chosen === undefined) return;
        set({ [chosen.setting]: chosen.value });
        announcer.say(`${chosen.title}.`);
      },
      restore({ area, sidebar }) {
        // A user who was quicker than the settings stays in the area they opened.
        set(moved ? { sidebar } : { sidebar, area });
      },
      undos: [],
      async undo(wanted) {
        const { undos, closeNotice } = get();
        const found = wanted === undefined ? undos[0] : undos.find(({ id }) => id === wanted);
        if (found === undefined) return;
        const { id, what, run } = found;
        set({ undos: undos.filter((one) => one !== found) });
        closeNotice(id);
        if (await run()) announcer.say(`Undone: ${what}.`);
        // It may be possible later, and must not stand before those that are possible now.
        else set((state) => ({ undos: [...state.undos, found] }));
      },
      notify({ undo, ...notice }) {
        count += 1;
        const id = notice.id ?? `notice-${count}`;
        const item: NoticeItem =
          undo === undefined
            ? { ...notice, id }
            : { ...notice, id, action: { label: 'Undo', run: () => startWork(get().undo(id)) } };
        if (undo !== undefined) set(({ undos }) => ({ undos: [{ ...undo, id }, ...undos].slice(0, undosKept) }));
        set(({ notices }) => {
          const known = notices.some(({ id }) => id === item.id);
          return {
            notices: known ? notices.map((one) => (one.id === item.id ? item : one)) : newest([...notices, item]),
          };
        });
      },
      closeNotice(id) {
        const { notices } = get();
        set({ notices: notices.filter((notice) => notice.id !== id) });
        notices.find((notice) => notice.id === id)?.onClose?.();
      },
      async load() {
        await Promise.all([loadInfo(), loadSandbox()]);
      },
      findCalls(text) {
        searching?.();
        set({ searched: 'going' });
        searching = deps.later(() => startWork(search(text.trim())), 120);
      },
      async copyResponse(callId) {
        try {
          await deps.copy(new TextDecoder().decode(await client.body(callId)));
          get().notify({ tone: 'good', text: 'Copied the response body.' });
        } catch (error) {
          get().notify({ tone: 'bad', text: `The body was not copied. ${notCopiedText(error)}` });
        }
      },
      async copyDiagnostics() {
        try {
          await deps.copy((await client.call('app.diagnostics', {})).text);
          get().notify({ tone: 'good', text: 'Copied the diagnostics. Read them before you share them.' });
        } catch (error) {
          get().notify({ tone: 'bad', text: `The diagnostics were not copied. ${notCopiedText(error)}` });
        }
      },
      licences: async () => (await client.call('app.licences', {})).text,
    };
  });
}
