import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Client } from '#shared/ipc/index.ts';
import { asAppError, startWork } from '#renderer/faults/faults.ts';

/** The parts that are hashed behind the key: the text of `time`, and of `data` if the operation has one. */
export interface DigestInput {
  readonly environmentId: string;
  readonly time: string;
  readonly data: string | null;
}

/** The digest that was requested last, of `input`; while one of a newer input is requested, the older one stays. */
export type Digest =
  | { readonly state: 'none' }
  | { readonly state: 'asking' }
  | { readonly state: 'ready'; readonly digest: string; readonly input: DigestInput }
  /** There is no key, or it cannot be read now. */
  | { readonly state: 'keyless'; readonly locked: boolean; readonly message: string }
  | { readonly state: 'failed'; readonly message: string };

interface DigestState {
  readonly digest: Digest;
  /**
   * Requests the digest of an input, after a short pause unless only its time is new; only the latest input gets one. Null clears.
   */
  readonly want: (input: DigestInput | null) => void;
  /** Requests once more what failed: a long text stays as it is, and no tick would ask again. */
  readonly refresh: () => void;
}

export type DigestStore = StoreApi<DigestState>;

export interface DigestStoreDeps {
  /** Runs something later, unless the function that it returns is called first. */
  readonly later: (run: () => void, milliseconds: number) => () => void;
}

const PAUSE_MS = 120;

/** Keeps the digest of the hash input: requested from core after a pause in the typing; the latest input wins. */
export function createDigestStore(client: Client, deps: DigestStoreDeps): DigestStore {
  return createStore<DigestState>()((set, get) => {
    let wanted: DigestInput | null = null;
    let asked = 0;
    let forget = () => {};

    client.on('keys.changed', ({ environmentId }) => {
      if (wanted?.environmentId !== environmentId) return;
      // The digest so far is of the key before.
      set({ digest: { state: 'asking' } });
      startWork(ask(wanted));
    });

    async function ask(input: DigestInput): Promise<void> {
      asked += 1;
      const turn = asked;
      const digest = await outcome(input);
      if (turn === asked && input === wanted) set({ digest });
    }

    async function outcome(input: DigestInput): Promise<Digest> {
      try {
        const { digest } = await client.call('keys.digest', input);
        return { state: 'ready', digest, input };
      } catch (thrown) {
        const error = asAppError(thrown);
        const keyless = error.code === 'key_missing' || error.code === 'key_unavailable';
        if (keyless) return { state: 'keyless', locked: error.code === 'key_unavailable', message: error.message };
        return { state: 'failed', message: error.message };
      }
    }

    return {
      digest: { state: 'none' },
      want(input) {
        if (sameInput(input, wanted)) return;
        const other = input?.environmentId !== wanted?.environmentId;
        const ticked = !other && input?.data === wanted?.data;
        wanted = input;
        asked += 1;
        forget();
        forget = () => {};
        if (input === null) {
          set({ digest: { state: 'none' } });
          return;
        }
        const { digest } = get();
        if (other || digest.state === 'none' || digest.state === 'failed') set({ digest: { state: 'asking' } });
        // A tick of the clock is not a change of the text.
        if (ticked) startWork(ask(input));
        else forget = deps.later(() => startWork(ask(input)), PAUSE_MS);
      },
      refresh() {
        if (wanted === null || get().digest.state !== 'failed') return;
        set({ digest: { state: 'asking' } });
        startWork(ask(wanted));
      },
    };
  });
}

/** Returns whether two inputs have the same digest. */
export function sameInput(a: DigestInput | null, b: DigestInput | null): boolean {
  if (a === null || b === null) return a === b;
  return a.environmentId === b.environmentId && a.time === b.time && a.data === b.data;
}
