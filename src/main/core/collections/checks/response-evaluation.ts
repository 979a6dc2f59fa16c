import type { Reading } from '../../untrusted/jobs.ts';
import { stoppedWords } from '../../calls/read-response.ts';
import { responseSubject, smallBytes, unreadWords } from '../../untrusted/measure.ts';
import { createChecks } from './checks.ts';
import { evaluateResponse, type EvaluationSubject, type Evaluated } from './evaluate-response.ts';
import { createTimeLimit, noLimit } from './time-limit.ts';

/** Checks a response for a request: nothing in the response makes it reject. */
export type EvaluateResponse = (subject: EvaluationSubject, signal?: AbortSignal) => Promise<Evaluated>;

/** Most milliseconds for checking a response in place; after that, a thread checks it again. */
const inPlaceMs = 25;
/** Number of bytes up to which a response with few checks, none of which can take long, needs no clock. */
const plainBytes = 16_384;
const plainChecks = 100;

/**
 * Creates the evaluation of responses: in place if that is quick, as for nearly every response; otherwise in a thread, with a budget for its regular
 * expressions.
 */
export function createEvaluation(reading: Pick<Reading, 'run'>): EvaluateResponse {
  const checks = createChecks();
  return async (subject, signal) => {
    await checks.load([subject]);
    if (isPlain(subject)) return evaluateResponse(checks, subject, noLimit, null);
    if (subject.body.length <= smallBytes) {
      const done = createTimeLimit(inPlaceMs).within(() => evaluateResponse(checks, subject, noLimit, null));
      if (done !== null) return done.value;
    }
    try {
      return await reading.run('response.evaluate', subject, {
        subject: responseSubject,
        bytes: subject.body.length,
        inPlace: false,
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      const words = unreadWords(error) ?? stoppedWords(error);
      if (words === null) throw error;
      return evaluateResponse(checks, subject, noLimit, words);
    }
  };
}

function isPlain({ body, expect, take }: EvaluationSubject): boolean {
  const paths = [...expect.flatMap((one) => ('path' in one ? [one.path] : [])), ...Object.values(take)];
  return (
    body.length <= plainBytes &&
    expect.length + paths.length <= plainChecks &&
    expect.every((one) => !('matches' in one)) &&
    paths.every((path) => !path.startsWith('$') || !/\.\.|\?/.test(path))
  );
}
