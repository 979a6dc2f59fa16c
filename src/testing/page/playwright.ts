// A stand-in for '@playwright/test' in a browser: as much of its page, its locators and its expectations as the screens of e2e/pages
// use, with the same selectors, inside the page under test. Keys and pointer are real ones; looking is a function call.
import type { Expect, Page } from '@playwright/test';
import {
  getByLabelSelector,
  getByPlaceholderSelector,
  getByRoleSelector,
  getByTextSelector,
  getByTitleSelector,
  selectorEngine,
} from '@vitest/browser/locators';
import { expect as vitestExpect } from 'vitest';
import { commands, page as frame } from 'vitest/browser';
import type { Deeds } from './from-outside.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    outside: (name: string, ...args: unknown[]) => Promise<unknown>;
  }
}

type Text = string | RegExp;
type RoleOptions = NonNullable<Parameters<Page['getByRole']>[1]>;
interface Point {
  readonly x: number;
  readonly y: number;
}
interface Filter {
  readonly has?: PageLocator;
  readonly hasNot?: PageLocator;
  readonly hasText?: Text;
  readonly hasNotText?: Text;
  readonly visible?: boolean;
}
interface ClickOptions {
  readonly button?: 'left' | 'right' | 'middle';
  readonly clickCount?: number;
  readonly modifiers?: readonly string[];
  readonly position?: Point;
  /** Looks whether it could be clicked, and does not. */
  readonly trial?: boolean;
}

/** Milliseconds after which what is waited for counts as not coming. */
const patience = 40_000;

/** Returns the first result that is not undefined; `fail` makes the error once it took too long. */
async function until<T>(look: () => T | undefined, fail: () => string, milliseconds = patience): Promise<T> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (performance.now() > end) throw new Error(fail());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Asks the process of the tests for a deed. */
export const outside = new Proxy({} as Deeds, {
  get:
    (_, name) =>
    (...args: unknown[]) =>
      commands.outside(String(name), ...args),
});

const drive = async (device: 'keyboard' | 'mouse', method: string, ...args: unknown[]) => {
  window.focus();
  await outside.drive(device, method, ...args);
};
const keyboard = {
  press: (key: string) => drive('keyboard', 'press', key),
  type: (text: string) => drive('keyboard', 'type', text),
  insertText: (text: string) => drive('keyboard', 'insertText', text),
  down: (key: string) => drive('keyboard', 'down', key),
  up: (key: string) => drive('keyboard', 'up', key),
};
/** The page is a frame in Vitest's own. */
const inTop = (x: number, y: number): [number, number] => {
  const { left = 0, top = 0 } = window.frameElement?.getBoundingClientRect() ?? {};
  return [left + x, top + y];
};
const mouse = {
  move: (x: number, y: number) => drive('mouse', 'move', ...inTop(x, y)),
  click: (x: number, y: number, options = {}) => drive('mouse', 'click', ...inTop(x, y), options),
  wheel: (x: number, y: number) => drive('mouse', 'wheel', x, y),
  down: () => drive('mouse', 'down'),
  up: () => drive('mouse', 'up'),
};

const isSeen = (element: Element) => {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
};
const isOff = (element: Element) => element.matches(':disabled, [aria-disabled="true"], [aria-disabled="true"] *');
const quoted = (text: Text) => (typeof text === 'string' ? `${JSON.stringify(text)}i` : String(text).replaceAll('>>', '\\>\\>'));
const valueOf = (element: Element) => (element as HTMLInputElement).value;

