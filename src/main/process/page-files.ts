import type { OwnFolder } from '#core/host/own-folder.ts';
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
export async function listPageFiles(folder: OwnFolder): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  for (const name of await folder.list().catch(() => [])) {
    const type = pageFileType(name);
    if (type !== null)
      files.set(`/${name}`, { type, caching: pageFileCaching(name), read: () => folder.read(name).catch(() => null) });
  }
  const index = files.get('/index.html');
  if (index === undefined)
    throw new AppError('not_found', `The page is not in ${folder.path}. Run "npm run build", or reinstall Croupier.`);
  return files.set('/', index);
}
