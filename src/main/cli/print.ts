import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** What a command reads from and writes to. Results go to standard output, everything said to a person to standard error. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly env: NodeJS.ProcessEnv;
  readonly interactive: boolean;
  /** A line of the result. Resolves when the reader keeps up, so that a long result is never held in memory. */
  result(line: string): Promise<void>;
  /** Bytes of the result exactly as they are; ends the line for a person who reads them on a screen. */
  resultBytes(bytes: Uint8Array): Promise<void>;
  /** A line for a person. */
  note(line: string): void;
  /** Text for a person without an end of line: a question. */
  ask(text: string): void;
}

export interface Streams {
  readonly stdin: Terminal['stdin'];
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
}

/** `streams.stdin` is not touched before it is needed: it takes Node some milliseconds to open. */
export function createTerminal(streams: Streams): Terminal {
  const { stdout, stderr, env } = streams;
  async function write(chunk: string | Uint8Array): Promise<void> {
    if (!stdout.write(chunk)) await once(stdout, 'drain');
  }
  return {
    get stdin() {
      return streams.stdin;
    },
    env,
    get interactive() {
      return stdout.isTTY === true && streams.stdin.isTTY === true;
    },
    result: (line) => write(`${line}\n`),
    async resultBytes(bytes) {
      await write(bytes);
      if (stdout.isTTY === true && bytes.at(-1) !== 10) await write('\n');
    },
    note: (line) => void stderr.write(`${line}\n`),
    ask: (text) => void stderr.write(text),
  };
}

/** The command line's last line: nothing that still waits (a keychain, a socket) may keep it from ending. */
export function endProcess(code: number): never {
  process.exit(code);
}
