import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programOf } from './program-of.mjs';

/** A new member of a set: where its row goes, and the files that do not compile until they have it, too. */
interface Planted {
  readonly file: string;
  /** The text before the row. */
  readonly after: string;
  readonly row: string;
  readonly wanted: readonly string[];
}

/** Every closed set that grows by a row. What a choice of the page or a format of imports needs beside it only a test knows. */
const sets: Readonly<Record<string, Planted>> = {
  'an area': {
    file: 'src/shared/areas.ts',
    after: 'export const areas = [',
    row: "{ name: 'plantedArea', title: 'Planted', place: 'top', keys: [] },",
    wanted: ['src/renderer/app/areas.tsx', 'src/renderer/app/manual-places.ts', 'src/renderer/app/senders.ts'],
  },
  'a command': {
    file: 'src/shared/commands.ts',
    after: 'const entries = [',
    row: "{ id: 'plantedCommand', title: 'Planted', group: 'View', keys: [] },",
    wanted: ['src/renderer/app/actions.ts'],
  },
  'a choice of the page': {
    file: 'src/shared/choices.ts',
    after: 'export const choiceSettings = {',
    row: "plantedChoice: { group: 'appearance', title: 'Planted', words: '', options: { a: 'A', b: 'B' } },",
    wanted: ['src/renderer/app/appearance.test.ts'],
  },
  'a setting of the page': {
    file: 'src/shared/ipc/settings.ts',
    after: 'const pageSettings = [',
    row: "'plantedSetting',",
    wanted: ['src/renderer/app/page-memory.ts'],
  },
  'a kind of check': {
    file: 'src/shared/collections/check-kinds.ts',
    after: 'export const callCheckKinds = {',
    row: "plantedCheck: kind({ text: 'a' }, { label: 'Planted', first: '', words: () => '', script: { unsaid: '' } }),",
    wanted: ['src/main/core/collections/checks/call-checks.ts'],
  },
  'a format of calls': {
    file: 'src/shared/model/formats.ts',
    after: 'export const exportFormats = [',
    row: "{ name: 'plantedExport', title: 'Planted', program: false },",
    wanted: ['src/main/core/formats/write/write-export.ts'],
  },
  'a format of collections': {
    file: 'src/shared/model/formats.ts',
    after: 'export const collectionExportFormats = [',
    row: "{ name: 'plantedCollection', title: 'Planted', needsEnvironment: false, directory: false },",
    wanted: ['src/main/core/formats/exports/collection-exports.ts'],
  },
  'a format of imports': {
    file: 'src/shared/model/formats.ts',
    after: 'export const importFormats = [',
    row: "{ name: 'plantedImport', what: 'planted', from: 'Planted' },",
    wanted: ['src/main/core/formats/read/read-files.test.ts'],
  },
  'a job that reads': {
    file: 'src/shared/model/readers.ts',
    after: 'export const readers = {',
    row: "'planted.job': { ...job, bytes: 1, advice: repair },",
    wanted: ['src/main/core/app/reading-jobs.ts'],
  },
  'a rule of launches': {
    file: 'src/shared/launches/rules.ts',
    after: 'export const ruleIds = [',
    row: "'plantedRule',",
    wanted: ['src/shared/launches/judge.test.ts', 'src/shared/launches/rules.ts'],
  },
};

let copy: string;
/** File → the messages of the compiler for it. */
const said = new Map<string, string>();

// One build for all: each row has a name of its own.
beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'croupier-sets-'));
  for (const name of ['src', 'package.json', 'tsconfig.base.json', 'tsconfig.json'])
    cpSync(name, path.join(copy, name), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'), 'junction');
  for (const { file, after, row } of Object.values(sets)) {
    const text = readFileSync(path.join(copy, file), 'utf8');
    expect(text.split(after), file).toHaveLength(2);
    writeFileSync(
      path.join(copy, file),
      text.replace(after, () => `${after}\n  ${row}`),
    );
  }
  const { stdout } = spawnSync(...programOf('tsc', ['--build', '--pretty', 'false']), { cwd: copy, encoding: 'utf8' });
  for (const [, file = '', text = ''] of stdout.matchAll(/^(\S+)\(\d+,\d+\): (error .*(?:\n .*)*)$/gm))
    said.set(file, `${said.get(file) ?? ''}${text}\n`);
}, 300_000);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

it.each(Object.entries(sets))('%s is left out nowhere', (_name, { row, wanted }) => {
  const [, name = ''] = /^\W*(?:name: '|id: ')?([\w.]+)/.exec(row) ?? [];
  const files = [...said].flatMap(([file, text]) => (text.includes(`'${name}'`) || text.includes(`"${name}"`) ? [file] : []));
  expect(files.toSorted()).toEqual(wanted);
});
