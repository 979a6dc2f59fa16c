import { placeOf, successorOf, type FocusPlace, type FocusTree } from './focus-place.ts';

const controls = ['a[href]', 'button', 'input', 'textarea', 'select', 'summary', '[tabindex]']
  .map((kind) => `${kind}:not(:disabled, [tabindex="-1"], [inert] *, [data-danger])`)
  .join(',');

function isDrawn(element: Element): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true });
}

const tree: FocusTree<Element> = {
  // What is over the page has no neighbours in it.
  parent: (element) => (element.matches('[data-passing], body > *') ? null : element.parentElement),
  children: ({ children }) => [...children],
  controls: (box) => [...box.querySelectorAll(controls)],
  isDrawn,
  isControl: (element) => element.matches(controls),
  isRegion: (element) => element.matches('[data-pane], main, [data-modal], [role="dialog"]'),
  nameOf(element) {
    const name = element.getAttribute('aria-label') ?? element.textContent.slice(0, 80);
    return [element.tagName, element.getAttribute('role'), element.getAttribute('name'), element.id, name].join('\n');
  },
};

/**
 * Keeps the keyboard in the page. An element that is removed, hidden or disabled loses the focus to the page's body, where keys do
 * nothing and a screen reader begins at the top; the focus then goes to that element's successor. What closes over the page gives it
 * back to where it was before. A user who clicks on nothing keeps nothing: that element could still have the focus.
 */
export function keepFocus(page: Document): void {
  /** The last place in the page itself, while it is in something that opened over the page. */
  let below: FocusPlace<Element> | null = null;
  let left: FocusPlace<Element> | null = null;

  function restoreFocus(): void {
    const place = left;
    left = null;
    if (place === null || (page.activeElement !== null && page.activeElement !== page.body)) return;
    if (canHold(place)) return;
    const modal = [...page.querySelectorAll('[data-modal]')].at(-1) ?? null;
    const next = successorOf(tree, place) ?? (below === null ? null : resume(below)) ?? page.getElementById('content');
    give(modal === null || modal.contains(next) ? next : modal);
  }

  page.addEventListener('focusout', ({ target, relatedTarget: next }) => {
    if (!(target instanceof Element) || (next instanceof Element && !isOver(next))) return;
    const place = placeOf(tree, target);
    if (!isOver(target)) below = place;
    if (next !== null) return;
    const isWaiting = left !== null;
    left = place;
    // What is drawn again has been drawn in the next frame; what gives the focus back by itself has done so in the task behind it.
    if (!isWaiting) requestAnimationFrame(() => setTimeout(restoreFocus));
  });
}

function canHold({ path: [own] }: FocusPlace<Element>): boolean {
  return own !== undefined && isDrawn(own.element) && !own.element.matches(':disabled, [inert] *');
}

function resume(place: FocusPlace<Element>): Element | null {
  return canHold(place) ? (place.path[0]?.element ?? null) : successorOf(tree, place);
}

/** Returns whether an element is in what opens over the page and closes again: a dialog, a menu, a notice. */
function isOver(element: Element): boolean {
  return element.closest('#root') === null || element.closest('[data-passing]') !== null;
}

/** Frames in which what an action shows is waited for: its code may have to be fetched. After the second number, others count as well. */
const [patience, preference] = [120, 12];
/** Ends what is sought; aborted while nothing is. */
let sought = new AbortController();
sought.abort();

/**
 * Moves the focus to the element of a selector as soon as it is drawn and nothing is open over the page, unless it is inside already or
 * the user does something else before: for an action that knows where its result is. If that does not come soon, to the first of `others`
 * that is there.
 */
export function moveFocus(page: Document, selector: string, ...others: readonly string[]): void {
  sought.abort();
  sought = new AbortController();
  const { signal } = sought;
  for (const type of ['keydown', 'pointerdown']) {
    page.addEventListener(type, () => sought.abort(), { capture: true, once: true, signal });
  }
  let frames = patience;
  const seek = () => {
    if (signal.aborted) return;
    frames -= 1;
    // What still loads may bring it.
    const isLate = patience - frames > preference && page.querySelector('main [data-loading]') === null;
    const wanted = isLate ? [selector, ...others] : [selector];
    const target = wanted.flatMap((one) => [...page.querySelectorAll(one)]).find(isDrawn);
    if (target === undefined || page.querySelector('[data-modal], [role="menu"]') !== null) {
      if (frames > 0) requestAnimationFrame(seek);
      else sought.abort();
      return;
    }
    sought.abort();
    if (!target.contains(page.activeElement)) give(target);
  };
  requestAnimationFrame(seek);
}

/** Moves the focus likewise, unless an action that knows better has begun to. */
export function moveFocusByDefault(page: Document, selector: string, ...others: readonly string[]): void {
  if (sought.signal.aborted) moveFocus(page, selector, ...others);
}

function give(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  const whole = !element.matches(controls);
  if (whole && !element.hasAttribute('tabindex')) element.tabIndex = -1;
  // A pane is in sight as far as it can be.
  element.focus({ preventScroll: whole });
}
