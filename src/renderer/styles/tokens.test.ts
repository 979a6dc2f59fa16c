import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** The contrast of the tokens by WCAG 2.2: 1.4.3 for texts, 1.4.11 for the edges of fields, 1.4.6 with more contrast. */

const css = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8');

/** Returns the declarations of the block with this theme's name. */
function tokensOf(theme: string): ReadonlyMap<string, string> {
  const block = new RegExp(String.raw`\[data-theme='${theme}'\] \{([^}]*)\}`).exec(css)?.[1] ?? '';
  return new Map(Array.from(block.matchAll(/(--[\w-]+): ([^;]+);/g), ([, name = '', value = '']) => [name, value]));
}

/** Returns the relative luminance of a colour `#rrggbb`. */
function luminance(color: string): number {
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new Error(`${color} is not a colour of six digits.`);
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['ground', 'surface', 'raised', 'sunken', 'hover', 'selected'];
const plain = ['ground', 'surface', 'raised', 'sunken'];
/** Texts with the grounds on which they stand. */
const texts: readonly (readonly [string, readonly string[]])[] = [
  ['ink', grounds],
  ['ink-2', grounds],
  ['ink-3', [...plain, 'hover']],
  ['accent', [...plain, 'selected']],
  ['ink-on-accent', ['accent', 'accent-hover']],
  ...['good', 'warn', 'bad', 'note'].map((tone) => [tone, [...plain, `${tone}-ground`]] as const),
  ['segment-key', ['sunken', 'surface', 'segment-key-ground']],
  ['segment-time', ['sunken', 'surface', 'segment-time-ground']],
  ['segment-data', ['sunken', 'surface']],
  ...['key', 'string', 'number', 'literal', 'mark'].map((part) => [`code-${part}`, ['surface', 'sunken']] as const),
];
const marks = ['green', 'blue', 'violet', 'amber', 'red', 'grey'].map((color) => `mark-${color}`);
/** Edges and marks that have to be seen. */
const edges: readonly (readonly [string, readonly string[]])[] = [
  ['edge-field', grounds],
  ['focus', grounds],
  ...marks.map((mark) => [mark, plain] as const),
];

function weaker(theme: string, pairs: typeof texts, least: number): string[] {
  const tokens = tokensOf(theme);
  const color = (name: string) => tokens.get(`--${name}`) ?? `--${name}, missing in ${theme},`;
  return pairs.flatMap(([name, behind]) =>
    behind
      .map((ground) => ({ ground, found: ratio(color(name), color(ground)) }))
      .filter(({ found }) => found < least)
      .map(({ ground, found }) => `${name} on ${ground}: ${found.toFixed(2)}`),
  );
}

describe.each(['light', 'dark'])('the theme %s', (theme) => {
  it('has texts of 4.5:1', () => expect(weaker(theme, texts, 4.5)).toEqual([]));
  it('has fields, focus and marks of 3:1', () => expect(weaker(theme, edges, 3)).toEqual([]));
});

describe.each(['light-contrast', 'dark-contrast'])('the theme %s', (theme) => {
  it('has texts of 7:1', () => expect(weaker(theme, texts, 7)).toEqual([]));
  it('has fields, focus, marks and every edge of 4.5:1', () => {
    const all = [...edges, ['edge', plain] as const, ['edge-strong', grounds] as const];
    expect(weaker(theme, all, 4.5)).toEqual([]);
  });
  it('has every token of the usual theme', () => {
    const missing = [...tokensOf('light').keys()].filter((name) => !tokensOf(theme).has(name));
    expect(missing).toEqual([]);
  });
});

describe('ratio', () => {
  it('is that of WCAG', () => {
    expect(ratio('#ffffff', '#000000')).toBeCloseTo(21);
    expect(ratio('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });
});

describe('the stylesheets', () => {
  it('read no custom property that nothing sets', () => {
    const root = path.resolve(import.meta.dirname, '..');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:css|tsx?)$/.test(name));
    const sources = files.map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }));
    const set = new Set(
      sources.flatMap(({ text }) => Array.from(text.matchAll(/(--[\w-]+)(?:' as string\])?:/g), ([, name = '']) => name)),
    );
    const unknown = sources
      .filter(({ name }) => name.endsWith('.css'))
      .flatMap(({ name, text }) =>
        Array.from(text.matchAll(/var\((--[\w-]+)/g), ([, property = '']) => property)
          // Radix sets its own at run time, in code of another package.
          .filter((property) => !property.startsWith('--radix-') && !set.has(property))
          .map((property) => `${property} in ${name}`),
      );
    expect(unknown).toEqual([]);
  });
});
