import type { Reply } from '#shared/ipc/index.ts';

/** A call that waits for its reply. */
export interface PendingCall {
  readonly text: string;
  readonly settle: (reply: Reply) => void;
  /** Called with the fault if the reply is not JSON. */
  readonly fail: (error: unknown) => void;
  /**
   * True if it stays for the next line. The work that it stops must not go on because a line broke; the host may hear the call
   * twice.
   */
  readonly stays: boolean;
  posted: boolean;
}

/** Keeps the calls without a reply, by their numbers. */
export function createPendingCalls() {
  const pending = new Map<number, PendingCall>();
  let number = 0;
  return {
    /** Adds a call, whose text begins with its number. */
    add(body: string, stays: boolean, callbacks: Pick<PendingCall, 'settle' | 'fail'>): PendingCall {
      number += 1;
      const call = { text: `${number} ${body}`, stays, posted: false, ...callbacks };
      pending.set(number, call);
      return call;
    },
    all: (): Iterable<PendingCall> => pending.values(),
    /** Settles the calls that no host can answer any more: those that `reply` returns a reply for. */
    giveUp(reply: (call: PendingCall) => Reply | null) {
      for (const [at, call] of pending) {
        const given = reply(call);
        if (given !== null && pending.delete(at)) call.settle(given);
      }
    },
    /** Takes a reply, whose text begins with the number of its call. Returns false if the text has no number: it is not a reply. */
    take(text: string): boolean {
      const at = /^(\d{1,15}) /.exec(text)?.[1];
      if (at === undefined) return false;
      const call = pending.get(Number(at));
      if (call === undefined || !pending.delete(Number(at))) return true;
      let reply: Reply;
      try {
        reply = JSON.parse(text.slice(at.length + 1)) as Reply;
      } catch (error) {
        call.fail(error);
        return true;
      }
      call.settle(reply);
      return true;
    },
  };
}
