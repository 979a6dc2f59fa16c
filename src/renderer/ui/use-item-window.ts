import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { emptyWindow, itemsInSight, nextWindow, type ItemLayout, type ItemsInSight } from './table-window.ts';

/** The box that scrolls, in pixels. */
export interface ScrolledBox {
  readonly scrollTop: number;
  readonly width: number;
  readonly height: number;
}

/** What a list of items in a scrolled box knows of itself. */
export interface ItemWindowOptions<T> {
  readonly items: readonly T[];
  /** Names an item: the keyboard stays with it when the list changes. Without it another list begins at its top. */
  readonly keyOf?: (item: T) => string | number;
  /** Whether the keyboard may stand on an item; it goes to the next one that it may. Absent: on all of them. */
  readonly isStop?: (item: T) => boolean;
  /** The item with this key gets the keyboard when this becomes another key; null for none. */
  readonly activeKey?: string | number | null;
  readonly layout: (width: number) => ItemLayout;
  /** The item that a key moves to, null where it does not move. */
  readonly move: (event: KeyboardEvent, active: number, box: ScrolledBox) => number | null;
  /** Where to scroll so that an item is wholly in sight. */
  readonly scrollTo: (index: number, box: ScrolledBox) => number;
  /** The keyboard came to an item, by a key or by the focus. */
  readonly onActive?: ((index: number, by: 'key' | 'focus') => void) | undefined;
  /** A click or a double click. */
  readonly onPress: (index: number, event: MouseEvent) => void;
  /** The item that stays in sight when the box gets another width, -1 for none. */
  readonly keepInSight?: number;
}

/** The items to draw in the box that `scroller` is put on; `width` is its width in pixels, 0 until it was measured. */
export interface DrawnItems extends ItemsInSight {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly width: number;
}

interface State<T> extends ItemsInSight {
  readonly items: readonly T[];
  readonly width: number;
  /** False where it was made for another list while drawing, and the box was not looked at since. */
  readonly looked: boolean;
}

/**
 * Draws of a long list only what is in sight of a scrolled box, and moves the keyboard through it. The element of an item that takes
 * the focus carries its index as `data-item`; exactly the one of `drawn.active` should have the tab index 0.
 */
