import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { memberRules, membersOfRule } from '../../../e2e/electron-double/members.ts';
import { readElectronMembers } from '#testing/electron-members.ts';

/** Every member of Electron that this folder uses, checked against Electron's typings and the rules of the double. */

const root = path.join(import.meta.dirname, '..', '..', '..');
const folder = 'src/main/electron';
const double = path.join(root, 'e2e', 'electron-double');
const listed = memberRules.flatMap(membersOfRule);

/** Members that the double declares to have, by its types. */
function declared(): string[] {
  const files = readdirSync(double).filter((file) => file.endsWith('.ts'));
  const texts = files.map((file) => readFileSync(path.join(double, file), 'utf8'));
  return texts.flatMap((text) =>
    Array.from(text.matchAll(/Pick<\s*Electron\.(\w+),([^>]*)>/g)).flatMap(([, owner = '', names = '']) =>
      Array.from(names.matchAll(/'(\w+)'/g), ([, name = '']) => `${owner}.${name}`),
    ),
  );
}

describe('what the desktop asks of Electron', () => {
  const { used, faults } = readElectronMembers(root, folder);

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

  it('has a rule each, once', () => {
    expect([...used.keys()].filter((name) => !listed.includes(name))).toEqual([]);
    expect(listed.filter((name, at) => listed.indexOf(name) !== at)).toEqual([]);
  });
});

describe('what the double has', () => {
  const { used } = readElectronMembers(root, folder);

  it('has a rule each, and nobody asks for a rule of something else', () => {
    const has = declared();
    expect(has.length).toBeGreaterThan(80);
    // A window's own members are those of a base window, too.
    const names = (name: string) => [
      name,
      name.replace(/^BrowserWindow\./, 'BaseWindow.'),
      name.replace(/^WebContentsView\./, 'View.'),
    ];
    expect(has.filter((name) => !names(name).some((one) => listed.includes(one)))).toEqual([]);
    expect(listed.filter((name) => !used.has(name) && !has.includes(name))).toEqual([]);
  });

  it('has its source as files and lines of Electron, files of Chromium or issues', () => {
    const sources = memberRules.flatMap(({ source }) => source.split(', '));
    expect(sources.filter((source) => !/^(?:(?:lib|shell|spec)\/\S+:\d+|Chromium \S+|#\d+)$/.test(source))).toEqual([]);
  });

  it('names the specs that hold a rule: those of the rules use one of its members', () => {
    const texts = new Map(
      ['e2e', folder].flatMap((place) =>
        readdirSync(path.join(root, place))
          .filter((file) => /\.(?:e2e|test)\.ts$/.test(file))
          .map((file) => [file.replace(/(?:\.e2e)?\.ts$/, ''), readFileSync(path.join(root, place, file), 'utf8')]),
      ),
    );
    const faults = memberRules.flatMap((rule) => {
      const names = membersOfRule(rule)
        .filter((member) => !/(?:Details|Params|Options|Rectangle)\./.test(member))
        .map((member) => /^new (\w+)|on\('([^']+)'\)|(\w+)$/.exec(member)?.slice(1).find(Boolean));
      const uses = new RegExp(`[.'{ ](?:${names.join('|')})\\b`);
      const holds = (text: string | undefined, spec: string) =>
        text !== undefined && (!spec.includes('rules') || uses.test(text));
      return rule.spec
        .split(', ')
        .filter((spec) => !holds(texts.get(spec), spec))
        .map((spec) => `${rule.members}: ${spec}`);
    });
    expect(faults).toEqual([]);
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
