import { createHash } from 'node:crypto';
import process from 'node:process';
import { stepBack } from '#core/keys/agent-program.ts';
import { inputOf } from './doctor-launch.ts';

/** Hash inputs between two looks at the clock. */
const between = 1_000;

// As a search does, or other work of the machine would leave it more.
stepBack();

/** The plain loop over `createHash`, in a process of its own: gets a number of milliseconds, sends the digests per second. */
process.on('message', (ms: number) => {
  const start = performance.now();
  let made = 0;
  while (performance.now() - start < ms)
    for (const end = made + between; made < end; made++) createHash('sha256').update(inputOf(made)).digest('hex');
  process.send?.((made / (performance.now() - start)) * 1_000);
});
