import { AppError } from '#shared/errors.ts';
import { checkSize } from '../files/passed.ts';
import type { Reading } from '../untrusted/jobs.ts';
import { unreadWords } from '../untrusted/measure.ts';
import type { ReadFile } from './collection-file.ts';
import { readFileJob, writeFileJob, type Contents, type FormKind } from './file-jobs.ts';
import { isQuick } from './yaml-tree.ts';

/** Reads and writes the text of a file of a collection: in place if that takes a few milliseconds, else in a thread with limits. */
export type FileReader = ReturnType<typeof createFileReader>;

/** Values that are printed and read again within a few milliseconds. */
const quickValues = 500;
const quickCharacters = 65_536;
const about = { subject: 'The file', inPlace: false } as const;

/** Creates a reader that reads no further file once `stop` is aborted, and fails with its reason. */
export function createFileReader(reading: Pick<Reading, 'run'>, stop: AbortSignal) {
  return {
    /** Fails with `invalid_input`; `details` is the Place. With `cancelled` where the signal ends it. */
    async read<Kind extends FormKind>(kind: Kind, source: string, closed?: AbortSignal): Promise<ReadFile<Contents[Kind]>> {
      stop.throwIfAborted();
      if (isQuick(source)) return readFileJob({ kind, source });
      const signal = closed === undefined ? stop : AbortSignal.any([stop, closed]);
      const read = await inThread(
        reading.run('collections.readFile', { kind, source }, { ...about, bytes: source.length, signal }),
      );
      return read as ReadFile<Contents[Kind]>;
    },
    /** The source with what differs rewritten; null for a new file. Fails as `read` does, and for what no file can hold. */
    async write<Kind extends FormKind>(kind: Kind, source: string | null, value: Contents[Kind]): Promise<string> {
      const { values, characters, bytes } = measure(value);
      // Printing never makes a text shorter, so that what cannot fit is not printed.
      checkSize('team', bytes);
      const quick = values <= quickValues && characters <= quickCharacters && (source === null || isQuick(source));
      if (quick) return writeFileJob({ kind, source, value });
      const size = characters + (source?.length ?? 0);
      return inThread(reading.run('collections.writeFile', { kind, source, value }, { ...about, bytes: size }));
    },
  };
}

/** A file that takes too much is a file that cannot be read, as any other one. */
async function inThread<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const words = unreadWords(error);
    throw words === null ? error : new AppError('invalid_input', words, undefined, { cause: error });
  }
}

/** The bytes of all texts in a value: no file that says it has fewer. */
export function textBytes(value: unknown): number {
  return measure(value).bytes;
}

function measure(value: unknown): { values: number; characters: number; bytes: number } {
  let [values, characters, bytes] = [0, 0, 0];
  const pending = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    values += 1;
    if (typeof next === 'string') {
      characters += next.length;
      bytes += Buffer.byteLength(next, 'utf8');
    } else if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) pending.push(inner);
  }
  return { values, characters, bytes };
}
