import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll } from 'vitest';

/**
 * Setup of the suites that start processes: whatever a test file leaves running is killed when the file ends. Without it one
 * failed assertion before a `kill` leaves a child behind, and Vitest then waits for it forever.
 */
const running = new Set<ChildProcess>();

function follow(message: unknown): void {
  const { process: child } = message as { process: ChildProcess };
  running.add(child);
  child.once('exit', () => running.delete(child));
}

subscribe('child_process', follow);

afterAll(() => {
  // The next file in this process subscribes its own.
  unsubscribe('child_process', follow);
  for (const child of running) child.kill('SIGKILL');
});
