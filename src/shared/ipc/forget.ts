import { filledTextUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

const Ticket = filledTextUpTo(100);

export const forgetInputs = {
  /**
   * Removes everything in this home that names the player, for good, also of production environments; `dryRun` only says what that would be.
   * `setAside`: also every file of a damaged history, which cannot be looked into. Fails with `conflict` while another one is under way.
   */
  'history.forget': z.strictObject({
    player: filledTextUpTo(1_000),
    dryRun: z.boolean(),
    setAside: z._default(z.boolean(), false),
    ticket: Ticket,
  }),
  /**
   * Takes what was removed earlier out of the files of the history; `remains` as in `history.forget`. A large file is rewritten on the command line alone,
   * while no other copy of Croupier runs. Fails with `storage`.
   */
  'history.clean': Nothing,
  /** Stops it. What was removed stays removed. Whether there was one. */
  'history.cancelForget': z.strictObject({ ticket: Ticket }),
};
