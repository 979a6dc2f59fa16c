import type { OwnFolder } from '#core/host/own-folder.ts';
import { run } from '../program.ts';

const { getAsset, getAssetKeys, getRawAsset } = process.getBuiltinModule('node:sea');

/** Returns a program of the single file as a thread, which begins with the loader. */
function threadOf(name: string): URL {
  const loader = `process.getBuiltinModule('node:vm').runInThisContext(process.getBuiltinModule('node:sea').getAsset('loader', 'utf8'))`;
  return new URL(`data:text/javascript,${encodeURIComponent(`${loader}('out/main/${name}.cjs')`)}`);
}

/** Returns a folder of the single file. Its bytes are those of the running file, which take no other memory. */
function folderIn(path: string): OwnFolder {
  return {
    path: `${path} in the single file`,
    list: async () => getAssetKeys().flatMap((name) => (name.startsWith(`${path}/`) ? [name.slice(path.length + 1)] : [])),
    read: async (name) => Buffer.from(getRawAsset(`${path}/${name}`) as ArrayBuffer),
  };
}

void run(process.argv.slice(2), {
  // The single file itself, whose loader knows this argument.
  keyAgent: 'out/main/key-agent.cjs',
  searchWorker: threadOf('search-worker'),
  readingWorker: threadOf('reading-worker'),
  exportWorker: threadOf('export-worker'),
  page: folderIn('out/renderer'),
  starters: folderIn('starter-collections'),
  licences: () => folderIn('out').read('licences.txt'),
  version: () => (JSON.parse(getAsset('package.json', 'utf8')) as { version: string }).version,
});
