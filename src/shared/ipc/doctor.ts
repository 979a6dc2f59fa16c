import { languages } from '../doctor/model.ts';
import { longestFile } from '../model/limits.ts';
import { fidelities } from '../model/fidelity.ts';
import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';

/** A request as far as its hash input depends on it. */
const request = z.strictObject({
  action: textUpTo(255),
  /** As JSON text; empty if the envelope has none. */
  platform: textUpTo(255),
  partnerId: textUpTo(255),
  time: textUpTo(1_000),
  dataText: z.nullable(textUpTo(longestFile)),
});

export const doctorInputs = {
  /**
   * Recognises the requests in a pasted text, whatever program wrote it. Keeps nothing of it. Fails with `refused` if the text is longer than
   * 4,000,000 characters or takes too long to read.
   */
  'doctor.recognise': z.strictObject({ text: textUpTo(longestFile) }),
  /**
   * Compares the hash input that an environment's rule demands with that of the text of data that was sent. Needs neither key nor hash. Fails with
   * `not_found`.
   */
  'doctor.compare': z.strictObject({ environmentId: filledTextUpTo(80), request }),
  /**
   * Searches the known mistakes for those that make a request's hash, with the key of the environment and those of others that are open in this
   * session. Returns after the first stage with a match, at the end of the space, or when it is cancelled. Keeps nothing. Fails with `not_found`,
   * `key_missing` and `key_unavailable`.
   */
  'doctor.search': z.strictObject({
    environmentId: filledTextUpTo(80),
    ticket: filledTextUpTo(100),
    request: z.strictObject({
      ...request.shape,
      /** In any form that a mistake gives it. */
      hash: textUpTo(1_000),
    }),
    /** Trust in `dataText`. Only `exact` is taken for the text that was sent. */
    fidelity: z._default(z.enum(fidelities), 'exact'),
    /** Fields that the pasted text hides, as `doctor.recognise` names them. Of hidden data only single mistakes are tried. */
    missing: z._default(z.array(textUpTo(300)), []),
    /** Also tries any three mistakes, and a clock that is off with another mistake: this can take a minute. */
    deep: z._default(z.boolean(), false),
    /** The language of the program that wrote the pasted text: its fix comes first. */
    language: z._default(z.nullable(z.enum(languages)), null),
  }),
  /** Ends the search with this ticket; `doctor.search` returns what it found so far. */
  'doctor.cancel': z.strictObject({ ticket: filledTextUpTo(100) }),
};
