import type { Locator } from '@playwright/test';

/** Returns the visible characters of an element: without those cut off by its own or a surrounding box, and without hidden ones. */
export function seenText(part: Locator): Promise<string> {
  return part.evaluate((root: HTMLElement) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let seen = '';
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      for (let at = 0; at < text.length; at += 1) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getBoundingClientRect();
        let shown = box.width > 0;
        for (let around = node.parentElement; shown && around !== null; around = around.parentElement) {
          const style = getComputedStyle(around);
          if (style.overflow === 'visible' || style.display === 'inline') continue;
          const room = around.getBoundingClientRect();
          // The ellipsis of a truncated text takes the place of its last characters.
          const sign = style.textOverflow === 'ellipsis' && around.scrollWidth > around.clientWidth ? 12 : 0;
          shown =
            box.left >= room.left - 1 && box.right <= room.right - sign + 1 && box.bottom > room.top && box.top < room.bottom;
        }
        if (shown) seen += text[at];
      }
    }
    return seen;
  });
}
