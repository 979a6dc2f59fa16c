import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { shortCharacterName } from '#shared/json/characters.ts';
import { withNames } from '#shared/json/seen-text.ts';

/** What a command reads from and writes to. Results go to standard output, everything said to a person to standard error. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly env: NodeJS.ProcessEnv;
  readonly interactive: boolean;
  /** One line of the result for a person: what would end it, move the cursor, reorder it or not be seen is named in its place. */
  line(text: string): Promise<void>;
  /** A line of the result for a program, exactly as it is. Resolves when the reader keeps up, so that a long result is never held in memory. */
  result(line: string): Promise<void>;
  /** Bytes of the result exactly as they are; ends the line for a person who reads them on a screen. */
  resultBytes(bytes: Uint8Array): Promise<void>;
  /** One line for a person, with the same names in it. */
  note(line: string): void;
  /** Text for a person without an end of line: a question. */
  ask(text: string): void;
  /** How far something is, for a person who looks on: takes the place of what it said before, and an empty text takes it away. Nothing without a screen. */
  progress(text: string): void;
}

export interface Streams {
  readonly stdin: Terminal['stdin'];
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
}

/** No stream is touched before it is needed: each takes Node a millisecond or more to open. */
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
      // Back to the beginning of the line, and nothing behind the new text.
      if (streams.stderr.isTTY === true) streams.stderr.write(`\r\u001b[K${named(oneLine(text))}`);
    },
  };
}

/** The text with `[RLO]`, `[ESC]`, `[NBSP]` and the like in the place of what a terminal would obey or not show. */
function named(text: string): string {
  return withNames(text).replaceAll('\r', '[CR]');
}

/** The text with the names of its ends of lines in their places: no text of others begins a line of its own. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, (character) => `[${shortCharacterName(character.charCodeAt(0))}]`);
}

/** The command line's last line: nothing that still waits (a keychain, a socket) may keep it from ending. */
export function endProcess(code: number): never {
  process.exit(code);
}
