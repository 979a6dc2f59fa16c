import { AppError } from '#shared/errors.ts';
import type { z } from '#shared/model/schema.ts';
import type { Kind } from '#shared/model/readers.ts';
import { readWhole } from './files.ts';

/** Fails for other bytes: a text with some of them replaced would be written back so. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The format of the home's JSON files that this version writes. A file without one has the first. */
const format = 1;

/** A JSON file of the home, for reading it and for what is said if that is impossible. */
export interface HomeFile<T> {
  readonly path: string;
  readonly schema: z.ZodMiniType<T>;
  readonly kind: Kind<'file'>;
  /** Its content, after the word "it", such as `lists the collections`. */
  readonly holds: string;
  /** Called for a file that is not JSON, which then counts as missing; without it reading fails. */
  readonly onDamaged?: () => void;
}

/** Returns whether a newer version wrote this JSON, as its format says. */
export function isOfNewerVersion(raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return false;
  return ['format', 'version'].some((name) => Number(Reflect.get(raw, name)) > format);
}

/**
 * Reads a JSON file of the home; null if it is missing. `raw`: its content, of which a newer version may understand more. Fails with
 * `storage` if it cannot be read, is damaged, or has a form that this version does not know; it stays as it is.
 */
export function readHomeFile<T>({ kind, path, schema, holds, onDamaged }: HomeFile<T>): { raw: unknown; value: T } | null {
  let bytes: Buffer;
  try {
    bytes = readWhole(kind, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    const why = cause instanceof AppError ? cause.message : 'Check its permissions.';
    throw new AppError('storage', `${path} cannot be read. ${why}`, undefined, { cause });
  }
  let raw: unknown;
  try {
    raw = JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    if (onDamaged === undefined) {
      throw new AppError('storage', `${path} is damaged and was left unchanged. Repair or remove it: it ${holds}.`, undefined, {
        cause,
      });
    }
    onDamaged();
    return null;
  }
  if (isOfNewerVersion(raw)) {
    throw new AppError('storage', `${path} was written by a newer version of Croupier. Use that version, or another home.`);
  }
  const known = schema.safeParse(raw);
  if (known.success) return { raw, value: known.data };
  // Half a write or a bad disk leaves no JSON of another form: somebody else wrote it.
  throw new AppError(
    'storage',
    `${path} has a format that this version doesn't know: a newer version may have written it. Use that version, or move the file away: it ${holds}.`,
    undefined,
    { cause: known.error },
  );
}
