import { readFileJob, writeFileJob } from '#core/collections/file-jobs.ts';
import type { FileReader } from '#core/collections/file-reader.ts';

/** Reads files of collections in the thread of the test. */
export const inPlaceReader: FileReader = {
  read: async (kind, source) => readFileJob({ kind, source }),
  write: async (kind, source, value) => writeFileJob({ kind, source, value }),
};
