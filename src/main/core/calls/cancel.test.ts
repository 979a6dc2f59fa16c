import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { createTestApp, draftOf, type TestAppOptions } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { seededRandom } from '#testing/random-json.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

/** A provider that keeps what it received, and an application with an environment for it. */
async function open(options?: TestAppOptions) {
  const received: string[] = [];
  const server = await startHttpsServer((got, response) => {
    received.push(got.body.toString());
    response.end('{"code":0,"message":"ok","data":null}');
  });
  opened.push(server);
  const test = await createTestApp(options);
  opened.push(test);
  const { id } = await test.environment(server);
  const send = (ticket: string) =>
    test.client.call('calls.send', { draft: draftOf(id, { operation: 'gameList', text: `{"currency":"${ticket}"}` }), ticket });
  const cancel = (ticket: string) => test.client.call('calls.cancel', { ticket });
  return { ...test, received, send, cancel };
}

it('A call whose cancel came first does not leave and has no row', async () => {
  const { received, send, cancel, client } = await open();
  expect(await cancel('early')).toEqual({ cancelled: false });
  await expect(send('early')).rejects.toMatchObject({ code: 'cancelled', message: expect.stringContaining('before') as string });
  // The same where nobody waited in between.
  const cancelled = cancel('at once');
  const sent = send('at once');
  await cancelled;
  await expect(sent).rejects.toMatchObject({ code: 'cancelled' });
  expect(received).toEqual([]);
  expect((await client.call('calls.list', {})).total).toBe(0);
  expect(await send('another')).toMatchObject({ code: 0 });
});

it('A call cancelled at any moment says that nothing was sent only where the provider got nothing', async () => {
  const { received, send, cancel } = await open();
  const random = seededRandom(14);
  // A connection is open from here on, so that a call may leave at once.
  await send('first');
  let unsent = 0;
  for (let round = 0; round < 60; round += 1) {
    const ticket = `round ${round}`;
    const sent = send(ticket).catch((error: unknown) => error);
    for (let turns = Math.floor(random() * 12); turns > 0; turns -= 1) await setImmediate();
    const { cancelled } = await cancel(ticket);
    const outcome = await sent;
    const arrived = received.some((body) => body.includes(`"${ticket}"`));
    if (outcome instanceof AppError) {
      expect(outcome.code).toBe('cancelled');
      expect({ ticket, arrived }).toEqual({ ticket, arrived: false });
      unsent += 1;
    } else if (cancelled && (outcome as { state: string }).state === 'cancelled') {
      const { failure } = outcome as { failure: { phase: string; hint: string } };
      if (failure.phase !== 'headers' && failure.phase !== 'body') {
        expect({ ticket, arrived }).toEqual({ ticket, arrived: false });
        unsent += 1;
      }
    } else expect({ ticket, arrived }).toEqual({ ticket, arrived: true });
  }
  expect(unsent).toBeGreaterThan(0);
});