/** Ways to find elements, each below those that were found before. */
class Finder {
  readonly selector: string;
  constructor(selector: string) {
    this.selector = selector;
  }
  below(selector: string): PageLocator {
    return new PageLocator(this.selector === '' ? selector : `${this.selector} >> ${selector}`);
  }
  getByRole(role: string, options?: RoleOptions): PageLocator {
    // Newer than the selectors of Vitest: the element of a search, and heads of groups, which are no cells.
    if (role === 'search') {
      const name = typeof options?.name === 'string' ? `[aria-label*=${JSON.stringify(options.name)} i]` : '';
      return this.below(`:is(search, [role="search"])${name}`);
    }
    const found = this.below(getByRoleSelector(role, options as Parameters<typeof getByRoleSelector>[1]));
    if (role === 'rowheader' && options === undefined) return found.or(this.below('th[scope="rowgroup"]'));
    return role === 'gridcell' ? found.and(new PageLocator('td, [role="gridcell"]')) : found;
  }
  getByText(text: Text, options?: { exact?: boolean }): PageLocator {
    return this.below(getByTextSelector(text, options));
  }
  getByLabel(text: Text, options?: { exact?: boolean }): PageLocator {
    return this.below(getByLabelSelector(text, options));
  }
  getByPlaceholder(text: Text, options?: { exact?: boolean }): PageLocator {
    return this.below(getByPlaceholderSelector(text, options));
  }
  getByTitle(text: Text, options?: { exact?: boolean }): PageLocator {
    return this.below(getByTitleSelector(text, options));
  }
  locator(inner: string | PageLocator, filter: Filter = {}): PageLocator {
    const found = typeof inner === 'string' ? this.below(inner) : this.below(`internal:chain=${JSON.stringify(inner.selector)}`);
    return found.filter(filter);
  }
}

class PageLocator extends Finder {
  filter({ has, hasNot, hasText, hasNotText, visible }: Filter): PageLocator {
    const parts = [
      has && `internal:has=${JSON.stringify(has.selector)}`,
      hasNot && `internal:has-not=${JSON.stringify(hasNot.selector)}`,
      hasText !== undefined && `internal:has-text=${quoted(hasText)}`,
      hasNotText !== undefined && `internal:has-not-text=${quoted(hasNotText)}`,
      visible !== undefined && `visible=${visible}`,
    ];
    return new PageLocator([this.selector, ...parts.filter((part) => typeof part === 'string')].join(' >> '));
  }
  nth(index: number): PageLocator {
    return this.below(`nth=${index}`);
  }
  first(): PageLocator {
    return this.nth(0);
  }
  last(): PageLocator {
    return this.nth(-1);
  }
  and(other: PageLocator): PageLocator {
    return this.below(`internal:and=${JSON.stringify(other.selector)}`);
  }
  or(other: PageLocator): PageLocator {
    return this.below(`internal:or=${JSON.stringify(other.selector)}`);
  }
  page(): typeof page {
    return page;
  }

  elements(): HTMLElement[] {
    return selectorEngine.queryLocatorSelectorAll(this.selector, document) as HTMLElement[];
  }
  /** Returns the only element once it is there and `fits`; `state` names what it has to be. */
  private one(state = 'there', fits: (element: HTMLElement) => boolean = () => true): Promise<HTMLElement> {
    return until(
      () => {
        const [element, ...others] = this.elements();
        return element !== undefined && others.length === 0 && fits(element) ? element : undefined;
      },
      () => `${this.selector}: ${this.elements().length} elements, or not ${state}`,
    );
  }
  /** Returns the point of an element that a pointer reaches, once nothing lies over it. */
  private async reach(position?: Point, enabled = true): Promise<[number, number]> {
    let point: [number, number] = [Number.NaN, 0];
    await this.one('to be reached by a pointer', (element) => {
      if (!isSeen(element) || (enabled && isOff(element))) return false;
      let box = element.getBoundingClientRect();
      if (box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth || !isHit(element, center(box)))
        element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      box = element.getBoundingClientRect();
      const before = point;
      point = position === undefined ? center(box) : [box.left + position.x, box.top + position.y];
      // It must lie still.
      return isHit(element, point) && before[0] === point[0] && before[1] === point[1];
    });
    return point;
  }

