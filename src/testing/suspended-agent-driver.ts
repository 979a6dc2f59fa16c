/**
 * A program that holds a key with the real key agent, asks it for a digest and stops itself before the reply can be read, for tests
 * of how it handles the reply when it continues. Its argument is the agent's deadline in milliseconds; it prints a line of JSON.
 */
import { join } from 'node:path';
import { writeSync } from 'node:fs';
import { createAgentSecrets } from '#core/keys/agent-secrets.ts';
import { forkAgent } from '#core/keys/fork-agent.ts';

let started = 0;
const secrets = createAgentSecrets({
  spawn() {
    started += 1;
    return forkAgent(join(import.meta.dirname, '../main/core/keys/agent.ts'));
  },
  deadlineMs: Number(process.argv[2]),
});
await secrets.set('a', 'the key', 'session');
const asked = secrets.digest('a', '', [new Uint8Array(Buffer.from('text'))]);
// The steps before the request wait for nothing but turns of promises.
for (let turn = 0; turn < 20; turn++) await Promise.resolve();
process.kill(process.pid, 'SIGSTOP');
const result = await asked.catch((error: Error) => error.message);
writeSync(1, `${JSON.stringify({ result, started })}\n`);
await secrets.close();
