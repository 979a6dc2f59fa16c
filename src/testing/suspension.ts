import { execFileSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** True if this system can stop and continue processes. */
export const canSuspend = process.platform !== 'win32';

/** Stops a child and waits until the system reports it as stopped. */
export async function suspend(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  await untilStopped(child.pid ?? 0);
}

/** Continues a stopped child after some time, as after a suspension. */
export async function resumeAfter(child: ChildProcess, milliseconds: number): Promise<void> {
  await setTimeout(milliseconds);
  child.kill('SIGCONT');
}

/** Waits for a process that stops itself. */
export async function untilStopped(pid: number): Promise<void> {
  while (!stateOf(pid).startsWith('T')) await setTimeout(5);
}

/** Returns the state letter of a process. */
function stateOf(pid: number): string {
  const file = `/proc/${pid}/stat`;
  if (existsSync(file)) return readFileSync(file, 'utf8').replace(/^.*\) /s, '');
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}