export function useItemWindow<T>(options: ItemWindowOptions<T>): DrawnItems {
  const { items, keyOf, isStop, activeKey = null, keepInSight = -1 } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const focusWanted = useRef(false);
  const [kept, setState] = useState<State<T>>(() => ({
    items,
    width: 0,
    drawn: emptyWindow,
    seen: { start: 0, end: 0 },
    looked: false,
  }));
  const state = kept.items === items ? kept : withItems(kept, items, keyOf, isStop);
  if (state !== kept) setState(state);

  const look = useEffectEvent((active: number | null) => {
    const box = boxOf(scroller.current);
    if (box === null || box.width === 0) return;
    // A frame of scrolling within the same rows draws nothing.
    setState((before) => {
      const { width, height, scrollTop } = box;
      const next = itemsInSight(
        before,
        { scrollTop, height },
        before.items.length,
        stopAt(before.items, active ?? before.drawn.active, options.isStop),
        options.layout(width),
      );
      if (next === before && width === before.width && before.looked) return before;
      return { items: before.items, width, drawn: next.drawn, seen: next.seen, looked: true };
    });
  });

  // Drawn within the frame that scrolls, so that none shows an empty place.
  const onScroll = useEffectEvent(() => flushSync(() => look(null)));

  /** The focus belongs to the active item: after a key, and where the list changed under it. */
  const giveFocus = useEffectEvent(() => {
    const box = scroller.current;
    const held = document.activeElement;
    const index = box?.contains(held) === true ? indexOf(held) : null;
    if (box === null || (!focusWanted.current && (index === null || index === state.drawn.active))) return;
    const item = box.querySelector<HTMLElement>(`[data-item="${state.drawn.active}"]`);
    if (item === null) return;
    // An element that draws another item now would not be announced.
    if (item === held && focusWanted.current) item.blur();
    focusWanted.current = false;
    item.focus({ preventScroll: true });
  });

  /** The item that the keyboard is wanted on and that was not in the list yet, and the one that it was last told to be on. */
  const sought = useRef<string | number | null>(null);
  const told = useRef<string | number | null>(null);
  const tell = useEffectEvent((index: number, by: 'key' | 'focus') => {
    const item = items[index];
    if (item !== undefined && keyOf !== undefined) told.current = keyOf(item);
    sought.current = null;
    options.onActive?.(index, by);
  });

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const box = boxOf(scroller.current);
    if (scroller.current === null || box === null) return;
    const next = options.move(event, state.drawn.active, box);
    if (next === null) return;
    event.preventDefault();
    focusWanted.current = true;
    scroller.current.scrollTop = options.scrollTo(next, box);
    // Scrolled and drawn at once: the next key finds the item in the page and in its place.
    flushSync(() => look(next));
    giveFocus();
    tell(next, 'key');
  });

  const onPress = useEffectEvent((event: MouseEvent) => {
    const index = indexOf(event.target);
    if (index === null) return;
    look(index);
    options.onPress(index, event);
  });

  const onFocus = useEffectEvent((event: FocusEvent) => {
    const index = indexOf(event.target);
    if (index === null) return;
    if (index !== state.drawn.active) look(index);
    tell(index, 'focus');
  });

  // One listener for all items instead of one an item, put on natively: the items are not controls of their own.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const handlers = { scroll: onScroll, keydown: onKey, click: onPress, dblclick: onPress, focusin: onFocus } as const;
    const add = Object.entries(handlers) as [string, EventListener][];
    for (const [type, listener] of add) box.addEventListener(type, listener, { passive: type === 'scroll' });
    const sized = new ResizeObserver(() => look(null));
    sized.observe(box);
    return () => {
      for (const [type, listener] of add) box.removeEventListener(type, listener);
      sized.disconnect();
    };
  }, []);

  const startsAnew = keyOf === undefined;
  useLayoutEffect(() => {
    if (startsAnew && scroller.current !== null) scroller.current.scrollTop = 0;
  }, [items, startsAnew]);

  // After every state that was made for a list while drawing, which is not only after a new list: an update of lower priority that was
  // skipped then is applied to the state before it, and the same list is met a second time.
  useLayoutEffect(() => {
    if (!state.looked) look(null);
  }, [state]);

  const reveal = useEffectEvent((index: number) => {
    const box = boxOf(scroller.current);
    if (scroller.current !== null && box !== null && box.width > 0) scroller.current.scrollTop = options.scrollTo(index, box);
  });
  useLayoutEffect(() => {
    if (keepInSight >= 0) reveal(keepInSight);
  }, [keepInSight, state.width]);

  const follow = useEffectEvent(() => {
    const key = sought.current;
    const index = key === null || keyOf === undefined ? -1 : items.findIndex((item) => keyOf(item) === key);
    if (index < 0) return;
    sought.current = null;
    if (index === state.drawn.active) return;
    reveal(index);
    look(index);
  });
  useLayoutEffect(() => {
    // Not where it only says back what was told from here.
    if (activeKey !== told.current) sought.current = activeKey;
    told.current = activeKey;
  }, [activeKey]);
  // It may come into the list only later.
  useLayoutEffect(() => follow(), [activeKey, items]);

  useLayoutEffect(() => giveFocus(), [state.drawn]);

  return { scroller, width: state.width, drawn: state.drawn, seen: state.seen };
}

/** The same place in another list: on the same item where it is known by a key, else at the top. */
function withItems<T>(
  before: State<T>,
  items: readonly T[],
  keyOf: ((item: T) => string | number) | undefined,
  isStop: ((item: T) => boolean) | undefined,
): State<T> {
  const { drawn, width, seen } = before;
  const count = items.length;
  if (keyOf === undefined) {
    const drawnNow = nextWindow(drawn, { start: 0, end: Math.min(drawn.end - drawn.start, count) }, drawn.room, count, 0);
    return { items, width, seen: { start: 0, end: Math.min(seen.end - seen.start, count) }, drawn: drawnNow, looked: false };
  }
  const held = before.items[drawn.active];
  const place = held === undefined ? -1 : items.findIndex((item) => keyOf(item) === keyOf(held));
  const active = stopAt(items, place < 0 ? drawn.active : place, isStop);
  const range = { start: Math.min(drawn.start, count), end: Math.min(drawn.end, count) };
  return { items, width, seen, drawn: nextWindow(drawn, range, drawn.room, count, active), looked: false };
}

/** The item itself or the next one that the keyboard may stand on, else the one before; within the list. */
function stopAt<T>(items: readonly T[], wanted: number, isStop: ((item: T) => boolean) | undefined): number {
  const index = Math.min(wanted, items.length - 1);
  if (isStop === undefined || index < 0) return wanted;
  for (let at = index; at < items.length; at += 1) if (isStop(items[at] as T)) return at;
  for (let at = index; at >= 0; at -= 1) if (isStop(items[at] as T)) return at;
  return index;
}

function boxOf(element: HTMLElement | null): ScrolledBox | null {
  if (element === null) return null;
  return { scrollTop: element.scrollTop, width: element.clientWidth, height: element.clientHeight };
}

function indexOf(target: EventTarget | null): number | null {
  const item = target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null;
  return item === null ? null : Number(item.dataset['item']);
}
