import type { Locator } from '@playwright/test';

/**
 * Measures the characters of an element as the browser drew them, and names each that is left of the one before it in the text.
 * Lines of an editor and of a wrapped text are measured by themselves. Empty if every character is in its place.
 */
export function outOfOrder(part: Locator): Promise<string[]> {
  return part.evaluate((root: HTMLElement) => {
    const wrong: string[] = [];
    const lines = [...root.querySelectorAll('.view-lines .view-line')];
    for (const line of [root, ...lines]) {
      // An editor keeps texts for screen readers beside its lines.
      const inEditor = (node: Node) =>
        line === root && Boolean(node.parentElement?.closest('.monaco-editor, .monaco-diff-editor'));
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT, (node) =>
        inEditor(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
      );
      let before: DOMRect | null = null;
      let said = '';
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node.textContent ?? '';
        let edge = Infinity;
        for (let around = node.parentElement; around !== null && around !== line; around = around.parentElement)
          if (getComputedStyle(around).overflowX !== 'visible') edge = Math.min(edge, around.getBoundingClientRect().right);
        for (let at = 0; at < text.length;) {
          const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + character.length);
          at += character.length;
          const [box] = range.getClientRects();
          said += character;
          // A character that is cut off has a position, too: behind the edge, where something else is.
          if (box === undefined || box.width === 0 || box.left >= edge) continue;
          const sameLine: boolean = before !== null && Math.abs(box.top + box.bottom - before.top - before.bottom) < box.height;
          if (sameLine && before !== null && box.left < before.left - 0.5)
            wrong.push(
              `${character} after ${JSON.stringify(said.slice(-12))} at ${Math.round(box.left)} < ${Math.round(before.left)}`,
            );
          before = box;
        }
      }
    }
    return wrong;
  });
}

/** Texts whose control characters would have reordered them: shown in order, none of these is read as another text. */
export const trojanTexts = {
  /** Early return, commenting out and stretched string of "Trojan Source", as values of JSON. */
  commentedOut: '/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */',
  stretched: 'user\u202e \u2066// Check if admin\u2069 \u2066',
  isolates: 'abc\u2067def\u2069ghi\u2068jkl\u2069 \u202bmno\u202cpqr\u202astu\u202c \u202dvwx\u202c',
  marks: 'a\u200f1\u200e2\u061c3',
  letters: 'x שלום 12 עולם, مرحبا y',
  invisible: 'pay\u200bload\u00a0a\u00adb\u2060c\ufeffd',
} as const;
