import { AppError } from '#shared/errors.ts';
import type { Call, Environment, RequestDraft } from '#shared/ipc/index.ts';
import { createCancellation } from './cancellation.ts';
import type { Cancellation } from './cancellation.ts';
import type { Send } from './send.ts';

export interface SendRequest {
  readonly draft: RequestDraft;
  readonly ticket: string;
  readonly confirmed: boolean;
}

export interface Calls {
  /** Fails with `refused` (production, not confirmed), `conflict` (ticket in use), and as `createSender` says. */
  send(request: SendRequest): Promise<Call>;
  /** Whether a call with this ticket was under way and is now stopped. */
  cancel(ticket: string): boolean;
  /** Stops what is under way and waits until its outcome is recorded. */
  close(): Promise<void>;
}

/** Calls under way, by the ticket that their caller chose. */
export function createCalls({ send, environment }: { send: Send; environment: (id: string) => Environment }): Calls {
  const underWay = new Map<string, { cancellation: Cancellation; done: Promise<unknown> }>();
  const confirmed = new Set<string>();
  let closed = false;

  function confirm(target: Environment, given: boolean): void {
    if (!target.production) return;
    // The address belongs to what was confirmed: an environment that now points elsewhere asks again.
    const mark = `${target.id}\n${target.baseUrl}\n${target.walletUrl}`;
    if (given) confirmed.add(mark);
    if (confirmed.has(mark)) return;
    throw new AppError('refused', `${target.name} is marked as production. Confirm the first call of this run.`, {
      reason: 'production_unconfirmed',
      environmentId: target.id,
    });
  }

  return {
    async send({ draft, ticket, confirmed: given }) {
      if (closed) throw new AppError('cancelled', 'The workbench is closing. Nothing was sent.');
      if (underWay.has(ticket))
        throw new AppError('conflict', `A call with the ticket ${ticket} is under way. Use a new ticket for each call.`);
      const target = environment(draft.environmentId);
      confirm(target, given);
      const cancellation = createCancellation();
      const done = send(draft, target, cancellation);
      underWay.set(ticket, { cancellation, done });
      try {
        return await done;
      } finally {
        underWay.delete(ticket);
      }
    },
    cancel(ticket) {
      const found = underWay.get(ticket);
      found?.cancellation.request();
      return found !== undefined;
    },
    async close() {
      closed = true;
      const running = [...underWay.values()];
      for (const { cancellation } of running) cancellation.request();
      await Promise.allSettled(running.map(({ done }) => done));
    },
  };
}
