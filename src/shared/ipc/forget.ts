import { filledTextUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

const Ticket = filledTextUpTo(100);

export const forgetInputs = {
  /**
   * Removes everything in this home that names the player, for good, also of production environments; `dryRun` only reports what that would be.
   * `setAside`: also removes every file of a damaged history, which Croupier cannot search. Fails with `conflict` while another one is under way.
   */
  'history.forget': z.strictObject({
    player: filledTextUpTo(1_000),
    dryRun: z.boolean(),
    setAside: z._default(z.boolean(), false),
    ticket: Ticket,
  }),
  /**
   * Erases earlier removals from the files of the history; `remains` as in `history.forget`. Only the command line rewrites a large file, and only
   * while no other copy of Croupier runs. Fails with `storage`.
   */
  'history.clean': Nothing,
  /** Stops it; removals so far are final. Returns whether there was one. */
  'history.cancelForget': z.strictObject({ ticket: Ticket }),
};
