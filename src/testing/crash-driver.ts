/**
 * A program that sends calls over the real core until it is killed, for tests of what a kill leaves behind. Its one argument is a
 * JSON document; it prints a line for each call that `calls.send` returned: its ID and its state.
 */
import { createApp } from '#core/app/app.ts';
import { createClient } from '#shared/ipc/client.ts';
import { draftOf, testHost } from './app.ts';

export interface CrashDriverInput {
  readonly home: string;
  readonly environmentId: string;
  readonly key: string;
  readonly calls: number;
  /** Number of calls under way at a time. */
  readonly atOnce: number;
  /** The recorded call that each of them repeats exactly, in place of a request of its own. */
  readonly repeats?: number;
}

const input = JSON.parse(process.argv[2] ?? '') as CrashDriverInput;
const app = await createApp({ home: input.home, host: testHost() });
const client = createClient(app.transport);
await app.useKey(input.environmentId, input.key);
let next = 0;

async function work(): Promise<void> {
  while (next < input.calls) {
    const number = next++;
    const draft = draftOf(input.environmentId, { operation: 'getGameRound', text: `{"roundId":${number},"logMonth":0}` });
    const ticket = `call-${number}`;
    const call = await (input.repeats === undefined
      ? client.call('calls.send', { draft, ticket })
      : client.call('calls.repeat', { id: input.repeats, ticket }));
    process.stdout.write(`${JSON.stringify({ id: call.id, number, state: call.state })}\n`);
  }
}

await Promise.all(Array.from({ length: input.atOnce }, work));
await app.close();
