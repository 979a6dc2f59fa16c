import { describe, expect, it } from 'vitest';
import type { ManualPage } from './page-tree.ts';
import { searchSections, sectionsOf } from './search-pages.ts';

const runs: ManualPage = {
  name: 'runs',
  title: 'Runs',
  blocks: [
    { kind: 'heading', level: 1, id: 'runs', text: ['Runs'] },
    { kind: 'paragraph', text: ['A run sends a ', { kind: 'em', text: ['collection'] }, '.'] },
    { kind: 'heading', level: 2, id: 'exit-codes', text: ['Exit codes'] },
    {
      kind: 'table',
      head: [['Code'], ['Meaning']],
      rows: [[[{ kind: 'code', text: '4' }], ['nothing was sent']]],
    },
    {
      kind: 'list',
      start: null,
      items: [
        [
          { kind: 'paragraph', text: ['a (first) item'] },
          { kind: 'code', text: 'croupier\n  run' },
        ],
      ],
    },
  ],
};
const checks: ManualPage = {
  name: 'checks',
  title: 'Checks',
  blocks: [
    { kind: 'heading', level: 1, id: 'checks', text: ['Checks'] },
    { kind: 'paragraph', text: ['Without one, the exit code stays 0.'] },
  ],
};
const sections = sectionsOf([checks, runs]);
const places = (text: string) => searchSections(sections, text).map(({ page, heading }) => `${page}#${heading ?? ''}`);

describe('the search of the help', () => {
  it('divides pages at their headings', () => {
    expect(sections.map(({ page, heading, title }) => [page, heading, title])).toEqual([
      ['checks', null, 'Checks'],
      ['runs', null, 'Runs'],
      ['runs', 'exit-codes', 'Exit codes'],
    ]);
    expect(sections[2]?.text).toBe('Code Meaning 4 nothing was sent a (first) item croupier run');
  });

  it('finds all words in any order and case, those in headings first', () => {
    expect(places('CODE exit')).toEqual(['runs#exit-codes', 'checks#']);
    expect(places('runs')).toEqual(['runs#', 'runs#exit-codes']);
    expect(places('exit elephant')).toEqual([]);
    expect(places('  ')).toEqual([]);
  });

  it('takes words as text', () => {
    expect(places('(first)')).toEqual(['runs#exit-codes']);
    expect(places('.*')).toEqual([]);
  });

  it('shows the line around the words, with the words as every second part', () => {
    expect(searchSections(sections, 'collection SENDS')[0]?.context).toEqual(['A run ', 'sends', ' a ', 'collection', '.']);
  });

  it('cuts a long line at its spaces', () => {
    const text = `${'before '.repeat(30)}needle ${'after '.repeat(50)}`;
    const [found] = searchSections([{ page: 'p', pageTitle: 'P', heading: null, title: 'P', text }], 'needle');
    const line = found?.context.join('') ?? '';
    expect(line).toMatch(/^… before before .*before needle after .*after …$/);
    expect(line.length).toBeLessThan(150);
  });
});
