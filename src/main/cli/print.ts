import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { shortCharacterName } from '#shared/json/hidden-characters.ts';
import { withNames } from '#shared/json/display-order.ts';

/** The streams of a command. Results go to standard output, messages to the user to standard error. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly env: NodeJS.ProcessEnv;
  readonly interactive: boolean;
  /** Writes one line of the result for people. Names replace characters that would end the line, move the cursor, reorder it or be invisible. */
  line(text: string): Promise<void>;
  /** Writes a line of the result for programs, unchanged. Resolves when the reader keeps up, so that a long result is never held in memory. */
  result(line: string): Promise<void>;
  /** Writes bytes of the result unchanged; ends the line if the output is a terminal. */
  resultBytes(bytes: Uint8Array): Promise<void>;
  /** Writes one line to the user, with the same replacements. */
  note(line: string): void;
  /** Writes a question, without an end of line. */
  ask(text: string): void;
  /** Shows progress in place of the previous text; an empty text removes it. Does nothing without a terminal. */
  progress(text: string): void;
}

export interface Streams {
  readonly stdin: Terminal['stdin'];
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
}

/** Creates a terminal that opens each stream only when needed, because opening one takes Node a millisecond or more. */
export function createTerminal(streams: Streams): Terminal {
  async function write(chunk: string | Uint8Array): Promise<void> {
    if (!streams.stdout.write(chunk)) await once(streams.stdout, 'drain');
  }
  return {
    get stdin() {
      return streams.stdin;
    },
    env: streams.env,
    get interactive() {
      return streams.stdout.isTTY === true && streams.stdin.isTTY === true;
    },
    line: (text) => write(`${named(oneLine(text))}\n`),
    result: (line) => write(`${line}\n`),
    async resultBytes(bytes) {
      await write(bytes);
      if (streams.stdout.isTTY === true && bytes.at(-1) !== 10) await write('\n');
    },
    note: (line) => void streams.stderr.write(`${named(oneLine(line))}\n`),
    ask: (text) => void streams.stderr.write(named(oneLine(text))),
    progress(text) {
      // Moves to the beginning of the line and clears the rest after the new text.
      if (streams.stderr.isTTY === true) streams.stderr.write(`\r\u001b[K${named(oneLine(text))}`);
    },
  };
}

/** Replaces characters that a terminal would obey or not show with names such as `[RLO]`, `[ESC]` and `[NBSP]`. */
function named(text: string): string {
  return withNames(text).replaceAll('\r', '[CR]');
}

/** Replaces line ends with their names, so that no text from outside can begin a line. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, (character) => `[${shortCharacterName(character.charCodeAt(0))}]`);
}

/** Ends the process, even if something still waits, such as a keychain or a socket. */
export function endProcess(code: number): never {
  process.exit(code);
}
