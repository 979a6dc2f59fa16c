import { expect, type Page } from '@playwright/test';

/**
 * Returns what is wrong with the layout of the page as it is now: controls that nobody can reach by scrolling, that something lies
 * over or that a pointer may miss, texts under others, labels that are cut or broken inside a word, parts that scroll in too little
 * height or, without a table, tabs or code, sideways, and a page that is wider than its window. What lies below a dialog or behind a
 * drawer does not count, and a cell may shorten what the detail of its row shows. Leaves everything scrolled as it was.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  return lastingFaults(page, [
    controlsOutOfReach,
    smallTargets,
    cutTexts,
    brokenWords,
    coveredTexts,
    cutChoices,
    sidewaysScrolls,
    lowScrolls,
  ]);
}

/** Returns the controls of the page that a pointer may miss: below 24 px (WCAG 2.5.8). */
export function targetFaults(page: Page): Promise<string[]> {
  return lastingFaults(page, [smallTargets]);
}

/**
 * Returns what is lost where a reader spaces the texts (WCAG 1.4.12): controls out of reach, and texts that are cut or lie over others.
 * Editors of code keep their grid; Alt+F2 shows what they hold as plain text. A choice that is cut is whole in its list.
 */
export async function spacingFaults(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const spaced = new CSSStyleSheet();
    spaced.replaceSync(
      `*:not(.monaco-editor, .monaco-editor *) {
        line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;
      }
      p { margin-bottom: 2em !important; }`,
    );
    document.adoptedStyleSheets.push(spaced);
  });
  const found = await lastingFaults(page, [controlsOutOfReach, cutTexts, coveredTexts, crossedTexts]);
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
  return found.map((fault) => `spaced, ${fault}`);
}

type Check = () => string[];

async function lastingFaults(page: Page, checks: readonly Check[]): Promise<string[]> {
  const found = await faultsNow(page, checks);
  if (found.length === 0) return found;
  // What stands for a part that is being loaded comes late and goes again.
  const left = await faultsNow(page, checks);
  return found.filter((fault) => left.includes(fault));
}

async function faultsNow(page: Page, checks: readonly Check[]): Promise<string[]> {
  await settle(page);
  await page.evaluate(installTools);
  const found: string[] = [];
  for (const check of checks) found.push(...(await page.evaluate(check)));
  return [...new Set(found)];
}

/** Waits until what a new size draws again has been drawn. */
async function settle(page: Page): Promise<void> {
  await expect(page.locator('[data-loading]:visible')).toHaveCount(0);
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => void requestAnimationFrame(resolve));
    await nextFrame();
    await nextFrame();
    const ending = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Helpers of the functions below, which run in the page and know nothing else of this file. */
interface LayoutTools {
  /** The part that can be used now: a dialog or menu over the page, else the page. */
  readonly root: Element;
  ancestors(element: Element): readonly Element[];
  /** Returns whether a user sees the element, or would after scrolling. */
  counts(element: Element): boolean;
  nameOf(element: Element): string;
  /** Selector of what a pointer presses. */
  readonly controls: string;
  /** Reads something while the element is scrolled to as far as a user can, and leaves all scrolled as it was. */
  inSight<T>(element: Element, read: () => T): T;
  /** Returns whether an overflow hides without a way to scroll. */
  cuts(overflow: string): boolean;
  /** The texts in sight or below a scroll. */
  texts(): readonly { readonly node: Text; readonly element: Element; readonly box: DOMRect }[];
  /** Returns the box that cuts a text off without a way to scroll. */
  cutOf(element: Element, text: DOMRect): Element | null;
}

declare global {
  var layoutTools: LayoutTools;
}

