import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '#shared/errors.ts';

/**
 * Finds out, before anything is sent, whether files can be written: a file is begun beside each, and removed. `new`: none may be there yet.
 * Fails with `invalid_input` if a folder is missing or something else than a file is there, with `conflict`, and with `storage`.
 */
export async function checkTargets(
  paths: readonly (string | undefined)[],
  { new: isNew }: { readonly new: boolean },
): Promise<void> {
  for (const path of paths.filter((one) => one !== undefined)) {
    const there = await stat(path).catch(() => null);
    if (there !== null && isNew)
      throw new AppError('conflict', `${path} already exists and was not changed. Choose another name.`);
    // A device or a pipe would be replaced by the file.
    if (there?.isFile() === false) throw new AppError('invalid_input', `${path} is not a file. Name a file.`);
    const folder = await stat(dirname(path)).catch(() => null);
    if (folder?.isDirectory() !== true)
      throw new AppError('invalid_input', `There is no folder ${dirname(path)} for ${path}. Create it first.`);
    const { openNewFile } = await import('#core/app/app.ts');
    await (await openNewFile(path)).discard();
  }
}
