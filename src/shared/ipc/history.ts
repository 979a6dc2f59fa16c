import { removableKinds } from '../model/kept.ts';
import { alwaysKept } from '../model/limits.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

const CallId = z.int().check(z.gte(1));

const CallIds = z.array(CallId).check(z.minLength(1), z.maxLength(10_000));

/**
 * What is kept of the calls. Null: no limit. Pinned calls, pending ones and the newest 100 stay in any case; pinned ones take nothing of the room
 * that the limits give.
 */
export const Retention = z.strictObject({
  maxAgeDays: z.nullable(wholeNumber(1, 100_000)),
  maxCalls: z.nullable(wholeNumber(alwaysKept, 1_000_000_000)),
  /** Of the calls: each with its request twice, as it was typed and as it was sent, its response, and 1,024 bytes for the rest. */
  maxBytes: z.nullable(wholeNumber(1_048_576, 1_000_000_000_000_000)),
});
export type Retention = z.infer<typeof Retention>;

export const RemovableKind = z.enum(removableKinds);
export type RemovableKind = z.infer<typeof RemovableKind>;

const Ticket = filledTextUpTo(100);

export const historyInputs = {
  /** A pinned call is never removed by retention. */
  'calls.pin': z.strictObject({ id: CallId, pinned: z.boolean() }),
  'calls.note': z.strictObject({ id: CallId, note: textUpTo(4_000) }),
  /** Takes calls out of the history until the program ends, and then for good. Pending calls and missing ones are left out. */
  'calls.delete': z.strictObject({ ids: CallIds }),
  /** Puts deleted calls back, of this run and of others that still live. */
  'calls.restore': z.strictObject({ ids: CallIds }),
  /** Always answers: an unusable history is a state. */
  'history.status': Nothing,
  /** What limits would remove now, before they are set. Takes a second or two where that is a million calls. */
  'history.preview': Retention,
  /**
   * Sets what is kept and begins to remove the rest. `removes`: how many calls somebody saw that they remove; where it would be more, or far more than
   * usual and nobody saw the number, the removal waits and `history.status` says so.
   */
  'history.retain': z.strictObject({
    retention: Retention,
    removes: z._default(z.nullable(wholeNumber(0, Number.MAX_SAFE_INTEGER)), null),
  }),
  /**
   * Lets a removal that waits begin, `calls` as `history.status` gave it, or keeps everything from now on. Fails with `conflict` where it does not wait,
   * or takes another number by now; keeping 0 calls does nothing.
   */
  'history.settle': z.strictObject({
    does: z.enum(['remove', 'keep']),
    calls: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  }),
  'history.kept': Nothing,
  /** Removes all of a kind, for good. Fails with `conflict` where there are not `count` of it, and with `storage`. */
  'history.removeKept': z.strictObject({
    kind: RemovableKind,
    count: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  }),
  /** Gives the free space of the history's files back to the disk now. Fails with `conflict` while that goes on already, and with `storage`. */
  'history.compact': z.strictObject({ ticket: Ticket }),
  /** Stops it; the files stay sound. Whether there was one. */
  'history.cancelCompact': z.strictObject({ ticket: Ticket }),
};
