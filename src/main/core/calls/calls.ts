import { AppError } from '#shared/errors.ts';
import type {
  ParsedInput,
  Call,
  CollectionRunOfCall,
  Confirmed,
  Environment,
  RequestDraft,
  RunEffect,
} from '#shared/ipc/index.ts';
import { effectOf } from '#shared/production/effect.ts';
import { withInstead, type Instead } from './instead.ts';
import { cancelledBefore, createCancellation } from './cancellation.ts';
import type { Cancellation } from './cancellation.ts';
import type { Asked, Confirmations } from './confirmations.ts';
import type { OutgoingCall, SentCall } from '../history/record.ts';
import { keyRefusal, unaskedRefusal } from './held-keys.ts';
import { removedEnvironment, repeatOf } from './repeat.ts';
import type { Announced, Delivered, InTurn, Sender } from './send.ts';
import type { Cut } from './transmit.ts';

export interface SendRequest {
  readonly draft: RequestDraft;
  /** The environment of the draft with other settings for this call; absent for the environment as it is stored. */
  readonly environment?: Environment;
  readonly ticket: string;
  readonly confirmed: Confirmed;
  /** The user's consent to send a request that holds a private key; null if nobody can be asked: then it is refused. */
  readonly keyConfirmed?: boolean | null;
}

export interface RunCall {
  readonly draft: RequestDraft;
  /** As it was when `confirmRun` allowed the run. */
  readonly environment: Environment;
  readonly ticket: string;
  readonly collectionRun: CollectionRunOfCall;
  readonly inTurn: InTurn;
  readonly cut?: Cut;
}

/** A request of a run that is signed and in the history, and has not left. */
export interface AnnouncedCall extends Omit<Announced, 'send'> {
  /** Sends it under its ticket. Fails with `cancelled` if the program is ending. */
  send(): Promise<Delivered>;
}

export type Calls = ReturnType<typeof createCalls>;

export interface CallsDeps {
  readonly sender: Sender;
  readonly confirmations: Pick<Confirmations, 'require'>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
  /** Fails with `not_found`. */
  readonly environment: (id: string) => Environment;
  /** Returns the sent request of a call. Fails with `not_found`. */
  readonly sent: (id: number) => SentCall;
}

/** Number of cancelled tickets to remember. A ticket is made for one use, so only the latest can still matter. */
const cancelledLimit = 1_024;

/** Calls under way, by the ticket that their caller chose. */
export function createCalls({ sender, confirmations, now, environment, sent }: CallsDeps) {
  const underWay = new Map<string, { cancellation: Cancellation; done: Promise<unknown> }>();
  const cancelled = new Set<string>();
  const insteads = new Map<string, Instead>();
  let closed = false;

  function environmentOf(call: Call): Environment {
    try {
      return environment(call.environmentId);
    } catch (error) {
      throw error instanceof AppError && error.code === 'not_found' ? removedEnvironment(call) : error;
    }
  }

  function checkTicket(ticket: string): void {
    if (closed) throw new AppError('cancelled', 'Croupier is closing. Nothing was sent.');
    if (cancelled.has(ticket)) throw cancelledBefore();
    if (underWay.has(ticket))
      throw new AppError('conflict', `A call with the ticket ${ticket} is already in progress. Use a new ticket for each call.`);
  }

  async function under<T>(ticket: string, start: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    const cancellation = createCancellation(ticket);
    const done = start(cancellation);
    underWay.set(ticket, { cancellation, done });
    try {
      return await done;
    } finally {
      underWay.delete(ticket);
    }
  }

  return {
    /** Sends the call of this ticket with settings in place of its environment's. The call's record says so. */
    useInstead: (ticket: string, instead: Instead): void => void insteads.set(ticket, instead),
    /** Fails with `refused` (production, not confirmed), `conflict` (ticket in use), `invalid_input` (a URL that is not https), and as `createSender` says. */
    async send({ draft, environment: changed, ticket, confirmed: given, keyConfirmed = null }: SendRequest): Promise<Call> {
      checkTicket(ticket);
      const own = changed ?? environment(draft.environmentId);
      const instead = insteads.get(ticket);
      const { environment: target, replaced } =
        instead === undefined ? { environment: own, replaced: null } : withInstead(own, draft, instead);
      // After it is signed: nobody should confirm a request that then cannot be sent.
      const confirm = (outgoing: OutgoingCall): void => {
        if (outgoing.masked && keyConfirmed === null) throw unaskedRefusal(outgoing.masked);
        if (outgoing.masked && !keyConfirmed) throw keyRefusal(outgoing, outgoing.masked);
        confirmations.require(target, () => askAbout(outgoing, target), given);
      };
      return under(ticket, (cancellation) => sender.send(draft, target, cancellation, confirm, replaced));
    },
    /** Prepares a request of a collection's run to leave. Fails as `send` does. */
    async announce({ draft, environment: target, ticket, collectionRun, inTurn, cut }: RunCall): Promise<AnnouncedCall> {
      checkTicket(ticket);
      const announced = await under(ticket, (cancellation) =>
        sender.announce(draft, target, cancellation, collectionRun, inTurn, cut),
      );
      return {
        ...announced,
        async send() {
          checkTicket(ticket);
          return under(ticket, (cancellation) => announced.send(cancellation));
        },
      };
    },
    /** Allows the requests of a run all at once, or fails with `refused` if they go to production and that was not confirmed. */
    confirmRun(target: Environment, run: RunEffect, given: Confirmed): void {
      confirmations.require(target, () => ({ url: target.baseUrl, call: null, run }), given);
    },
    /** Sends a recorded call again. Fails as `send` does, with `not_found`, and with `refused` if it cannot be sent as it was. */
    async repeat({ id, ticket, confirmed: given }: ParsedInput<'calls.repeat'>): Promise<Call> {
      checkTicket(ticket);
      const recorded = sent(id);
      const target = environmentOf(recorded.call);
      // Before the question: nobody should confirm a repeat that is then refused.
      const outgoing = repeatOf(recorded, target, now());
      const confirm = (): void => confirmations.require(target, () => askAbout(outgoing, target), given);
      return under(ticket, (cancellation) => sender.repeat(outgoing, cancellation, confirm));
    },
    /**
     * Stops the call with this ticket; returns whether one was under way. A call that comes with the ticket later, because the two
     * overtook each other or because several share a ticket, does not leave.
     */
    cancel(ticket: string): boolean {
      cancelled.add(ticket);
      for (const oldest of cancelled) {
        if (cancelled.size <= cancelledLimit) break;
        cancelled.delete(oldest);
      }
      const found = underWay.get(ticket);
      found?.cancellation.request();
      return found !== undefined;
    },
    /** Stops calls under way and waits until their outcomes are recorded. */
    async close(): Promise<void> {
      closed = true;
      const running = [...underWay.values()];
      for (const { cancellation } of running) cancellation.request();
      await Promise.allSettled(running.map(({ done }) => done));
    },
  };
}

/** Reads core's question from the body that would leave now. */
function askAbout({ draft, body, url }: OutgoingCall, { answers }: Environment): Asked {
  return { url, call: effectOf(draft.operation, body.toString('utf8'), answers).effect, run: null };
}
