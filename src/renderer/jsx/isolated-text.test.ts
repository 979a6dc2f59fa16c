import { createElement, Fragment, isValidElement, type ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { isolatedProps } from './isolated-text.ts';

/** Returns elements as tuples of type, abbreviation and content, texts as they are. */
function drawn(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(drawn);
  if (!isValidElement(node)) return node;
  const { type, props } = node as ReactElement<Record<string, unknown>, string>;
  return [type, props['data-control'] ?? props['dir'] ?? null, drawn(props['children'])];
}
const children = (type: unknown, content: unknown) => drawn(isolatedProps(type, { children: content })['children']);

describe('the texts of the page', () => {
  it('are left alone where they cannot reorder anything', () => {
    for (const props of [{}, { children: 'Zoë 日本 60 games' }, { children: ['a', 1, null, createElement('b')] }, { title: 'x' }])
      expect(isolatedProps('p', props)).toBe(props);
  });

  it('have each control behind its abbreviation, and letters from right to left isolated', () => {
    expect(children('p', 'user\u202enimda שלום, 5')).toEqual([
      'user',
      ['bdi', 'RLO', '\u202e'],
      'nimda ',
      ['bdi', null, 'שלום'],
      ', 5',
    ]);
    expect(children(Fragment, ['Send to ', 'a\u202eb', '.'])).toEqual([
      'Send to ',
      ['bdi', 'ltr', ['a', ['bdi', 'RLO', '\u202e'], 'b']],
      '.',
    ]);
  });

  it('have too many marks on one letter in parts, which a browser lays out in a moment', () => {
    const marks = '\u0301'.repeat(30);
    expect(children('td', `a${marks}${marks}`)).toEqual([`a${marks}`, ['bdi', null, marks]]);
  });

  it('have each character that shows nothing behind its name', () => {
    expect(children('td', 'pay\u200bload\u00a01')).toEqual([
      'pay',
      ['bdi', 'ZWSP', '\u200b'],
      'load',
      ['bdi', 'NBSP', '\u00a0'],
      '1',
    ]);
    expect(isolatedProps('td', { title: 'a\u00a0b' })).toEqual({ title: 'a[NBSP]b' });
  });

  it('have the abbreviation in their place where only text can stand, and in what is said', () => {
    expect(children('option', 'a\u2066b')).toBe('a[LRI]b');
    expect(children('option', ['a\u2066b', ' c'])).toEqual(['a[LRI]b', ' c']);
    expect(isolatedProps('button', { title: 'a\u200fb', 'aria-label': 'x', value: 'a\u200fb' })).toEqual({
      title: 'a[RLM]b',
      'aria-label': 'x',
      value: 'a\u200fb',
    });
  });

  it('reach components as they are, whose elements draw them', () => {
    const props = { children: 'a\u202eb', title: 'a\u202eb' };
    expect(isolatedProps(() => null, props)).toBe(props);
  });
});
