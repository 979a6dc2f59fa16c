import { OperationName } from '../../model/draft.ts';
import { z } from '../../model/schema.ts';

/**
 * Trust in the text of `data`. `exact`: the bytes that the program had. `reencoded`: a program wrote the values again, so that order and
 * types may hold and spaces and escapes do not. `lossy`: types or characters are lost, and Croupier completed them from the spec.
 */
export const Fidelity = z.enum(['exact', 'reencoded', 'lossy']);
export type Fidelity = z.infer<typeof Fidelity>;

/** One request in a pasted text; null for each field that was not found. */
export const PastedRequest = z.strictObject({
  /** Names of the layers around it, outermost first, such as `log line` and `JSON inside JSON`. */
  layers: z.array(z.string()),
  fidelity: Fidelity,
  action: z.nullable(z.string()),
  /** Operations of this action; without an action those whose fields fit `data`, in the spec's order. Empty if none is known. */
  operations: z.array(OperationName),
  /** As JSON text. */
  platform: z.nullable(z.string()),
  /** As JSON text. */
  partnerId: z.nullable(z.string()),
  time: z.nullable(z.string()),
  /** Extra field of gameList. */
  currency: z.nullable(z.string()),
  /** Text of `data`, or of a wallet method's whole body, as it stood below all layers: `\/` stays `\/`. */
  dataText: z.nullable(z.string()),
  /** Text of the whole envelope, likewise; null unless it stood together and is exact. */
  envelopeText: z.nullable(z.string()),
  /** `…` stands for missing digits; a beginning or an end counts from ten digits. */
  hash: z.nullable(z.string()),
  url: z.nullable(z.string()),
  /** Code of a response beside it. */
  code: z.nullable(z.int()),
  /** Fields that a program masked or truncated: `hash`, `time`, `data`, or a field of data such as `data.externalToken`. */
  missing: z.array(z.string()),
});
export type PastedRequest = z.infer<typeof PastedRequest>;

export const Recognition = z.strictObject({
  /** Likeliest first. Several if several were pasted, or if the text can be read with one layer more or less: the hash decides. */
  requests: z.array(PastedRequest),
  /** Number of requests that are not listed. */
  leftOff: z.int(),
  /** SHA-256 digests without a request around them, as typed. */
  hashes: z.array(z.string()),
  /** Advice if nothing was recognised. */
  problem: z.nullable(z.string()),
});
export type Recognition = z.infer<typeof Recognition>;

export const doctorOutputs = {
  'doctor.recognise': Recognition,
};
