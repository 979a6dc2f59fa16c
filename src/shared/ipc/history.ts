import { call, event, Nothing, z } from './contract.ts';

const CallId = z.number().int().min(1);
const CallIds = z.array(CallId).min(1).max(10_000);

/** What is kept. Null: no limit. Pinned and pending calls stay in any case. */
export const Retention = z.strictObject({
  maxAgeDays: z.number().int().min(1).max(100_000).nullable(),
  maxCalls: z.number().int().min(1).max(1_000_000_000).nullable(),
  /** Of the database file, in bytes. */
  maxBytes: z.number().int().min(1_048_576).max(1_000_000_000_000_000).nullable(),
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
  at: z.number().int(),
  reason: z.string(),
  /** JSON lines with the calls that could be read out of it; null while that goes on and where there was nothing to read. */
  recovered: z.strictObject({ path: z.string(), calls: z.number().int() }).nullable(),
});
export type SetAside = z.infer<typeof SetAside>;

export const HistoryStatus = z.strictObject({
  state: HistoryState,
  /** What happened and what to do; null where the state is `ready`. */
  message: z.string().nullable(),
  path: z.string(),
  calls: z.number().int(),
  pinned: z.number().int(),
  /** Deleted calls that can still be restored. */
  deleted: z.number().int(),
  /** Bytes on disk. `free` is the part of the database that new calls will use again; `perCall` is database and index by calls, 0 for none. */
  bytes: z.strictObject({
    database: z.number().int(),
    wal: z.number().int(),
    index: z.number().int(),
    free: z.number().int(),
    perCall: z.number().int(),
  }),
  /** Calls that the search index doesn't hold yet; searches read them one by one. */
  unindexed: z.number().int(),
  retention: Retention,
  setAside: z.array(SetAside),
});
export type HistoryStatus = z.infer<typeof HistoryStatus>;

export const historyCalls = {
  /** A pinned call is never removed by retention. */
  'calls.pin': call(z.strictObject({ id: CallId, pinned: z.boolean() }), Nothing),
  'calls.note': call(z.strictObject({ id: CallId, note: z.string().max(4_000) }), Nothing),
  /** Takes calls out of the history until the program ends, and then for good. Pending calls and missing ones are left out. */
  'calls.delete': call(z.strictObject({ ids: CallIds }), z.strictObject({ deleted: z.array(z.number().int()) })),
  /** Puts deleted calls back, of this run and of others that still live. */
  'calls.restore': call(z.strictObject({ ids: CallIds }), z.strictObject({ restored: z.array(z.number().int()) })),
  /** Always answers: an unusable history is a state. */
  'history.status': call(Nothing, HistoryStatus),
  /** Sets what is kept and begins to remove the rest. */
  'history.retain': call(Retention, Retention),
};

export const historyEvents = {
  /** The calls that were pinned or noted; null where others came or went, or the state of the file changed: any may be concerned. */
  'history.changed': event(z.strictObject({ ids: z.array(z.number().int()).nullable() })),
};
