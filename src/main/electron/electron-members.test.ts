import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { memberRules, membersOfRule } from '../../../e2e/electron-double/members.ts';

// Electron's types, lint (`no-deprecated`) and the double itself refuse what the desktop uses and they do not have. So a rule for
// each member that the double has is one for each that the desktop uses.

const root = path.join(import.meta.dirname, '..', '..', '..');
const folder = 'src/main/electron';
const listed = memberRules.flatMap(membersOfRule);

/** Returns the texts of a folder's files that end so, by their names without that. */
const textsIn = (place: string, ending: RegExp) =>
  readdirSync(path.join(root, place))
    .filter((file) => ending.test(file))
    .map((file) => [file.replace(ending, ''), readFileSync(path.join(root, place, file), 'utf8')] as const);

const double = textsIn('e2e/electron-double', /(?<!^members)\.ts$/).map(([, text]) => text);

const desktop = textsIn(folder, /(?<!\.test)\.ts$/)
  .map(([, text]) => text)
  .join('\n');

/** Members that the double declares to have, by its types. */
const declared = double.flatMap((text) =>
  Array.from(text.matchAll(/Pick<\s*Electron\.(\w+),([^>]*)>/g)).flatMap(([, owner = '', names = '']) =>
    Array.from(names.matchAll(/'(\w+)'/g), ([, name = '']) => `${owner}.${name}`),
  ),
);

describe('what the double has', () => {
  it('has a rule each, once, and nobody asks for a rule of something else', () => {
    expect(declared.length).toBeGreaterThan(80);
    // A window's own members are those of a base window, too.
    const names = (name: string) => [
      name,
      name.replace(/^BrowserWindow\./, 'BaseWindow.'),
      name.replace(/^WebContentsView\./, 'View.'),
    ];
    expect(declared.filter((name) => !names(name).some((one) => listed.includes(one)))).toEqual([]);
    expect(listed.filter((name, at) => listed.indexOf(name) !== at)).toEqual([]);
    const words = new Set([...double, desktop].join('\n').match(/[\w-]+/g));
    expect(listed.filter((name) => !words.has(/([\w-]+)(?:'\))?$/.exec(name)?.[1] ?? name))).toEqual([]);
  });

  it('has a rule for each event that the desktop listens to', () => {
    const events = new Set(Array.from(desktop.matchAll(/\.(?:on|once)\(\s*'([^']+)'/g), ([, event = '']) => event));
    expect(events.size).toBeGreaterThan(30);
    const others = [...events].filter((event) => !listed.some((name) => name.endsWith(`.on('${event}')`)));
    expect(others.sort()).toEqual(['SIGUSR1', 'event', 'settings.changed']);
  });

  it('has its source as files and lines of Electron, files of Chromium or issues', () => {
    const sources = memberRules.flatMap(({ source }) => source.split(', '));
    expect(sources.filter((source) => !/^(?:(?:lib|shell|spec)\/\S+:\d+|Chromium \S+|#\d+)$/.test(source))).toEqual([]);
  });

  it('names the specs that hold a rule: those of the rules use one of its members', () => {
    const texts = new Map([...textsIn('e2e', /\.e2e\.ts$/), ...textsIn(folder, /(?<=\.test)\.ts$/)]);
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
