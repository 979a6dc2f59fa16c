import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { manualPlaces } from '../src/renderer/app/manual-places.ts';
import { contents } from '../src/renderer/features/manual/contents.ts';
import { readManual } from './manual-pages.mjs';
import { markdownTree } from './markdown-tree.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { pages, images } = readManual(root);
const listed: readonly string[] = contents.flatMap((group) => group.pages);

describe('the help', () => {
  it('lists every page of docs once', () => {
    const files = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
    expect(listed.toSorted()).toEqual(files.map((name) => name.replace(/\.md$/, '')).sort());
    expect(pages.map(({ name }) => name).sort()).toEqual(listed.toSorted());
  });

  it.each(Object.entries(manualPlaces))('has the place that explains a screen: %s', (_area, { page, heading }) => {
    const found = pages.find(({ name }) => name === page);
    expect(found).toBeDefined();
    if (heading !== null) expect(found?.blocks.map((block) => (block.kind === 'heading' ? block.id : null))).toContain(heading);
  });

  it('has each picture for both themes', () => {
    expect(images.size).toBeGreaterThan(10);
    for (const name of images.keys()) {
      const other = name.endsWith('-light.png') ? name.replace('-light', '-dark') : name.replace('-dark', '-light');
      expect([...images.keys()]).toContain(other);
    }
  });
});

describe('readManual', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'croupier-manual-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  function read(text: string) {
    mkdirSync(path.join(folder, 'docs/images'), { recursive: true });
    writeFileSync(path.join(folder, 'docs/one.md'), text);
    writeFileSync(path.join(folder, 'docs/two.md'), '# Two\n\n## Its part\n');
    writeFileSync(path.join(folder, 'docs/why.txt'), '');
    cpSync(path.join(root, 'docs/images/sent-light.png'), path.join(folder, 'docs/images/only-light.png'));
    return readManual(folder).pages[0]?.blocks[1];
  }

  it.each([
    ['[two](two.md#its-part)', { page: 'two', heading: 'its-part' }],
    ['[two](two.md)', { page: 'two', heading: null }],
    ['[here](#one)', { page: 'one', heading: 'one' }],
    ['[outside](https://example.com/)', { url: 'https://example.com/' }],
  ])('keeps a link inside, or names its address: %s', (text, to) => {
    expect(read(`# One\n\n${text}\n`)).toMatchObject({ kind: 'paragraph', text: [{ kind: 'link', to }] });
  });

  it('shows a link to a file that is not a page as text', () => {
    expect(read('# One\n\nSee [why](why.txt).\n')).toEqual({ kind: 'paragraph', text: ['See why.'] });
  });

  it.each([
    ['[gone](gone.md)', 'docs/one.md: The link gone.md leads nowhere.'],
    ['[gone](two.md#gone)', 'docs/one.md: There is no heading two.md#gone.'],
    ['[gone](#gone)', 'docs/one.md: There is no heading #gone.'],
    ['![gone](images/gone-light.png)', 'docs/one.md: There is no picture images/gone-light.png.'],
    ['![half](images/only-light.png)', 'docs/one.md: There is no picture images/only-dark.png.'],
    ['<b>bold</b>', 'docs/one.md: The help cannot show this html: <b>'],
    ['- [ ] a task', 'docs/one.md: The help cannot show tasks: - [ ] a task'],
    ['[run](javascript:alert)', 'docs/one.md: The link javascript:alert leads nowhere.'],
  ])('refuses %s', (text, message) => {
    expect(() => read(`# One\n\n${text}\n`)).toThrow(message);
  });

  it('refuses a page that does not begin with its title', () => {
    expect(() => read('Some text.\n')).toThrow('docs/one.md: It does not begin with its title.');
  });
});

describe('markdownTree', () => {
  const tree = (text: string) =>
    markdownTree(text, {
      link: () => null,
      image: () => {
        throw new Error('none here');
      },
    });

  it('keeps characters as they are typed, in text, code and tables', () => {
    expect(tree('a < b & "c" isn\'t \\*d\\*\nand `x<y` ``a`b``')).toEqual([
      {
        kind: 'paragraph',
        text: ['a < b & "c" isn\'t *d* and ', { kind: 'code', text: 'x<y' }, ' ', { kind: 'code', text: 'a`b' }],
      },
    ]);
    expect(tree('    if (a < b) {}\n')).toEqual([{ kind: 'code', text: 'if (a < b) {}' }]);
    expect(tree('| A | B |\n| - | - |\n| `a\\|b` | **c** |\n')).toEqual([
      {
        kind: 'table',
        head: [['A'], ['B']],
        rows: [[[{ kind: 'code', text: 'a|b' }], [{ kind: 'strong', text: ['c'] }]]],
      },
    ]);
  });

  it('has lists with their numbers and what is below each item', () => {
    expect(tree('3. one\n\n   more\n4. two\n   - three\n')).toEqual([
      {
        kind: 'list',
        start: 3,
        items: [
          [
            { kind: 'paragraph', text: ['one'] },
            { kind: 'paragraph', text: ['more'] },
          ],
          [
            { kind: 'paragraph', text: ['two'] },
            { kind: 'list', start: null, items: [[{ kind: 'paragraph', text: ['three'] }]] },
          ],
        ],
      },
    ]);
  });

  it("gives headings GitHub's IDs, a second one of a name its number", () => {
    const ids = tree("# Where Electron's sandbox cannot start\n\n## `_a` and B, twice\n\n## `_a` and B, twice\n");
    expect(ids.map(({ id }: { id?: string }) => id)).toEqual([
      'where-electrons-sandbox-cannot-start',
      '_a-and-b-twice',
      '_a-and-b-twice-1',
    ]);
  });
});