  async click({ position, trial = false, modifiers = [], ...options }: ClickOptions = {}): Promise<void> {
    for (;;) {
      const [x, y] = await this.reach(position);
      if (trial) return;
      const met = holdToElement(await this.one());
      for (const key of modifiers) await keyboard.down(key);
      await mouse.click(x, y, options);
      for (const key of modifiers) await keyboard.up(key);
      if (met()) return;
    }
  }
  dblclick(options: ClickOptions = {}): Promise<void> {
    return this.click({ ...options, clickCount: 2 });
  }
  async hover(): Promise<void> {
    await mouse.move(...(await this.reach(undefined, false)));
  }
  async dragTo(target: PageLocator, { targetPosition }: { readonly targetPosition?: Point } = {}): Promise<void> {
    await this.hover();
    await mouse.down();
    const [x, y] = await target.reach(targetPosition, false);
    await mouse.move(x, y - 1);
    await mouse.move(x, y);
    await mouse.up();
  }
  async focus(): Promise<void> {
    (await this.one()).focus();
  }
  async blur(): Promise<void> {
    (await this.one()).blur();
  }
  async press(key: string): Promise<void> {
    await this.focus();
    await keyboard.press(key);
  }
  async pressSequentially(text: string): Promise<void> {
    await this.focus();
    await keyboard.type(text);
  }
  async fill(text: string): Promise<void> {
    const element = await this.one('to be written in', (one) => isSeen(one) && !isOff(one) && !one.matches(':read-only'));
    element.focus();
    if (element instanceof HTMLInputElement && element.type === 'date') {
      element.valueAsDate = new Date(text);
      element.dispatchEvent(new Event('input', { bubbles: true }));
      return;
    }
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select();
    else document.getSelection()?.selectAllChildren(element);
    await (text === '' ? keyboard.press('Delete') : keyboard.insertText(text));
  }
  clear(): Promise<void> {
    return this.fill('');
  }
  async check(): Promise<void> {
    if (!(await this.isChecked())) await this.click();
  }
  async uncheck(): Promise<void> {
    if (await this.isChecked()) await this.click();
  }
  async selectOption(
    wanted: string | { readonly label?: string; readonly value?: string; readonly index?: number },
  ): Promise<void> {
    const select = (await this.one('to be chosen from', (one) => isSeen(one) && !isOff(one))) as HTMLSelectElement;
    const { value = null, label = null, index = -1 } = typeof wanted === 'string' ? { value: wanted, label: wanted } : wanted;
    const option = await until(
      () =>
        [...select.options].find(
          (one, at) => one.value === value || (label !== null && plain(one.label) === plain(label)) || at === index,
        ),
      () => `${this.selector} has no option ${JSON.stringify(wanted)}`,
    );
    select.focus();
    select.value = option.value;
    for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
  }
  async setInputFiles(files: { readonly name: string; readonly mimeType: string; readonly buffer: BlobPart }): Promise<void> {
    const input = (await this.one()) as HTMLInputElement;
    const transfer = new DataTransfer();
    transfer.items.add(new File([files.buffer], files.name, { type: files.mimeType }));
    input.files = transfer.files;
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
  }
  async dispatchEvent(type: string, init: DragEventInit = {}): Promise<void> {
    const options = { bubbles: true, cancelable: true, composed: true, ...init };
    (await this.one()).dispatchEvent('dataTransfer' in init ? new DragEvent(type, options) : new Event(type, options));
  }
  async scrollIntoViewIfNeeded(): Promise<void> {
    (await this.one()).scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }

  async evaluate<T, A>(read: (element: HTMLElement, argument: A) => T, argument: A): Promise<T> {
    return read(await this.one(), argument);
  }
  async evaluateAll<T, A>(read: (elements: HTMLElement[], argument: A) => T, argument: A): Promise<T> {
    return read(this.elements(), argument);
  }
  async count(): Promise<number> {
    return this.elements().length;
  }
  async all(): Promise<PageLocator[]> {
    return this.elements().map((_, at) => this.nth(at));
  }
  async isVisible(): Promise<boolean> {
    return this.elements().some(isSeen);
  }
  async isChecked(): Promise<boolean> {
    return isChecked(await this.one());
  }
  async textContent(): Promise<string | null> {
    return (await this.one()).textContent;
  }
  async innerText(): Promise<string> {
    return (await this.one()).innerText;
  }
  async allTextContents(): Promise<string[]> {
    return this.elements().map((element) => element.textContent);
  }
  async inputValue(): Promise<string> {
    return valueOf(await this.one());
  }
  async getAttribute(name: string): Promise<string | null> {
    return (await this.one()).getAttribute(name);
  }
  async boundingBox(): Promise<{ x: number; y: number; width: number; height: number }> {
    const { x, y, width, height } = (await this.one('in sight', isSeen)).getBoundingClientRect();
    return { x, y, width, height };
  }
}

