/**
 * The keychain library of the single file. Node loads native code from files alone, so it is unpacked among the caches of the user, where nobody
 * else may write.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { codeCacheFolder } from '../code-cache.ts';

/** The native functions behind those of keytar, which add nothing but checks that our own code passes. */
const library = { exports: {} as Record<'getPassword' | 'setPassword' | 'deletePassword', unknown> };
process.dlopen(library, unpack(Buffer.from(process.getBuiltinModule('node:sea').getAsset('keytar.node'))));
export const { getPassword, setPassword, deletePassword } = library.exports;

/** Returns the path of the library. A file that is there already is taken only if it is the same to the last byte. */
function unpack(bytes: Buffer): string {
  const folder = codeCacheFolder(process.env);
  const path = join(folder ?? '', `keytar-${createHash('sha256').update(bytes).digest('hex')}.node`);
  try {
    if (folder === null) throw new Error('there is no folder that only you may write');
    if (isSame(path, bytes)) return path;
    const part = `${path}.${process.pid}`;
    writeFileSync(part, bytes, { mode: 0o500, flag: 'wx' });
    renameSync(part, path);
    return path;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'storage',
      `The keychain library cannot be unpacked (${reason}), so keys are held for this session only. Set XDG_CACHE_HOME to a folder of yours.`,
    );
  }
}

function isSame(path: string, bytes: Buffer): boolean {
  try {
    return readFileSync(path).equals(bytes);
  } catch {
    // It was not unpacked here yet.
    return false;
  }
}
