import { writeFileSync } from 'node:fs';

/**
 * Keeps this process's memory out of core dumps: Linux lets a process take its own memory out of them, and its children inherit
 * that. Elsewhere they are off by default. A key passes through main when it is entered, and stays in the agent.
 */
export function leaveNothingInCoreDumps(): void {
  try {
    if (process.platform === 'linux') writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // A system without /proc; there is no other way from here.
  }
}
