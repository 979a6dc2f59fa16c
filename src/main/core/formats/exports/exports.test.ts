import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportWhole, readExport } from '#shared/ipc/read-export.ts';
import { createTestApp, temporaryFolder, type TestApp } from '#testing/app.ts';
import { exportedCalls } from '#testing/exported-calls.ts';
import { keyOf } from '#testing/key-of.ts';
import { recordCalls } from '#testing/record-calls.ts';
import { createExports } from './exports.ts';

let home: string;
let test: TestApp | null = null;
const open = async () => (test = await createTestApp({ home }));
beforeEach(async () => {
  home = await temporaryFolder();
});
afterEach(async () => {
  await test?.close();
  test = null;
});

describe('an export of many calls', () => {
  it('is written whole, however large they are together, and leaves this thread to others meanwhile', async () => {
    const callIds = await recordCalls(home, 240, { filling: 100_000 });
    const { client } = await open();
    const texts: string[] = [];
    const told: number[] = [];
    let answered = 0;
    const { masked } = readExport(
      client,
      { callIds, format: 'har' },
      {
        onStart: ({ files, calls }) =>
          expect({ files, calls }).toEqual({
            files: [{ name: 'croupier-240-calls.har', mediaType: 'application/json' }],
            calls: 240,
          }),
        onText: (_, text) => texts.push(text),
        async onProgress({ step, done, total }) {
          told.push((step === 'read' ? 0 : total) + done);
          await client.call('app.info', {});
          answered += 1;
        },
      },
    );
    // Its own, and as another one repeats it: the last one is repeated by none.
    expect(await masked).toBe(2 * 240 - 1);
    expect(texts.length).toBeGreaterThan(20);
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(600_000);
    expect(answered).toBe(told.length);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    const text = texts.join('');
    expect(text.length).toBeGreaterThan(20 * 1_048_576);
    const { log } = JSON.parse(text) as { log: { entries: { response: { content: { text: string } } }[] } };
    expect(log.entries.map(({ response }) => (JSON.parse(response.content.text) as { n: number }).n)).toEqual(
      callIds.map((_, at) => at),
    );
    expect(text).not.toMatch(/token-of-call-(?:\d|\d\d|1\d\d|2[0-3]\d)-x/);
  });

  it('has the bytes of the same calls one by one', async () => {
    const callIds = await recordCalls(home, 30, { filling: 40 });
    const { client } = await open();
    const together = await exportWhole(client, { callIds: callIds.toReversed(), format: 'jsonl', keepTokens: true });
    const alone: string[] = [];
    for (const id of callIds) {
      const { files } = await exportWhole(client, { callIds: [id], format: 'jsonl', keepTokens: true });
      alone.push(...files.map(({ text }) => text));
    }
    expect(together.files.map(({ text }) => text)).toEqual([alone.join('')]);
  });

  it('ends where it is cancelled, and is forgotten', async () => {
    const callIds = await recordCalls(home, 60, { filling: 60_000 });
    const { client } = await open();
    const { id } = await client.call('exports.create', { callIds, format: 'support' });
    const reading = client.call('exports.read', { id });
    expect(await client.call('exports.cancel', { id })).toEqual({ cancelled: true });
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    await expect(client.call('exports.read', { id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await client.call('exports.cancel', { id })).toEqual({ cancelled: false });
    const stopped = readExport(client, { callIds, format: 'har' }, { onText: () => stopped.cancel() });
    await expect(stopped.masked).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('of a few long ones leaves this thread, too: what is under way ends with its cancel', async () => {
    const callIds = await recordCalls(home, 3, { filling: 4_000_000 });
    const { client } = await open();
    const { id } = await client.call('exports.create', { callIds, format: 'jsonl' });
    const reading = client.call('exports.read', { id });
    await client.call('exports.cancel', { id });
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('is refused where a late call holds a key, whatever was read of it before', async () => {
    const callIds = await recordCalls(home, 60, { filling: 60_000, last: ' a-key-that-leaked' });
    const { app, client } = await open();
    await app.startSandbox({ port: 0 });
    await app.useKey('sandbox', 'a-key-that-leaked');
    const texts: string[] = [];
    const { masked } = readExport(client, { callIds, format: 'jsonl' }, { onText: (_, text) => texts.push(text) });
    await expect(masked).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('Nothing was exported') });
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.join('')).not.toContain('a-key-that-leaked');
  });

  it('is one of four at most', async () => {
    const callIds = await recordCalls(home, 21, { filling: 40 });
    const { client } = await open();
    const begin = () => client.call('exports.create', { callIds, format: 'har' });
    const [first] = [await begin(), await begin(), await begin(), await begin()];
    await expect(begin()).rejects.toMatchObject({ code: 'conflict' });
    await client.call('exports.cancel', { id: first.id });
    await expect(begin()).resolves.toMatchObject({ calls: 21 });
    await expect(client.call('exports.create', { callIds: [9_999, ...callIds], format: 'har' })).rejects.toBeTruthy();
  });
});

it('an export that nobody reads any more is over', async () => {
  const [{ call, body }] = exportedCalls(1, 1) as [ReturnType<typeof exportedCalls>[number]];
  const planned: { work: () => void; milliseconds: number }[] = [];
  const exports = createExports({
    program: '',
    historyPath: '',
    settle: () => undefined,
    call: () => call,
    body: () => body,
    unrecorded: () => null,
    environments: () => [],
    pass: keyOf('no key'),
    version: '0',
    runtime: 'Node',
    now: () => 0,
    later(work, milliseconds) {
      const one = { work, milliseconds };
      planned.push(one);
      return () => void planned.splice(planned.indexOf(one), 1);
    },
  });
  const request = { callIds: [1], format: 'jsonl', form: 'as-sent', keepTokens: true, keyVariable: 'KEY' } as const;
  const read = await exports.create({ ...request, callIds: [1] });
  expect(await exports.read(read.id)).toMatchObject({ ended: true });
  expect(planned).toEqual([]);
  const left = await exports.create({ ...request, callIds: [1] });
  expect(planned.map(({ milliseconds }) => milliseconds)).toEqual([60_000]);
  planned[0]?.work();
  await expect(exports.read(left.id)).rejects.toMatchObject({ code: 'not_found' });
});
