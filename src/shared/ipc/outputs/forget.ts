import { filledTextUpTo, z } from '../../model/schema.ts';
import { Nothing } from '../nothing.ts';

const Ticket = filledTextUpTo(100);

/** Something that names the player, or may, and stays. */
export const LeftBehind = z.strictObject({
  /** A sentence that says what it is and what to do. */
  text: z.string(),
  /** Its files, at most 100. */
  files: z.array(z.string()),
  /** True if `setAside` removes it too. */
  setAside: z.boolean(),
});
export type LeftBehind = z.infer<typeof LeftBehind>;

/** Counts of everything in this home that names a player, or that was removed. */
export const ForgetReport = z.strictObject({
  player: z.string(),
  /** True if nothing was removed. */
  dryRun: z.boolean(),
  /** True if it was stopped: the numbers count removals until then, and the rest is still there. */
  cancelled: z.boolean(),
  calls: z.int(),
  /** Subsets of these calls: of production environments, pinned, and naming the player only by a session token. */
  production: z.int(),
  pinned: z.int(),
  byToken: z.int(),
  launches: z.int(),
  runReports: z.int(),
  /** Folders below the home. */
  evidence: z.int(),
  examples: z.int(),
  /** The request files that hold the examples. */
  exampleFiles: z.array(z.string()),
  /** Files of damaged histories, and of the calls recovered from them. */
  setAside: z.int(),
  /** A sentence about removed data that the history's files still hold; null for none and in a dry run. */
  remains: z.nullable(z.string()),
  left: z.array(LeftBehind),
});
export type ForgetReport = z.infer<typeof ForgetReport>;

/** `find`: calls are looked at. `others`: launches, reports, evidence, examples. `remove`: calls are removed. `erase`: the files are cleaned. */
export const ForgetStep = z.enum(['find', 'others', 'remove', 'erase']);
export type ForgetStep = z.infer<typeof ForgetStep>;

export const forgetOutputs = {
  'history.forget': ForgetReport,
  'history.clean': z.strictObject({ remains: z.nullable(z.string()) }),
  'history.cancelForget': z.strictObject({ cancelled: z.boolean() }),
};

export const forgetEvents = {
  /** The logs of this session no longer name a player. */
  'history.forgotten': Nothing,
  /** About ten times a second. `total` is 0 if it is not known. */
  'history.forgetting': z.strictObject({
    ticket: Ticket,
    step: ForgetStep,
    done: z.int(),
    total: z.int(),
  }),
};
