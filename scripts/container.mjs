// What a container of Croupier holds. It begins with nothing, so the libraries that Node's program loads come from the machine that makes it.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes the folder from which a container is built, on Linux for its own processor. Returns the Debian packages of the libraries, as components of
 * a bill of materials.
 */
export function makeContainerFolder(root, single, folder) {
  const inside = path.join(folder, 'root');
  const put = (name, write) => {
    const target = path.join(inside, name);
    mkdirSync(path.dirname(target), { recursive: true });
    write(target);
  };
  put('usr/bin/croupier', (target) => copyFileSync(single, target));
  const libraries = execFileSync('ldd', [single], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  for (const library of libraries) put(library, (target) => copyFileSync(library, target));
  put('etc/passwd', (target) => writeFileSync(target, 'croupier:x:10001:10001::/home/croupier:/nonexistent\n'));
  put('etc/hosts', (target) => writeFileSync(target, '127.0.0.1 localhost\n::1 localhost\n'));
  put('dev/null', (target) => writeFileSync(target, ''));
  mkdirSync(path.join(inside, 'tmp'));
  chmodSync(path.join(inside, 'tmp'), 0o1777);
  mkdirSync(path.join(folder, 'home'));
  copyFileSync(path.join(root, 'resources/container/Containerfile'), path.join(folder, 'Containerfile'));
  return packagesOf(libraries);
}

/** Returns the Debian package of each of the files; none on another system. */
function packagesOf(files) {
  const ask = (...args) => execFileSync('dpkg-query', args, { encoding: 'utf8' }).trim().split('\n');
  try {
    // A library may be listed by another name of its folder.
    const owners = files.flatMap((file) => ask('--search', `*${file}`).map((line) => line.split(':')[0]));
    return ask('--show', '--showformat', '${Package} ${Version}\n', ...new Set(owners)).map((line) => {
      const [name, version] = line.split(' ');
      const purl = `pkg:deb/debian/${name}@${version}`;
      return { type: 'library', 'bom-ref': purl, name, version, purl };
    });
  } catch {
    return [];
  }
}
