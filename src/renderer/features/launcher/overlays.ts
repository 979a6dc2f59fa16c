import { useState, type RefObject } from 'react';
import { useLayout } from '#renderer/ui/use-layout.ts';

/** In CSS pixels of the page. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Elements that a game makes room for: dialogs, the palette, menus, the drawer. No game stops for a tooltip. */
const floating = '[data-modal], [data-floats], [data-radix-popper-content-wrapper]:not(:has([role="tooltip"])), [role="menu"]';

/** Returns whether two boxes share any area. */
export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Returns whether something floats over an element now: a dialog covers everything, others what they overlap. */
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
 * Follows whether something floats over an element. A native view lies over the page whatever the page draws, so it has to be out
 * of sight while anything of the page must be seen there.
 */
export function useCovered(element: RefObject<HTMLElement | null>, enabled: boolean): boolean {
  const [covered, setCovered] = useState(false);
  useLayout(() => {
    if (element.current !== null) setCovered(isCovered(element.current));
  }, enabled);
  return enabled && covered;
}
