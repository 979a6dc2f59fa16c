import type { ManualPlace } from './manual-store.ts';

/** Returns the ID of a heading's element. */
export function headingId(heading: string): string {
  return `manual-${heading}`;
}

/** Returns the heading at a place, or the page's title; null while the page is not drawn. */
export function headingAt(box: ParentNode, { heading }: ManualPlace): HTMLElement | null {
  const wanted = heading === null ? null : box.querySelector<HTMLElement>(`#${CSS.escape(headingId(heading))}`);
  return wanted ?? box.querySelector<HTMLElement>(`[id^="${headingId('')}"]`);
}
