import { filledTextUpTo, textUpTo, wholeNumber, z } from '../model/schema.ts';
import { Confirmed } from './production.ts';

const environmentId = filledTextUpTo(80);

/** Session tokens for launches: a pool for each environment, in core's memory until the session ends. */
export const tokenInputs = {
  /** Lists the pool without its tokens. Fails with `not_found`. */
  'tokens.list': z.strictObject({ environmentId }),
  /**
   * Adds tokens: one on each line, CSV with or without a header (token, playerId, lang, country, currency), or JSON. `file`: the
   * name of the file that the text comes from; empty if it was pasted. Fails with `invalid_input`, and with `refused` if they are too many.
   */
  'tokens.add': z.strictObject({ environmentId, text: filledTextUpTo(2_000_000), file: z._default(textUpTo(255), '') }),
  'tokens.remove': z.strictObject({
    environmentId,
    ids: z.array(wholeNumber(1, Number.MAX_SAFE_INTEGER)).check(z.maxLength(10_000)),
  }),
  /** Puts the used ones back, to be taken again. */
  'tokens.restore': z.strictObject({ environmentId }),
  /** Sends generateNewToken with one of the pool, and puts the new one in its place. Fails with `conflict` if an open launch has it. */
  'tokens.renew': z.strictObject({
    environmentId,
    id: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    newGameId: filledTextUpTo(10_000),
    ticket: filledTextUpTo(100),
    confirmed: Confirmed,
  }),
  /**
   * Sets the program of this machine that yields tokens, with its arguments; empty removes it. The host asks the user in a dialog of
   * its own. Fails with `refused` where the host has none, and with `invalid_input` for a command that needs a shell.
   */
  'tokens.setCommand': z.strictObject({ environmentId, command: textUpTo(4_000) }),
};
