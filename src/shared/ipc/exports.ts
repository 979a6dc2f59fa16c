import { call, filledTextUpTo, z } from './contract.ts';

/** What recorded calls can be exported as. `curl`, `php`, `node` and `python` are programs. */
export const ExportFormat = z.enum(['har', 'curl', 'php', 'node', 'python', 'jsonl', 'support']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** Of a program: `as-sent` sends the recorded bytes again, `resigning` makes a fresh time and hash from the same data. */
export const ExportForm = z.enum(['as-sent', 'resigning']);
export type ExportForm = z.infer<typeof ExportForm>;

/** One file of an export, not written anywhere yet. */
export const ExportedFile = z.strictObject({
  /** Fit for every file system; it says what is in the file. */
  name: z.string(),
  mediaType: z.string(),
  text: z.string(),
});
export type ExportedFile = z.infer<typeof ExportedFile>;

const ExportId = filledTextUpTo(100);

/** What comes next in an export, and how far it is: calls are read first, all of them, and then written. */
export const ExportPart = z.strictObject({
  step: z.enum(['read', 'write']),
  /** Calls that this was done with. */
  done: z.int(),
  total: z.int(),
  /** Where the text belongs, by the place of the file in the list; it follows on what came before. Empty while calls are read. */
  file: z.int(),
  text: z.string(),
  /** How many tokens and other places that repeat one were masked until now. */
  masked: z.int(),
  /** That was all of it. */
  ended: z.boolean(),
});
export type ExportPart = z.infer<typeof ExportPart>;

export const exportCalls = {
  /**
   * Begins an export: one file, two for `support`: a page to read and its JSON. Calls follow one another as they were sent, each once. What is in the
   * files comes by `exports.read`; one that nobody reads for a minute ends. Refused with `conflict` while too many others are under way.
   */
  'exports.create': call(
    z.strictObject({
      callIds: z.array(z.int().check(z.gte(1))).check(z.minLength(1), z.maxLength(90_000)),
      format: ExportFormat,
      /** `resigning` is for programs alone: refused with `invalid_input` for the others. */
      form: z._default(ExportForm, 'as-sent'),
      /** Session and replay tokens are masked unless this is true. */
      keepTokens: z._default(z.boolean(), false),
      /** The environment variable from which a re-signing program takes the key. */
      keyVariable: z._default(z.string().check(z.regex(/^[A-Z_][A-Z0-9_]{0,99}$/)), 'CROUPIER_KEY'),
    }),
    z.strictObject({
      id: ExportId,
      files: z.array(z.omit(ExportedFile, { text: true })),
      calls: z.int(),
    }),
  ),
  /**
   * The next part of an export, within a moment. Refused with `refused` where a file would hold the private key of an environment in any form, and with
   * `key_unavailable` where that cannot be told now: then the export is over, and what was read of it is to be thrown away.
   */
  'exports.read': call(z.strictObject({ id: ExportId }), ExportPart),
  /** Ends an export; whether there was one. */
  'exports.cancel': call(z.strictObject({ id: ExportId }), z.strictObject({ cancelled: z.boolean() })),
};
