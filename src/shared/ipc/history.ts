import { call, event, Nothing, textUpTo, wholeNumber, z } from './contract.ts';

const CallId = z.int().check(z.gte(1));
const CallIds = z.array(CallId).check(z.minLength(1), z.maxLength(10_000));

/** What is kept. Null: no limit. Pinned and pending calls stay in any case. */
export const Retention = z.strictObject({
  maxAgeDays: z.nullable(wholeNumber(1, 100_000)),
  maxCalls: z.nullable(wholeNumber(1, 1_000_000_000)),
  /** Of the database file, in bytes. */
  maxBytes: z.nullable(wholeNumber(1_048_576, 1_000_000_000_000_000)),
});
export type Retention = z.infer<typeof Retention>;

/**
 * `newer`: written by a newer version. `readonly`, `locked` (by another program), `full` (the disk): the file is sound and stays where it
 * is. `damaged`: it was found broken in this run or while another program uses it, and is set aside at the next start. `unavailable`: it
 * can't be opened.
 */
export const HistoryState = z.enum(['ready', 'newer', 'readonly', 'locked', 'full', 'damaged', 'unavailable']);
export type HistoryState = z.infer<typeof HistoryState>;

/** A file that was no sound history: it was renamed, and nothing of it was changed or removed. */
export const SetAside = z.strictObject({
  path: z.string(),
  /** Milliseconds since the epoch. */
  at: z.int(),
  reason: z.string(),
  /** JSON lines with the calls that could be read out of it; null while that goes on and where there was nothing to read. */
  recovered: z.nullable(z.strictObject({ path: z.string(), calls: z.int() })),
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
  }),
  /** What of deleted calls can still be read in the files, and until when, in words; null where nothing can. */
  remains: z.nullable(z.string()),
  /** Calls that the search index doesn't hold yet; searches read them one by one. */
  unindexed: z.int(),
  retention: Retention,
  setAside: z.array(SetAside),
});
export type HistoryStatus = z.infer<typeof HistoryStatus>;

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
  /** Sets what is kept and begins to remove the rest. */
  'history.retain': call(Retention, Retention),
};

export const historyEvents = {
  /** The calls that were pinned or noted; null where others came or went, or the state of the file changed: any may be concerned. */
  'history.changed': event(z.strictObject({ ids: z.nullable(z.array(z.int())) })),
};
