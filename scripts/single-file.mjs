// Croupier with its Node in one file: a single executable application of Node, whose assets are the programs, the page and the keychain library.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { programOf } from './program-of.mjs';

/** Options of Node in each process of the single file. It takes no others, from nowhere. */
const nodeOptions = ['--disable-sigusr1', '--min-semi-space-size=8', '--max-semi-space-size=8'];
/** Name of the mark in Node's program that is set when it gets assets. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Returns the folder of Node's package for a platform: that of this project, or that of the same version from the registry, with the digest of the
 * lock file.
 */
export function nodePackage(root, platform) {
  const name = `node-${platform}`;
  const installed = path.join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const { version, integrity } = readJson(path.join(root, 'package-lock.json')).packages[`node_modules/${name}`];
  const folder = path.join(root, '.cache', `${name}-${version}`);
  const fetched = path.join(folder, 'package');
  if (existsSync(fetched)) return fetched;
  mkdirSync(folder, { recursive: true });
  const file = `${name}-${version}.tgz`;
  execFileSync(...programOf('npm', ['pack', `${name}@${version}`]), { cwd: folder, stdio: 'pipe' });
  const digest = createHash('sha512')
    .update(readFileSync(path.join(folder, file)))
    .digest('base64');
  if (integrity !== `sha512-${digest}`) throw new Error(`${file} of the registry is not the one in package-lock.json.`);
  execFileSync('tar', ['-xzf', file], { cwd: folder });
  rmSync(path.join(folder, file));
  return fetched;
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Makes the single file `target` of what `from` holds; `work` is a folder for what it needs meanwhile. */
export function makeSingleFile(root, { platform, from, work, target }) {
  const isMac = platform.startsWith('darwin');
  // There is no package for macOS: the Node that runs was installed there with its licence.
  const node = isMac ? path.dirname(path.dirname(process.execPath)) : nodePackage(root, platform);
  const assets = {};
  const add = (name, content) => {
    assets[name] = path.join(work, name);
    mkdirSync(path.dirname(assets[name]), { recursive: true });
    writeFileSync(assets[name], content);
  };
  const read = (name) => readFileSync(path.join(from, name));
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
    const name = path.relative(from, path.join(entry.parentPath, entry.name)).split(path.sep).join('/');
    if (name.startsWith('out/main/')) add(name, `(function (exports, require, module, __filename) {${String(read(name))}\n})`);
    else if (/^(?:out|starter-collections)\//.test(name)) add(name, read(name));
  }
  // The package for Windows has no licence text of its own.
  const licence = readFileSync(path.join(isMac ? node : nodePackage(root, 'linux-x64'), 'LICENSE'), 'utf8');
  add('out/licences.txt', `${String(read('out/licences.txt'))}\n${licence}`);
  add('package.json', readFileSync(path.join(root, 'package.json')));
  add('keytar.node', read(`node_modules/keytar/prebuilds/${platform.replace(/^win-/, 'win32-')}/keytar.node`));
  const loader = readFileSync(path.join(root, 'bin/single-file.cjs'), 'utf8').trim().replace(/;$/, '');
  add('loader', loader);
  // A key agent is the single file with a channel to its parent and the agent's name.
  const agent = `'out/main/key-agent.cjs'`;
  const first = `process.send !== undefined && process.argv.at(-1) === ${agent} ? ${agent} : 'out/main/single.cjs'`;
  // By its name alone: the path of the program gets into the file.
  const main = 'main.cjs';
  writeFileSync(path.join(work, main), `${loader}(${first});\n`);
  const output = path.join(work, 'sea.blob');
  const config = path.join(work, 'sea.json');
  const settings = {
    main,
    output,
    assets,
    execArgv: nodeOptions,
    execArgvExtension: 'none',
    disableExperimentalSEAWarning: true,
  };
  writeFileSync(config, JSON.stringify(settings));
  execFileSync(process.execPath, ['--experimental-sea-config', config], { cwd: work, stdio: 'pipe' });
  cpSync(path.join(node, platform.startsWith('win') ? 'bin/node.exe' : 'bin/node'), target, { dereference: true });
  chmodSync(target, 0o755);
  if (isMac) execFileSync('codesign', ['--remove-signature', target]);
  const inject = [
    target,
    'NODE_SEA_BLOB',
    output,
    '--sentinel-fuse',
    fuse,
    ...(isMac ? ['--macho-segment-name', 'NODE_SEA'] : []),
  ];
  execFileSync(...programOf('postject', inject), { stdio: 'pipe' });
  if (isMac) execFileSync('codesign', ['--sign', '-', target]);
}
