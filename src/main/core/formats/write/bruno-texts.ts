import type { Variables } from '#shared/collections/model.ts';
import { readBru } from '../read/bru.ts';

/** Returns a block of pairs of a .bru file; a value of several lines stands between three quotes. */
export function pairBlock(name: string, pairs: readonly (readonly [name: string, value: string])[]): string {
  const lines = pairs.map(([key, value]) => {
    const written = /[\r\n]/.test(value) ? `'''\n${indented(value, 4)}\n  '''` : value;
    return `  ${key}: ${written}`.trimEnd();
  });
  return `${name} {\n${[...lines, '}'].join('\n')}\n`;
}

export function textBlock(name: string, text: string): string {
  return `${name} {\n${indented(text, 2)}\n}\n`;
}

export function indented(text: string, spaces: number): string {
  return text
    .split('\n')
    .map((line) => ' '.repeat(spaces) + line)
    .join('\n');
}

/** Returns the text as a block gives it back: its line ends are all of one kind there. */
export function textOfBlock(text: string): string {
  return readBru(textBlock('docs', text), 'x')[0]?.text ?? '';
}

/** Returns the value as a pair gives it back; null if it cannot stand in one. */
export function valueOfPair(value: string): string | null {
  try {
    const [block, ...more] = readBru(pairBlock('vars', [['x', value]]), 'x');
    const [pair, ...others] = block?.pairs ?? [];
    return more.length > 0 || others.length > 0 ? null : (pair?.value ?? null);
  } catch {
    return null;
  }
}

/** Divides variables into those whose value a pair holds, and the names of the others. */
export function sayable(variables: Variables): { readonly said: Variables; readonly unsaid: string[] } {
  const entries = Object.entries(variables);
  const holds = ([, value]: [string, string]) => valueOfPair(value) === value && !value.includes("'''");
  return {
    said: Object.fromEntries(entries.filter(holds)),
    unsaid: entries.filter((entry) => !holds(entry)).map(([name]) => name),
  };
}
