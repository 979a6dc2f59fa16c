import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareCertificate } from '#sandbox/certificate.ts';
import { noRequests } from '#shared/collections/run-totals.ts';
import { AppError, reasonAndAdvice } from '#shared/errors.ts';
import { temporaryFolder } from '#testing/app.ts';
import { onSystem, withWindowsPaths, type FailingSystem } from '#testing/failing-system.ts';
import { someStart } from '#testing/some-run.ts';
import { walls } from '../../../../scripts/walls.mjs';
import { writeRedirectFile } from '../../loopback/redirect-file.ts';
import { ownCacheFolder } from '../../cli/code-cache.ts';
import { checkAbsolute } from '../collections/collection-directory.ts';
import { createDirectoryEntries } from '../collections/directory-entries.ts';
import { placeForCollections } from '../collections/directory-list.ts';
import { revisionOf } from '../collections/disk.ts';
import { openedDirectory } from '../collections/opened-directories.ts';
import { createReplacing } from '../collections/replace-file.ts';
import { createDatabase } from '../database/database.ts';
import { recoverCalls } from '../database/recover.ts';
import { writeFailure, writeFileDurably, writeNewFileDurably, writeNewFiles } from '../files/files.ts';
import { withLock } from '../files/locks.ts';
import { patiently } from '../files/moves.ts';
import { openNewFile } from '../files/new-file.ts';
import { vouched } from '../files/passed.ts';
import { createSessionLock } from '../files/session-lock.ts';
import { createPad } from '../keys/outside-memory.ts';
import { createReportFiles } from '../runs/report-files.ts';
import { resolveHome } from './home.ts';

/** Systems on which the work is done, each in its way. */
const able: Readonly<Record<string, FailingSystem>> = {
  'Windows, where a virus scanner looks into each file for a moment': {
    platform: 'win32',
    fails: (asked, nth) => (nth > 3 ? null : asked === 'rename' ? 'EPERM' : asked === 'remove' ? 'EBUSY' : null),
  },
  'Windows, which flushes no folder': { platform: 'win32', fails: (asked) => (asked === 'flush folder' ? 'EPERM' : null) },
  'Windows on a disk without links': { platform: 'win32', fails: (asked) => (asked === 'link' ? 'EISDIR' : null) },
  'Windows on a share without links': { platform: 'win32', fails: (asked) => (asked === 'link' ? 'EINVAL' : null) },
  'macOS on a disk without links': { platform: 'darwin', fails: (asked) => (asked === 'link' ? 'ENOTSUP' : null) },
  'macOS on a share that flushes no folder': {
    platform: 'darwin',
    fails: (asked) => (asked === 'flush folder' ? 'EINVAL' : null),
  },
};

/** Systems on which it cannot be done, with what is said then. */
const unable = {
  held: [
    'Windows, where another program keeps each file open',
    { platform: 'win32', fails: (asked) => (asked === 'rename' || asked === 'link' ? 'EPERM' : null) },
    'access is denied. Check the permissions.',
  ],
  full: [
    'Linux on a full disk',
    { platform: 'linux', fails: (asked) => (asked === 'write' || asked === 'copy' ? 'ENOSPC' : null) },
    'the disk is full. Free some space.',
  ],
  quota: [
    'Linux with a full quota',
    { platform: 'linux', fails: (asked) => (asked === 'write' || asked === 'copy' ? 'EDQUOT' : null) },
    'your disk quota is full. Free some space.',
  ],
  readOnly: [
    'Linux on a disk that was mounted read-only',
    { platform: 'linux', fails: (asked) => (asked.startsWith('flush') ? null : 'EROFS') },
    'the disk is read-only. Check how it is mounted.',
  ],
} satisfies Record<string, [name: string, FailingSystem, says: string]>;
type Unable = keyof typeof unable;

/** One use of a writer, in a folder with the files of `before`. */
interface Writer {
  readonly write: (folder: string) => unknown;
  /** The beginning of what is said, or all of it; null: it does its work, or does without. */
  readonly told: Readonly<Record<Unable, string | null>>;
  /** Matches what may be left where it failed, beside what was there. */
  readonly leaves?: RegExp;
}

