import { serializations } from '../model/default-environment.ts';
import { ReadySign } from '../model/ready-sign.ts';
import { filledTextUpTo, textUpTo, z } from '../model/schema.ts';

/** Most environments of a collection that Croupier looks at. */
export const mostEnvironments = 200;

const notWhole = 'Write a whole number, such as 12.';
const Whole = z.string().check(
  z.regex(/^(?:0|-?[1-9]\d*)$/, notWhole),
  z.refine((text) => Number.isSafeInteger(Number(text)), notWhole),
);

const notSeconds = 'Write seconds from 1 to 600.';
const Seconds = z.string().check(
  z.regex(/^[1-9]\d{0,2}$/, notSeconds),
  z.refine((text) => Number(text) <= 600, notSeconds),
);

/** Returns whether a text names a file beside the environment's: no folder, no hidden file, and an ending of a certificate. */
function isCertificateName(text: string): boolean {
  return text === '' || (/^[^./\\:\0][^/\\:\0]{0,199}\.(?:pem|crt|cer)$/i.test(text) && text.isWellFormed());
}

/**
 * An environment beside the requests of a collection, for everybody who has the collection. Never a key, a login or a token, and nothing that
 * belongs to one machine. Numbers are their text. A field that is absent has its default; an absent text is empty.
 */
export const EnvironmentFile = z.strictObject({
  /** https URLs, as in an environment of the home. */
  baseUrl: filledTextUpTo(2_000),
  walletUrl: z._default(textUpTo(2_000), ''),
  platform: Whole,
  partnerId: Whole,
  /** Required: a removed line must not take the mark away. */
  production: z.boolean(),
  timeZone: z._default(textUpTo(100), ''),
  serialization: z.optional(z.enum(serializations)),
  /** Name of a PEM file beside this one. */
  ca: z._default(z.string().check(z.refine(isCertificateName, 'Name a .pem file in the same folder, without a path.')), ''),
  defaults: z._default(
    z.strictObject({
      currency: z.optional(textUpTo(255)),
      lang: z.optional(textUpTo(255)),
      country: z.optional(textUpTo(255)),
      ip: z.optional(textUpTo(255)),
      exitURL: z.optional(textUpTo(10_000)),
    }),
    {},
  ),
  launchRules: z._default(
    z.strictObject({
      readyWithin: z.optional(Seconds),
      slowAfter: z.optional(Seconds),
      noise: z.optional(z.array(filledTextUpTo(500)).check(z.maxLength(100))),
      readySigns: z.optional(z.array(ReadySign).check(z.maxLength(20))),
      errorTexts: z.optional(z.array(filledTextUpTo(500)).check(z.maxLength(100))),
    }),
    {},
  ),
  /** Name of another environment of the same provider, which holds the recorded answers of both. */
  sameProviderAs: z.optional(filledTextUpTo(100)),
  /** Recorded answers by the ID of their open point. */
  answers: z._default(
    z.record(
      z.string(),
      z.strictObject({
        value: filledTextUpTo(20_000),
        /** Day on which it was recorded. */
        date: z.optional(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, 'Write a date as 2026-01-31.'))),
        /** Source of the answer: the note of a recorded answer. */
        evidence: z.optional(textUpTo(10_000)),
      }),
    ),
    {},
  ),
});
export type EnvironmentFile = z.infer<typeof EnvironmentFile>;
