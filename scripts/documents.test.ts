import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/main/cli/commands.ts';
import { editedNew } from '../src/renderer/features/environments/environment-draft.ts';
import { launchRules, ruleIds } from '../src/shared/launches/rules.ts';
import { collectionExportFormats, exportFormats, importFormats } from '../src/shared/model/formats.ts';
import { homeFiles } from '../src/testing/home-files.ts';
import { caseList } from './wallet-cases.mjs';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');

describe('SECURITY.md', () => {
  const text = read('SECURITY.md');
  const threats = [...text.matchAll(/^- (T\d+) /gm)].map(([, name = '']) => name);
  const [, list = ''] = text.split(/^## Tests$/m);
  const tests = new Map(
    [...list.matchAll(/^- \*\*(T\d+)\*\*.*\n((?: {2}.*\n)+)/gm)].map(([, threat = '', lines = '']) => [
      threat,
      [...lines.matchAll(/^ {2}- `([^`]+)`[^:]*: (.*)$/gm)].flatMap(([, file = '', titles = '']) =>
        [...titles.matchAll(/(`+)(.+?)\1(?!`)/g)].map(([, , title = '']) => [file, title.trim()] as const),
      ),
    ]),
  );

  it('has 28 threats and tests for each', () => {
    expect(threats).toEqual(Array.from({ length: 28 }, (_, index) => `T${index + 1}`));
    expect([...tests.keys()]).toEqual(threats);
    expect([...tests.values()].filter((named) => named.length === 0)).toEqual([]);
  });

  it.each([...tests.values()].flat())('names a test that is there: %s, %s', (file, title) => {
    const source = read(file);
    const quoted = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // As the title of a test, of a table of them, or of a list of titles.
    expect(source).toMatch(new RegExp(`\\(\\s*(['"\`])${quoted}\\1`));
    expect(source).not.toMatch(new RegExp(`\\.(?:skip|todo)\\(\\s*(['"\`])${quoted}\\1`));
  });
});

describe('docs/figures.md', () => {
  const git = (...words: readonly string[]) => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const tables = [...read('docs/figures.md').matchAll(/^<!-- bench (\S+) -->\n\n(.*)/gm)].map(
    ([, name = '', line = '']) => [name, / at ([0-9a-f]{8}), /.exec(line)?.[1] ?? ''] as const,
  );

  const shipped = ['src', ':!src/testing', ':!*.test.ts', ':!*.test.tsx'];

  it.each(tables)('has a table of %s that is not older than 100 commits to the sources', (_, commit) => {
    if (git('rev-parse', '--is-shallow-repository') === 'false')
      expect(Number(git('rev-list', '--count', `${commit}..HEAD`, '--', ...shipped) || Number.NaN)).toBeLessThanOrEqual(100);
    else expect(commit).toMatch(/./);
  });
});

describe('the long tests', () => {
  const [, table = ''] = read('scripts/long.mjs').split(/^const tests = \{$/m);
  const names = [...table.split(/^\};$/m)[0]!.matchAll(/^ {2}(?:async )?'?([a-z-]+)'?(?:\(.*\) \{|: .*)$/gm)].map(
    ([, name]) => name,
  );

  const rowsOf = (page: string) => {
    const [, section = ''] = read(page).split(/^## Long tests$/m);
    return [...section.split(/^## /m)[0]!.matchAll(/^(?:\| (`[a-z].*?) +\||- (`[a-z].*?):)/gm)].flatMap(
      ([, cell = '', item = '']) => [...`${cell}${item}`.matchAll(/`([a-z-]+)(?: AREA…)?`/g)].map(([, name]) => name),
    );
  };

  it('have a row each in CONTRIBUTING.md', () => {
    expect(names).toContain('torture');
    expect(new Set(rowsOf('CONTRIBUTING.md'))).toEqual(new Set(names));
    expect(rowsOf('CONTRIBUTING.md')).toHaveLength(names.length);
  });

  it('are those whose last run docs/figures.md has', () => {
    expect(rowsOf('docs/figures.md')).toContain('torture');
    expect(rowsOf('docs/figures.md').filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('docs/launches.md', () => {
  it('has a row for each rule, in their order', () => {
    const [, section = ''] = read('docs/launches.md').split(/^## The rules$/m);
    const rows = [...section.split(/^## /m)[0]!.matchAll(/^- \*\*(.*?)\*\*:/gm)].map(([, title]) => title);
    expect(rows).toEqual(ruleIds.map((id) => launchRules[id].title));
  });
});

describe('docs/wallet.md', () => {
  it('has the cases as they are: npm run cases-list', () => {
    expect(read('docs/wallet.md').split('## Cases')[1]?.endsWith(`\n\n${caseList()}`)).toBe(true);
  });
});

describe('the decisions', () => {
  const files = readdirSync(path.join(root, 'docs/decisions')).filter((name) => name !== 'README.md');

  it('have a number each, without a gap but for those that the README says are part of another', () => {
    const merged = [...read('docs/decisions/README.md').matchAll(/^- (\d{4}): \[/gm)].map(([, number = '']) => number);
    const numbers = [...files.map((name) => name.slice(0, 4)), ...merged];
    expect(new Set(numbers)).toEqual(new Set(numbers.map((_, index) => String(index + 1).padStart(4, '0'))));
    expect(files.filter((name) => !/^\d{4}-/.test(name))).toEqual([]);
  });

  const pages = ['', 'docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name)),
  );
  it.each(pages)('are there where %s names them, and so is every other file that it links to', (page) => {
    const text = read(page).replace(/^(?: {4}|```).*$/gm, '');
    const numbers = [...text.matchAll(/docs\/decisions\/(\d{4})/g)].map(([, number = '']) => number);
    expect(numbers.filter((number) => !files.some((name) => name.startsWith(number)))).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
    const missing = links.filter(
      (target) => !/^[a-z]+:/.test(target) && !existsSync(path.join(root, path.dirname(page), target)),
    );
    expect(missing).toEqual([]);
  });
});

describe('ARCHITECTURE.md and CONTRIBUTING.md', () => {
  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('name files that are there: %s', (page) => {
    const named = [...read(page).matchAll(/`((?:src|e2e|scripts|bench|docs)\/[\w./-]+\.\w+)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  });

  it('hold twenty examples of where a change belongs, each in a file of its own', () => {
    const [, table = ''] = read('CONTRIBUTING.md').split('## In which file');
    const files = [...(table.split('## Recipes')[0] ?? '').matchAll(/^- .*: `(src\/[^`]+)`$/gm)].map(([, file = '']) => file);
    expect(files).toHaveLength(20);
    expect(new Set(files).size).toBe(20);
  });
});

describe('the formats of exports and imports', () => {
  const [, section = ''] = read('docs/import-export.md').split(/^## Export$/m);
  const [imports = ''] = read('docs/import-export.md').split(/^### /m);

  it.each(exportFormats.map(({ name }) => name))('have a row in docs/exports.md: %s', (name) => {
    expect(read('docs/exports.md'), `Add "- \`${name}\`: …" to its first list.`).toMatch(new RegExp(`^- \`${name}\`: \\S`, 'm'));
  });

  it.each(collectionExportFormats.map(({ title }) => title))('have a section in docs/import-export.md: %s', (title) => {
    expect(section, `Add "### ${title}" below "## Export".`).toMatch(new RegExp(`^### ${title}\\n+\\S`, 'm'));
  });

  it.each(importFormats)('have a row in docs/import-export.md: $name', ({ from }) => {
    expect(imports, `Add "- ${from}: …" to the list below "## Import".`).toMatch(new RegExp(`^- ${from}: \\S`, 'm'));
  });
});

describe('docs/your-data.md', () => {
  const { names, unclear } = homeFiles();
  const [list = ''] = read('docs/your-data.md').split(/^## /m);

  it.each(names)('has a row for what Croupier keeps in its home: %s', (name) => {
    const quoted = name.replaceAll('.', '\\.');
    expect(list, `Add "- \`${name}\`: …" to the list of docs/your-data.md.`).toMatch(
      new RegExp(`^- \`${quoted}(?:\`|/[^\`]*\`): \\S`, 'm'),
    );
  });

  it('can have them all, because each name in the home is a literal', () => {
    expect(unclear, "Write the name itself: join(home, 'name').").toEqual([]);
  });
});

describe('what a recipe of CONTRIBUTING.md leads to', () => {
  it.each(Object.keys(editedNew()))('a setting of an environment is in its form: %s', (name) => {
    expect(
      read('src/renderer/features/environments/environment-form.tsx'),
      `Add a field for ${name} to environment-form.tsx.`,
    ).toMatch(new RegExp(`edited\\.${name}\\b|text\\('${name}'\\)`));
  });

  const tests = globSync(['src/main/**/*.test.ts', 'e2e/**/*.test.ts'], { cwd: root }).map(read);
  it.each(commands.map(({ name }) => name))('a command is run by a test: croupier %s', (name) => {
    const words = name.split(' ').map((word) => `'${word}'`);
    expect(
      tests.some((test) => test.includes(`'${name}'`) || words.every((word) => test.includes(word))),
      `No test runs "croupier ${name}": write one beside the command.`,
    ).toBe(true);
  });
});