function installTools(): void {
  const root = [...document.querySelectorAll('[data-modal], [role="dialog"], [role="menu"]')].at(-1) ?? document.body;
  const tools: LayoutTools = {
    root,
    ancestors(element) {
      const found: Element[] = [];
      for (let one = element.parentElement; one !== null; one = one.parentElement) found.push(one);
      return found;
    },
    counts: (element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('[inert], .visually-hidden, .monaco-editor, [data-native-view], [role="tooltip"]') === null,
    nameOf(element) {
      const words = element.getAttribute('aria-label') ?? element.getAttribute('name') ?? element.textContent.trim();
      return `${element.tagName.toLowerCase()} "${words.slice(0, 40)}" ${element.classList.item(0) ?? ''}`;
    },
    controls:
      'button, input, select, textarea, a[href], summary, tr[tabindex], [role="tab"], [role="treeitem"], [role="separator"][tabindex], [role^="menuitem"], [role="option"]',
    inSight(element, read) {
      const before = tools.ancestors(element).map((box) => ({ box, left: box.scrollLeft, top: box.scrollTop }));
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      // A user cannot scroll what hides.
      for (const { box, left, top } of before) {
        const { overflowX, overflowY } = getComputedStyle(box);
        if (tools.cuts(overflowX)) box.scrollLeft = left;
        if (tools.cuts(overflowY)) box.scrollTop = top;
      }
      const found = read();
      for (const { box, left, top } of before) box.scrollTo({ left, top, behavior: 'instant' });
      return found;
    },
    cuts: (overflow) => overflow === 'hidden' || overflow === 'clip',
    texts() {
      const found: { node: Text; element: Element; box: DOMRect }[] = [];
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
        const element = node.parentElement;
        if (node.data.trim() === '' || element === null || !tools.counts(element)) continue;
        if (element.closest('select, script, style') !== null) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (box.width > 1 && box.height > 1) found.push({ node, element, box });
      }
      return found;
    },
    cutOf(element, text) {
      let [across, down] = [true, true];
      for (const one of [element, ...tools.ancestors(element)]) {
        const { overflowX, overflowY, display } = getComputedStyle(one);
        const view = one.getBoundingClientRect();
        // Words for a screen reader alone.
        if (one === root || view.width <= 1) return null;
        if (display === 'contents' || display === 'inline') continue;
        if (across && tools.cuts(overflowX) && (text.right > view.right + 1.5 || text.left < view.left - 1.5)) return one;
        if (down && tools.cuts(overflowY) && (text.bottom > view.bottom + 4 || text.top < view.top - 4)) return one;
        across &&= overflowX === 'visible' || tools.cuts(overflowX);
        down &&= overflowY === 'visible' || tools.cuts(overflowY);
      }
      return null;
    },
  };
  globalThis.layoutTools = tools;
}

