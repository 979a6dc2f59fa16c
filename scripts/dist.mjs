// `npm run dist`: what people install, made from the build into `dist/`, with its checksums and bills of materials.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { billOfMaterials } from './bill-of-materials.mjs';
import { makeContainerFolder } from './container.mjs';
import { programOf } from './program-of.mjs';
import { makeSingleFile } from './single-file.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

/** Programs that only the desktop package has. */
const without = ['desktop', 'preload'];
/** Platforms with a keychain that Croupier can use, as keytar names them. */
const keychains = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];
/** Platforms of single files. Only a Mac can make and sign one for itself. */
const platforms = process.platform === 'darwin' ? [`darwin-${process.arch}`] : ['linux-x64', 'linux-arm64', 'win-x64'];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** Puts the programs, the page and all that they need into a folder: the npm package but for its description. */
export function gather(root, folder) {
  const copy = (name) => cpSync(path.join(root, name), path.join(folder, name), { recursive: true, dereference: true });
  for (const name of ['bin/croupier.cjs', 'out/main', 'out/renderer', 'starter-collections', 'LICENSE']) copy(name);
  rmSync(path.join(folder, 'out/main/desktop.cjs'));
  const own = readFileSync(path.join(root, 'LICENSE'), 'utf8');
  writeFileSync(path.join(folder, 'out/licences.txt'), `${own}\n${thirdPartyNotices(root, without)}`);
  for (const name of ['LICENSE.md', 'lib', ...keychains.map((one) => `prebuilds/${one}`)]) copy(`node_modules/keytar/${name}`);
  // Without its script and its compiler's headers: nothing of it is compiled or fetched.
  const { name, version, license, main } = readJson(path.join(root, 'node_modules/keytar/package.json'));
  writeJson(path.join(folder, 'node_modules/keytar/package.json'), { name, version, license, main });
}

/** Packs the folder for npm. Returns the name of the file. */
function packForNpm(folder, dist, name, { version, description, license, dependencies }) {
  for (const file of globSync('out/main/single*.cjs', { cwd: folder })) rmSync(path.join(folder, file));
  writeJson(path.join(folder, 'package.json'), {
    name,
    version,
    description,
    license,
    bin: { croupier: 'bin/croupier.cjs' },
    engines: { node: '>=24' },
    dependencies,
    bundleDependencies: Object.keys(dependencies),
  });
  const readme = [
    '# Croupier',
    `${description}: its command line, and the workbench for a browser on this computer.`,
    '    croupier call gameList --env sandbox\n    croupier serve\n    croupier --help',
    'All pages of the documentation are in the workbench: press F1.',
  ];
  writeFileSync(path.join(folder, 'README.md'), `${readme.join('\n\n')}\n`);
  const [packed] = JSON.parse(
    execFileSync(...programOf('npm', ['pack', '--json', '--pack-destination', dist]), {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  return packed.filename;
}

/** Returns the component of the Node in a single file. Its digest is that of the package in the registry. */
export function nodeComponent(root, platform) {
  const { version, integrity } = readJson(path.join(root, 'package-lock.json')).packages[`node_modules/node-${platform}`] ?? {
    version: process.versions.node,
  };
  const purl = `pkg:npm/node-${platform}@${version}`;
  const digest = integrity && Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version,
    ...(digest === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: digest }] }),
    licenses: [{ license: { id: 'MIT' } }],
    purl,
  };
}

/** Writes the SHA-256 of files in `dist`, in the form that `sha256sum --check` reads. */
export function writeSums(dist, names) {
  const sumOf = (name) =>
    createHash('sha256')
      .update(readFileSync(path.join(dist, name)))
      .digest('hex');
  writeFileSync(path.join(dist, 'SHA256SUMS'), names.map((name) => `${sumOf(name)}  ${name}\n`).join(''));
}

/** Makes everything of the build in `root`, in place of what was in `dist` before. Returns the names of what people install. */
export function makeDist(root, dist = path.join(root, 'dist')) {
  // What is in there is for every user of a computer, and the same whoever makes it.
  process.umask(0o022);
  rmSync(dist, { recursive: true, force: true });
  const folder = path.join(dist, 'work', 'package');
  mkdirSync(folder, { recursive: true });
  const manifest = readJson(path.join(root, 'package.json'));
  const bill = (kind, more) =>
    writeJson(path.join(dist, `croupier-${manifest.version}-${kind}.cdx.json`), billOfMaterials(root, { without, ...more }));
  gather(root, folder);
  /** @type {Record<string, string>} */
  const files = {};
  for (const platform of platforms) {
    files[platform] = `croupier-${manifest.version}-${platform}${platform.startsWith('win') ? '.exe' : ''}`;
    makeSingleFile(root, {
      platform,
      from: folder,
      work: path.join(dist, 'work', platform),
      target: path.join(dist, files[platform]),
    });
    bill(platform, { more: [nodeComponent(root, platform)] });
  }
  const own = `linux-${process.arch}`;
  if (files[own] !== undefined) {
    const place = path.join(dist, 'work', 'container');
    const libraries = makeContainerFolder(root, path.join(dist, files[own]), place);
    files.container = `croupier-${manifest.version}-container-${own}.tar.gz`;
    // The same bytes each time.
    const alike = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
    execFileSync('tar', [...alike, '-czf', path.join(dist, files.container), '-C', place, '.']);
    bill(`container-${own}`, { more: [nodeComponent(root, own), ...libraries] });
  }
  const name = '@croupier-workbench/cli';
  files.npm = packForNpm(folder, dist, name, manifest);
  bill('npm', { name });
  rmSync(path.join(dist, 'work'), { recursive: true });
  writeSums(
    dist,
    readdirSync(dist).filter((name) => name !== 'SHA256SUMS'),
  );
  return files;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  makeDist(process.cwd());
  console.log(readFileSync('dist/SHA256SUMS', 'utf8'));
}
