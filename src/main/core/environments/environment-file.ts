import { AppError } from '#shared/errors.ts';
import { Environment } from '#shared/model/environment.ts';
import { mostResponseBytes } from '#shared/model/limits.ts';
import { isOfNewerVersion } from '../files/home-file.ts';
import { validateEnvironment } from './validate-environment.ts';

/** Largest file of an environment in bytes. */

/** The file's text: fields in the contract's order, two spaces, no timestamps, so that a change reads well in a diff. */
export function printEnvironment(environment: Environment): string {
  // Parsing orders the fields; the answers are ordered by name, because they are recorded in any order.
  const ordered = Environment.parse(environment);
  const answers = Object.fromEntries(Object.entries(ordered.answers).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ ...ordered, answers }, null, 2)}\n`;
}

/**
 * Reads a file's text. `id` is the file's name without its ending. Fails with `invalid_input` and names the problem of the file.
 */
export function readEnvironment(id: string, text: string): Environment {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(`It is not JSON: ${cause instanceof Error ? cause.message : String(cause)}.`);
  }
  if (typeof value === 'object' && value !== null && 'tokenCommand' in value) {
    throw unreadable(
      'It names a program in tokenCommand. Croupier runs no program named in a file: remove that field, then set the command with "croupier env set NAME --token-command".',
    );
  }
  if (isOfNewerVersion(value)) throw unreadable('A newer version of Croupier wrote it.');
  const parsed = Environment.safeParse(withinLimits(value));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const newer = issue?.code === 'unrecognized_keys' ? ' A newer version of Croupier may have written it.' : '';
    throw unreadable(
      `${issue?.path.length ? `${issue.path.join('.')}: ` : ''}${issue?.message ?? 'It has the wrong format'}.${newer}`,
    );
  }
  if (parsed.data.id !== id) throw unreadable(`Its ID is ${parsed.data.id}; the file must have that name.`);
  return validateEnvironment(parsed.data);
}

/** An older file may allow larger responses than there can be now. */
function withinLimits(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('maxResponseBytes' in value)) return value;
  const { maxResponseBytes: bytes } = value;
  const isOlder = typeof bytes === 'number' && bytes > mostResponseBytes && bytes <= 268_435_456;
  return isOlder ? { ...value, maxResponseBytes: mostResponseBytes } : value;
}

function unreadable(message: string): AppError {
  return new AppError('invalid_input', message.replace(/\.\.+$/, '.'));
}
