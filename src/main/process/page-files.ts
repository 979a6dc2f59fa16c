import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { pageFileCaching, pageFileType } from '#shared/page-policy.ts';

/** One file of the built page as it is served. */
export interface PageFile {
  readonly type: string;
  readonly caching: string;
  /** Returns null for a file that cannot be read: another build may have taken it away. */
  read(): Promise<Buffer<ArrayBuffer> | null>;
}

/**
 * Lists the built page, as a map from request path to file: requests are only looked up in it, and no path is joined. The files stay on the
 * disk, for they would take 14 MB of a program at rest. Fails with `not_found` if the page is not built.
 */
export async function listPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    const type = entry.isFile() ? pageFileType(name) : null;
    if (type !== null)
      files.set(`/${name}`, { type, caching: pageFileCaching(name), read: () => readFile(path).catch(() => null) });
  }
  const index = files.get('/index.html');
  if (index === undefined)
    throw new AppError('not_found', `The page is not in ${folder}. Run "npm run build", or reinstall Croupier.`);
  return files.set('/', index);
}
