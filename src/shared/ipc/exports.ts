import { exportFormats } from '../model/formats.ts';
import { filledTextUpTo, z } from '../model/schema.ts';

/** Formats in which recorded calls can be exported. */
export const ExportFormat = z.enum(exportFormats.map(({ name }) => name));
export type ExportFormat = z.infer<typeof ExportFormat>;

/** Form of a program: `as-sent` sends the recorded bytes again, `resigning` makes a fresh time and hash from the same data. */
export const ExportForm = z.enum(['as-sent', 'resigning']);
export type ExportForm = z.infer<typeof ExportForm>;

const ExportId = filledTextUpTo(100);

export const exportInputs = {
  /**
   * Begins an export of one file, or for `support` of two: a page to read and its JSON. Each call occurs once, in the order of sending.
   * `exports.read` returns the contents; an export that nobody reads for a minute ends. Refused with `conflict` while too many others are under way.
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
   * Returns the next part of an export, within a moment. Refused with `refused` if a file would hold the private key of an environment in any form,
   * and with `key_unavailable` if Croupier cannot find out: the export then ends, and the caller must discard the parts already read.
   */
  'exports.read': z.strictObject({ id: ExportId }),
  /** Ends an export; returns whether there was one. */
  'exports.cancel': z.strictObject({ id: ExportId }),
};
