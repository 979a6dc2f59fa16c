import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCommandLine } from './command-line.ts';

let root = '';
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'croupier-test-'))));
afterEach(() => rmSync(root, { recursive: true }));

type System = 'linux' | 'AppImage' | 'darwin' | 'win32';
/** The file on each system, and what it has to lead to, below `root`. */
const systems: Readonly<Record<System, { file: string; leadsTo: string }>> = {
  linux: { file: 'home/.local/bin/croupier', leadsTo: 'app/resources/bin/croupier' },
  AppImage: { file: 'home/.local/bin/croupier', leadsTo: 'home/.local/lib/croupier/croupier-1.2.3' },
  darwin: { file: 'usr/local/bin/croupier', leadsTo: 'app/resources/bin/croupier' },
  win32: { file: 'home/Local/Microsoft/WindowsApps/croupier.cmd', leadsTo: 'app/resources/bin/croupier.exe' },
};
const names = Object.keys(systems) as System[];

function put(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Opens the menu entry in a package in `folder` and chooses these buttons. Returns what was said. */
async function choose(
  system: System,
  choices: readonly string[],
  { folder = 'app', env = {}, top = root } = {},
): Promise<string[]> {
  const place = {
    platform: system === 'AppImage' ? 'linux' : system,
    resources: join(root, folder, 'resources'),
    version: '1.2.3',
    userFolder: join(root, 'home'),
    env: { LOCALAPPDATA: join(root, 'home/Local'), PATH: '/bin', ...(system === 'AppImage' ? { APPIMAGE: '/a' } : {}), ...env },
    root: top,
  } as const;
  put(`${folder}/resources/bin/croupier${system === 'win32' ? '.exe' : ''}`, 'the program');
  const boxes: MessageBoxOptions[] = [];
  const left = [...choices];
  await createCommandLine(place)?.show(async (box) => {
    boxes.push(box);
    return box.buttons?.indexOf(left.shift() ?? 'Close') ?? 0;
  });
  return boxes.map(({ message, detail, buttons }) => [message, detail, buttons?.join(' | ')].join('\n').replaceAll(root, ''));
}

/** Returns what the file of a system leads to; null if it is not there. */
function found(system: System): string | null {
  const file = join(root, systems[system].file);
  if (!existsSync(file)) return null;
  return (system === 'win32' ? (/^@"(.*)" %\*\r\n$/.exec(readFileSync(file, 'utf8'))?.[1] ?? '') : readlinkSync(file)).replace(
    root,
    '',
  );
}

describe.each(names)('the command line of a package on %s', (system) => {
  const { file, leadsTo } = systems[system];

  it('is installed, said to be, and removed without a trace', async () => {
    const [before, after] = await choose(system, ['Install']);
    expect(before).toMatch(new RegExp(`^The command line isn't installed\\.\\nInstall creates /${file}\\.`));
    expect(after).toMatch(/^The command line is installed\.\nOpen a new terminal and run croupier --help\./);
    expect(found(system)).toBe(`/${leadsTo}`);
    expect(readFileSync(join(root, leadsTo), 'utf8')).toBe('the program');
    expect((await choose(system, ['Remove'])).map((text) => text.split('\n')[0])).toEqual([
      'The command line is installed.',
      'The command line was removed.',
    ]);
    expect(found(system)).toBeNull();
    expect(existsSync(join(root, leadsTo))).toBe(system !== 'AppImage');
  });

  it('is not installed by Cancel', async () => {
    expect(await choose(system, ['Cancel'])).toHaveLength(1);
    expect(existsSync(join(root, file))).toBe(false);
  });

  it('takes the place of another version, and leaves what somebody else has put there', async () => {
    await choose(system === 'AppImage' ? 'linux' : system, ['Install'], { folder: 'older' });
    const [moved] = await choose(system, ['Install']);
    expect(moved).toMatch(/ belongs to another copy of Croupier\.\n.*\nInstall \| Remove \| Cancel$/);
    expect(found(system)).toBe(`/${leadsTo}`);
    rmSync(join(root, file));
    put(file, '#!/bin/sh\n');
    expect(await choose(system, [])).toEqual([expect.stringMatching(new RegExp(`^/${file} already exists\\.\\n.*\\nClose$`))]);
    expect(readFileSync(join(root, file), 'utf8')).toBe('#!/bin/sh\n');
  });

  it('says so if its folder is not on the PATH', async () => {
    const folder = dirname(join(root, file));
    const separator = system === 'win32' ? ';' : ':';
    const [absent = ''] = await choose(system, ['Cancel']);
    expect(absent.includes("isn't on the PATH of this session")).toBe(system !== 'darwin');
    const PATH = ['/bin', `${system === 'win32' ? folder.toUpperCase() : folder}/`].join(separator);
    expect((await choose(system, ['Cancel'], { env: { PATH } }))[0]).not.toContain('PATH');
  });

  it('says what failed', async () => {
    put(dirname(file), 'a file where the folder would be');
    const said = await choose(system, ['Install']);
    expect(said.at(-1)).toMatch(/ could not be changed\.\n.+\nClose$/);
  });
});

describe('the command line of a package', () => {
  it('leaves links of others, also one that leads nowhere', async () => {
    for (const target of ['../lib/node_modules/@croupier-workbench/cli/bin/croupier.cjs', '/clone/bin/croupier']) {
      mkdirSync(join(root, 'home/.local/bin'), { recursive: true });
      symlinkSync(target, join(root, 'home/.local/bin/croupier'));
      expect((await choose('linux', []))[0]).toContain('already exists');
      rmSync(join(root, 'home/.local/bin/croupier'));
    }
  });

  it('is there already where the deb has installed it', async () => {
    put('usr/bin/croupier', '');
    const text = 'The command line is installed.\nIt came with the package, in /usr/bin.\nClose';
    expect(await choose('linux', [], { folder: 'opt/Croupier' })).toEqual([text]);
  });

  it('names no letters of the user in a script, and writes none that another code page reads otherwise', async () => {
    await choose('win32', ['Install'], { folder: 'home/Local/Programs/100% Jürgen' });
    expect(existsSync(join(root, systems.win32.file))).toBe(false);
    await choose('win32', ['Install'], { folder: 'home/Local/Programs/100%', env: { LOCALAPPDATA: join(root, 'home/Local') } });
    expect(readFileSync(join(root, systems.win32.file), 'utf8')).toBe(
      '@"%LOCALAPPDATA%/Programs/100%%/resources/bin/croupier.exe" %*\r\n',
    );
  });

  it.skipIf(!existsSync('/sys'))('is said how to be installed by an administrator on a Mac', async () => {
    const said = await choose('darwin', ['Install'], { top: '/sys' });
    expect(said.at(-1)).toBe(
      `/sys/usr/local/bin/croupier could not be changed.\nIn a terminal, run:\nsudo mkdir -p /sys/usr/local/bin && sudo ln -sf '/app/resources/bin/croupier' /sys/usr/local/bin/croupier\nClose`,
    );
  });

  it('is no entry of the menu without its file, and on no other system', () => {
    const place = { resources: join(root, 'none'), version: '1', userFolder: root, env: {} };
    expect(createCommandLine({ ...place, platform: 'linux' })).toBeNull();
    put('none/bin/croupier', '');
    expect(createCommandLine({ ...place, platform: 'freebsd' })).toBeNull();
  });
});
