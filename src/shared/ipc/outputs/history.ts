import { filledTextUpTo, z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';
import { Retention } from '../history.ts';

const Ticket = filledTextUpTo(100);

const dates = {
  /** When the oldest and the newest of them were sent, in milliseconds since the epoch; null where there are none. */
  from: z.nullable(z.int()),
  to: z.nullable(z.int()),
};

/** What limits remove now, for good. */
export const RetentionPreview = z.strictObject({
  calls: z.int(),
  /** As `maxBytes` counts them. */
  bytes: z.int(),
  ...dates,
  /** What stays: all calls, and the pinned ones of them. */
  left: z.int(),
  pinned: z.int(),
});
export type RetentionPreview = z.infer<typeof RetentionPreview>;

/**
 * A removal that a person has to look at first. `clock`: the clock went ahead by more than time can have passed since limits were last kept.
 * `much`: it takes far more than calls that were sent since.
 */
export const WaitingRemoval = z.strictObject({
  why: z.enum(['clock', 'much']),
  calls: z.int(),
  bytes: z.int(),
  ...dates,
  /** The clock when it was found, and when limits were last kept before, in milliseconds since the epoch. */
  at: z.int(),
  seenAt: z.nullable(z.int()),
});
export type WaitingRemoval = z.infer<typeof WaitingRemoval>;

/**
 * `newer`: written by a newer version. `readonly`, `locked` (by another program), `full` (the disk): the file is sound and stays where it
 * is. `damaged`: it was found broken in this run or while another program uses it, and is set aside at the next start. `unavailable`: it
 * can't be opened.
 */
export const HistoryState = z.enum(['ready', 'newer', 'readonly', 'locked', 'full', 'damaged', 'unavailable']);
export type HistoryState = z.infer<typeof HistoryState>;

/** A file that was no sound history: it was renamed, and nothing of it was changed. */
export const SetAside = z.strictObject({
  path: z.string(),
  /** Milliseconds since the epoch. */
  at: z.int(),
  reason: z.string(),
  /** The file and its logs are there no more. */
  gone: z.boolean(),
  /**
   * JSON lines with the calls that could be read out of it; null while that goes on and where there was nothing to read. `partial` of them lack their
   * request, their response or what the list shows. `about`: how many there were, where a part of the file is missing.
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
  /** What happened and what to do; null where the state is `ready`. */
  message: z.nullable(z.string()),
  path: z.string(),
  calls: z.int(),
  pinned: z.int(),
  /** Deleted calls that can still be restored. */
  deleted: z.int(),
  /** Bytes on disk. `free` is the part of the database that new calls will use again; `perCall` is database and index by calls, 0 for none. */
  bytes: z.strictObject({
    database: z.int(),
    wal: z.int(),
    index: z.int(),
    free: z.int(),
    perCall: z.int(),
    /** What the calls take of it, as `maxBytes` counts them. */
    calls: z.int(),
  }),
  /** What of deleted calls can still be read in the files, and until when, in words; null where nothing can. */
  remains: z.nullable(z.string()),
  /** Free space that only a rewrite gives back to the disk, and how, in words; null where there is none or little. */
  stuck: z.nullable(z.string()),
  /** Calls that the search index doesn't hold yet; searches read them one by one. */
  unindexed: z.int(),
  retention: Retention,
  /** Nothing is removed by the limits until a person says what becomes of it; null where nothing waits. */
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
  /** What could not be done, and what to do; null where all was. */
  left: z.nullable(z.string()),
});
export type Compaction = z.infer<typeof Compaction>;

/** What a home keeps beside the calls. */
export const Kept = z.strictObject({
  kind: z.enum(['gameLists', 'launches', 'runReports', 'evidence', 'setAside', 'removedFiles', 'locks']),
  count: z.int(),
  /** Null where it is not counted, as it stands in the file of the calls. */
  bytes: z.nullable(z.int()),
  /** When the oldest of it was made, in milliseconds since the epoch; null where there is none. */
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
  /** Bytes that were given back, and those that are to be. */
  'history.compacting': z.strictObject({
    ticket: Ticket,
    done: z.int(),
    total: z.int(),
  }),
  /** The calls that were pinned or noted; null where others came or went, or the state of the file changed: any may be concerned. */
  'history.changed': z.strictObject({ ids: z.nullable(z.array(z.int())) }),
};