const everywhere = (text: string | null): Writer['told'] => ({ held: text, full: text, quota: text, readOnly: text });
const cannot = (file: string) => everywhere(`HOME/${file} could not be written: `);
/** On a disk that takes no more bytes a name can still change. */
const nameAlone = (text: string): Writer['told'] => ({ ...everywhere(text), full: null, quota: null });

const before = {
  'a.txt': 'old',
  'r.yaml': 'operation: gameList\n',
  'kept/x.yaml': 'operation: gameList\n',
  'broken.sqlite': 'no',
};
const text = (content: string) => vouched('home', 'own', content);

async function inTemporary(folder: string, work: () => unknown): Promise<void> {
  const { TMPDIR: own } = process.env;
  process.env['TMPDIR'] = folder;
  try {
    await work();
  } finally {
    if (own === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = own;
  }
}

async function throughNewFile(path: string, over: boolean): Promise<void> {
  const file = await openNewFile(path, { over });
  try {
    await file.write(text('new'));
    await file.finish();
  } finally {
    await file.discard();
  }
}

function open(path: string, runs: string): void {
  const database = createDatabase(path, { run: createSessionLock(runs) });
  try {
    database.run(() => undefined);
  } finally {
    database.close();
  }
}

/** Uses of everything that writes or moves past Node's own functions, by its file; or why there is none. */
const writers: Readonly<Record<string, Readonly<Record<string, Writer>> | { readonly why: string }>> = {
  'src/main/core/files/files.ts': {
    'a file': { write: (folder) => writeFileDurably(join(folder, 'a.txt'), text('new')), told: cannot('a.txt') },
    'a new file': { write: (folder) => writeNewFileDurably(join(folder, 'b.txt'), text('new')), told: cannot('b.txt') },
    'new files together': {
      async write(folder) {
        const files = writeNewFiles();
        await files.add(join(folder, 'b.txt'), text('new'), () => undefined);
        await files.end();
      },
      told: cannot('b.txt'),
    },
  },
  'src/main/core/files/new-file.ts': {
    'a new file in pieces': { write: (folder) => throughNewFile(join(folder, 'b.txt'), false), told: cannot('b.txt') },
    'a file in pieces': { write: (folder) => throughNewFile(join(folder, 'a.txt'), true), told: cannot('a.txt') },
  },
  'src/main/core/files/private-file.ts': {
    'a lock': {
      write: (folder) => withLock(join(folder, 'a.txt'), async () => undefined),
      // It is an empty file.
      told: { ...everywhere(null), readOnly: 'HOME/locks/a.txt.lock cannot be created and locked: ' },
    },
  },
  'src/main/core/files/moves.ts': { why: 'All of the others use it.' },
  'src/main/core/collections/replace-file.ts': {
    'a file that others write': {
      async write(folder) {
        const replacing = createReplacing({
          onKept: () => expect.unreachable(),
          onFault(error) {
            throw error;
          },
        });
        const bytes = vouched('team', 'own', Buffer.from('new'));
        try {
          await replacing.replace(join(folder, 'a.txt'), bytes, revisionOf(Buffer.from('old')));
        } finally {
          await replacing.close();
        }
      },
      told: cannot('a.txt'),
    },
  },
  'src/main/core/database/set-aside.ts': {
    'a damaged history': {
      write: (folder) => open(join(folder, 'broken.sqlite'), join(folder, 'runs')),
      told: {
        ...everywhere('The history HOME/broken.sqlite cannot be used: '),
        held: 'The history HOME/broken.sqlite cannot be used: it is not a database; move it away and keep it.',
        readOnly: 'The history HOME/broken.sqlite cannot be used: it is not a database; move it away and keep it.',
      },
      // The next start goes on with them.
      leaves: /^(?:runs\b.*|broken\.sqlite\.set-aside-[^/]*)$/,
    },
  },
  'src/main/core/database/database.ts': {
    'a new history': {
      write: (folder) => open(join(folder, 'history.sqlite'), join(folder, 'runs')),
      told: { ...nameAlone('The history HOME/history.sqlite cannot be used: '), readOnly: 'HOME/runs cannot be written: ' },
      leaves: /^runs\b/,
    },
  },
  'src/main/core/database/recover.ts': {
    // Who asks for it says of which history it is.
    'what is left of a history': {
      write: (folder) => recoverCalls(join(folder, 'broken.sqlite')),
      told: { ...everywhere(''), held: null },
      leaves: /\.json$/,
    },
  },
  'src/main/core/runs/report-files.ts': {
    'the report of a run': {
      async write(folder) {
        const onFault = (error: unknown) => {
          throw error;
        };
        const report = await createReportFiles(join(folder, 'runs'), () => true, onFault).begin(someStart({ runId: 'a-1' }));
        await report.end({ state: 'finished', durationMs: 1, totals: noRequests() });
      },
      told: { ...cannot('runs/a-1.jsonl'), held: null },
      leaves: /^runs$/,
    },
  },
  'src/main/core/collections/directory-entries.ts': {
    'a copy of a folder': {
      write: (folder) => createDirectoryEntries(folder).duplicate('kept'),
      told: everywhere('kept could not be changed or read: '),
    },
  },
  'src/main/core/collections/disk.ts': {
    'a file with another name': {
      write: (folder) => createDirectoryEntries(folder).rename('r.yaml', 's'),
      told: nameAlone('r.yaml could not be changed or read: '),
    },
    'a folder with another name': {
      write: (folder) => createDirectoryEntries(folder).rename('kept', 's'),
      told: nameAlone('kept could not be changed or read: '),
    },
  },
  'src/main/core/keys/outside-memory.ts': {
    // In memory, then. A file that cannot be removed at once stays, without a byte.
    'bytes without a name': {
      write: (folder) => inTemporary(folder, () => createPad(3).forget()),
      told: everywhere(null),
      leaves: /^croupier-/,
    },
  },
  'src/main/core/keys/core-dumps.ts': { why: 'A switch of Linux; without it, a dump says more.' },
  'src/main/sandbox/certificate.ts': {
    'the certificate of the built-in provider': {
      write: (folder) => prepareCertificate(join(folder, 'sandbox'), Date.now(), (work) => patiently(work)),
      told: {
        ...everywhere("The built-in provider's certificate cannot be kept in HOME/sandbox/ca.pem: "),
        readOnly: "The built-in provider's certificate cannot be kept in HOME/sandbox: ",
      },
      leaves: /^sandbox$/,
    },
  },
  'src/main/loopback/redirect-file.ts': {
    // Who asks for it prints the address instead.
    'the page that a browser opens': {
      write: (folder) => inTemporary(folder, async () => (await writeRedirectFile('https://a.example')).remove()),
      told: { ...everywhere(''), held: null },
    },
  },
  'src/main/cli/single/keychain.ts': {
    why: 'It needs a single file, as npm run test:long -- install makes it. The next key tries again.',
  },
  'src/main/electron/command-line.ts': {
    why: 'It writes outside the home, when the user asks for it: src/main/electron/command-line.test.ts has its failures.',
  },
  'src/main/electron/single-instance.ts': {
    why: 'It needs Electron: e2e/desktop-window.e2e.ts. Without its mark, a start does not wait.',
  },
};

const uses = Object.entries(writers).flatMap(([file, of]) =>
  'why' in of ? [] : Object.entries(of as Readonly<Record<string, Writer>>).map(([name, writer]) => ({ file, name, writer })),
);

/** Names of all files and folders, with the contents that are text and no certificate. */
function seen(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() && /\.(?:txt|yaml)$/.test(entry.name) ? readFileSync(path, 'utf8') : '';
    return `${path.slice(folder.length + 1)} ${content}`.replace(/\d{8}T\d{6}|[0-9a-f]{24}/g, 'ID').trim();
  });
  return found.sort();
}

