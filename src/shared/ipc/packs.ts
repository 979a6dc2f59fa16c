import { longestPiece } from '../model/limits.ts';
import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';
import { Nothing } from './nothing.ts';

const Ticket = filledTextUpTo(100);

export const packInputs = {
  /**
   * Takes the next piece of a support pack's JSON, in base64. Fails with `invalid_input` if the file is larger than Croupier opens; the pieces are
   * then gone.
   */
  'packs.upload': z.strictObject({ ticket: Ticket, piece: textUpTo(longestPiece).check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/)) }),
  /**
   * Opens the JSON whose pieces were uploaded, to read it. A pack that is open already is returned as it is. `page` is the SHA-256 of the
   * page beside it; null if nobody gave one. Its calls have IDs below 0: `calls.list` with its ID, `calls.get` and the route of response bodies
   * know them, and nothing that sends, writes or exports does. Fails with `invalid_input`, with `refused` if reading it takes too much time
   * or memory, with `not_found` without pieces, and with `conflict` if too many are open.
   */
  'packs.open': z.strictObject({
    ticket: Ticket,
    /** Its file's name. */
    name: textUpTo(1_000),
    page: z._default(z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/))), null),
  }),
  'packs.list': Nothing,
  /** Closes a pack and frees its memory. Returns whether it was open. */
  'packs.close': z.strictObject({ id: filledTextUpTo(100) }),
};
