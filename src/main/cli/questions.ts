import { AppError } from '#shared/errors.ts';
import type { Terminal } from '../process/terminal.ts';
import type { Context } from './command.ts';

/** Sentences around a question: before it, after a no, and where there is no terminal to ask on; undefined if it is not needed there. */
interface Agreement {
  readonly lines?: readonly string[];
  readonly declined: string;
  readonly unasked?: string | undefined;
}

/** Asks for a yes; anything but `y` or `yes` means no. Fails with `refused` after a no, and where nobody can be asked and it is needed. */
export async function requireYes(
  question: string,
  { lines = [], declined, unasked }: Agreement,
  { terminal, stop }: Pick<Context, 'terminal' | 'stop'>,
): Promise<void> {
  if (!terminal.interactive && unasked === undefined) return;
  if (!terminal.interactive) throw new AppError('refused', unasked ?? '');
  for (const line of lines) terminal.note(line);
  const answer = await askLine(`${question} [y/N] `, terminal, stop);
  if (!/^y(es)?$/i.test(answer)) throw new AppError('refused', declined);
}

/** Asks for yes or no without a default; null for anything else. */
export async function askYesOrNo(question: string, terminal: Terminal, stop: AbortSignal): Promise<boolean | null> {
  const answer = await askLine(`${question} [y/n] `, terminal, stop);
  if (/^y(es)?$/i.test(answer)) return true;
  return /^no?$/i.test(answer) ? false : null;
}

/** Reads one line, without surrounding spaces; empty if the input ends or the user stops. */
export async function askLine(prompt: string, terminal: Terminal, stop: AbortSignal): Promise<string> {
  // Loaded here, because most commands ask nothing.
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: terminal.stdin });
  terminal.ask(prompt);
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', (line) => resolve(line.trim()));
      lines.once('close', () => resolve(''));
      lines.once('error', () => resolve(''));
      stop.addEventListener('abort', () => resolve(''), { once: true });
    });
  } finally {
    lines.close();
  }
}

/** Reads one line from a terminal without showing it. */
export async function askHidden(prompt: string, terminal: Terminal): Promise<string> {
  const { stdin } = terminal;
  terminal.ask(prompt);
  stdin.setRawMode?.(true);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    for await (const chunk of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
      for (const character of chunk) {
        if (character === '\r' || character === '\n' || character === '\u0004') return typed;
        // In raw mode, Ctrl+C arrives as a character.
        if (character === '\u0003') throw new AppError('refused', 'Nothing was stored.');
        typed = character === '\u007f' || character === '\b' ? typed.replace(/.$/su, '') : typed + character;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode?.(false);
    terminal.note('');
  }
}
