import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createReading } from '../app/reading-jobs.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { smallBytes, unread } from '../untrusted/measure.ts';
import { createCancellation } from './cancellation.ts';
import { createResponseReader, readResponse, type ResponseText } from './read-response.ts';

const reading = createReading({
  program: fileURLToPath(new URL('../app/reading-worker.ts', import.meta.url)),
  later: (work, milliseconds) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
});
afterAll(() => reading.close());

const never = createCancellation();

const failed = (error: unknown): never => {
  throw error;
};

function response(text: string, operation: ResponseText['operation'] = 'gameList'): ResponseText {
  return { operation, form: 'default', requestBody: Buffer.from('{}'), body: Buffer.from(text), status: 200, answers: {} };
}

function gameList(games: number): string {
  const slots = Array.from({ length: games }, (_, id) => ({ id, gameName: `Game ${id}`, extra: 1 }));
  return JSON.stringify({ code: 0, message: 'ok', data: { slots } });
}

describe('a response', () => {
  it('that is long is read in a thread, to the same result', async () => {
    const long = response(gameList(2_000));
    expect(long.body.length).toBeGreaterThan(smallBytes);
    const asked: string[] = [];
    const told = { ...reading, run: ((name, ...rest) => (asked.push(name), reading.run(name, ...rest))) as Reading['run'] };
    const result = await createResponseReader(told, failed)(long, never);
    expect(asked).toEqual(['response.read']);
    expect(result).toEqual(readResponse(long));
    expect(result).toMatchObject({ code: 0, message: 'ok' });
    expect(result.findings.map(({ rule }) => rule)).toContain('undocumented');
  });

  it('that is short is read at once', () => {
    const read = createResponseReader({ run: () => Promise.reject(new Error('Nobody asks a thread')) }, failed);
    expect(read(response(gameList(10)), never)).toMatchObject({ code: 0 });
  });

  it.each([
    [
      'deep',
      `{"code":0,"message":"ok","data":${'['.repeat(1_500)}${']'.repeat(1_500)}}`,
      'it is nested 1,501 levels deep; Croupier reads at most 1,000.',
      0,
      'ok',
    ],
    [
      'full',
      `{"data":[${'{},'.repeat(600_000)}{}],"message":"hash not valid","code":8}`,
      'it has about 1,200,006 values; Croupier reads at most 1,200,000.',
      8,
      'hash not valid',
    ],
    ['full', `[${'{},'.repeat(600_000)}{}]`, 'it has about 1,200,003 values; Croupier reads at most 1,200,000.', null, null],
    [
      'full',
      `{"code":0,"data":[${'{},'.repeat(600_000)}{}`,
      'it has about 1,200,005 values; Croupier reads at most 1,200,000.',
      null,
      null,
    ],
  ])('that is too %s is not judged beyond code and message, and says so', async (_, text, why, code, message) => {
    const read = code === null ? '' : ' beyond code and message';
    const expected = {
      code,
      message,
      findings: [
        {
          rule: 'answer.unread',
          severity: 'warning',
          path: '',
          message: `The response${read} was not read: ${why} Save it to a file and read it there.`,
        },
      ],
    };
    expect(readResponse(response(text))).toEqual(expected);
    expect(await createResponseReader(reading, failed)(response(text), never)).toEqual(expected);
  });

  it('that takes more of a thread than it has is read for code and message, and two codes are said first', async () => {
    const body = `{"code":8,"data":{"a":1},"code":0,"x":"${'x'.repeat(smallBytes)}"}`;
    const asked: (string | undefined)[] = [];
    const run = ((_name, input: ResponseText) => {
      asked.push(input.unread);
      return input.unread === undefined
        ? Promise.reject(unread('The response was not read: no.'))
        : Promise.resolve(readResponse(input));
    }) as Reading['run'];
    const { code, findings } = await createResponseReader({ run }, failed)(response(body), never);
    expect(asked).toEqual([undefined, 'The response was not read: no.']);
    expect([code, ...findings.map(({ rule, message }) => `${rule}: ${message}`)]).toEqual([
      null,
      'duplicate-key: code occurs twice: 8 and 0. Some JSON parsers take the first, others the last.',
      'answer.unread: The response beyond code and message was not read: no.',
    ]);
  });

  it('whose reading is stopped is not judged, and says so', async () => {
    const stopped = createCancellation();
    stopped.request();
    const result = await createResponseReader(reading, failed)(response(gameList(2_000)), stopped);
    expect(result).toMatchObject({
      code: null,
      findings: [{ rule: 'answer.unread', message: expect.stringContaining('cancelled') }],
    });
  });

  it('that shows a mistake of ours is recorded all the same', async () => {
    const faults: unknown[] = [];
    const broken = createResponseReader({ run: () => Promise.reject(new TypeError('a mistake')) }, (error) => faults.push(error));
    expect(await broken(response(gameList(2_000)), never)).toMatchObject({ code: null, findings: [{ rule: 'answer.unread' }] });
    expect(faults).toEqual([new TypeError('a mistake')]);
  });

  it('may hold a number of millions of digits', () => {
    const { code } = readResponse(response(`{"code":0,"message":"ok","data":{"slots":[{"id":${'7'.repeat(9_000_000)}}]}}`));
    expect(code).toBe(0);
  });

  it('keeps the beginning of a message that is too long', () => {
    const { message } = readResponse(response(JSON.stringify({ code: 1, message: 'x'.repeat(1_000_000), data: null })));
    expect(message).toBe(`${'x'.repeat(1_000)}…`);
  });
});