function isChecked(element: Element): boolean {
  return element instanceof HTMLInputElement ? element.checked : element.getAttribute('aria-checked') === 'true';
}
const center = ({ left, top, width, height }: DOMRect): [number, number] => [left + width / 2, top + height / 2];
/** Returns whether a pointer there meets the element, something in it, or the label that stands for it. */
function isHit(element: Element, [x, y]: [number, number]): boolean {
  const met = document.elementFromPoint(x, y);
  return met !== null && (element.contains(met) || met.closest('label')?.control === element);
}

/**
 * Keeps the next click from everything but the element, which may have moved since it was looked for. Returns the function that says whether
 * the click met it, and ends that.
 */
function holdToElement(element: Element): () => boolean {
  let missed = false;
  const end = new AbortController();
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'])
    window.addEventListener(
      type,
      (event) => {
        if (type === 'pointerdown') missed = !isHit(element, [(event as PointerEvent).clientX, (event as PointerEvent).clientY]);
        if (!missed) return;
        event.preventDefault();
        event.stopImmediatePropagation();
      },
      { capture: true, signal: end.signal },
    );
  return () => {
    end.abort();
    return !missed;
  };
}

/** A frame such as that of a game, of another origin: the process of the tests acts in it. */
class OtherFrame {
  private readonly at: number;
  private readonly all: Awaited<ReturnType<Deeds['framesOf']>>;
  constructor(at: number, all: OtherFrame['all']) {
    this.at = at;
    this.all = all;
  }
  url(): string {
    return this.all[this.at]?.url ?? '';
  }
  parentFrame(): OtherFrame {
    return new OtherFrame(this.all[this.at]?.parent ?? -1, this.all);
  }
  evaluate(read: (argument: unknown) => unknown, argument?: unknown): Promise<unknown> {
    return outside.inFrame(this.at, 'evaluate', `(${String(read)})(${JSON.stringify(argument)})`);
  }
  locator(selector: string): InOtherFrame {
    return new InOtherFrame(selector, (method, ...args) => outside.inFrame(this.at, method, selector, ...args));
  }
}
class InOtherFrame {
  readonly selector: string;
  readonly act: (method: string, ...args: unknown[]) => Promise<unknown>;
  constructor(selector: string, act: InOtherFrame['act']) {
    this.selector = selector;
    this.act = act;
  }
  click(): Promise<unknown> {
    return this.act('click');
  }
  getAttribute(name: string): Promise<unknown> {
    return this.act('getAttribute', name);
  }
  textContent(): Promise<unknown> {
    return this.act('textContent');
  }
}

const root = new Finder('');
const page = Object.assign(root, {
  /** Draws the page anew; of the test that has one open. */
  reload: (): Promise<void> => Promise.reject(new Error('No page is open.')),
  emulateMedia: outside.emulateMedia,
  async frames() {
    const all = await outside.framesOf();
    return all.map((_, at) => new OtherFrame(at, all));
  },
  url: () => location.href,
  title: async () => document.title,
  keyboard,
  mouse,
  evaluate: async <T, A>(read: (argument: A) => T, argument: A) => read(argument),
  evaluateHandle: async <T, A>(read: (argument: A) => T, argument: A) => read(argument),
  setViewportSize: ({ width, height }: { width: number; height: number }) => frame.viewport(width, height),
});

const plain = (text: string) =>
  text
    .replaceAll(/[\u200b\u00ad]/g, '')
    .trim()
    .replaceAll(/\s+/g, ' ');
const says = (text: string, wanted: Text, whole: boolean) => {
  if (wanted instanceof RegExp) return wanted.test(text);
  return whole ? plain(text) === plain(wanted) : plain(text).includes(plain(wanted));
};
/** Returns whether one of Vitest's own expectations of an element holds. */
function holds(claim: () => void): boolean {
  try {
    claim();
    return true;
  } catch {
    return false;
  }
}
const nameIs = (element: Element, wanted: Text) =>
  holds(() =>
    vitestExpect(element).toHaveAccessibleName(wanted instanceof RegExp ? vitestExpect.stringMatching(wanted) : wanted),
  );
const describedBy = (element: Element, wanted: Text) =>
  holds(() =>
    vitestExpect(element).toHaveAccessibleDescription(wanted instanceof RegExp ? vitestExpect.stringMatching(wanted) : wanted),
  );

