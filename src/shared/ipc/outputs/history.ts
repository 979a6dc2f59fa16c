import { filledTextUpTo, z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';
import { Retention } from '../history.ts';

const Ticket = filledTextUpTo(100);

const dates = {
  /** Milliseconds since the epoch at which the oldest and the newest of them were sent; null for none. */
  from: z.nullable(z.int()),
  to: z.nullable(z.int()),
};

/** The calls that limits would remove now, for good. */
export const RetentionPreview = z.strictObject({
  calls: z.int(),
  /** As `maxBytes` counts them. */
  bytes: z.int(),
  ...dates,
  /** Number of calls that stay, and of the pinned ones among them. */
  left: z.int(),
  pinned: z.int(),
});
export type RetentionPreview = z.infer<typeof RetentionPreview>;

/**
 * A removal that waits for the user. `clock`: the clock went ahead by more time than can have passed since the limits were last applied.
 * `much`: it would remove far more calls than were sent since.
 */
export const WaitingRemoval = z.strictObject({
  why: z.enum(['clock', 'much']),
  calls: z.int(),
  bytes: z.int(),
  ...dates,
  /** Milliseconds since the epoch at which it was found, and at which the limits were last applied before. */
  at: z.int(),
  seenAt: z.nullable(z.int()),
});
export type WaitingRemoval = z.infer<typeof WaitingRemoval>;

/**
 * `newer`: written by a newer version. `readonly`, `locked` (by another program), `full` (the disk): the file is sound and stays where it
 * is. `damaged`: it was found broken in this session or while another program uses it, and will be set aside at the next start. `unavailable`: it
 * cannot be opened.
 */
export const HistoryState = z.enum(['ready', 'newer', 'readonly', 'locked', 'full', 'damaged', 'unavailable']);
export type HistoryState = z.infer<typeof HistoryState>;

/** A damaged history file: it was renamed, and its contents were not changed. */
export const SetAside = z.strictObject({
  path: z.string(),
  /** Milliseconds since the epoch. */
  at: z.int(),
  reason: z.string(),
  /** True if the file and its logs no longer exist. */
  gone: z.boolean(),
  /**
   * JSON lines with the recovered calls; null while recovery is under way and if there is nothing to recover. `partial` of them lack their
   * request, their response or a field of the list. `about`: estimated number of calls, if a part of the file is missing.
   */
  recovered: z.nullable(
    z.strictObject({
      path: z.string(),
      calls: z.int(),
      partial: z.int(),
      about: z.nullable(z.int()),
    }),
  ),
});
export type SetAside = z.infer<typeof SetAside>;

export const HistoryStatus = z.strictObject({
  state: HistoryState,
  /** Says what happened and what to do; null if the state is `ready`. */
  message: z.nullable(z.string()),
  path: z.string(),
  calls: z.int(),
  pinned: z.int(),
  /** Deleted calls that can still be restored. */
  deleted: z.int(),
  /** Bytes on disk. `free`: space in the database that new calls will reuse. `perCall`: database and index divided by calls, 0 for no calls. */
  bytes: z.strictObject({
    database: z.int(),
    wal: z.int(),
    index: z.int(),
    free: z.int(),
    perCall: z.int(),
    /** Bytes of the calls, as `maxBytes` counts them. */
    calls: z.int(),
  }),
  /** A sentence about deleted calls that the files still hold, and until when; null for none. */
  remains: z.nullable(z.string()),
  /** A sentence about free space that only a rewrite returns to the disk; null if there is none or little. */
  stuck: z.nullable(z.string()),
  /** Calls that the search index does not hold yet; searches read them one by one. */
  unindexed: z.int(),
  retention: Retention,
  /** The removal that waits for the user; until then the limits remove nothing. Null for none. */
  waiting: z.nullable(WaitingRemoval),
  setAside: z.array(SetAside),
});
export type HistoryStatus = z.infer<typeof HistoryStatus>;

const FileSizes = z.strictObject({ database: z.int(), index: z.int() });

/** Bytes of the history's files with their logs. */
export const Compaction = z.strictObject({
  before: FileSizes,
  after: FileSizes,
  cancelled: z.boolean(),
  /** Says what could not be done, and what to do; null if everything was. */
  left: z.nullable(z.string()),
});
export type Compaction = z.infer<typeof Compaction>;

/** A kind of data that a home keeps beside the calls. */
export const Kept = z.strictObject({
  kind: z.enum(['gameLists', 'launches', 'runReports', 'evidence', 'setAside', 'removedFiles', 'locks']),
  count: z.int(),
  /** Null if it is not counted, because it is in the database of the calls. */
  bytes: z.nullable(z.int()),
  /** Milliseconds since the epoch at which the oldest was made; null for none. */
  since: z.nullable(z.int()),
});
export type Kept = z.infer<typeof Kept>;

export const historyOutputs = {
  'calls.pin': Nothing,
  'calls.note': Nothing,
  'calls.delete': z.strictObject({ deleted: z.array(z.int()) }),
  'calls.restore': z.strictObject({ restored: z.array(z.int()) }),
  'history.status': HistoryStatus,
  'history.preview': RetentionPreview,
  'history.retain': Retention,
  'history.settle': Retention,
  'history.kept': z.strictObject({ kept: z.array(Kept) }),
  'history.removeKept': z.strictObject({ removed: z.int() }),
  'history.compact': Compaction,
  'history.cancelCompact': z.strictObject({ cancelled: z.boolean() }),
};

export const historyEvents = {
  /** Bytes returned so far, and bytes to return in all. */
  'history.compacting': z.strictObject({
    ticket: Ticket,
    done: z.int(),
    total: z.int(),
  }),
  /** The calls whose pin or note changed; null if any call may have changed: calls were added or removed, or the state of the file changed. */
  'history.changed': z.strictObject({ ids: z.nullable(z.array(z.int())) }),
};
