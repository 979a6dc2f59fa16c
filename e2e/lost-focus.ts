import type { Page } from '@playwright/test';

/**
 * Reports each time that the keyboard's focus fell to the page's body: the element that had it is gone, hidden or disabled, or a key
 * or a click on a control took it away. A click on nothing may, and a page that nobody has used yet has none.
 */
export async function watchFocus(page: Page, report: (loss: string) => void): Promise<void> {
  await page.exposeFunction('reportLostFocus', report);
  await page.addInitScript(`if (window === window.top) (${lookForLostFocus.toString()})()`);
}

/** Runs in the page, where `reportLostFocus` is the one to tell: it may use nothing of this file. */
export function lookForLostFocus(): void {
  let doing = 'nothing';
  let isMeant = false;
  let last: Element | null = null;
  let watching = 0;
  let settled = true;

  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)}"`;
  const canHold = (element: Element) =>
    element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled, [inert] *');
  const isAtBody = () => document.activeElement === null || document.activeElement === document.body;

  function judge(): void {
    if (last === null || !isAtBody() || (isMeant && canHold(last))) return;
    const report = Reflect.get(window, 'reportLostFocus') as (text: string) => void;
    report(`${doing}: from ${nameOf(last)}`);
    last = null;
  }
  /** Looks once the page had time to draw and to give the focus back. */
  function watch(): void {
    watching += 1;
    settled = false;
    const mine = watching;
    let frames = 4;
    const next = () => {
      if (mine !== watching) return;
      frames -= 1;
      if (frames > 0) {
        requestAnimationFrame(() => setTimeout(next));
        return;
      }
      settled = true;
      judge();
    };
    next();
  }
  document.addEventListener('focusin', ({ target }) => (last = target instanceof Element ? target : null), true);
  document.addEventListener(
    'focusout',
    ({ relatedTarget }) => {
      if (relatedTarget === null) watch();
    },
    true,
  );
  const act = (what: string, meant: boolean) => {
    // A loss that came later than the frames of the action before is that action's; of quicker ones, the last is blamed.
    if (settled) judge();
    doing = what;
    isMeant = meant;
    watch();
  };
  window.addEventListener(
    'keydown',
    ({ key, ctrlKey, altKey, shiftKey, repeat }) => {
      if (repeat || ['Shift', 'Control', 'Alt', 'Meta'].includes(key)) return;
      act(`${ctrlKey ? 'Ctrl+' : ''}${altKey ? 'Alt+' : ''}${shiftKey ? 'Shift+' : ''}${key}`, false);
    },
    true,
  );
  window.addEventListener(
    'pointerdown',
    ({ target }) => {
      const control =
        target instanceof Element ? target.closest('button, a, input, textarea, select, [tabindex="0"], [role]') : null;
      act(control === null ? 'a click' : `a click on ${nameOf(control)}`, true);
    },
    true,
  );
}
