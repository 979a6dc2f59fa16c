import { AppError } from '../errors.ts';
import type { ExportedFile, ExportPart } from './outputs/exports.ts';
import type { Client, Input, Output } from './index.ts';

/** Progress of an export. */
export type ExportProgress = Pick<ExportPart, 'step' | 'done' | 'total'>;

export interface ReadExportOptions {
  readonly onStart?: (start: Output<'exports.create'>) => unknown;
  readonly onProgress?: (progress: ExportProgress) => unknown;
  /** Takes the next text of a file; the next part is requested when this has finished. */
  readonly onText: (file: number, text: string) => unknown;
}

/** An export that is being read. */
export interface ReadingExport {
  /** Number of masked tokens. Fails as `exports.create` and `exports.read` do, and with `cancelled`. */
  readonly masked: Promise<number>;
  cancel(): void;
}

/** Reads an export to its end, a part at a time. */
export function readExport(client: Client, request: Input<'exports.create'>, options: ReadExportOptions): ReadingExport {
  let id: string | null = null;
  let cancelled = false;
  const end = () => {
    if (id !== null) void client.call('exports.cancel', { id }).catch(() => undefined);
    id = null;
  };

  async function read(): Promise<number> {
    const start = await client.call('exports.create', request);
    id = start.id;
    try {
      await options.onStart?.(start);
      for (;;) {
        if (cancelled) throw stopped();
        const part = await client.call('exports.read', { id: start.id });
        if (part.text !== '') await options.onText(part.file, part.text);
        await options.onProgress?.(part);
        if (!part.ended) continue;
        id = null;
        return part.masked;
      }
    } catch (error) {
      // Core's error after a cancel depends on the step, so one error stands for all.
      throw cancelled ? stopped() : error;
    } finally {
      end();
    }
  }

  return {
    masked: read(),
    cancel() {
      cancelled = true;
      end();
    },
  };
}

function stopped(): AppError {
  return new AppError('cancelled', 'The export was cancelled.');
}

/** Returns the files of a short export as a whole. */
export async function exportWhole(
  client: Client,
  request: Input<'exports.create'>,
): Promise<{ files: ExportedFile[]; masked: number }> {
  const files: ExportedFile[] = [];
  const { masked } = readExport(client, request, {
    onStart: (start) => files.push(...start.files.map((file) => ({ ...file, text: '' }))),
    onText(at, text) {
      const file = files[at];
      if (file !== undefined) file.text += text;
    },
  });
  return { masked: await masked, files };
}