async function tried({ write, leaves }: Writer, system: FailingSystem) {
  const folder = await temporaryFolder();
  try {
    mkdirSync(join(folder, 'kept'));
    for (const [name, content] of Object.entries(before)) writeFileSync(join(folder, name), content);
    const were = seen(folder);
    const told = await onSystem(system, folder, async () => write(folder)).then(
      () => null,
      (error: Error) => (error instanceof AppError ? error.message : reasonAndAdvice(error)).replaceAll(folder, 'HOME'),
    );
    return { told, were, are: seen(folder).filter((one) => leaves?.test(one) !== true) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

it('every writer of the walls has its uses here', () => {
  const doors = walls.flatMap(({ name, doors: files }) => (name === 'write' || name === 'move' ? files : []));
  expect(Object.keys(writers).sort()).toEqual([...new Set(doors)].sort());
});

describe.each(uses)('$name', ({ writer }) => {
  it.each(Object.entries(able))('is written on %s', async (_, system) => {
    const plain = await tried(writer, { platform: process.platform, fails: () => null });
    expect(plain.told).toBeNull();
    expect(await tried(writer, system)).toEqual(plain);
  });

  it.each(Object.entries(unable) as [Unable, (typeof unable)[Unable]][])(
    'is as it was where it cannot be written, and that is said: %s',
    async (name, [, system, says]) => {
      const { told, were, are } = await tried(writer, system);
      const expected = writer.told[name];
      if (expected === null) expect(told).toBeNull();
      else {
        expect(told).toBe(expected.endsWith('.') ? expected : `${expected}${says}`);
        // What was set aside is among what may be left.
        expect(are).toEqual(were.filter((one) => one !== 'broken.sqlite' || are.includes(one)));
      }
    },
  );
});

it('names that differ in case or form alone are one on macOS, and are kept from each other', async () => {
  const folder = await temporaryFolder();
  try {
    for (const [name, content] of Object.entries({ 'bet.yaml': 'bet', 'Küche/x.yaml': 'x' })) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    await onSystem({ platform: 'darwin', fails: () => null, folds: true }, folder, async () => {
      const entries = createDirectoryEntries(folder);
      expect(await entries.rename('bet.yaml', 'Bet')).toBe('Bet.yaml');
      const taken = { code: 'conflict' };
      await expect(entries.createFolder('', 'KÜCHE')).rejects.toMatchObject(taken);
      await expect(entries.rename('Bet.yaml', 'bet.yaml')).resolves.toBe('bet.yaml.yaml');
      await expect(writeNewFileDurably(join(folder, 'BET.yaml.yaml'), text('new'))).rejects.toMatchObject(taken);
      const [kitchen = ''] = (await entries.names('')).filter((name) => name.startsWith('K'));
      expect(kitchen).not.toBe('Küche');
      expect(await entries.duplicate(kitchen)).toMatch(/ copy$/);
      expect(await entries.rename(kitchen, 'Küchen')).toBe('Küchen');
    });
    expect(seen(folder).map((one) => one.normalize('NFC'))).toEqual([
      'Küche copy',
      'Küche copy/x.yaml x',
      'Küchen',
      'Küchen/x.yaml x',
      'bet.yaml.yaml bet',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('paths are those of Windows there', () => {
  const local = String.raw`C:\Users\x y\AppData\Local`;
  const isAbsolute = (directory: string) => {
    try {
      checkAbsolute(directory);
      return true;
    } catch {
      return false;
    }
  };
  const missing = Object.assign(new Error('gone'), { code: 'ENOENT' });
  const made = withWindowsPaths(() => [
    resolveHome({ LOCALAPPDATA: local, APPDATA: '' }, 'win32'),
    resolveHome({ CROUPIER_HOME: String.raw`D:\home` }, 'win32'),
    ownCacheFolder({ LOCALAPPDATA: local }, 'win32'),
    placeForCollections(String.raw`C:\Users\x`, String.raw`D:\work`),
    placeForCollections('C:\\', String.raw`D:\work`),
    openedDirectory(String.raw`\\server\share\wallet`).name,
    writeFailure(String.raw`C:\team\a.yaml`, missing).message,
    [String.raw`C:\team`, String.raw`\\server\share`, 'C:team', 'team'].map(isAbsolute).join(),
  ]);
  expect(made).toEqual([
    String.raw`C:\Users\x y\AppData\Local\Croupier`,
    String.raw`D:\home`,
    String.raw`C:\Users\x y\AppData\Local\croupier-cache`,
    String.raw`C:\Users\x`,
    String.raw`D:\work`,
    'wallet',
    String.raw`C:\team could not be written: it no longer exists.`,
    'true,true,false,false',
  ]);
});
