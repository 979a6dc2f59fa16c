import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readElectronMembers } from '#testing/electron-members.ts';

/** Every member of Electron that this folder uses, checked against Electron's typings and the table of the double. */

const root = path.join(import.meta.dirname, '..', '..', '..');
const folder = 'src/main/electron';
const record = readFileSync(path.join(root, 'docs/decisions/0005-electron-double.md'), 'utf8');

interface Row {
  readonly members: readonly string[];
  readonly files: string;
  readonly cells: readonly string[];
}

/** The rows of the table. `A.{b,c}` in its first column is two members. */
function rowsOf(text: string): readonly Row[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const cells = line.slice(2, -2).split(' | ');
      const members = Array.from((cells[0] ?? '').matchAll(/`([^`]+)`/g), ([, name = '']) => name).flatMap(expand);
      return { members, files: cells[1] ?? '', cells };
    });
}

function expand(name: string): string[] {
  const [, owner = '', inner] = /^(.*)\{(.*)\}$/.exec(name) ?? [];
  return inner === undefined ? [name] : inner.split(',').map((one) => `${owner}${one.trim()}`);
}

/** Faults of a table, a line each, with the change to make. */
function gaps(rows: readonly Row[], used: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const listed = new Set(rows.flatMap(({ members }) => members));
  const missing = [...used.keys()].filter((name) => !listed.has(name)).map((name) => `Add a row for ${name}.`);
  const unused = [...listed].filter((name) => !used.has(name)).map((name) => `Nobody uses ${name}: take it out.`);
  const moved = rows.flatMap(({ members, files }) => {
    const found = new Set(members.flatMap((name) => [...(used.get(name) ?? [])]));
    const now = [...found].map((file) => path.basename(file, '.ts')).sort((one, other) => one.localeCompare(other, 'en'));
    return found.size === 0 || files === now.join(', ') ? [] : [`${members[0]} is used in: ${now.join(', ')}.`];
  });
  return [...missing, ...unused, ...moved].sort((one, other) => one.localeCompare(other, 'en'));
}

describe('what the desktop asks of Electron', () => {
  const { used, faults } = readElectronMembers(root, folder);
  const rows = rowsOf(record);

  it('is in Electron’s typings under that name, and not deprecated', () => {
    expect(faults).toEqual([]);
    // Not an empty list that is right about everything.
    for (const name of [
      'new BrowserWindow',
      "App.on('will-quit')",
      'WebPreferences.sandbox',
      'IpcRenderer.invoke',
      'WebFrameMain.url',
    ])
      expect([...used.keys()]).toContain(name);
  });

  it('is in the table of the double, and nothing else is', () => {
    expect(gaps(rows, used)).toEqual([]);
  });

  it('has a source in each row', () => {
    for (const { cells, members } of rows) {
      expect(cells, members[0]).toHaveLength(5);
      expect(
        cells.filter((cell) => cell.trim() === ''),
        members[0],
      ).toEqual([]);
    }
  });

  it('is missed in a table without its row, and found in one with a row too many', () => {
    const [first, ...others] = rows;
    const name = first?.members[0] ?? '';
    expect(gaps(others, used)).toContain(`Add a row for ${name}.`);
    const extra = { members: ['App.unused'], files: 'main', cells: [] };
    expect(gaps([...rows, extra], used)).toEqual(['Nobody uses App.unused: take it out.']);
    const elsewhere = rows.map((row) => (row === first ? { ...row, files: 'nowhere' } : row));
    expect(gaps(elsewhere, used)).toEqual([expect.stringMatching(/ is used in: /)]);
  });
});

/** Mistakes, a line each, and what is said of them. TypeScript itself lets the first three pass. */
const mistakes = [
  [
    'an option that Electron does not document',
    'const frozen: Readonly<WebPreferences> = Object.freeze({ sandbox: true, disablePopups: true });',
    /WebPreferences.* has no disablePopups$/,
  ],
  ['one in an object that is given later', 'void dialog.showOpenDialog(later);', /^OpenDialogOptions has no modal$/],
  ['a deprecated argument', "contents.on('console-message', (_event, level) => level);", /^the parameter level is deprecated$/],
  ['a deprecated function', 'contents.goBack();', /^WebContents\.goBack is deprecated$/],
  ['a misspelt function', 'contents.relaod();', /^WebContents has no relaod$/],
  ['a misspelt event', "window.on('unresponsiv', () => 1);", /^BrowserWindow\.on\('unresponsiv'\) is not in Electron's typings$/],
  ['a nested option', 'new WebContentsView({ webPreferences: { sandboxed: true } });', /^WebPreferences has no sandboxed$/],
  [
    'a field of a menu item',
    "Menu.buildFromTemplate([{ submenu: [{ rol: 'undo' }] }]);",
    /^MenuItemConstructorOptions has no rol$/,
  ],
  [
    'a privilege',
    "protocol.registerSchemesAsPrivileged([{ scheme: 'own', privileges: { secured: true } }]);",
    /^Privileges has no secured$/,
  ],
  ['an option of a process', "utilityProcess.fork('x', [], { servicename: 'x' });", /^ForkOptions.* has no servicename$/],
  [
    'an event behind a type of ours',
    "const smaller: { on(event: 'spawned', listener: () => void): unknown } = utilityProcess.fork('x');",
    /^UtilityProcess\.on\('spawned'\) is not in Electron's typings$/,
  ],
  ['an event without a name', 'window.on(any, () => 1);', /^on of an event without a name$/],
  [
    'one of several events',
    "window.on(several as 'close', () => 1);",
    /^BrowserWindow\.on\('closes'\) is not in Electron's typings$/,
  ],
] as const;

describe('a mistake in what is asked', () => {
  // In the place of any file of the folder; nothing is written.
  const file = `${folder}/page-origin.ts`;
  const head = [
    "import { dialog, Menu, protocol, utilityProcess, WebContentsView, type BrowserWindow, type WebContents, type WebPreferences } from 'electron';",
    "declare const contents: WebContents, window: BrowserWindow, any: never, several: 'close' | 'closes';",
    "const later = { title: 'x', modal: true };",
  ];
  const text = [...head, ...mistakes.map(([, line]) => line)].join('\n');
  const { faults } = readElectronMembers(root, folder, { [file]: text });

  it.each(mistakes.map(([what, , said], at) => ({ what, said, at: `${file}:${head.length + at + 1}: ` })))(
    'is found: $what',
    ({ said, at }) => {
      const found = faults.filter((fault) => fault.startsWith(at)).map((fault) => fault.slice(at.length));
      expect(found).toEqual([expect.stringMatching(said)]);
    },
  );
});
