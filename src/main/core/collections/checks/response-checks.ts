import type { Reading } from '../../untrusted/jobs.ts';
import { stoppedWords } from '../../calls/read-response.ts';
import { responseSubject, smallBytes, unreadWords } from '../../untrusted/measure.ts';
import { createChecks } from './checks.ts';
import { lookAtAnswer, type AnswerSubject, type LookedAt } from './check-response.ts';
import { createTimeLimit, noLimit } from './time-limit.ts';

/** Checks a response for a request: nothing in the response makes it reject. */
export type Look = (subject: AnswerSubject, signal?: AbortSignal) => Promise<LookedAt>;

/** Most milliseconds for checking a response in place; after that, a thread checks it again. */
const inPlaceMs = 25;
/** Number of bytes up to which a response with few checks, none of which can take long, needs no clock. */
const plainBytes = 16_384;
const plainChecks = 100;

/**
 * Creates the look: in place if that is quick, as for nearly every response; otherwise in a thread, with a budget for its regular
 * expressions.
 */
export function createLook(reading: Pick<Reading, 'run'>): Look {
  const checks = createChecks();
  return async (subject, signal) => {
    await checks.load([subject]);
    if (isPlain(subject)) return lookAtAnswer(checks, subject, noLimit, null);
    if (subject.body.length <= smallBytes) {
      const done = createTimeLimit(inPlaceMs).within(() => lookAtAnswer(checks, subject, noLimit, null));
      if (done !== null) return done.value;
    }
    try {
      return await reading.run('response.look', subject, {
        subject: responseSubject,
        bytes: subject.body.length,
        inPlace: false,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      const words = unreadWords(error) ?? stoppedWords(error);
      if (words === null) throw error;
      return lookAtAnswer(checks, subject, noLimit, words);
    }
  };
}

function isPlain({ body, expect, take }: AnswerSubject): boolean {
  const paths = [...expect.flatMap((one) => ('path' in one ? [one.path] : [])), ...Object.values(take)];
  return (
    body.length <= plainBytes &&
    expect.length + paths.length <= plainChecks &&
    expect.every((one) => !('matches' in one)) &&
    paths.every((path) => !path.startsWith('$') || !/\.\.|\?/.test(path))
  );
}
