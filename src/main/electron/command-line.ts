import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, readlink, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { ownFolder } from '#core/host/own-folder.ts';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';

/** A package where it runs. `root` is the top of the file system. */
interface Place {
  readonly platform: NodeJS.Platform;
  readonly resources: string;
  readonly version: string;
  readonly userFolder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly root?: string;
}

/** Findings about what a terminal starts. `moved` is another version, or this one where it was before. */
type State = 'absent' | 'here' | 'moved' | 'foreign' | 'packaged' | 'temporary';
type Act = 'install' | 'remove';
const labels: Readonly<Record<Act, string>> = { install: 'Install', remove: 'Remove' };

/** The file by which a terminal finds the command line, in a folder that each system has on its PATH. */
const files: Readonly<Record<'linux' | 'darwin' | 'win32', (place: Place & { readonly root: string }) => string>> = {
  linux: ({ userFolder }) => join(userFolder, '.local', 'bin', 'croupier'),
  darwin: ({ root }) => join(root, 'usr', 'local', 'bin', 'croupier'),
  win32: ({ env, userFolder }) =>
    join(env['LOCALAPPDATA'] ?? join(userFolder, 'AppData', 'Local'), 'Microsoft', 'WindowsApps', 'croupier.cmd'),
};
const hasFile = (platform: NodeJS.Platform): platform is keyof typeof files => Object.hasOwn(files, platform);
/** Matches what a file of Croupier leads to: the program of a package, or the copy from an AppImage. */
const ours = /[\\/]resources[\\/]bin[\\/]croupier(?:\.exe" %\*\r\n)?$|[\\/]\.local[\\/]lib[\\/]croupier[\\/]croupier-[^\\/]+$/i;

/** Returns the command line of the package and what a user can do about it; null if there is none, as outside packages. */
export function createCommandLine({ root = '/', ...place }: Place) {
  const { platform, resources, version, userFolder, env } = place;
  const isWindows = platform === 'win32';
  const program = join(resources, 'bin', isWindows ? 'croupier.exe' : 'croupier');
  if (!hasFile(platform) || !existsSync(program)) return null;
  const file = files[platform]({ ...place, root });
  const folder = dirname(file);
  // An AppImage is mounted elsewhere at each start.
  const copy = (env['APPIMAGE'] ?? '') === '' ? null : join(userFolder, '.local', 'lib', 'croupier', `croupier-${version}`);
  const target = copy ?? program;
  const wanted = isWindows ? scriptFor(program, env) : target;

  /** Returns what the file holds or links to; null if there is none. */
  async function find(): Promise<string | null> {
    try {
      if (isWindows) return String(await ownFolder(folder).read('croupier.cmd'));
      return (await lstat(file)).isSymbolicLink() ? await readlink(file) : '';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async function look(): Promise<State> {
    if (
      platform === 'linux' &&
      copy === null &&
      existsSync(join(root, 'usr', 'bin', 'croupier')) &&
      program.startsWith(join(root, 'opt'))
    )
      return 'packaged';
    // macOS starts a new program from a folder that it makes up, until somebody moves it.
    if (platform === 'darwin' && /^\/Volumes\/|\/AppTranslocation\//.test(program)) return 'temporary';
    const found = await find();
    if (found === null) return 'absent';
    if (found === wanted) return 'here';
    return ours.test(found) ? 'moved' : 'foreign';
  }

  async function remove(): Promise<void> {
    const found = (await find()) ?? '';
    if (!ours.test(found)) return;
    await unlink(file);
    if (found.includes(join('.local', 'lib', 'croupier'))) await rm(found, { force: true });
  }

  async function install(): Promise<void> {
    if (wanted === null)
      throw new AppError('unsupported', `A script can't hold the letters of ${resources}. Add ${dirname(program)} to your PATH.`);
    await remove();
    if (copy !== null) {
      await mkdir(dirname(copy), { recursive: true });
      await copyFile(program, `${copy}.part`);
      await rename(`${copy}.part`, copy);
    }
    await mkdir(folder, { recursive: true });
    // Neither replaces what somebody else has put there meanwhile.
    await (isWindows ? writeFile(file, wanted, { flag: 'wx' }) : symlink(wanted, file));
  }

  /** Returns whether the file's folder is on the PATH of this program. macOS gives none to a program with windows, and has this folder on it. */
  function isOnPath(): boolean {
    const same = (one: string) => (isWindows ? one.toLowerCase() : one).replace(/[\\/]$/, '');
    return platform === 'darwin' || (env['PATH'] ?? '').split(isWindows ? ';' : ':').some((one) => same(one) === same(folder));
  }

  const notOnPath = isOnPath()
    ? ''
    : `\n\n${folder} isn't on the PATH of this session. If your terminal doesn't find croupier, add it.`;
  const words: Readonly<Record<State, readonly [message: string, detail: string, ...acts: Act[]]>> = {
    absent: ["The command line isn't installed.", `Install creates ${file}.${notOnPath}`, 'install'],
    here: ['The command line is installed.', `Open a new terminal and run croupier --help.${notOnPath}`, 'remove'],
    moved: [`${file} belongs to another copy of Croupier.`, 'Install makes it start this one.', 'install', 'remove'],
    foreign: [`${file} already exists.`, "It isn't from a package of Croupier, which doesn't replace it. Remove it first."],
    packaged: ['The command line is installed.', 'It came with the package, in /usr/bin.'],
    temporary: ['Move Croupier to Applications first.', 'Then start it from there and try again.'],
  };

  /** Returns why something failed, and what to do. */
  function reasonOf(error: unknown): string {
    const mayNot = ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (platform === 'darwin' && mayNot)
      return `In a terminal, run:\nsudo mkdir -p ${folder} && sudo ln -sf '${program}' ${file}`;
    return error instanceof AppError ? error.message : reasonAndAdvice(error);
  }

  /** Shows what there is and does what the user chooses. `ask` shows a box and returns the number of the chosen button. */
  async function show(ask: (box: MessageBoxOptions) => Promise<number>): Promise<void> {
    const say = (message: string, detail: string) => ask({ message, detail, buttons: ['Close'], noLink: true });
    try {
      const [message, detail, ...acts] = words[await look()];
      if (acts.length === 0) return void (await say(message, detail));
      const buttons = [...acts.map((act) => labels[act]), 'Cancel'];
      const act = acts[await ask({ message, detail, buttons, defaultId: 0, cancelId: acts.length, noLink: true })];
      if (act === undefined) return;
      await { install, remove }[act]();
      if (act === 'install') await say(words.here[0], words.here[1]);
      else await say('The command line was removed.', '');
    } catch (error) {
      await say(`${file} could not be changed.`, reasonOf(error));
    }
  }
  return { show };
}

/**
 * Returns a script for Windows that starts a program; null if its path has letters that depend on the code page of the terminal. Below the user's
 * own folder it has none of the user's name.
 */
function scriptFor(program: string, env: NodeJS.ProcessEnv): string | null {
  const own = env['LOCALAPPDATA'] ?? '';
  const isOwn = own !== '' && program.startsWith(own);
  const path = `${isOwn ? '%LOCALAPPDATA%' : ''}${program.slice(isOwn ? own.length : 0).replaceAll('%', '%%')}`;
  return /^[\x20-\x7e]*$/.test(path) ? `@"${path}" %*\r\n` : null;
}
