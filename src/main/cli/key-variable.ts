import { AppError } from '#shared/errors.ts';
import { inspectKey, shortKeyWarning } from '#shared/signing/key.ts';
import type { Terminal } from '../process/terminal.ts';
import type { Arguments } from './arguments.ts';

/** Returns the key that `--key-env` gives; null without it. Fails as `takeKey` does. */
export function givenKey(args: Arguments, terminal: Terminal): string | null {
  const variable = args.value('key-env');
  return variable === undefined ? null : takeKey(variable, terminal);
}

/**
 * Returns the key in the environment variable that `--key-env` names, and removes the variable from this process, so that
 * no program started from here inherits it. Fails with `key_missing` if there is none; prints warnings about the key on standard error.
 */
export function takeKey(variable: string, terminal: Terminal): string {
  const key = terminal.env[variable];
  delete terminal.env[variable];
  if (key === undefined || key === '') {
    throw new AppError(
      'key_missing',
      `The environment variable named with --key-env is ${key === undefined ? 'not set' : 'empty'}.`,
    );
  }
  for (const warning of inspectKey(key).warnings) terminal.note(`croupier: the key is used unchanged: ${warning}`);
  const short = shortKeyWarning(Buffer.byteLength(key));
  if (short !== null) terminal.note(`croupier: ${short}`);
  return key;
}
