import { longestFile } from '../model/limits.ts';
import { textUpTo, z } from '../model/schema.ts';

export const doctorInputs = {
  /**
   * Recognises the requests in a pasted text, whatever program wrote it. Keeps nothing of it. Fails with `refused` if the text is longer than
   * 4,000,000 characters or takes too long to read.
   */
  'doctor.recognise': z.strictObject({ text: textUpTo(longestFile) }),
};
