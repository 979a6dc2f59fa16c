import { setImmediate } from 'node:timers/promises';
import { createClient } from '#shared/ipc/client.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, Client } from '#shared/ipc/index.ts';
import { createFrames } from '../main/loopback/game-frames.ts';
import { createTestApp, draftOf } from './app.ts';
import { startHttpsServer } from './https-server.ts';
import { openLoopbackPage } from './loopback-page.ts';
import { seededRandom } from './seeded-random.ts';

/** Outcomes of calls that were cancelled at random moments. */
export interface CancelReport {
  readonly rounds: number;
  /** Number of calls cancelled before anything left, of which the provider got nothing. */
  readonly unsent: number;
  /** Number of calls cancelled after they had left. */
  readonly sent: number;
  /** Number of calls whose response was faster. */
  readonly answered: number;
  /** Differences between the outcome of a call and what the provider got of it. */
  readonly wrong: readonly string[];
}

/**
 * Sends calls as a page does and cancels each at a random moment: before its call, in the same turn, while it is prepared, while it
 * waits for its response. The calls go through the page's own transport and the browser host's line, or, as on the desktop, without
 * one.
 */
export async function cancelRounds(rounds: number, seed: number, host: 'line' | 'direct'): Promise<CancelReport> {
  const received: string[] = [];
  const random = seededRandom(seed);
  const server = await startHttpsServer(({ body }, response) => {
    received.push(body.toString());
    // Some are slow, so that a cancel finds them waiting.
    setTimeout(() => response.end('{"code":0,"message":"ok","data":null}'), Math.floor(random() * 4));
  });
  const test = await createTestApp();
  const { id } = await test.environment(server);
  const page =
    host === 'line'
      ? await openLoopbackPage(
          test.app,
          createFrames(() => performance.now()),
        )
      : null;
  const client = createClient(page?.transport ?? test.app.transport);
  const counts = { unsent: 0, sent: 0, answered: 0 };
  const wrong: string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const ticket = `round ${round}`;
      const send = () => outcomeOf(client, id, ticket);
      // A quarter of the cancels comes first.
      const isFirst = random() < 0.25;
      const early = isFirst ? client.call('calls.cancel', { ticket }) : null;
      if (isFirst && random() < 0.5) await early;
      const sent = send();
      if (!isFirst) {
        for (let turns = Math.floor(random() * 16); turns > 0; turns -= 1) await setImmediate();
        await client.call('calls.cancel', { ticket });
      }
      const said = await sent;
      const arrived = received.some((body) => body.includes(`"${ticket}"`));
      counts[said] += 1;
      if (arrived !== (said !== 'unsent')) wrong.push(`${ticket} is said to be ${said}, and arrived: ${arrived}`);
      if (isFirst && said !== 'unsent') wrong.push(`${ticket} was cancelled first, and is said to be ${said}`);
      received.length = 0;
    }
  } finally {
    await page?.close();
    await test.close();
    await server.close();
  }
  return { rounds, ...counts, wrong };
}

async function outcomeOf(client: Client, environmentId: string, ticket: string): Promise<'unsent' | 'sent' | 'answered'> {
  const draft = draftOf(environmentId, { operation: 'gameList', text: `{"currency":"${ticket}"}` });
  try {
    const call: Call = await client.call('calls.send', { draft, ticket });
    if (call.state !== 'cancelled') return 'answered';
    return call.failure?.hint === 'The provider never received this call.' ? 'unsent' : 'sent';
  } catch (error) {
    if (error instanceof AppError && error.code === 'cancelled') return 'unsent';
    throw error;
  }
}
