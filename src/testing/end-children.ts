import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { afterAll } from 'vitest';

/**
 * Setup of the suites that start processes: whatever a test file leaves running is killed when the file ends. Without it one
 * failed assertion before a `kill` leaves a child behind, and Vitest then waits for it for ever.
 */
const running = new Set<ChildProcess>();

subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  running.add(child);
  child.once('exit', () => running.delete(child));
});

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});
