/**
 * A program with the built-in provider, for tests of one that runs for long. Its one argument is its home. It prints `ready` with the provider's base
 * URL; each line of its standard input sends one game list and prints what came of it.
 */
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { createTestApp, draftOf } from './app.ts';

const { client, send, close, faults } = await createTestApp({ home: process.argv[2] ?? '', sandbox: true });
const { baseUrl } = await client.call('sandbox.status', {});
// Writes the compile cache now: a killed process would leave none for the next ones.
flushCompileCache();
process.stdout.write(`ready ${baseUrl ?? 'not running'}\n`);
for await (const _ of createInterface({ input: process.stdin })) {
  const { response, failure } = await send(draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' }));
  process.stdout.write(`${response?.status ?? failure?.kind ?? 'nothing'}\n`);
}
await close();
if (faults.length > 0) process.stderr.write(`${String(faults[0])}\n`);
