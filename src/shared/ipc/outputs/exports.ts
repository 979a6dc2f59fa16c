import { filledTextUpTo, z } from '../../model/schema.ts';

const ExportId = filledTextUpTo(100);

/** One file of an export, not written anywhere yet. */
export const ExportedFile = z.strictObject({
  /** A file name for every file system that describes the contents. One of a directory has its path, from the name of that on, with `/`. */
  name: z.string(),
  mediaType: z.string(),
  text: z.string(),
});
export type ExportedFile = z.infer<typeof ExportedFile>;

/** The next part of an export, with its progress: all calls are read first, then written. */
export const ExportPart = z.strictObject({
  step: z.enum(['read', 'write']),
  /** Number of calls done in this step. */
  done: z.int(),
  total: z.int(),
  /** Index of the file to which `text` is appended; `text` is empty while calls are read. */
  file: z.int(),
  text: z.string(),
  /** Number of tokens masked so far, including repetitions. */
  masked: z.int(),
  /** True for the last part. */
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
