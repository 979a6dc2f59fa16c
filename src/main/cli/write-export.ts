import { existsSync } from 'node:fs';
import { AppError } from '#shared/errors.ts';
import type { Input } from '#shared/ipc/index.ts';
import { readExport, type ExportProgress } from '#shared/ipc/read-export.ts';
import type { NewFile } from '#core/app/app.ts';
import type { Context } from './command.ts';
import type { Workbench } from './workbench.ts';

/** Destination of an export. */
export interface Destination {
  start?(names: readonly string[]): Promise<void>;
  text(file: number, text: string): Promise<void>;
  /** Ends a complete export. */
  finish(): Promise<void>;
  /** Removes an incomplete export. */
  discard?(): Promise<void>;
}

/** Reads an export to its destination. Returns the number of masked tokens. */
export async function writeExport(
  { client }: Workbench,
  request: Input<'exports.create'>,
  to: Destination,
  { terminal, stop }: Context,
): Promise<number> {
  const reading = readExport(client, request, {
    onStart: async ({ files }) => to.start?.(files.map(({ name }) => name)),
    onText: (file, text) => to.text(file, text),
    onProgress: (progress) => terminal.progress(progressText(progress)),
  });
  stop.addEventListener('abort', reading.cancel, { once: true });
  if (stop.aborted) reading.cancel();
  try {
    const masked = await reading.masked;
    terminal.progress('');
    await to.finish();
    return masked;
  } catch (error) {
    terminal.progress('');
    await to.discard?.();
    throw error;
  } finally {
    stop.removeEventListener('abort', reading.cancel);
  }
}

/** Describes the progress. Calls are read before they are written, unless tokens are kept. */
function progressText({ step, done, total }: ExportProgress): string {
  const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} calls`;
  return `${step === 'read' ? 'Looking for tokens in' : 'Writing'} ${count}`;
}

/** Number of UTF-16 units to hold before printing, so that an export that is refused early prints nothing. */
const heldUnits = 16_777_216;

export function toOutput({ terminal }: Context): Destination {
  let held: string[] | null = [];
  let units = 0;
  const print = async (texts: readonly string[]) => {
    for (const text of texts) await terminal.resultBytes(Buffer.from(text, 'utf8'));
  };
  const release = async () => {
    const texts = held ?? [];
    held = null;
    if (texts.length > 0) await print([texts.join('')]);
  };
  return {
    async text(_, text) {
      if (held === null) return print([text]);
      held.push(text);
      units += text.length;
      if (units > heldUnits) await release();
    },
    finish: release,
  };
}

/** Writes to files: the first with the given name, which may be held open already, a second one beside it with its own ending. */
export function toFiles(out: string, { terminal }: Context, held?: NewFile): Destination {
  const files: NewFile[] = [];
  return {
    async start(names) {
      const { openNewFile } = await import('#core/app/app.ts');
      const paths = names.map((name, index) =>
        index === 0 ? out : out.replace(/(?:\.[^./\\]*)?$/, name.slice(name.lastIndexOf('.'))),
      );
      if (new Set(paths).size < paths.length)
        throw new AppError(
          'invalid_input',
          "The pack's JSON gets the page's name with .json. Choose another extension for the page, such as pack.html.",
        );
      // Checked before writing, so that no half of a pack remains.
      const taken = paths.find((path) => existsSync(path));
      if (taken !== undefined)
        throw new AppError('conflict', `${taken} already exists and was not changed. Choose another name.`);
      for (const path of paths) files.push(held?.path === path ? held : await openNewFile(path));
    },
    text: async (file, text) => files[file]?.write((await import('#core/app/app.ts')).vouched('export', 'core', text)),
    async finish() {
      for (const file of files) {
        await file.finish();
        terminal.note(`croupier: wrote ${file.path}`);
      }
    },
    async discard() {
      for (const file of files) await file.discard();
    },
  };
}