/** Expectations of the one element that a locator finds. */
const claims: Readonly<Record<string, (element: HTMLElement, ...wanted: never[]) => boolean>> = {
  toBeVisible: isSeen,
  toBeAttached: () => true,
  toBeDisabled: isOff,
  toBeEnabled: (element) => !isOff(element),
  toBeChecked: isChecked,
  toBeFocused: (element) => document.activeElement === element && document.hasFocus(),
  toBeInViewport(element) {
    const { top, left, bottom, right } = element.getBoundingClientRect();
    return isSeen(element) && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  },
  toHaveValue: (element, wanted: Text) => says(valueOf(element), wanted, true),
  toHaveText: (element, wanted: Text) => says(element.textContent, wanted, true),
  toContainText: (element, wanted: Text) => says(element.textContent, wanted, false),
  toHaveAccessibleName: nameIs,
  toHaveAccessibleDescription: describedBy,
  toHaveCSS: (element, name: string, wanted: Text) => says(getComputedStyle(element).getPropertyValue(name), wanted, true),
  toHaveAttribute(element, name: string, wanted?: Text) {
    const value = element.getAttribute(name);
    return value !== null && (wanted === undefined || says(value, wanted, true));
  },
};

/** Returns whether what a locator finds is as it is claimed. */
function isSo(locator: PageLocator, claim: string, wanted: unknown[]): boolean {
  const elements = locator.elements();
  if (claim === 'toHaveCount') return elements.length === wanted[0];
  if (claim === 'toBeHidden') return !elements.some(isSeen);
  const check = claims[claim] as ((element: HTMLElement, ...wanted: unknown[]) => boolean) | undefined;
  if (check === undefined) throw new Error(`${claim} is not an expectation here.`);
  const [first] = wanted;
  if (Array.isArray(first))
    return claim === 'toContainText'
      ? first.every((one) => elements.some((element) => check(element, one)))
      : elements.length === first.length && elements.every((element, at) => check(element, first[at]));
  if (elements.length > 1) throw new Error(`${locator.selector}: ${elements.length} elements, not one.`);
  return elements.length === 1 && check(elements[0] as HTMLElement, ...wanted);
}

/** Describes what a locator finds, for the message of an expectation that failed. */
const found = (locator: PageLocator) =>
  locator
    .elements()
    .map((element) => `${element.outerHTML.slice(0, 300)}\n`)
    .join('');

function claimsOf(locator: PageLocator, negated: boolean): unknown {
  return new Proxy({} as Record<string, unknown>, {
    get(_, name) {
      if (name === 'not') return claimsOf(locator, !negated);
      return (...wanted: unknown[]) =>
        until(
          () => isSo(locator, String(name), wanted) !== negated || undefined,
          () =>
            `${locator.selector}\n${negated ? 'not ' : ''}${String(name)} ${wanted.map(String).join(', ')}\n${found(locator)}`,
          (wanted.at(-1) as { readonly timeout?: number } | undefined)?.timeout,
        );
    },
  });
}

const waiting = { interval: 5, timeout: patience };
async function passes(work: () => unknown): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}

const expectHere = Object.assign(
  (actual: unknown, message?: string) => {
    if (actual instanceof PageLocator) return claimsOf(actual, false);
    if (actual instanceof InOtherFrame)
      return {
        toBeVisible: () => actual.act('waitForSelector'),
        toHaveAttribute: (name: string, value: string) => vitestExpect.poll(() => actual.getAttribute(name), waiting).toBe(value),
        toContainText: (text: string) => vitestExpect.poll(() => actual.textContent(), waiting).toContain(text),
      };
    if (actual === page)
      return {
        toHaveTitle: (title: Text) =>
          until(
            () => says(document.title, title, true) || undefined,
            () => `The title is ${document.title}.`,
          ),
      };
    if (typeof actual === 'function')
      return { toPass: () => vitestExpect.poll(() => passes(actual as () => unknown), waiting).toBe(true) };
    return vitestExpect(actual, message);
  },
  vitestExpect,
  { poll: (read: () => unknown) => vitestExpect.poll(read, waiting) },
);

/** Expects something of the page, waiting for it, or of a value. */
export const expect = expectHere as unknown as Expect;
/** The page under test. */
export const playwrightPage = page as unknown as Page;
