import { AppError } from '#shared/errors.ts';
import type { Terminal } from './print.ts';

/** Asks for yes or no; anything but `y` or `yes` is no. */
export async function askYesNo(question: string, terminal: Terminal, stop: AbortSignal): Promise<boolean> {
  // Most commands ask nothing.
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: terminal.stdin });
  terminal.ask(`${question} [y/N] `);
  try {
    return await new Promise<boolean>((resolve) => {
      lines.once('line', (line) => resolve(/^y(es)?$/i.test(line.trim())));
      lines.once('close', () => resolve(false));
      stop.addEventListener('abort', () => resolve(false), { once: true });
    });
  } finally {
    lines.close();
  }
}

/** Reads one line from a terminal that shows none of it. */
export async function askHidden(prompt: string, terminal: Terminal, stop: AbortSignal): Promise<string> {
  const { stdin } = terminal;
  terminal.ask(prompt);
  stdin.setRawMode?.(true);
  stdin.setEncoding('utf8');
  let typed = '';
  try {
    for await (const chunk of stdin.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
      for (const character of chunk) {
        if (character === '\r' || character === '\n' || character === '\u0004') return typed;
        // Raw mode hands Ctrl+C over as a character.
        if (character === '\u0003' || stop.aborted) throw new AppError('refused', 'Nothing was stored.');
        typed = character === '\u007f' || character === '\b' ? typed.replace(/.$/su, '') : typed + character;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode?.(false);
    terminal.note('');
  }
}
