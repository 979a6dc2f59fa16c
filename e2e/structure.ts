import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Workbench } from './fixtures.ts';

/** Collects, screen by screen, what a screen reader would stumble over in headings and landmarks, and targets that are too small. */
export function createWalk({ page }: Workbench) {
  const found: string[] = [];
  return {
    found,
    async look(screen: string): Promise<void> {
      const problems = [...(await outlineProblems(page)), ...(await smallTargets(page))];
      found.push(...problems.map((problem) => `${screen}: ${problem}`));
    },
  };
}

/** Returns the controls that are smaller than 24 x 24 px and nearer to another one than that, each with its path (WCAG 2.5.8). */
async function smallTargets(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withRules(['target-size']).analyze();
  return violations.flatMap(({ nodes }) => nodes.map(({ target, html }) => `small: ${target.join(' ')}: ${html.slice(0, 140)}`));
}

/**
 * Returns what is wrong with the outline: not one h1 and one main, a level that is skipped, and landmarks or dialogs without a name or
 * with one that another of their role has, too. A modal dialog hides the rest.
 */
function outlineProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const open = [...document.querySelectorAll('[data-modal]')].at(-1);
    const root: ParentNode = open ?? document;
    const shown = (selector: string) =>
      [...root.querySelectorAll(selector)].filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('[aria-hidden="true"]') === null,
      );
    const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';
    const nameOf = (element: Element) => element.ariaLabel ?? textOf(element.getAttribute('aria-labelledby') ?? '');
    const problems: string[] = [];
    let before = 0;
    for (const heading of shown('h1, h2, h3, h4, h5, h6')) {
      const level = Number(heading.tagName[1]);
      const text = heading.textContent;
      if (text.trim() === '') problems.push(`an h${level} is empty`);
      // A column beside the screen begins with an h2 of its own.
      if (before > 0 && level > before + 1) problems.push(`h${level} "${text}" follows an h${before}`);
      before = level;
    }
    if (open === undefined) {
      const titles = shown('h1').map(({ textContent }) => textContent);
      if (titles.length !== 1) problems.push(`${titles.length} h1: ${titles.join(', ')}`);
      if (shown('main').length !== 1) problems.push(`${shown('main').length} main`);
    } else if (nameOf(open) === '') problems.push('a dialog has no name');
    for (const kind of ['nav', 'aside', 'form', 'search', 'section, [role="region"]', '[role="toolbar"]', '[role="tablist"]']) {
      const names = shown(kind).map(nameOf);
      if (['nav', 'aside'].includes(kind) && names.includes('')) problems.push(`a ${kind} has no name`);
      const twice = names.filter((name, at) => name !== '' && names.indexOf(name) !== at);
      for (const name of twice) problems.push(`two ${kind} are named "${name}"`);
    }
    return problems;
  });
}
