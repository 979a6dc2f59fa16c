import { useState, type RefObject, useEffectEvent, useLayoutEffect } from 'react';

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

const followed = ['style', 'data-state', 'class', 'hidden'];

/** Measures before anything is drawn, and again before the next frame after anything of the page changed or was resized. */
function useLayout(measure: () => void, enabled: boolean): void {
  const run = useEffectEvent(measure);
  useLayoutEffect(() => {
    if (!enabled) return;
    let asked = 0;
    const now = () => {
      asked = 0;
      run();
    };
    const soon = () => {
      if (asked === 0) asked = requestAnimationFrame(now);
    };
    const changes = new MutationObserver(soon);
    changes.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: followed });
    const sized = new ResizeObserver(soon);
    sized.observe(document.documentElement);
    run();
    return () => {
      changes.disconnect();
      sized.disconnect();
      cancelAnimationFrame(asked);
    };
  }, [enabled]);
}
