import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, json, own, sessionSecret, startRecorded, type Recorded } from '#testing/loopback-driver.ts';
import { callIn, failure, isRecord, readBytes } from './read-json.ts';

let run: Recorded;
let headers: Record<string, string>;

beforeEach(async () => {
  run = await startRecorded();
  headers = { ...own(run.server), ...json, 'x-croupier-session': await sessionSecret(run) };
});
afterEach(() => run.server.close());

function call(body: string | Buffer, more: Record<string, string> = {}): ReturnType<typeof ask> {
  return ask(run.server, { method: 'POST', path: '/call', headers: { ...headers, ...more }, body });
}

const around = (input: string) => `{"name":"calls.get","input":${input}}`;

describe('A call of the page is measured before it is parsed', () => {
  it.each([
    ['nested too deep', around('['.repeat(1_000_000)), 413, 'nested deeper than 33 levels'],
    ['nested too deep, and no JSON', `${'[{"a":'.repeat(40)}`, 413, 'nested deeper than 33 levels'],
    ['with too many values', around(`[${'0,'.repeat(200_000)}0]`), 413, 'more than 100,000 values'],
    ['that is too large', around(`"${'x'.repeat(16_000_000)}"`), 413, 'more than 16,000,000 bytes'],
    ['that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'not JSON in UTF-8'],
    ['that is not JSON', '{"name":', 400, 'not JSON in UTF-8'],
  ])('%s: is refused and reaches nobody', async (_, body, status, words) => {
    const answer = await call(body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringContaining(words) as string },
    });
    expect(run.reached).toEqual([]);
  });

  it('brackets and commas in texts are none, also where a text is cut in parts', async () => {
    const text = '[{,\\"'.repeat(100_000);
    const answer = await call(around(`{"text":"${text}"}`));
    expect(answer.status).toBe(200);
    expect(run.reached).toEqual([{ name: 'calls.get', input: { text: JSON.parse(`"${text}"`) as string } }]);
  });
});

describe('bytes that are all there', () => {
  const read = (text: string) => readBytes('page.call', Buffer.from(text));
  const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
  const many = (values: number) => `[${'1,'.repeat(values - 2)}1]`;

  it.each<[string, unknown]>([
    ['[[1]]', { ok: true, value: [[1]] }],
    ['[1,2]', { ok: true, value: [1, 2] }],
    ['{', { ok: false, status: 400, message: 'The request is not JSON in UTF-8.' }],
    ['', { ok: false, status: 400, message: 'The request is not JSON in UTF-8.' }],
  ])('%s', async (text, expected) => {
    expect(await read(text)).toEqual(expected);
  });

  it('are refused where they are no UTF-8, and read however long they are', async () => {
    expect(await readBytes('page.call', Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ ok: false, status: 400 });
    const long = 'x'.repeat(2_500_000);
    expect(await read(JSON.stringify([long]))).toEqual({ ok: true, value: [long] });
    expect(await read(`["${long}",${deep(33)}`)).toMatchObject({ status: 413 });
    expect(await read(`["${long}",${many(100_000)}]`)).toMatchObject({ status: 413 });
  });

  it('let other work come between their parts', async () => {
    let turns = 0;
    const timer = setImmediate(function again() {
      turns += 1;
      next = setImmediate(again);
    });
    let next = timer;
    await read(JSON.stringify(['x'.repeat(2_500_000)]));
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});

describe('a call that was read', () => {
  const none = { ok: false, status: 400, message: 'A call needs a name and an input.' };

  it.each<[unknown, unknown]>([
    [
      { name: 'a', input: [1] },
      { ok: true, name: 'a', input: [1] },
    ],
    [{ name: '' }, { ok: true, name: '', input: undefined }],
    [{ name: 1, input: 1 }, none],
    [{ input: 1 }, none],
    [['name'], none],
    [null, none],
    ['name', none],
  ])('%j', (value, expected) => {
    expect(callIn({ ok: true, value })).toEqual(expected);
  });

  it('is refused as its text was', () => {
    const refused = { ok: false, status: 413, message: 'm' } as const;
    expect(callIn(refused)).toBe(refused);
    expect(failure('refused', 'm')).toEqual({ ok: false, error: { code: 'refused', message: 'm' } });
    expect([{}, [], null, 'a', () => 1].map(isRecord)).toEqual([true, false, false, false, false]);
  });
});

it('a limit is said, and what is as long as it passes', async () => {
  const token = (body: string, more: Record<string, string> = {}) =>
    ask(run.server, { method: 'POST', path: '/token', headers: { ...headers, ...more }, body });
  expect((await token(`"${'x'.repeat(4_094)}"`)).status).toBe(200);
  const refused = (message: string) => ({ ok: false, error: { code: 'invalid_input', message } });
  for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
    const answer = await token(`"${'x'.repeat(4_095)}"`, more);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      413,
      refused('The request has more than 4,096 bytes. Send less at once.'),
    ]);
  }
  const answer = await call(around('1'), { 'content-length': '16000001' });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    413,
    refused('The request has more than 16,000,000 bytes. Send less at once.'),
  ]);
});

it('a body whose length nobody says is read in as many pieces as it comes in', async () => {
  for (const length of [10, 4_096, 4_097, 10_000, 300_000]) {
    const text = Array.from({ length }, (_, at) => String.fromCharCode(0x61 + (at % 26))).join('');
    expect((await call(around(JSON.stringify(text)), { 'transfer-encoding': 'chunked' })).status).toBe(200);
    expect(run.reached.at(-1)).toEqual({ name: 'calls.get', input: text });
  }
});
