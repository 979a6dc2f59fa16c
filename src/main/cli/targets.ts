import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { NewFile } from '#core/app/app.ts';
import { AppError } from '#shared/errors.ts';

/** Targets that are begun and not written yet. */
const begun = new Set<NewFile>();

/**
 * Begins the files that a command will write, before it sends anything: each is held open beside its place until it gets its content, and nothing of it stays if the
 * command ends before that. `new`: none may be there yet. Fails with `invalid_input` if a folder is missing or something else than a file is there, with
 * `conflict`, and with `storage`.
 */
export async function openTargets(paths: readonly string[], { new: isNew }: { readonly new: boolean }): Promise<NewFile[]> {
  const targets: NewFile[] = [];
  for (const path of paths) {
    const there = await stat(path).catch(() => null);
    if (there !== null && isNew)
      throw new AppError('conflict', `${path} already exists and was not changed. Choose another name.`);
    // A device or a pipe would be replaced by the file.
    if (there?.isFile() === false) throw new AppError('invalid_input', `${path} is not a file. Name a file.`);
    const folder = await stat(dirname(path)).catch(() => null);
    if (folder?.isDirectory() !== true)
      throw new AppError('invalid_input', `There is no folder ${dirname(path)} for ${path}. Create it first.`);
    const { openNewFile } = await import('#core/app/app.ts');
    const target = await openNewFile(path, { over: !isNew });
    if (begun.size === 0) process.once('exit', discardBegun);
    begun.add(target);
    targets.push(target);
  }
  return targets;
}

/** Discards them, whatever ends the process: an error, a second signal, a fault. */
function discardBegun(): void {
  for (const target of begun) target.discardNow();
}
