import { filledTextUpTo, z } from '../../model/schema.ts';

const ExportId = filledTextUpTo(100);

/** One file of an export, not written anywhere yet. */
export const ExportedFile = z.strictObject({
  /** Fit for every file system; it says what is in the file. */
  name: z.string(),
  mediaType: z.string(),
  text: z.string(),
});
export type ExportedFile = z.infer<typeof ExportedFile>;

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

export const exportOutputs = {
  'exports.create': z.strictObject({
    id: ExportId,
    files: z.array(z.omit(ExportedFile, { text: true })),
    calls: z.int(),
  }),
  'exports.read': ExportPart,
  'exports.cancel': z.strictObject({ cancelled: z.boolean() }),
};
