// `npm run dist`: what people install, made from the build into `dist/`, with its checksums and bills of materials.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { billOfMaterials } from './bill-of-materials.mjs';
import { programOf } from './program-of.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

/** Programs that only the desktop package has. */
const without = ['desktop', 'preload'];
/** Platforms with a keychain that Croupier can use, as keytar names them. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

const licencesText = (root) => `${readFileSync(path.join(root, 'LICENSE'), 'utf8')}\n${thirdPartyNotices(root, without)}`;

/** Makes the npm package and its bill of materials in `dist`. Returns the name of the package's file. */
function makeNpmPackage(root, dist, { version, description, license, dependencies }) {
  const folder = path.join(dist, 'npm');
  const copy = (from, to = from) => cpSync(path.join(root, from), path.join(folder, to), { recursive: true, dereference: true });
  for (const name of ['bin/croupier.cjs', 'out/main', 'out/renderer', 'starter-collections', 'LICENSE']) copy(name);
  rmSync(path.join(folder, 'out/main/desktop.cjs'));
  for (const name of ['LICENSE.md', 'lib', ...platforms.map((platform) => `prebuilds/${platform}`)])
    copy(`node_modules/keytar/${name}`);
  writeFileSync(path.join(folder, 'out/licences.txt'), licencesText(root));
  // Without its script and its compiler's headers: nothing of it is compiled or fetched.
  const keytar = readJson(path.join(root, 'node_modules/keytar/package.json'));
  writeJson(path.join(folder, 'node_modules/keytar/package.json'), {
    name: keytar.name,
    version: keytar.version,
    license: keytar.license,
    main: keytar.main,
  });
  const name = '@croupier-workbench/cli';
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
  rmSync(folder, { recursive: true });
  writeJson(path.join(dist, `croupier-${version}-npm.cdx.json`), billOfMaterials(root, { name, without }));
  return packed.filename;
}

/** Writes the SHA-256 of every file in `dist`, in the form that `sha256sum --check` reads. */
function writeSums(dist) {
  const sumOf = (name) =>
    createHash('sha256')
      .update(readFileSync(path.join(dist, name)))
      .digest('hex');
  const names = readdirSync(dist).filter((name) => name !== 'SHA256SUMS');
  writeFileSync(path.join(dist, 'SHA256SUMS'), names.map((name) => `${sumOf(name)}  ${name}\n`).join(''));
}

/** Makes everything of the build in `root`, in place of what was in `dist` before. */
export function makeDist(root, dist = path.join(root, 'dist')) {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  const manifest = readJson(path.join(root, 'package.json'));
  const files = { npm: makeNpmPackage(root, dist, manifest) };
  writeSums(dist);
  return files;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  makeDist(process.cwd());
  console.log(readFileSync('dist/SHA256SUMS', 'utf8'));
}
