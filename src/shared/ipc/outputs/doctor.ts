import { fidelities } from '../../model/fidelity.ts';
import { OperationName } from '../../model/draft.ts';
import { z } from '../../model/schema.ts';
import { languages } from '../../doctor/model.ts';
import { stages as stageNames } from '../../doctor/search.ts';

export type { Fidelity } from '../../model/fidelity.ts';

/** One request in a pasted text; null for each field that was not found. */
export const PastedRequest = z.strictObject({
  /** Names of the layers around it, outermost first, such as `log line` and `JSON inside JSON`. */
  layers: z.array(z.string()),
  /** The language of the program that wrote the text; null if it does not show. */
  language: z.nullable(z.enum(languages)),
  fidelity: z.enum(fidelities),
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
  /** Advice if nothing was recognised, or if the text was not read to its end. */
  problem: z.nullable(z.string()),
});
export type Recognition = z.infer<typeof Recognition>;

/** A known mistake in words; its ID is stable. */
export const FoundMistake = z.strictObject({
  id: z.string(),
  says: z.string(),
  /** Those who make it; empty for nobody in particular. */
  who: z.string(),
});
export type FoundMistake = z.infer<typeof FoundMistake>;

/** A program in one language that signs right, as a change of the kind of code that makes the mistakes. Tests have run both. */
export const Fix = z.strictObject({
  language: z.enum(languages),
  lines: z.array(z.strictObject({ change: z.enum(['same', 'removed', 'added']), text: z.string() })),
});
export type Fix = z.infer<typeof Fix>;

/** A hash input in its parts; `text` has `<PRIVATE_KEY>` in place of the key. */
export const ShownInput = z.strictObject({ text: z.string(), time: z.string(), data: z.nullable(z.string()) });
export type ShownInput = z.infer<typeof ShownInput>;

export const Comparison = z.strictObject({
  /** The input that the rule demands. Null data: there is none, or PHP refuses it, which `problem` says. */
  expected: ShownInput,
  problem: z.nullable(z.string()),
  /** The same with the text of `data` as it was sent; null if there is no data. */
  sent: z.nullable(ShownInput),
  /** Offset of their first differing byte, counted after the key; null if they are equal or one is not known. */
  differsAt: z.nullable(z.int()),
});
export type Comparison = z.infer<typeof Comparison>;

export const DoctorStage = z.strictObject({
  stage: z.enum(stageNames),
  /** `skipped`: data is too long for it. */
  state: z.enum(['done', 'skipped', 'unfinished']),
  tried: z.int(),
  /** All hash inputs of the stage; 0 if it did not begin. */
  total: z.int(),
  /** Milliseconds. */
  took: z.number(),
});
export type DoctorStage = z.infer<typeof DoctorStage>;

/**
 * The mistakes that the text of `data` shows, likeliest first, where hashed as it was sent it does not make the hash; an empty one if it has the
 * rule's form. None if the text cannot be trusted, and before pairs of mistakes were tried.
 */
const Guesses = z.array(z.array(FoundMistake));

export const DoctorReport = z.strictObject({
  /**
   * `rule`: the hash is right. `sent`: it fits what was sent, which is not what the rule or the spec demands. `other`: another text was
   * hashed. `none`: no known mistake makes it. `unreadable`: it cannot be searched. `cancelled`: stopped before a match.
   */
  verdict: z.enum(['rule', 'sent', 'other', 'none', 'unreadable', 'cancelled']),
  /** Sentences about what the request shows by itself: said first. Without what an explanation says, too. */
  seen: z.array(z.string()),
  /** The finding: the mistakes, or the verdict. Ends in a full stop. */
  says: z.string(),
  /** The input that the rule demands, and its hash. Null data: there is none, or PHP refuses it, which `problem` says. */
  expected: z.strictObject({ ...ShownInput.shape, hash: z.nullable(z.string()) }),
  problem: z.nullable(z.string()),
  /** The input that was hashed, if it was found. */
  hashed: z.nullable(ShownInput),
  /** Offset of the first differing byte of the two inputs, counted after the key; null if they are equal or one is not known. */
  differsAt: z.nullable(z.int()),
  /** The explanations that fit, likeliest first; each is made of all its mistakes. Of a right hash none. */
  ways: z.array(z.array(FoundMistake)),
  /** Number of explanations that are not listed. */
  leftOff: z.int(),
  /** Sentences on what to look up if the cause of a mistake is not, or not only, in the code. */
  advice: z.array(z.string()),
  /** For all mistakes of the first explanation together, likeliest first: in the language of the pasted text. */
  fixes: z.array(Fix),
  /** Compared digits: fewer than 64 for a cut hash. */
  digits: z.int(),
  /** Sentences about the usual mistakes that this request cannot show, whatever was found. */
  unseen: z.array(z.string()),
  guesses: Guesses,
  stages: z.array(DoctorStage),
  /** Number of keys that took part. */
  keys: z.int(),
});
export type DoctorReport = z.infer<typeof DoctorReport>;

export const doctorOutputs = {
  'doctor.recognise': Recognition,
  'doctor.compare': Comparison,
  'doctor.search': DoctorReport,
  'doctor.cancel': z.strictObject({ cancelled: z.boolean() }),
};

export const doctorEvents = {
  /** A search went on. `perSecond`: hash inputs tried in a second, so far. */
  'doctor.progressed': z.strictObject({
    ticket: z.string(),
    stages: z.array(DoctorStage),
    perSecond: z.int(),
    guesses: Guesses,
  }),
};
