import type { Toned } from '../process/terminal.ts';

/** Returns the toned part of a line about a call that has a code. */
export function tonedCode(code: number | null): Toned | undefined {
  return code === null ? undefined : [`code ${code}`, code === 0 ? 'good' : 'bad'];
}
