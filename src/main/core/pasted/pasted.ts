import { AppError } from '#shared/errors.ts';
import type { Recognition } from '#shared/ipc/index.ts';
import type { Reading } from '../untrusted/jobs.ts';

/** Longest text to recognise, in UTF-16 units. */
const longest = 4_000_000;

/** Creates the service that recognises requests in pasted texts. */
export function createPasted(reading: Pick<Reading, 'run'>) {
  return {
    /** Fails with `refused` if the text is too long, or takes too long to read. */
    async recognise(text: string): Promise<Recognition> {
      if (text.length > longest) {
        throw new AppError(
          'refused',
          `The text was not read: it has ${text.length.toLocaleString('en')} characters; Croupier reads at most ` +
            `${longest.toLocaleString('en')}. Paste the lines around the request.`,
        );
      }
      return reading.run('pasted.read', text, {
        subject: 'The text',
        advice: 'Paste the lines around the request.',
        bytes: 2 * text.length,
      });
    },
  };
}
