import { removableKinds } from '../model/removable-kinds.ts';
import { alwaysKept } from '../model/limits.ts';
import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

const CallId = z.int().check(z.gte(1));

const CallIds = z.array(CallId).check(z.minLength(1), z.maxLength(10_000));

/**
 * Limits of the history. Null: no limit. Pinned calls, pending ones and the newest 100 always stay; pinned calls do not count towards
 * the limits.
 */
export const Retention = z.strictObject({
  maxAgeDays: z.nullable(wholeNumber(1, 100_000)),
  maxCalls: z.nullable(wholeNumber(alwaysKept, 1_000_000_000)),
  /** Bytes of all calls: of each its request as typed and as sent, its response, and 1,024 bytes for the rest. */
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
  /** Removes calls from the history; they can be restored until the session ends. Skips pending and missing calls. */
  'calls.delete': z.strictObject({ ids: CallIds }),
  /** Restores deleted calls of this session and of others that still run. */
  'calls.restore': z.strictObject({ ids: CallIds }),
  /** Always succeeds: an unusable history is a state. */
  'history.status': Nothing,
  /** Counts what the limits would remove now, without setting them. Takes a second or two for a million calls. */
  'history.preview': Retention,
  /**
   * Sets the limits and begins to remove the rest. `removes`: the number of calls that the user has seen. If it would be more, or far more than
   * usual and the user saw no number, the removal waits and `history.status` says so.
   */
  'history.retain': z.strictObject({
    retention: Retention,
    removes: z._default(z.nullable(wholeNumber(0, Number.MAX_SAFE_INTEGER)), null),
  }),
  /**
   * Begins a removal that waits, `calls` as in `history.status`, or turns the limits off. Fails with `conflict` if no removal waits
   * or if its number has changed; keeping 0 calls does nothing.
   */
  'history.settle': z.strictObject({
    does: z.enum(['remove', 'keep']),
    calls: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  }),
  'history.kept': Nothing,
  /** Removes all of a kind, for good. Fails with `conflict` if there are not exactly `count`, and with `storage`. */
  'history.removeKept': z.strictObject({
    kind: RemovableKind,
    count: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  }),
  /** Returns the free space of the history's files to the disk. Fails with `conflict` while this is already under way, and with `storage`. */
  'history.compact': z.strictObject({ ticket: Ticket }),
  /** Stops it; the files stay sound. Returns whether there was one. */
  'history.cancelCompact': z.strictObject({ ticket: Ticket }),
};
