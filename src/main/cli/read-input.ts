import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { AppError } from '#shared/errors.ts';
import { textOfFile } from '#shared/json/file-text.ts';
import { beyond, readers, type Kind } from '#shared/model/readers.ts';
import type { Context } from './command.ts';

type Input = Pick<Context, 'terminal' | 'stop'>;

/** Gathers all bytes of a stream. Fails with `invalid_input` for more than its kind may have. */
async function gather(kind: Kind<'input'>, name: string, stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > readers[kind].bytes)
      throw new AppError('invalid_input', `${name} ${beyond(kind, { bytes: Number.POSITIVE_INFINITY })}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function stopped(path: string): AppError {
  return new AppError('cancelled', `Stopped before ${path} was read.`);
}

/** Reads the bytes of a file; `-` is standard input. Fails with `invalid_input` for one beyond the limits of its kind, and with `cancelled` if the user stops it while it reads a pipe. */
export async function readInputFile(kind: Kind<'input'>, path: string, input: Input): Promise<Buffer> {
  if (path === '-') return gather(kind, inputName(path), input.terminal.stdin as AsyncIterable<Buffer>);
  const { stop } = input;
  let end = () => {};
  try {
    const stream = openInput(path);
    end = () => stream.destroy(stopped(path));
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
    return await gather(kind, path, stream as AsyncIterable<Buffer>);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const cause = error as NodeJS.ErrnoException;
    const reason = cause.code === 'ENOENT' ? 'there is no such file' : (cause.code ?? cause.message);
    throw new AppError('invalid_input', `Croupier cannot read ${path}: ${reason}.`, undefined, { cause });
  } finally {
    stop.removeEventListener('abort', end);
  }
}

/**
 * Opens a file or a pipe. Opening a pipe waits for a writer in a thread of Node that cannot be stopped and keeps the program from ending, so a
 * pipe is opened without waiting, and its bytes come through the event loop.
 */
function openInput(path: string): Readable {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() === true)
    return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });
  return createReadStream(path);
}

/**
 * Reads the text of a file; `-` is standard input. Says on standard error what is not plain UTF-8 in it. Fails as `readInputFile` and `textOfFile` do.
 */
export async function readTextFile(kind: Kind<'input'>, path: string, context: Context): Promise<string> {
  return textOfInput(await readInputFile(kind, path, context), path, context);
}

/** Returns what a sentence calls a file. */
export function inputName(path: string): string {
  return path === '-' ? 'Standard input' : path;
}

/** Returns the text of bytes that came from a file, as `readTextFile` does; `read` is for bytes that are no text alone. */
export function textOfInput(bytes: Uint8Array, path: string, { terminal }: Pick<Context, 'terminal'>, read = textOfFile): string {
  const name = inputName(path);
  const { text, oddity } = read(bytes, name);
  if (oddity !== null) terminal.note(`croupier: ${name} ${oddity}.`);
  return text;
}

/**
 * Yields the lines of a byte stream without their ends, in groups as they arrive; null for a line beyond the limits of its kind.
 * Holds only the last chunk and the incomplete line.
 */
export async function* linesOf(input: AsyncIterable<Uint8Array>, kind: Kind<'lines'>): AsyncGenerator<(Buffer | null)[]> {
  const { line: limit } = readers[kind];
  let parts: Buffer[] = [];
  let size = 0;
  function add(part: Buffer): void {
    size += part.length;
    if (size <= limit) parts.push(part);
    else parts = [];
  }
  function take(): Buffer | null {
    const line = size > limit ? null : parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts);
    parts = [];
    size = 0;
    return line?.at(-1) === 13 ? line.subarray(0, -1) : line;
  }
  for await (const part of input) {
    const chunk = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    const lines: (Buffer | null)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      add(chunk.subarray(start, end));
      lines.push(take());
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (size > 0) yield [take()];
}
