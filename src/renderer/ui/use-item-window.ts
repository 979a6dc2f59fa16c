import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { emptyWindow, itemsInSight, nextWindow, type ItemLayout, type ItemsInSight } from './table-window.ts';

/** The box that scrolls, in pixels. */
export interface ScrolledBox {
  readonly scrollTop: number;
  readonly width: number;
  readonly height: number;
}

/** Items of a list in a scrolled box, their layout, and the callbacks of their keyboard and clicks. */
export interface ItemWindowOptions<T> {
  readonly items: readonly T[];
  /** Names an item: the keyboard stays with it when the list changes. Without it another list begins at its top. */
  readonly keyOf?: (item: T) => string | number;
  /** Returns whether the keyboard may stand on an item; else it goes to the next item that allows it. Absent: on every item. */
  readonly isStop?: (item: T) => boolean;
  /** The item with this key gets the keyboard when this becomes another key; null for none. */
  readonly activeKey?: string | number | null;
  readonly layout: (width: number) => ItemLayout;
  /** Returns the item that a key moves to, or null if the key does not move. */
  readonly move: (event: KeyboardEvent, active: number, box: ScrolledBox) => number | null;
  /** Returns the `scrollTop` at which the whole item is in sight. */
  readonly scrollTo: (index: number, box: ScrolledBox) => number;
  /** Called when the keyboard comes to an item, by a key or by the focus. */
  readonly onActive?: ((index: number, by: 'key' | 'focus') => void) | undefined;
  /** Called for a click and for a double click. */
  readonly onPress: (index: number, event: MouseEvent) => void;
  /** The item that stays in sight when the box gets another width, -1 for none. */
  readonly keepInSight?: number;
}

/** The items to draw in the box that `scroller` is put on; `width` is its width in pixels, 0 until it is measured. */
export interface DrawnItems extends ItemsInSight {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly width: number;
}

interface State<T> extends ItemsInSight {
  readonly items: readonly T[];
  readonly width: number;
  /** False if it was made for another list during a render, and the box was not measured since. */
  readonly measured: boolean;
}

/**
 * Draws only those items of a long list that are in sight of a scrolled box, and moves the keyboard through them. An element that
 * can take the focus carries its item's index as `data-item`; exactly the one of `drawn.active` has the tab index 0.
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
    measured: false,
  }));
  const state = kept.items === items ? kept : withItems(kept, items, keyOf, isStop);
  if (state !== kept) setState(state);

  const measure = useEffectEvent((active: number | null) => {
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
      if (next === before && width === before.width && before.measured) return before;
      return { items: before.items, width, drawn: next.drawn, seen: next.seen, measured: true };
    });
  });

  // Drawn within the frame that scrolls, so that no frame shows an empty place.
  const onScroll = useEffectEvent(() => flushSync(() => measure(null)));

  /** Gives the focus to the active item: after a key, and if the list changed under it. */
  const giveFocus = useEffectEvent(() => {
    const box = scroller.current;
    const held = document.activeElement;
    const index = box?.contains(held) === true ? indexOf(held) : null;
    if (box === null || (!focusWanted.current && (index === null || index === state.drawn.active))) return;
    const item = box.querySelector<HTMLElement>(`[data-item="${state.drawn.active}"]`);
    if (item === null) return;
    // A screen reader would not announce an element that draws another item now.
    if (item === held && focusWanted.current) item.blur();
    focusWanted.current = false;
    item.focus({ preventScroll: true });
  });

  /** The item that the keyboard was wanted on before the list had it, and the one it was last reported to be on. */
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
    // Scrolled and drawn at once: the next key finds the item in the page and in its position.
    flushSync(() => measure(next));
    giveFocus();
    tell(next, 'key');
  });

  const onPress = useEffectEvent((event: MouseEvent) => {
    const index = indexOf(event.target);
    if (index === null) return;
    measure(index);
    options.onPress(index, event);
  });

  const onFocus = useEffectEvent((event: FocusEvent) => {
    const index = indexOf(event.target);
    if (index === null) return;
    if (index !== state.drawn.active) measure(index);
    tell(index, 'focus');
  });

  // One native listener for all items: the items are not controls of their own.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const handlers = { scroll: onScroll, keydown: onKey, click: onPress, dblclick: onPress, focusin: onFocus } as const;
    const add = Object.entries(handlers) as [string, EventListener][];
    for (const [type, listener] of add) box.addEventListener(type, listener, { passive: type === 'scroll' });
    const sized = new ResizeObserver(() => measure(null));
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

  // Runs after every state that a render made for a list, not only after a new list: React can apply an update of lower priority,
  // which it skipped, to the state before it, and meet the same list a second time.
  useLayoutEffect(() => {
    if (!state.measured) measure(null);
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
    measure(index);
  });
  useLayoutEffect(() => {
    // Not if it only repeats what this hook reported.
    if (activeKey !== told.current) sought.current = activeKey;
    told.current = activeKey;
  }, [activeKey]);
  // The item may come into the list only later.
  useLayoutEffect(() => follow(), [activeKey, items]);

  useLayoutEffect(() => giveFocus(), [state.drawn]);

  return { scroller, width: state.width, drawn: state.drawn, seen: state.seen };
}

/** Returns the same position in another list: on the same item if its key is known, else at the top. */
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
    return { items, width, seen: { start: 0, end: Math.min(seen.end - seen.start, count) }, drawn: drawnNow, measured: false };
  }
  const held = before.items[drawn.active];
  const place = held === undefined ? -1 : items.findIndex((item) => keyOf(item) === keyOf(held));
  const active = stopAt(items, place < 0 ? drawn.active : place, isStop);
  const range = { start: Math.min(drawn.start, count), end: Math.min(drawn.end, count) };
  return { items, width, seen, drawn: nextWindow(drawn, range, drawn.room, count, active), measured: false };
}

/** Returns the item itself or the next one that the keyboard may stand on, else the one before; within the list. */
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
