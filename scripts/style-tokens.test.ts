import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lengthFaults, nameLengths, readTokens } from './style-tokens.mjs';

const tokens = readTokens(':root { --space-1: 4px; --space-2: 8px; --radius-s: 4px; --text-s: 12px; --row: 28px; }');

describe('a length in a style sheet', () => {
  it('stands by the name of its token, everywhere', () => {
    expect(lengthFaults(path.resolve(import.meta.dirname, '..'))).toEqual([]);
  });

  it.each([
    ['.a { padding: 4px 14px 8px; }', '.a { padding: var(--space-1) 14px var(--space-2); }', 2],
    ['.a{margin-top:8px;gap:2px 4px}', '.a{margin-top:var(--space-2);gap:2px var(--space-1)}', 2],
    ['.a { border-radius: 0 4px 4px 0; }', '.a { border-radius: 0 var(--radius-s) var(--radius-s) 0; }', 2],
    [
      '.a { font-size: 12px; padding: calc(4px + 1px); }',
      '.a { font-size: var(--text-s); padding: calc(var(--space-1) + 1px); }',
      2,
    ],
  ])('gets its name where it has none: %s', (css, named, count) => {
    const result = nameLengths(css, tokens);
    expect(result.named).toBe(named);
    expect(result.found).toHaveLength(count);
  });

  it.each([
    '.a { padding: 14px 1.4px 44px; }',
    '.a { margin: -4px; }',
    '.a { height: 28px; width: 8px; top: 4px; }',
    '@media (max-width: 8px) { .a { color: red; } }',
    '.a { padding: var(--space-2); }',
  ])('stays where no token is meant: %s', (css) => {
    expect(nameLengths(css, tokens)).toEqual({ named: css, found: [] });
  });
});
