import { useState, type RefObject } from 'react';
import type { Box } from '#renderer/ui/notice-place.ts';
import { useLayout } from '#renderer/ui/use-layout.ts';

/** What a game makes room for: dialogs and the palette, menus. A notice stands beside it, and a tooltip is not worth stopping it. */
const floating = '[data-modal], [data-radix-popper-content-wrapper]:not(:has([role="tooltip"])), [role="menu"]';

/** Whether two boxes share any area. */
export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Whether something floats over an element now: a dialog covers all, the rest what it overlaps. */
function isCovered(element: Element): boolean {
  const page = element.ownerDocument;
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return true;
  for (const over of page.querySelectorAll(floating)) {
    if (over.hasAttribute('data-modal')) return true;
    const other = over.getBoundingClientRect();
    if (other.width > 0 && other.height > 0 && overlap(box, other)) return true;
  }
  return false;
}

/**
 * Follows whether something floats over an element. A native view lies over the page whatever the page draws,
 * so it has to be out of sight as long as anything of the page is to be seen there.
 */
export function useCovered(element: RefObject<HTMLElement | null>, enabled: boolean): boolean {
  const [covered, setCovered] = useState(false);
  useLayout(() => {
    if (element.current !== null) setCovered(isCovered(element.current));
  }, enabled);
  return enabled && covered;
}
