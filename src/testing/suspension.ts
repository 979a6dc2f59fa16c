import { execFileSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Whether this system stops and continues processes. */
export const canSuspend = process.platform !== 'win32';

/** Stops a child and waits until the system says that it stands. */
export async function suspend(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  await untilStopped(child.pid ?? 0);
}

/** Lets time pass while it stands, which is what a suspension is, and continues it. */
export async function resumeAfter(child: ChildProcess, milliseconds: number): Promise<void> {
  await setTimeout(milliseconds);
  child.kill('SIGCONT');
}

/** Waits for a process that stops itself. */
export async function untilStopped(pid: number): Promise<void> {
  while (!stateOf(pid).startsWith('T')) await setTimeout(5);
}

/** The state letter of a process. */
function stateOf(pid: number): string {
  const file = `/proc/${pid}/stat`;
  if (existsSync(file)) return readFileSync(file, 'utf8').replace(/^.*\) /s, '');
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}
