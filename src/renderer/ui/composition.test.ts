import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { keepComposition } from './composition.ts';

/** Presses keys in a page with listeners of every kind; returns the keys that they heard. */
function press(keys: { key: string; isComposing?: boolean; keyCode?: number }[], editor = false): string[] {
  const page = Object.assign(new EventTarget(), { matches: () => editor });
  const heard: string[] = [];
  keepComposition(page as unknown as Window);
  for (const capture of [true, false])
    page.addEventListener('keydown', (event) => heard.push((event as unknown as { key: string }).key), { capture });
  for (const key of keys) {
    const event = new Event('keydown', { cancelable: true });
    Object.assign(event, { isComposing: false, keyCode: 13, getModifierState: () => false, ...key });
    page.dispatchEvent(event);
    // What the input method does with the key goes on.
    expect(event.defaultPrevented).toBe(false);
  }
  return heard;
}

describe('the keys of an input method', () => {
  it.each([
    ['Enter that takes a candidate', { key: 'Enter', isComposing: true }],
    ['Escape that drops it', { key: 'Escape', isComposing: true, keyCode: 27 }],
    ['Enter as Safari reports it, after the end', { key: 'Enter', keyCode: 229 }],
    ['the key that begins, on Windows', { key: 'Process', keyCode: 229 }],
    ['an arrow among candidates', { key: 'ArrowDown', isComposing: true, keyCode: 40 }],
  ])('reach nothing of the page: %s', (_name, key) => {
    expect(press([key])).toEqual([]);
    // Monaco needs them, and keeps them for itself.
    expect(press([key], true)).toEqual([key.key, key.key]);
  });

  it('do not keep others from it', () => {
    expect(press([{ key: 'a', isComposing: true }, { key: 'Enter' }, { key: 'Escape', keyCode: 27 }])).toEqual([
      'Enter',
      'Enter',
      'Escape',
      'Escape',
    ]);
  });

  it('are kept before anything of the page listens', () => {
    const main = readFileSync(new URL('../main.tsx', import.meta.url), 'utf8');
    const [first] =
      main
        .split(/^import [^;]+;$/m)
        .at(-1)
        ?.trim()
        .split('\n') ?? [];
    expect(first).toBe('keepComposition(window);');
  });
});
