import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path, { sep } from 'node:path';
import timers from 'node:timers/promises';

/** Requests of a program to a file system, about a file or a folder. */
type Asked = 'create' | 'make folder' | 'write' | 'flush' | 'flush folder' | 'rename' | 'link' | 'remove' | 'copy';

/** A system whose file system fails: `fails` returns the code with which it refuses the `nth` try, from 1, of the same; null for none. */
export interface FailingSystem {
  readonly platform: NodeJS.Platform;
  readonly fails: (asked: Asked, nth: number, at: string) => string | null;
  /** Takes names that differ in case or form alone for one, and lists them decomposed, as disks of macOS do. */
  readonly folds?: boolean;
}

/** Members of Node that are asked, in both of its modules, with the position of the path that counts. */
const asked: Readonly<Record<string, readonly [Asked, at: number]>> = {
  mkdir: ['make folder', 0],
  mkdtemp: ['make folder', 0],
  writeFile: ['create', 0],
  rename: ['rename', 0],
  link: ['link', 0],
  unlink: ['remove', 0],
  rm: ['remove', 0],
  copyFile: ['copy', 1],
  cp: ['copy', 1],
};

/**
 * Runs the work on a system that fails as given below a folder, and on this one elsewhere. Pauses between tries take no time. Node's own modules are
 * changed for that, since no writer can pass them by.
 */
export async function onSystem<T>({ platform, fails, folds }: FailingSystem, folder: string, work: () => Promise<T>): Promise<T> {
  const tries = new Map<string, number>();
  const opened = new Map<number, string>();
  function ask(what: Asked, at: unknown): void {
    if (typeof at !== 'string' || !`${at}${sep}`.startsWith(folder + sep)) return;
    const name = `${what} ${at}`;
    const nth = (tries.get(name) ?? 0) + 1;
    tries.set(name, nth);
    const code = fails(what, nth, at);
    if (code !== null) throw Object.assign(new Error(`${code}: ${what}, '${at}'`), { code, syscall: what, path: at });
  }
  const mayCreate = (flags: unknown) => typeof flags === 'string' && /[wa]/.test(flags);

  const undo: (() => void)[] = [];
  function replace<O extends object>(owner: O, name: string, make: (real: (...args: unknown[]) => unknown) => unknown): void {
    const real: unknown = Reflect.get(owner, name);
    Reflect.set(owner, name, make((real as (...args: unknown[]) => unknown).bind(owner)));
    undo.push(() => void Reflect.set(owner, name, real));
  }
  /** A system that has nothing to remove refuses nothing. `rm` itself tries again if it was told to. */
  function askAll(what: Asked, args: readonly unknown[], at: number): void {
    if (what === 'remove' && !fs.existsSync(args[at] as string)) return;
    // All of `writeFile`.
    if (what === 'create') ask('write', args[at]);
    const { maxRetries = 0 } = ((what === 'remove' ? args[1] : null) as fs.RmOptions) ?? {};
    for (let left = maxRetries; ; left -= 1)
      try {
        return ask(what, args[at]);
      } catch (error) {
        if (left === 0) throw error;
      }
  }
  for (const [name, [what, at]] of Object.entries(asked)) {
    replace(fs.promises, name, (real) => async (...args: unknown[]) => {
      askAll(what, args, at);
      return real(...args);
    });
    replace(fs, `${name}Sync`, (real) => (...args: unknown[]) => {
      askAll(what, args, at);
      return real(...args);
    });
  }
  replace(fs.promises, 'open', (real) => async (path: unknown, flags: unknown, mode: unknown) => {
    if (mayCreate(flags)) ask('create', path);
    const handle = (await real(path, flags, mode)) as fs.promises.FileHandle;
    const isFolder = (await handle.stat()).isDirectory();
    for (const name of ['write', 'writeFile', 'appendFile', 'sync']) replaceIn(handle, name, path, isFolder);
    return handle;
  });
  function replaceIn(handle: object, name: string, path: unknown, isFolder: boolean): void {
    const what = name !== 'sync' ? 'write' : isFolder ? 'flush folder' : 'flush';
    const real = (Reflect.get(handle, name) as (...args: unknown[]) => unknown).bind(handle);
    Reflect.set(handle, name, async (...args: unknown[]) => {
      ask(what, path);
      return real(...args);
    });
  }
  replace(fs, 'openSync', (real) => (path: unknown, flags: unknown, mode: unknown) => {
    if (mayCreate(flags)) ask('create', path);
    const file = real(path, flags, mode) as number;
    opened.set(file, String(path));
    return file;
  });
  replace(fs, 'writeSync', (real) => (file: unknown, ...args: unknown[]) => {
    ask('write', opened.get(file as number));
    return real(file, ...args);
  });
  if (folds === true) foldNames(folder, (name, make) => replace(fs.promises, name, make));
  replace(timers, 'setTimeout', () => async () => undefined);
  replace(Atomics, 'wait', () => () => 'timed-out');
  const own = process.platform;
  Object.defineProperty(process, 'platform', { value: platform });
  undo.push(() => void Object.defineProperty(process, 'platform', { value: own }));
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    for (const again of undo.toReversed()) again();
    syncBuiltinESMExports();
  }
}

type Replace = (name: string, make: (real: (...args: unknown[]) => unknown) => unknown) => void;

function foldNames(folder: string, replace: Replace): void {
  const { readdirSync, existsSync } = fs;
  const keyOf = (name: string) => name.normalize('NFD').toLowerCase();
  /** Returns the path under which a file is there, if it is. */
  function actual(at: unknown): unknown {
    if (typeof at !== 'string' || !at.startsWith(folder + sep)) return at;
    return at
      .slice(folder.length + 1)
      .split(sep)
      .reduce((above, part) => {
        const names = existsSync(above) ? readdirSync(above) : [];
        return path.join(above, names.find((name) => keyOf(name) === keyOf(part)) ?? part);
      }, folder);
  }
  for (const name of ['open', 'stat', 'lstat', 'access', 'mkdir', 'unlink', 'rm', 'writeFile'])
    replace(
      name,
      (real) =>
        async (at: unknown, ...more: unknown[]) =>
          real(actual(at), ...more),
    );
  for (const name of ['link', 'copyFile'])
    replace(
      name,
      (real) =>
        async (from: unknown, to: unknown, ...more: unknown[]) =>
          real(actual(from), actual(to), ...more),
    );
  // A file can get another form of its own name.
  replace('rename', (real) => async (from: unknown, to: unknown) => {
    const [source, target] = [actual(from), actual(to)];
    return real(source, source === target ? path.join(path.dirname(String(target)), path.basename(String(to))) : target);
  });
  replace('readdir', (real) => async (at: unknown, ...more: unknown[]) => {
    const found = (await real(actual(at), ...more)) as (string | fs.Dirent)[];
    return found.map((one) =>
      typeof one === 'string' ? one.normalize('NFD') : Object.assign(one, { name: one.name.normalize('NFD') }),
    );
  });
}

/** Runs the work, which asks no disk, where paths are those of Windows. */
export function withWindowsPaths<T>(work: () => T): T {
  const own = { ...path };
  Object.assign(path, path.win32);
  syncBuiltinESMExports();
  try {
    return work();
  } finally {
    Object.assign(path, own);
    syncBuiltinESMExports();
  }
}
