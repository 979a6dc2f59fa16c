import { readFileJob, writeFileJob } from '#core/collections/file-jobs.ts';
import { jobs } from '#core/app/reading-jobs.ts';
import type { FileReader } from '#core/collections/file-reader.ts';
import type { JobInput, Reading } from '#core/untrusted/jobs.ts';

/** Reads files of collections in the thread of the test. */
export const inPlaceReader: FileReader = {
  read: async (kind, source) => readFileJob({ kind, source }),
  write: async (kind, source, value) => writeFileJob({ kind, source, value }),
};

/** Does jobs on untrusted text in the thread of the test. */
export const inPlaceReading: Pick<Reading, 'run'> = {
  async run(name, input) {
    const job = (await jobs[name]()) as (given: JobInput<typeof name>) => never;
    return job(input);
  },
};
