import { describe, expect, it } from 'vitest';
import { fc } from '../../../../testing/fast-check.ts';
import { readTab } from '../tabs/read-tab.ts';
import { changeOf, readList, writeList, writeTab } from './workspace-text.ts';
import { noExtras } from '../tabs/tab-file.ts';

const tab = {
  operation: 'gameList' as const,
  form: 'main',
  text: '{"a":1.50} \ud83d \u0000',
  overrides: {},
  extras: noExtras,
  file: null,
  view: 'form' as const,
  dirty: true,
  callId: null,
  origin: null,
};

describe('the text of a tab', () => {
  it('comes back as it was typed', () => {
    expect(readTab(writeTab(tab))?.tab).toEqual(tab);
  });

  it('that another version wrote is not understood where its operation or its text is not', () => {
    const raw = JSON.parse(writeTab(tab)) as object;
    for (const change of [{ operation: 'future' }, { text: undefined }, { overrides: { signature: 'v2' } }])
      expect(readTab(JSON.stringify({ ...raw, ...change }))).toBeNull();
    for (const text of ['', '{', 'null', '[]']) expect(readTab(text)).toBeNull();
  });

  it('keeps what is not understood beside what changes', () => {
    const raw = {
      ...(JSON.parse(writeTab(tab)) as object),
      view: 'graph',
      later: { x: [1] },
      file: { collectionId: 'c', path: 'p', revision: 'r', branch: 'b' },
    };
    const read = readTab(JSON.stringify(raw));
    if (read === null) throw new Error('It was not understood.');
    expect(JSON.parse(writeTab(read.tab, read.before))).toEqual(raw);
    const typed = { ...read.tab, text: 'typed', file: read.tab.file && { ...read.tab.file, revision: 's' } };
    expect(JSON.parse(writeTab(typed, read.before))).toEqual({ ...raw, text: 'typed', file: { ...raw.file, revision: 's' } });
  });
});

describe('the list of tabs', () => {
  const state = {
    activeId: 'b',
    orientation: 'stacked' as const,
    shares: { panes: 40, hash: 60 },
    hashPane: false,
    comments: false,
    about: { bet: true },
    tabs: [],
  };

  it('comes back, and takes the usual value for what makes no sense', () => {
    const { tabs: _, activeId, ...layout } = state;
    expect(readList(writeList(state, [], undefined)).list).toEqual({ ...layout, active: activeId });
    const text = writeList(state, [], undefined).replace('"panes":40', '"panes":5000').replace('"stacked"', '7');
    expect(readList(text).list).toMatchObject({ shares: { panes: 50, hash: 70 }, orientation: 'side', comments: false });
    expect(readList(null).list).toMatchObject({ active: null });
  });

  it('keeps what is not understood, of the list and of each tab', () => {
    const raw = { version: 1, zoom: 2, tabs: [{ id: 'a', unsaved: true, plain: false, color: 'red' }] };
    const text = writeList(state, ['a'], readList(JSON.stringify(raw)).raw);
    expect(JSON.parse(text)).toMatchObject({ zoom: 2, active: 'b', tabs: [{ id: 'a', color: 'red', unsaved: true }] });
  });
});

describe('the change between two texts', () => {
  it('makes the one of the other, and is no longer than it has to be', () => {
    const word = fc.stringMatching(/^[ab]{0,6}$/);
    fc.assert(
      fc.property(word, word, word, word, (head, middle, other, tail) => {
        const [before, after] = [head + middle + tail, head + other + tail];
        const { from, to, text } = changeOf(before, after);
        expect(before.slice(0, from) + text + before.slice(to)).toBe(after);
        expect(text.length).toBeLessThanOrEqual(other.length);
      }),
    );
  });
});
