import { useEffect, useState, type RefObject } from 'react';

/** What floats over the page: dialogs and the palette, menus and tooltips, notices, the drawer. */
const floating = [
  '[data-modal]',
  '[data-radix-popper-content-wrapper]',
  '[role="menu"]',
  'section[aria-label="Notices"] output > *',
  '[data-floats]',
].join(',');

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Whether two boxes share any area. */
export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Whether something floats over an element now: a dialog covers all, the rest what it overlaps. */
export function isCovered(element: Element): boolean {
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
  useEffect(() => {
    const box = element.current;
    if (!enabled || box === null) return;
    const page = box.ownerDocument;
    const window = page.defaultView;
    let asked = 0;
    const look = () => {
      asked = 0;
      setCovered(isCovered(box));
    };
    const soon = () => {
      if (window !== null && asked === 0) asked = window.requestAnimationFrame(look);
    };
    const changes = new MutationObserver(soon);
    changes.observe(page.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['style', 'data-state', 'class'],
    });
    const sized = new ResizeObserver(soon);
    sized.observe(box);
    look();
    return () => {
      changes.disconnect();
      sized.disconnect();
      window?.cancelAnimationFrame(asked);
    };
  }, [element, enabled]);
  return enabled && covered;
}
