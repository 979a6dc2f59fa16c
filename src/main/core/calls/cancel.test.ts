import { afterEach, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { cancelRounds } from '#testing/cancel-rounds.ts';
import { startHttpsServer } from '#testing/https-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

it('A call whose cancel came first does not leave and has no row', async () => {
  const received: string[] = [];
  const server = await startHttpsServer(({ body }, response) => {
    received.push(body.toString());
    response.end('{"code":0,"message":"ok","data":null}');
  });
  opened.push(server);
  const test = await createTestApp();
  opened.push(test);
  const { id } = await test.environment(server);
  const send = (ticket: string) =>
    test.client.call('calls.send', { draft: draftOf(id, { operation: 'gameList', text: '{}' }), ticket });
  const cancel = (ticket: string) => test.client.call('calls.cancel', { ticket });
  expect(await cancel('early')).toEqual({ cancelled: false });
  await expect(send('early')).rejects.toMatchObject({ code: 'cancelled', message: expect.stringContaining('before') as string });
  // The same if nobody waited in between.
  const cancelled = cancel('at once');
  const sent = send('at once');
  await cancelled;
  await expect(sent).rejects.toMatchObject({ code: 'cancelled' });
  expect(received).toEqual([]);
  expect((await test.client.call('calls.list', {})).total).toBe(0);
  expect(await send('another')).toMatchObject({ code: 0 });
});

// The long form: `npm run test:long -- cancels`.
it.each(['line', 'direct'] as const)(
  'A call cancelled at any moment is said not to have left only where the provider got nothing, %s',
  async (host) => {
    const { unsent, wrong } = await cancelRounds(40, 14, host);
    expect(wrong).toEqual([]);
    expect(unsent).toBeGreaterThan(10);
  },
);
