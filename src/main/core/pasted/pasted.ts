import type { Recognition } from '#shared/ipc/index.ts';
import type { Reading } from '../untrusted/jobs.ts';

/** Creates the service that recognises requests in pasted texts. */
export function createPasted(reading: Pick<Reading, 'run'>) {
  return {
    /** Fails with `refused` if the text is too long, or takes too long to read. */
    async recognise(text: string): Promise<Recognition> {
      return reading.run('pasted.read', text, { subject: 'The text', characters: text.length, bytes: 2 * text.length });
    },
  };
}
