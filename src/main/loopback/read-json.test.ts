import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, json, own, sessionSecret, startRecorded, type Recorded } from '#testing/loopback-driver.ts';

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
    ['with too many empty objects', around(`[${'{},'.repeat(120_000)}{}]`), 413, 'more than 100,000 values'],
    [
      'with too many names',
      around(`{${Array.from({ length: 120_000 }, (_, at) => `"a${at}":0`).join()}}`),
      413,
      'more than 100,000 values',
    ],
    ['that is too large', around(`"${'x'.repeat(16_000_000)}"`), 413, 'larger than 16 MB'],
    ['that is no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'not JSON in UTF-8'],
    ['that is no JSON', '{"name":', 400, 'not JSON in UTF-8'],
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

  it('up to the limits it passes', async () => {
    expect((await call(around(`${'['.repeat(32)}${']'.repeat(32)}`))).status).toBe(200);
    expect((await call(around(`[${'0,'.repeat(99_000)}0]`))).status).toBe(200);
    expect((await call(around(`"${'x'.repeat(10_000_000)}"`))).status).toBe(200);
  });
});
