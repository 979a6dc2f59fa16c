import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { doublePath } from '../../e2e/electron-host.ts';
import { makeSurroundings, root, watch } from '../../e2e/program.ts';
import { readFuses, wantedFuses } from '../../scripts/fuses.mjs';
import { programOf } from '../../scripts/program-of.mjs';
import { nodePackage } from '../../scripts/single-file.mjs';

/** The fuses of Electron as it is delivered. */
const unfused = Buffer.concat([Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\x01\x09'), Buffer.from('101100011')]);
/** Megabytes that Croupier may add to Electron, and its command line, which has a Node. */
const mostOwnMb = 20;
const mostCommandMb = 145;

interface Packed {
  /** Arguments of electron-builder. */
  readonly options: readonly string[];
  /** The folder that it makes, and in there the executable with the fuses, the resources, and the licences. */
  readonly made: string;
  readonly fuses: string;
  readonly resources: string;
  readonly licences: string;
  readonly electron: (folder: string) => void;
}

/** A stand-in for Electron's folder on each system. */
const systems: Readonly<Record<string, Packed>> = {
  'linux-x64': onLinux('x64', 'linux-unpacked'),
  'linux-arm64': onLinux('arm64', 'linux-arm64-unpacked'),
  'win32-x64': {
    options: ['--win', 'dir:x64'],
    made: 'win-unpacked',
    fuses: 'Croupier.exe',
    resources: 'resources',
    licences: '.',
    electron(folder) {
      commonParts(folder);
      writeFileSync(path.join(folder, 'electron.exe'), Buffer.concat([unsignedNode(), unfused]));
    },
  },
  'darwin-arm64': {
    options: ['--mac', 'dir:arm64'],
    made: 'mac-arm64',
    fuses: 'Croupier.app/Contents/Frameworks/Electron Framework.framework/Versions/A/Electron Framework',
    resources: 'Croupier.app/Contents/Resources',
    licences: 'Croupier.app/Contents/Resources',
    electron(folder) {
      const contents = path.join(folder, 'Electron.app/Contents');
      const frameworks = path.join(contents, 'Frameworks');
      programIn(contents, 'Electron');
      for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)'])
        programIn(path.join(frameworks, `Electron Helper${kind}.app/Contents`), `Electron Helper${kind}`);
      put(path.join(frameworks, 'Electron Framework.framework/Versions/A/Electron Framework'), unfused);
      put(path.join(contents, 'Resources/en.lproj/locale.pak'), '');
    },
  },
};

function onLinux(arch: string, made: string): Packed {
  return {
    options: ['--linux', `dir:${arch}`],
    made,
    fuses: 'croupier-desktop',
    resources: 'resources',
    licences: '.',
    electron(folder) {
      commonParts(folder);
      writeFileSync(path.join(folder, 'electron'), unfused, { mode: 0o755 });
    },
  };
}

function put(file: string, content: string | Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Files of Electron on Linux and Windows. */
function commonParts(folder: string): void {
  for (const name of ['version', 'LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'locales/en-US.pak', 'resources/x'])
    put(path.join(folder, name), name);
}

/** A bundle of macOS with its program. */
function programIn(contents: string, name: string): void {
  const plist = `<plist version="1.0"><dict><key>CFBundleExecutable</key><string>${name}</string></dict></plist>`;
  put(path.join(contents, 'Info.plist'), plist);
  put(path.join(contents, 'MacOS', name), '');
}

/** Node for Windows without its signature: electron-builder writes into real executables alone. */
function unsignedNode(): Buffer {
  const bytes = readFileSync(path.join(nodePackage(root, 'win-x64'), 'bin/node.exe'));
  // The fifth entry of the directories in the optional header of 64 bits.
  const entry = bytes.readUInt32LE(0x3c) + 24 + 112 + 4 * 8;
  const start = bytes.readUInt32LE(entry);
  bytes.fill(0, entry, entry + 8);
  return bytes.subarray(0, start);
}

/** Returns the files of an archive of Electron with their bytes; null for those beside it. */
function readArchive(file: string): Map<string, Buffer | null> {
  interface Entry {
    readonly size?: number;
    readonly offset?: string;
    readonly unpacked?: boolean;
    readonly files?: Readonly<Record<string, Entry>>;
  }
  const bytes = readFileSync(file);
  const start = 8 + bytes.readUInt32LE(4);
  const found = new Map<string, Buffer | null>();
  const walk = ({ files = {} }: Entry, place: string) => {
    for (const [name, { size = 0, offset = 0, ...entry }] of Object.entries(files))
      if (entry.files !== undefined) walk(entry, `${place}${name}/`);
      else
        found.set(
          place + name,
          entry.unpacked === true ? null : bytes.subarray(start + Number(offset), start + Number(offset) + size),
        );
  };
  walk(JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as Entry, '');
  return found;
}

/** Files of the project that are in the archive: neither the command line's programs, nor what only the build needs. */
function expectedFiles(platform: string): string[] {
  const ours = globSync(['out/**', 'starter-collections/**', 'package.json', 'resources/icon.png'], { cwd: root });
  const keytar = ['lib/keytar.js', 'package.json', `prebuilds/${platform}/keytar.node`].map(
    (name) => `node_modules/keytar/${name}`,
  );
  return [...ours, ...keytar]
    .filter((name) => statSync(path.join(root, name)).isFile())
    .filter((name) => !/^out\/(?:main\/(?:cli|single|single-keychain)\.cjs|packages-\w+\.json)$/.test(name))
    .sort();
}

/**
 * Packs the build for every system, with a stand-in for Electron, and reads each folder back. Returns the command line of the package that can run
 * here, the sizes, and what was wrong.
 */
export async function packDesktops(folder: string) {
  const { scripts, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: { package: string };
    version: string;
  };
  const wrong: string[] = [];
  const sizes: string[] = [];
  const release = path.join(folder, 'release');
  /** Runs the packager of `npm run package`. */
  function pack(options: readonly string[], env = {}): string {
    const packager = /electron-builder@\S+/.exec(scripts.package)?.[0] ?? '';
    const [command, args] = programOf('npm', ['exec', '--yes', '--', packager, `-c.directories.output=${release}`, ...options]);
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });
    if (status !== 0) wrong.push(`${options.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }
  for (const [platform, system] of Object.entries(systems)) {
    const expect = (what: string, isGood: boolean) => void (isGood || wrong.push(`${platform}: ${what}`));
    const electron = path.join(folder, 'electron', platform);
    system.electron(electron);
    pack([...system.options, `-c.electronDist=${electron}`]);
    const made = path.join(release, system.made);
    const resources = path.join(made, system.resources);
    const archive = readArchive(path.join(resources, 'app.asar'));
    const names = [...archive.keys()].sort();
    const expected = expectedFiles(platform);
    expect(
      `the archive has ${names.filter((name) => !expected.includes(name)).join(', ')} and lacks ${expected.filter((name) => !names.includes(name)).join(', ')}`,
      names.join() === expected.join(),
    );
    expect('a source, a test or a source map', !names.some((name) => /\.(?:map|tsx?)$|\.test\./.test(name)));
    for (const [name, bytes] of archive) {
      const place = bytes === null ? path.join(resources, 'app.asar.unpacked', name) : null;
      expect(
        `${name} is another`,
        path.basename(name) === 'package.json' ||
          (bytes ?? readFileSync(place ?? '')).equals(readFileSync(path.join(root, name))),
      );
      expect(`${name} is ${place === null ? '' : 'not '}in the archive`, (place !== null) === name.endsWith('.node'));
    }
    expect('its fuses', JSON.stringify(readFuses(path.join(made, system.fuses))) === JSON.stringify(wantedFuses));
    // Those of Electron are moved into a bundle from beside it, where a stand-in's folder is not looked at.
    const electrons = platform.startsWith('darwin') ? [] : ['LICENSE.electron.txt', 'LICENSES.chromium.html'];
    for (const name of ['LICENSE.croupier.txt', 'THIRD-PARTY-NOTICES.txt', ...electrons])
      expect(`no ${name}`, existsSync(path.join(made, system.licences, name)));
    const bill = readFileSync(
      path.join(release, `croupier-${version}-desktop-${platform.replace('win32', 'win')}.cdx.json`),
      'utf8',
    );
    for (const name of ['electron', 'keytar', 'node', 'react'])
      expect(`no ${name} in its bill`, bill.includes(`"name": "${name}"`));
    const own = (bytesOf(path.join(resources, 'app.asar')) + bytesOf(path.join(resources, 'app.asar.unpacked'))) / 1e6;
    expect(`${own} MB of Croupier`, own <= mostOwnMb);
    // The one for macOS is made on a Mac.
    const command = platform.startsWith('darwin') ? 0 : bytesOf(path.join(resources, 'bin')) / 1e6;
    expect(`${command} MB of command line`, command <= mostCommandMb && command > 0 !== platform.startsWith('darwin'));
    sizes.push(`${platform}: ${own.toFixed(1)} MB in Electron, ${command.toFixed(1)} MB of command line`);
  }
  const made = path.join(release, 'linux-unpacked');
  const tools = path.join(folder, 'tools');
  pack(['--linux', 'deb', 'AppImage', '--x64', `--prepackaged=${made}`], makeTools(tools));
  const told = ['fpm.txt', 'AppImage.txt'].map((name) => readFileSync(path.join(tools, name), 'utf8')).join('');
  for (const line of [
    'resources/deb/croupier=/usr/bin/croupier',
    `${root}/resources/icon.svg=/usr/share/icons/hicolor/scalable/apps/croupier-desktop.svg`,
    'libgtk-3-0',
    'Croupier maintainers <maintainers@croupier.example>',
    // Without `--no-sandbox`.
    'Exec=AppRun %U',
    'StartupWMClass=croupier-desktop',
  ])
    if (!told.split('\n').includes(line)) wrong.push(`deb and AppImage: no line ${line}`);
  const sums = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release });
  if (sums.status !== 0) wrong.push('SHA256SUMS');
  wrong.push(...(await start(path.join(made, 'resources'), path.join(folder, 'started'), version)));
  return { commandLine: path.join(made, 'resources/bin/croupier'), sizes, wrong };
}

/**
 * Stand-ins for what makes a deb and an AppImage, which electron-builder fetches from GitHub: each keeps what it was told. Returns the variables by
 * which electron-builder finds them.
 */
function makeTools(folder: string) {
  const program = (name: string, text: string) => {
    put(path.join(folder, name), `#!/bin/sh\ncd ${folder} || exit 1\n${text}\n`);
    chmodSync(path.join(folder, name), 0o755);
  };
  program('fpm', `printf '%s\\n' "$@" >fpm.txt\nfor one; do case $one in *.deb) : >"$one";; esac; done`);
  program('mksquashfs', 'cat "$1"/*.desktop >AppImage.txt\n: >"$2"');
  for (const name of ['desktop-file-validate', 'runtimes/runtime-x64', 'lib/x64/none']) put(path.join(folder, name), '');
  return { CUSTOM_FPM_PATH: path.join(folder, 'fpm'), APPIMAGE_TOOLS_PATH: folder };
}

/** Makes the double a package, prints what the page shows once it is there, and installs the command line from the menu. */
const play = (resources: string) => `const { app, dialog, Menu } = require('electron');
Object.defineProperty(app, 'isPackaged', { value: true });
process.resourcesPath = ${JSON.stringify(resources)};
dialog.showMessageBox = async (_window, { message, buttons }) => {
  console.log('said: ' + message);
  return { response: buttons.indexOf('Install') };
};
app.on('web-contents-created', (_event, contents) =>
  contents.on('did-finish-load', async () => {
    const shown = () => contents.executeJavaScript('document.body.innerText');
    while (!(await shown()).includes('gameList')) await new Promise((done) => setTimeout(done, 100));
    Menu.getApplicationMenu().items.at(-1).submenu.items.at(-1).click();
  }));`;

/** Starts what a package holds and nothing else, on the double of Electron, and its command line from where the menu puts it. Returns what was wrong. */
async function start(resources: string, folder: string, version: string): Promise<string[]> {
  for (const [name, bytes] of readArchive(path.join(resources, 'app.asar')))
    put(path.join(folder, name), bytes ?? readFileSync(path.join(resources, 'app.asar.unpacked', name)));
  const surroundings = await makeSurroundings(play(resources));
  try {
    const env = { ...surroundings.env, CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '' };
    const running = watch(spawn(doublePath, ['-r', surroundings.plant ?? '', folder], { cwd: surroundings.folder, env }));
    await running.saw(/said: The command line is installed\./);
    running.kill('SIGTERM');
    const { code } = await running.finished;
    const installed = path.join(surroundings.env['HOME'] ?? '', '.local/bin/croupier');
    const { stdout } = spawnSync(installed, ['--version'], { encoding: 'utf8', env });
    return code === 0 && stdout.includes(version) ? [] : [`the start: ${code}, then ${stdout}`];
  } finally {
    await surroundings.remove();
  }
}

function bytesOf(place: string): number {
  if (statSync(place).isFile()) return statSync(place).size;
  return readdirSync(place).reduce((sum, name) => sum + bytesOf(path.join(place, name)), 0);
}
