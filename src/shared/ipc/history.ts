import { call, event, filledTextUpTo, Nothing, textUpTo, wholeNumber, z } from './contract.ts';

const CallId = z.int().check(z.gte(1));
const CallIds = z.array(CallId).check(z.minLength(1), z.maxLength(10_000));

/** The newest calls stay whatever the limits and the clock say: what was just sent is among them. */
export const alwaysKept = 100;

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

/** So many damaged histories are kept as they are; of so many before them, the calls that were read out. One that was not read out stays. */
export const setAsideWhole = 5;
export const setAsideCalls = 20;

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
  recovered: z.nullable(z.strictObject({ path: z.string(), calls: z.int(), partial: z.int(), about: z.nullable(z.int()) })),
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

/** What of it a person can remove: the rest has a limit, or is in use. */
export const RemovableKind = z.enum(['evidence', 'setAside', 'removedFiles']);
export type RemovableKind = z.infer<typeof RemovableKind>;

const Ticket = filledTextUpTo(100);

export const historyCalls = {
  /** A pinned call is never removed by retention. */
  'calls.pin': call(z.strictObject({ id: CallId, pinned: z.boolean() }), Nothing),
  'calls.note': call(z.strictObject({ id: CallId, note: textUpTo(4_000) }), Nothing),
  /** Takes calls out of the history until the program ends, and then for good. Pending calls and missing ones are left out. */
  'calls.delete': call(z.strictObject({ ids: CallIds }), z.strictObject({ deleted: z.array(z.int()) })),
  /** Puts deleted calls back, of this run and of others that still live. */
  'calls.restore': call(z.strictObject({ ids: CallIds }), z.strictObject({ restored: z.array(z.int()) })),
  /** Always answers: an unusable history is a state. */
  'history.status': call(Nothing, HistoryStatus),
  /** What limits would remove now, before they are set. Takes a second or two where that is a million calls. */
  'history.preview': call(Retention, RetentionPreview),
  /**
   * Sets what is kept and begins to remove the rest. `removes`: how many calls somebody saw that they remove; where it would be more, or far more than
   * usual and nobody saw the number, the removal waits and `history.status` says so.
   */
  'history.retain': call(
    z.strictObject({ retention: Retention, removes: z._default(z.nullable(wholeNumber(0, Number.MAX_SAFE_INTEGER)), null) }),
    Retention,
  ),
  /**
   * Lets a removal that waits begin, `calls` as `history.status` gave it, or keeps everything from now on. Fails with `conflict` where it does not wait,
   * or takes another number by now; keeping 0 calls does nothing.
   */
  'history.settle': call(
    z.strictObject({ does: z.enum(['remove', 'keep']), calls: wholeNumber(0, Number.MAX_SAFE_INTEGER) }),
    Retention,
  ),
  'history.kept': call(Nothing, z.strictObject({ kept: z.array(Kept) })),
  /** Removes all of a kind, for good. Fails with `conflict` where there are not `count` of it, and with `storage`. */
  'history.removeKept': call(
    z.strictObject({ kind: RemovableKind, count: wholeNumber(0, Number.MAX_SAFE_INTEGER) }),
    z.strictObject({ removed: z.int() }),
  ),
  /** Gives the free space of the history's files back to the disk now. Fails with `conflict` while that goes on already, and with `storage`. */
  'history.compact': call(z.strictObject({ ticket: Ticket }), Compaction),
  /** Stops it; the files stay sound. Whether there was one. */
  'history.cancelCompact': call(z.strictObject({ ticket: Ticket }), z.strictObject({ cancelled: z.boolean() })),
};

export const historyEvents = {
  /** Bytes that were given back, and those that are to be. */
  'history.compacting': event(z.strictObject({ ticket: Ticket, done: z.int(), total: z.int() })),
  /** The calls that were pinned or noted; null where others came or went, or the state of the file changed: any may be concerned. */
  'history.changed': event(z.strictObject({ ids: z.nullable(z.array(z.int())) })),
};
