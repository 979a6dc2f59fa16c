import { createStore, type StoreApi } from 'zustand/vanilla';
import { AppError } from '#shared/errors.ts';
import type { Call, Client, Confirmed } from '#shared/ipc/index.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import { refusalFrom, type Unconfirmed } from './refusal.ts';

/** State of an exact repeat. One is under way at a time. */
type Repeating =
  | { readonly state: 'idle' }
  /** Its explanation is about to be shown, or is shown: the user has to agree before the first repeat of a call. */
  | { readonly state: 'reading'; readonly id: number }
  | { readonly state: 'asking'; readonly call: Call }
  /** `id` is the call that is repeated. */
  | {
      readonly state: 'sending';
      readonly id: number;
      readonly ticket: string;
      readonly startedAt: number;
      /** True once core has recorded the call and sends it. */
      readonly left: boolean;
      /** The user cancelled; whether the call has left is known once core replies. */
      readonly cancelled: boolean;
    }
  | (Unconfirmed & { readonly id: number })
  | { readonly state: 'refused'; readonly id: number; readonly message: string };

interface RepeatState {
  readonly job: Repeating;
  /** The call that was repeated last, and its repeat; null for none. */
  readonly last: { readonly id: number; readonly call: Call } | null;
  /** Explains first what a repeat of that call means; sends at once if the user agreed to the same in this page before. */
  readonly repeat: (id: number) => Promise<void>;
  /** Agrees to the explanation. */
  readonly agree: () => Promise<void>;
  /** Answers the question that core asked. */
  readonly confirm: (confirmed: Confirmed) => Promise<void>;
  readonly cancel: () => Promise<void>;
  /** Closes the question or the refusal. */
  readonly dismiss: () => void;
}

export type RepeatStore = StoreApi<RepeatState>;

export interface RepeatDeps {
  readonly now: () => number;
  /** Returns a fresh ID for tickets. */
  readonly newId: () => string;
  /** Called after the call with that ID was sent again, as `call`. */
  readonly onRepeated: (id: number, call: Call) => void;
}

const idle: Repeating = { state: 'idle' };

/** Sends recorded calls again, byte for byte. */
export function createRepeatStore(client: Client, { now, newId, onRepeated }: RepeatDeps): RepeatStore {
  return createStore<RepeatState>()((set, get) => {
    /** IDs of the calls that the user agreed to repeat. */
    const agreed = new Set<number>();
    client.on('calls.changed', ({ ticket }) => {
      const { job } = get();
      if (job.state === 'sending' && job.ticket === ticket) set({ job: { ...job, left: true } });
    });

    async function read(id: number): Promise<void> {
      set({ job: { state: 'reading', id } });
      const mine = () => get().job.state === 'reading';
      try {
        const call = await client.call('calls.get', { id });
        if (mine()) set({ job: { state: 'asking', call } });
      } catch (error) {
        if (mine()) set({ job: { state: 'refused', id, message: asAppError(error).message } });
      }
    }

    async function transmit(id: number, confirmed: Confirmed): Promise<void> {
      const ticket = newId();
      set({ job: { state: 'sending', id, ticket, startedAt: now(), left: false, cancelled: false } });
      try {
        const call = await client.call('calls.repeat', { id, ticket, confirmed });
        // The same bytes: consent to one holds for the other.
        agreed.add(call.id);
        set({ job: idle, last: { id, call } });
        onRepeated(id, call);
      } catch (error) {
        // The user stopped it before it left: there is nothing to report.
        const stopped = error instanceof AppError && error.code === 'cancelled';
        set({ job: stopped ? idle : { ...refusalFrom(error), id } });
      }
    }

    return {
      job: idle,
      last: null,
      async repeat(id) {
        if (get().job.state !== 'idle') return;
        await (agreed.has(id) ? transmit(id, false) : read(id));
      },
      async agree() {
        const { job } = get();
        if (job.state !== 'asking') return;
        agreed.add(job.call.id);
        await transmit(job.call.id, false);
      },
      async confirm(confirmed) {
        const { job } = get();
        if (job.state === 'unconfirmed') await transmit(job.id, confirmed);
      },
      async cancel() {
        const { job } = get();
        if (job.state !== 'sending') return;
        set({ job: { ...job, cancelled: true } });
        await client.call('calls.cancel', { ticket: job.ticket });
      },
      dismiss() {
        if (get().job.state !== 'sending') set({ job: idle });
      },
    };
  });
}
