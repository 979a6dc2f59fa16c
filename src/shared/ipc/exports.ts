import { filledTextUpTo, z } from '../model/schema.ts';

/** What recorded calls can be exported as. `curl`, `php`, `node` and `python` are programs. */
export const ExportFormat = z.enum(['har', 'curl', 'php', 'node', 'python', 'jsonl', 'support']);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** Of a program: `as-sent` sends the recorded bytes again, `resigning` makes a fresh time and hash from the same data. */
export const ExportForm = z.enum(['as-sent', 'resigning']);
export type ExportForm = z.infer<typeof ExportForm>;

const ExportId = filledTextUpTo(100);

export const exportInputs = {
  /**
   * Begins an export: one file, two for `support`: a page to read and its JSON. Calls follow one another as they were sent, each once. What is in the
   * files comes by `exports.read`; one that nobody reads for a minute ends. Refused with `conflict` while too many others are under way.
   */
  'exports.create': z.strictObject({
    callIds: z.array(z.int().check(z.gte(1))).check(z.minLength(1), z.maxLength(90_000)),
    format: ExportFormat,
    /** `resigning` is for programs alone: refused with `invalid_input` for the others. */
    form: z._default(ExportForm, 'as-sent'),
    /** Session and replay tokens are masked unless this is true. */
    keepTokens: z._default(z.boolean(), false),
    /** The environment variable from which a re-signing program takes the key. */
    keyVariable: z._default(z.string().check(z.regex(/^[A-Z_][A-Z0-9_]{0,99}$/)), 'CROUPIER_KEY'),
  }),
  /**
   * The next part of an export, within a moment. Refused with `refused` where a file would hold the private key of an environment in any form, and with
   * `key_unavailable` where that cannot be told now: then the export is over, and what was read of it is to be thrown away.
   */
  'exports.read': z.strictObject({ id: ExportId }),
  /** Ends an export; whether there was one. */
  'exports.cancel': z.strictObject({ id: ExportId }),
};
