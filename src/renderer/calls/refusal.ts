import type { Confirmed } from '#shared/ipc/production.ts';
import type { ProductionQuestion } from '#shared/ipc/outputs/production.ts';
import { questionIn } from '#shared/production/question.ts';
import { asAppError } from '#renderer/faults/faults.ts';
import type { StorePart } from '#renderer/ui/store-part.ts';

/** The reason why nothing was sent: core's question before production, or what happened and what to do. */
export type Refusal = Unconfirmed | { readonly state: 'refused'; readonly message: string };

/** Core's question before it sends to production; a yes goes back as `confirmed`. */
export interface Unconfirmed {
  readonly state: 'unconfirmed';
  readonly question: ProductionQuestion;
}

/** Returns what a failed `calls.send`, or another call that sends, means for the user. */
export function refusalFrom(thrown: unknown): Refusal {
  const error = asAppError(thrown);
  const question = questionIn(error);
  return question === null ? { state: 'refused', message: error.message } : { state: 'unconfirmed', question };
}

/** The part of a store that does one thing at a time that core may refuse or ask about. */
export interface AskingState {
  /** `again` does it once more, with the answer to the question. */
  readonly asking: { readonly state: 'idle' | 'busy' } | (Refusal & { readonly again: (confirmed: Confirmed) => Promise<void> });
  /** Closes the question or the refusal. */
  readonly dismiss: () => void;
}

const idle = { state: 'idle' } as const;

/** Creates that part, and the function that does such a thing; while one is under way, another one is not begun. */
export function createAsking({ getState, setState }: StorePart<AskingState>) {
  async function attempt(work: (confirmed: Confirmed) => Promise<void>, confirmed: Confirmed = false): Promise<void> {
    if (getState().asking.state === 'busy') return;
    const busy = { state: 'busy' } as const;
    // Where another state took its place, nobody waits for it any more.
    const end = (asking: AskingState['asking']) => (getState().asking === busy ? setState({ asking }) : undefined);
    setState({ asking: busy });
    try {
      await work(confirmed);
      end(idle);
    } catch (thrown) {
      end({ ...refusalFrom(thrown), again: (yes) => attempt(work, yes) });
    }
  }
  const state: AskingState = {
    asking: idle,
    dismiss: () => (getState().asking.state === 'busy' ? undefined : setState({ asking: idle })),
  };
  return { state, attempt };
}
