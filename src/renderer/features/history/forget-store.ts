import { createStore, type StoreApi } from 'zustand/vanilla';
import { stepText } from '#shared/forget/words.ts';
import type { Client, ForgetReport } from '#shared/ipc/index.ts';
import { playersIn } from '#shared/provider/players.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';

/** Stage of the question: the player, the progress of the search or the removal, the report of what was found or removed. */
type ForgetStage =
  | { readonly kind: 'closed' }
  | { readonly kind: 'asking'; readonly problem: string | null }
  | { readonly kind: 'working'; readonly removing: boolean; readonly progress: string; readonly stopping: boolean }
  | { readonly kind: 'found'; readonly report: ForgetReport; readonly problem: string | null }
  | { readonly kind: 'done'; readonly report: ForgetReport };

interface ForgetState {
  readonly stage: ForgetStage;
  readonly player: string;
  /** True if damaged histories that were set aside are to go, too. */
  readonly setAside: boolean;
  /** Asks for a player; the player that the call names is filled in. */
  readonly open: (callId: number | null) => Promise<void>;
  readonly setPlayer: (player: string) => void;
  readonly setSetAside: (setAside: boolean) => void;
  /** Searches for everything that names the player, and removes nothing. */
  readonly search: () => Promise<void>;
  readonly forget: () => Promise<void>;
  readonly stop: () => void;
  /** Closes the question; work under way is stopped first. */
  readonly close: () => void;
}

export type ForgetStore = StoreApi<ForgetState>;

export interface ForgetDeps {
  readonly newId: () => string;
}

/** Creates the store that forgets a player, over one client. */
export function createForgetStore(client: Client, { newId }: ForgetDeps): ForgetStore {
  return createStore<ForgetState>()((set, get) => {
    let ticket: string | null = null;

    async function work(dryRun: boolean): Promise<void> {
      const { player, setAside, stage } = get();
      if (player === '' || stage.kind === 'working') return;
      const own = newId();
      ticket = own;
      set({ stage: { kind: 'working', removing: !dryRun, progress: stepText('find', 0, 0), stopping: false } });
      const quiet = client.on('history.forgetting', ({ ticket: told, step, done, total }) => {
        const now = get().stage;
        if (told === own && now.kind === 'working') set({ stage: { ...now, progress: stepText(step, done, total) } });
      });
      try {
        const report = await client.call('history.forget', { player, dryRun, setAside: !dryRun && setAside, ticket: own });
        if (dryRun && report.cancelled) set({ stage: { kind: 'asking', problem: null } });
        else set({ stage: { kind: dryRun ? 'found' : 'done', report, problem: null } });
      } catch (thrown) {
        const error = asAppError(thrown);
        // The known part of the report stays on the screen.
        if (stage.kind === 'found') set({ stage: { ...stage, problem: error.message } });
        else set({ stage: { kind: 'asking', problem: error.message } });
      } finally {
        quiet();
        ticket = null;
      }
    }

    return {
      stage: { kind: 'closed' },
      player: '',
      setAside: false,
      async open(callId) {
        if (get().stage.kind !== 'closed') return;
        set({ stage: { kind: 'asking', problem: null }, player: '', setAside: false });
        if (callId === null) return;
        const named = await client.call('calls.get', { id: callId }).then(
          ({ request }) => playersIn(request.bodyText),
          () => new Set<string>(),
        );
        const [only] = named;
        if (named.size === 1 && only !== undefined && get().player === '') set({ player: only });
      },
      setPlayer: (player) => set({ player }),
      setSetAside: (setAside) => set({ setAside }),
      search: () => work(true),
      forget: () => work(false),
      stop() {
        const { stage } = get();
        if (stage.kind !== 'working' || ticket === null) return;
        set({ stage: { ...stage, stopping: true } });
        startWork(client.call('history.cancelForget', { ticket }));
      },
      close() {
        if (get().stage.kind === 'working') get().stop();
        else set({ stage: { kind: 'closed' } });
      },
    };
  });
}
