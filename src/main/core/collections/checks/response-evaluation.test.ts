import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Expectation } from '#shared/collections/model.ts';
import { z } from '#shared/model/schema.ts';
import type { Call } from '#shared/ipc/index.ts';
import { readResponse } from '../../calls/read-response.ts';
import { createReading } from '../../app/reading-jobs.ts';
import type { Reading } from '../../untrusted/jobs.ts';
import { smallBytes } from '../../untrusted/measure.ts';
import { createEvaluation } from './response-evaluation.ts';
import type { EvaluationSubject } from './evaluate-response.ts';

const reading = createReading({
  program: fileURLToPath(new URL('../../app/reading-worker.ts', import.meta.url)),
  later: (work, milliseconds) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
});
afterAll(() => reading.close());

const inPlace = createEvaluation({ run: () => Promise.reject(new Error('No thread is asked')) });

/** Creates an evaluation that records which jobs it gave to a thread. */
function watched() {
  const asked: string[] = [];
  const run: Reading['run'] = (name, input, options) => {
    asked.push(name);
    return reading.run(name, input, options);
  };
  return { asked, evaluate: createEvaluation({ run }) };
}

function subject(text: string, expected: readonly unknown[], take: Record<string, string> = {}): EvaluationSubject {
  const body = Buffer.from(text);
  const request = { operation: 'gameList', form: 'default', requestBody: Buffer.from('{}') } as const;
  const { code, message, findings } = readResponse({ ...request, body, status: 200, answers: {} });
  const call = {
    operation: 'gameList',
    status: 200,
    code,
    message,
    findings,
    failure: null,
    durationMs: 5,
    request: { bodyText: '{}', hashInput: null },
    response: { truncated: false },
  } as unknown as Call;
  const expect = z.array(Expectation).parse(expected);
  return { call, body, expect, take, unresolved: [], known: [], answers: {}, sentences: [] };
}

const slow = { path: '/a', matches: '^(a+)+$' };
const evil = JSON.stringify({ code: 0, a: `${'a'.repeat(60)}!` });

describe('a response that a request expects something of', () => {
  it('is evaluated in place where that is quick', async () => {
    const short = '{"code":0,"a":"x1"}';
    expect(await inPlace(subject(short, [{ code: '0' }, { path: '$.a', equals: 'x1' }], { it: '/a' }))).toMatchObject({
      results: [{ passed: true }, { passed: true }],
      taken: [['it', 'x1']],
    });
    // Also if it need not be.
    const { results } = await watched().evaluate(
      subject(short, [
        { path: '/a', matches: '^x\\d$' },
        { path: '$..a', count: '1' },
      ]),
    );
    expect(results.map(({ passed }) => passed)).toEqual([true, true]);
  });

  it('is evaluated in a thread where it is long, to the same result', async () => {
    const { asked, evaluate } = watched();
    const text = JSON.stringify({ code: 0, list: Array.from({ length: 10_000 }, (_, id) => ({ id })), token: 'secret-4711' });
    expect(text.length).toBeGreaterThan(smallBytes);
    const checks = [{ code: '0' }, { path: '$.list[*].id', below: '5' }, { path: '/token', equals: 'secret' }];
    const { results, taken, sentences } = await evaluate({
      ...subject(text, checks, { last: '$.list[-1].id', none: '/x' }),
      sentences: ['It was secret-4711.'],
    });
    expect(asked).toEqual(['response.evaluate']);
    expect(results.map(({ passed }) => passed)).toEqual([true, false, false, false]);
    expect(taken).toEqual([['last', '9999']]);
    expect(JSON.stringify([results, sentences])).not.toContain('4711');
  });

  it('gives all of its slow regular expressions one budget, and never says that they do not match', async () => {
    const { asked, evaluate } = watched();
    const { results } = await evaluate(subject(evil, [...Array.from({ length: 15 }, () => slow), { code: '0' }]));
    expect(asked).toEqual(['response.evaluate']);
    expect(results.map(({ passed }) => passed)).toEqual([...Array.from({ length: 15 }, () => false), true]);
    for (const { message, actual } of results.slice(0, 15)) {
      expect(message).toMatch(/^The response was not compared: the regular expressions took more than 1 second in all/);
      expect(actual).toBe('(not compared)');
    }
  });

  it('is left where it is stopped, and nothing in it is judged', async () => {
    const stop = new AbortController();
    const evaluating = watched().evaluate(subject(evil, [slow, { status: '200' }], { it: '/a' }), stop.signal);
    stop.abort();
    const { results, taken } = await evaluating;
    expect(results.map(({ check, passed, message }) => [check, passed, message])).toEqual([
      ['/a matches /^(a+)+$/', false, expect.stringMatching(/^The response was not read: /)],
      ['HTTP status is 200', true, ''],
      ['/a gives it', false, expect.stringMatching(/^The response was not read: /)],
    ]);
    expect(taken).toEqual([]);
  });

  it('whose texts are too long to be looked through is not judged, or is read', async () => {
    const text = JSON.stringify({ code: 0, a: 'x\n'.repeat(4_000_000) });
    const { results } = await watched().evaluate(subject(text, [{ path: '/a', contains: 'y' }]));
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ passed: false });
  });

  it('that is too deep passes no check about what is in it but its code', async () => {
    const deep = `{"code":0,"a":${'['.repeat(1_500)}${']'.repeat(1_500)}}`;
    const checks = [{ code: '0' }, { shape: 'documented' }, { path: '/b', present: false }, { path: '/a' }, { status: '200' }];
    const { results } = await inPlace(subject(deep, checks));
    const words =
      /^The response(?: beyond code and message)? was not read: it is nested 1,501 levels deep; Croupier reads at most 1,000\./;
    // The code is read at any depth.
    expect(results.map(({ passed }) => passed)).toEqual([true, false, false, false, true]);
    for (const { message } of results.slice(1, 4)) expect(message).toMatch(words);
  });
});