/** Scrolls to each control as a user can, and asks what is at its middle. */
function controlsOutOfReach(): string[] {
  const { root, counts, nameOf, controls, inSight } = globalThis.layoutTools;
  const faults: string[] = [];
  /** Returns what lies over the control's middle: `null` if nobody can bring it into the window, `undefined` if nothing does. */
  const topOf = (control: Element): Element | null | undefined => {
    // A link may break over two lines.
    const box = control.getClientRects()[0] ?? control.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (top === null) return null;
    const isPassed = getComputedStyle(control).pointerEvents === 'none' && top.contains(control);
    const isOwn = control.contains(top) || top.closest('label')?.contains(control) === true || isPassed;
    // A tooltip goes as the pointer does.
    const isTooltip = top.closest('[data-radix-popper-content-wrapper]:has([role="tooltip"])') !== null;
    return isOwn || isTooltip ? undefined : top;
  };
  for (const control of root.querySelectorAll(controls)) {
    const { width, height } = control.getBoundingClientRect();
    // The link that skips to the content comes into sight by its focus.
    if (!counts(control) || width <= 1 || height <= 1 || control.matches('[href="#content"]')) continue;
    if (topOf(control) === undefined) continue;
    const top = inSight(control, () => topOf(control));
    if (top === null) faults.push(`out of reach: ${nameOf(control)}`);
    else if (top !== undefined) faults.push(`covered: ${nameOf(control)} by ${nameOf(top)}`);
  }
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} wide in ${innerWidth}`);
  return faults;
}

/** A pointer may meet more than what is drawn, a label among it. Words in a sentence are as high as its line. */
function smallTargets(): string[] {
  const { root, counts, nameOf, controls, inSight } = globalThis.layoutTools;
  const least = 24;
  const isMet = (control: Element, x: number, y: number) => {
    const top = document.elementFromPoint(x, y)?.closest(`label, ${controls}`);
    return top === control || (top instanceof HTMLLabelElement && top.control === control);
  };
  return [...root.querySelectorAll(controls)].flatMap((control) => {
    const { width, height } = control.getClientRects()[0] ?? control.getBoundingClientRect();
    // The link that skips to the content comes into sight by its focus.
    if (!counts(control) || width * height <= 1 || control.matches('[href="#content"]')) return [];
    if (Math.round(Math.min(width, height)) >= least) return [];
    const beside = [...(control.parentElement?.childNodes ?? [])].filter(
      (node) => !(node instanceof Element && node.matches(controls)),
    );
    const isInSentence = beside.some(({ textContent }) => /\p{L}/u.test(textContent ?? ''));
    if (isInSentence && getComputedStyle(control).display.startsWith('inline')) return [];
    const [across, down] = inSight(control, () => {
      const box = control.getClientRects()[0] ?? control.getBoundingClientRect();
      const reach = (right: number, below: number) => {
        let far = 0.5;
        while (far < least && isMet(control, box.x + box.width / 2 + right * far, box.y + box.height / 2 + below * far))
          far += 0.5;
        return far - 0.5;
      };
      return [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)];
    });
    // Of each end half a pixel may be missed.
    return Math.min(across, down) < least - 1 ? [`${across} x ${down} px: ${nameOf(control)}`] : [];
  });
}

/** A text with an ellipsis may be read whole elsewhere: in a title, a name, or the detail of a row. */
function cutTexts(): string[] {
  const { texts, cutOf, nameOf, ancestors } = globalThis.layoutTools;
  return texts().flatMap(({ node, element, box }) => {
    const cut = cutOf(element, box);
    if (cut === null || element.closest('td, [role="gridcell"]') !== null) return [];
    const text = node.data.trim();
    const isSaid = [element, ...ancestors(element)].some((one) =>
      [one.getAttribute('title'), one.getAttribute('aria-label')].some((said) => said?.includes(text) === true),
    );
    const { textOverflow, display } = getComputedStyle(cut);
    // A row or grid of boxes draws no ellipsis.
    if (isSaid && textOverflow === 'ellipsis' && !/flex|grid/.test(display)) return [];
    return [`cut: "${text.slice(0, 60)}" in ${nameOf(cut)}`];
  });
}

function brokenWords(): string[] {
  const { texts, nameOf } = globalThis.layoutTools;
  const labels = 'button, label, legend, h1, h2, h3, h4, th, dt, [role="tab"], [role="columnheader"]';
  const range = document.createRange();
  return texts().flatMap(({ node, element }) => {
    const label = element.closest(labels);
    // What a user wrote, such as a name, breaks where it has to.
    if (label === null || element.closest('td, bdi') !== null) return [];
    return [...node.data.matchAll(/\p{L}[\p{L}\d]*/gu)].flatMap(({ index, 0: word }) => {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      return lines.size > 1 ? [`broken: "${word}" of ${nameOf(label)}`] : [];
    });
  });
}

/** Looks at texts of one line whose middle is in sight. */
function coveredTexts(): string[] {
  const { texts, ancestors, nameOf } = globalThis.layoutTools;
  return texts().flatMap(({ node, element, box }) => {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const views = ancestors(element).filter((one) => getComputedStyle(one).overflow !== 'visible');
    const isIn = [element, ...views].every((one) => {
      const view = one.getBoundingClientRect();
      return x >= view.left && x < view.right && y >= view.top && y < view.bottom - 1;
    });
    const top = document.elementFromPoint(x, y);
    if (!isIn || top === null || element.getClientRects().length > 1 || top.closest('[role="tooltip"]') !== null) return [];
    const isOwn = element.contains(top) || top.contains(element) || top.closest('label')?.contains(element) === true;
    // The edge between two panes can be taken beside its line.
    if (isOwn || top.matches('[role="separator"], [data-radix-popper-content-wrapper] *')) return [];
    // A text scrolls below a head that stays; a control there has to come out of it.
    if ([top, ...ancestors(top)].some((one) => getComputedStyle(one).position === 'sticky')) return [];
    return [`under another: "${node.data.trim().slice(0, 60)}" under ${nameOf(top)}`];
  });
}

/** Returns pairs of texts of which a part of one is drawn over the other. */
function crossedTexts(): string[] {
  const { texts, ancestors } = globalThis.layoutTools;
  const lines = texts().flatMap(({ node, element }) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const views = [element, ...ancestors(element)].filter((one) => getComputedStyle(one).overflow !== 'visible');
    return [...range.getClientRects()].flatMap((line) => {
      const boxes = [line, ...views.map((view) => view.getBoundingClientRect())];
      const [left, right] = [Math.max(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.right))];
      const [top, bottom] = [Math.max(...boxes.map((box) => box.top)), Math.min(...boxes.map((box) => box.bottom))];
      const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return met !== null && (element.contains(met) || met.contains(element)) ? [{ node, left, right, top, bottom }] : [];
    });
  });
  return lines.flatMap((one, at) =>
    lines.slice(at + 1).flatMap((other) => {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.node === other.node || across < 2 || down < 4) return [];
      return [`"${one.node.data.trim().slice(0, 40)}" over "${other.node.data.trim().slice(0, 40)}"`];
    }),
  );
}

function cutChoices(): string[] {
  const { root, counts } = globalThis.layoutTools;
  const context = document.createElement('canvas').getContext('2d');
  return [...root.querySelectorAll('select')].flatMap((select) => {
    const label = select.selectedOptions[0]?.label ?? '';
    if (!counts(select) || context === null) return [];
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    context.font = font;
    const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return context.measureText(label).width > room + 2 && select.title === '' ? [`cut: the choice "${label}"`] : [];
  });
}

/** Names what reaches over the edge: mostly a control that is wider than its place. */
function sidewaysScrolls(): string[] {
  const { root, counts, nameOf } = globalThis.layoutTools;
  const wide = 'table, pre, [role="grid"], [role="treegrid"], [role="tablist"]';
  return [...root.querySelectorAll('*')].flatMap((view) => {
    const isScroll = ['auto', 'scroll'].includes(getComputedStyle(view).overflowX);
    if (!isScroll || view.scrollWidth <= view.clientWidth || !counts(view) || view.closest(wide) !== null) return [];
    const right = view.getBoundingClientRect().left + view.clientLeft + view.clientWidth;
    const over = [...view.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().right > right + 0.5);
    const first = over.find((one) => one.closest(wide) === null && one.querySelector(wide) === null);
    if (first === undefined && over.length > 0) return [];
    return [`scrolls sideways: ${nameOf(view)} for ${first === undefined ? 'nothing in it' : nameOf(first)}`];
  });
}

/** A part that scrolls in less than two lines hides what it says. */
function lowScrolls(): string[] {
  const { root, counts, nameOf } = globalThis.layoutTools;
  return [...root.querySelectorAll('*')].flatMap((view) => {
    const isScroll = ['auto', 'scroll'].includes(getComputedStyle(view).overflowY) && view.scrollHeight > view.clientHeight + 1;
    return isScroll && view.clientHeight < 40 && counts(view) ? [`scrolls in ${view.clientHeight} px: ${nameOf(view)}`] : [];
  });
}
