import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { pageFileCaching, pageFileType } from '#shared/page-policy.ts';

/** One file of the built page as it is served. */
export interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly caching: string;
}

/**
 * Reads the built page once, as a map from request path to file. Requests are only looked up in it: no path is joined.
 * Fails with `not_found` if the page is not built.
 */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    const type = pageFileType(name);
    if (type === null) continue;
    files.set(`/${name}`, { bytes: await readFile(path), type, caching: pageFileCaching(name) });
  }
  const index = files.get('/index.html');
  if (index === undefined) {
    throw new AppError('not_found', `The built page is not in ${folder}. Run "npm run build" first.`);
  }
  return files.set('/', index);
}
