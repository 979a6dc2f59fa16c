import { filledTextUpTo, z } from '../../model/schema.ts';

const Ticket = filledTextUpTo(100);

/** Something that holds the player, or may, and that forgetting does not remove. */
export const LeftBehind = z.strictObject({
  /** A sentence: what it is, and what can be done. */
  text: z.string(),
  /** The files that it is in; the first hundred of them. */
  files: z.array(z.string()),
  /** That `setAside` removes it too. */
  setAside: z.boolean(),
});
export type LeftBehind = z.infer<typeof LeftBehind>;

/** What names a player in this home, or what was removed of it. */
export const ForgetReport = z.strictObject({
  player: z.string(),
  /** True where it was only looked for. */
  dryRun: z.boolean(),
  /** It was stopped: what the numbers say was removed until then, and the rest is still there. */
  cancelled: z.boolean(),
  calls: z.int(),
  /** Of these calls: those of production environments, pinned ones, and those that name the player by a session token alone. */
  production: z.int(),
  pinned: z.int(),
  byToken: z.int(),
  launches: z.int(),
  runReports: z.int(),
  /** Folders below the home. */
  evidence: z.int(),
  examples: z.int(),
  /** The files of collections that the examples are in. */
  exampleFiles: z.array(z.string()),
  /** Files of damaged histories that were set aside, with what was read out of them. */
  setAside: z.int(),
  /** What of the removed can still be read in the files of the history, in words; null where nothing can, and in a dry run. */
  remains: z.nullable(z.string()),
  left: z.array(LeftBehind),
});
export type ForgetReport = z.infer<typeof ForgetReport>;

/** `find`: calls are looked at. `others`: launches, reports, evidence, examples. `remove`: calls are removed. `erase`: the files are cleaned of them. */
export const ForgetStep = z.enum(['find', 'others', 'remove', 'erase']);
export type ForgetStep = z.infer<typeof ForgetStep>;

export const forgetOutputs = {
  'history.forget': ForgetReport,
  'history.clean': z.strictObject({ remains: z.nullable(z.string()) }),
  'history.cancelForget': z.strictObject({ cancelled: z.boolean() }),
};

export const forgetEvents = {
  /** About ten times a second. `total` is 0 where it is not known. */
  'history.forgetting': z.strictObject({
    ticket: Ticket,
    step: ForgetStep,
    done: z.int(),
    total: z.int(),
  }),
};
