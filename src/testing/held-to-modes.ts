import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requireTool } from './external-tools.ts';

/**
 * Runs a driver of this folder as a user to whom the modes of files apply, and returns the JSON that it prints; throws its error
 * output. Root stays root, without the capability to write against the modes: another user may not even enter the folder of a
 * clone.
 */
export function runHeldToModes(driver: string, input: object): unknown {
  const program = [process.execPath, fileURLToPath(new URL(driver, import.meta.url)), JSON.stringify(input)];
  const isRoot = process.getuid?.() === 0;
  const [command = '', ...args] = isRoot ? [requireTool('setpriv'), '--bounding-set=-dac_override', ...program] : program;
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}
