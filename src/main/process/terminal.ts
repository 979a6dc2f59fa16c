import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import { shortCharacterName } from '#shared/json/hidden-characters.ts';
import { AppError } from '#shared/errors.ts';
import { errorForLog } from '#shared/faults.ts';
import { withNames } from '#shared/json/display-order.ts';

/** Meaning of a part of a line. */
export type Tone = 'good' | 'bad' | 'open';

const colors = { good: 'green', bad: 'red', open: 'yellow' } as const satisfies Record<Tone, string>;

/** Part of a line with its meaning: a terminal with colors shows it where it first occurs. */
export type Toned = readonly [words: string, tone: Tone];

/** The streams of a command. Results go to standard output, messages to the user to standard error. */
export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly env: NodeJS.ProcessEnv;
  readonly interactive: boolean;
  /** Writes one line of the result for people. Names replace characters that would end the line, move the cursor, reorder it or be invisible. */
  line(text: string, toned?: Toned): Promise<void>;
  /** Writes a line of the result for programs, unchanged. Resolves when the reader keeps up, so that a long result is never held in memory. */
  result(line: string): Promise<void>;
  /** Writes bytes of the result unchanged; ends the line if the output is a terminal. */
  resultBytes(bytes: Uint8Array): Promise<void>;
  /** Writes one line to the user, with the same replacements; the same line twice in a row once. */
  note(line: string, toned?: Toned): void;
  /** Writes a question, without an end of line. */
  ask(text: string): void;
  /** Shows progress in place of the previous text; an empty text removes it. Does nothing without a terminal. */
  progress(text: string): void;
  /** Has every text go through `clean` before it is written, from now on. */
  hide(clean: (text: string) => string): void;
}

type Output = Writable & { readonly isTTY?: boolean };

export interface Streams {
  readonly stdin: Terminal['stdin'];
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
}

/** An output that takes no more: its reader is gone, as after `croupier … | head`, or the disk is full. */
export interface Lost {
  readonly reader: boolean;
  readonly message: string;
}

/** A terminal that its program can end. */
export interface OwnTerminal extends Terminal {
  /** Ends the input, if anybody opened it: whoever reads it hears of the stop at once, and not with the next line. */
  endInput(): void;
  /** Resolves when everything is written, or lost. */
  flush(): Promise<void>;
}

/**
 * Creates a terminal that opens each stream only when needed, because opening one takes Node a millisecond or more. `onLost` hears
 * once of each output that takes no more; from then on nothing is written to it, because each attempt would be one more error.
 */
export function createTerminal(streams: Streams, onLost: (lost: Lost) => void = () => undefined): OwnTerminal {
  const opened = new Map<'stdout' | 'stderr', Output>();
  const lost = new Set<Output>();
  let input: Terminal['stdin'] | null = null;
  let clean = (text: string) => text;
  let lastNote: string | null = null;
  function open(name: 'stdout' | 'stderr'): Output {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const stream = streams[name];
    opened.set(name, stream);
    return stream.on('error', (error: NodeJS.ErrnoException) => {
      if (lost.has(stream)) return;
      lost.add(stream);
      // A terminal that was closed answers EIO.
      const reader = ['EPIPE', 'ECONNRESET'].includes(error.code ?? '') || (error.code === 'EIO' && stream.isTTY === true);
      onLost({ reader, message: error.message });
    });
  }
  async function write(chunk: string | Uint8Array): Promise<void> {
    const stream = open('stdout');
    // An error ends the wait, too, and was heard above.
    if (!lost.has(stream) && !stream.write(chunk)) await once(stream, 'drain').catch(() => undefined);
  }
  function tell(text: string): void {
    const stream = open('stderr');
    if (!lost.has(stream)) stream.write(text);
  }
  return {
    get stdin() {
      // An input that ends is an error only for whoever reads it.
      return (input ??= streams.stdin.on('error', () => undefined));
    },
    env: streams.env,
    get interactive() {
      return open('stdout').isTTY === true && this.stdin.isTTY === true;
    },
    line: (text, toned) => write(`${shown(clean(text), toned, open('stdout'))}\n`),
    result: (line) => write(`${clean(line)}\n`),
    async resultBytes(bytes) {
      await write(bytes);
      if (open('stdout').isTTY === true && bytes.at(-1) !== 10) await write('\n');
    },
    note(line, toned) {
      // A fault that the program tells and the error that ends the command are often one.
      if (line !== lastNote) tell(`${shown(clean(line), toned, open('stderr'))}\n`);
      lastNote = line;
    },
    ask: (text) => tell(named(oneLine(clean(text)))),
    progress(text) {
      // Moves to the beginning of the line and clears the rest after the new text.
      if (open('stderr').isTTY === true) tell(`\r\u001b[K${named(oneLine(clean(text)))}`);
    },
    hide: (other) => void (clean = other),
    endInput: () => void input?.destroy(new AppError('cancelled', 'Stopped before standard input was read.')),
    flush: async () =>
      void (await Promise.all([...opened.values()].map((stream) => new Promise((done) => stream.write('', done))))),
  };
}

/** Creates the terminal of this process, as `createTerminal` does. */
export function ownTerminal(onLost?: (lost: Lost) => void): OwnTerminal {
  return createTerminal(process, onLost);
}

/** Tells the user of an error of the program, as it may be logged. */
export function noteError(error: unknown, terminal: Pick<Terminal, 'note'>): void {
  for (const line of errorForLog(error).split('\n')) terminal.note(`croupier: ${line}`);
}

/** Returns a line as it is written. Node decides about colors, by the terminal, NO_COLOR and FORCE_COLOR. */
function shown(text: string, toned: Toned | undefined, stream: Output): string {
  const plain = named(oneLine(text));
  if (toned === undefined || toned[0] === '') return plain;
  return plain.replace(toned[0], (words) => styleText(colors[toned[1]], words, { stream }));
}

/** Replaces characters that a terminal would obey or not show with names such as `[RLO]`, `[ESC]` and `[NBSP]`. */
function named(text: string): string {
  return withNames(text).replaceAll('\r', '[CR]');
}

/** Replaces line ends with their names, so that no text from outside can begin a line. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, (character) => `[${shortCharacterName(character.charCodeAt(0))}]`);
}
