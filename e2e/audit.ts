import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import type { Workbench } from './fixtures.ts';
import { spacingFaults, targetFaults } from './layout-faults.ts';

type Drawn = Pick<Workbench, 'page'>;

const usual = { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' } as const;
/** Wishes of the system, the theme that is drawn then, and the rule of its contrast. */
const appearances = {
  light: { media: usual, theme: 'light', contrast: 'color-contrast' },
  dark: { media: { ...usual, colorScheme: 'dark' }, theme: 'dark', contrast: 'color-contrast' },
  'light, more contrast': {
    media: { ...usual, contrast: 'more' },
    theme: 'light-contrast',
    contrast: 'color-contrast-enhanced',
  },
  'dark, more contrast': {
    media: { ...usual, colorScheme: 'dark', contrast: 'more' },
    theme: 'dark-contrast',
    contrast: 'color-contrast-enhanced',
  },
  'forced colours': {
    media: { ...usual, colorScheme: 'dark', forcedColors: 'active' },
    theme: 'dark-contrast',
    contrast: 'color-contrast',
  },
} as const;
type Appearance = keyof typeof appearances;
const everyAppearance = Object.keys(appearances) as readonly Appearance[];

/** `npm run test:long -- audit`: every rule in every appearance. Otherwise the rules that a theme cannot change are checked in the light one. */
export const isWhole = process.env['CROUPIER_AUDIT'] === 'whole';

/** Every rule of axe is under one of these, and axe leaves out the experimental and the superseded ones. */
const tags = ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Lets the system ask for one appearance, and sees that the page is in it. */
export async function appear({ page }: Drawn, appearance: Appearance): Promise<void> {
  const { media, theme } = appearances[appearance];
  // Colours change at once. On their way they would be neither theme's, and a page that draws nothing, as one may that is behind another,
  // never ends that.
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(still);
  });
  await page.emulateMedia(media);
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  await page.evaluate(() => {
    // Asked for, the height needs the styles of now.
    if (document.body.offsetHeight > 0) document.adoptedStyleSheets.pop();
  });
}

/** Returns the violations that axe finds in the page as it is now, by rule and element. */
async function audit({ page }: Drawn, appearance: Appearance): Promise<string[]> {
  const { contrast } = appearances[appearance];
  const all = isWhole || appearance === 'light';
  const left: string[] = [];
  // Contrast of 7 : 1 is what the themes of more contrast promise.
  if (all && contrast !== 'color-contrast-enhanced') left.push('color-contrast-enhanced');
  // An open menu lies in no landmark, as menus do everywhere, and what is behind it is out of reach.
  if (all && (await page.getByRole('menu').first().isVisible())) left.push('region');
  const found = await violationsOf(page, {
    resultTypes: ['violations'],
    runOnly: all ? { type: 'tag', values: tags } : { type: 'rule', values: [contrast] },
    rules: Object.fromEntries(left.map((rule) => [rule, { enabled: false }])),
  });
  if (appearance !== 'light') return found;
  if (isWhole) found.push(...(await spacingFaults(page)));
  return [...found, ...(await outlineProblems(page)), ...(await targetFaults(page))];
}

/** Runs axe in the page, which has it from its first time on. */
async function violationsOf(page: Page, options: axe.RunOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(async (asked) => {
    const { violations } = await (Reflect.get(window, 'axe') as typeof axe).run(asked);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
  }, options);
}

/**
 * Returns what is wrong with the outline beyond the rules of axe: not one title (h1) of the screen, and bars, forms or lists of tabs with
 * the name of another one. A modal dialog hides the rest.
 */
function outlineProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const open = [...document.querySelectorAll('[data-modal]')].at(-1);
    const shown = (selector: string) =>
      [...(open ?? document).querySelectorAll(selector)].filter(
        (element) => element.checkVisibility({ visibilityProperty: true }) && element.closest('[aria-hidden="true"]') === null,
      );
    const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';
    const nameOf = (element: Element) => element.ariaLabel ?? textOf(element.getAttribute('aria-labelledby') ?? '');
    const titles = shown('h1').map(({ textContent }) => textContent);
    const problems = open !== undefined || titles.length === 1 ? [] : [`${titles.length} h1: ${titles.join(', ')}`];
    for (const kind of ['form', 'search', '[role="toolbar"]', '[role="tablist"]']) {
      const names = shown(kind).map(nameOf);
      const twice = names.filter((name, at) => name !== '' && names.indexOf(name) !== at);
      problems.push(...twice.map((name) => `two ${kind} are named "${name}"`));
    }
    return problems;
  });
}

/**
 * Audits screens one after the other, as the system asks for them: each in the light theme and in one of the others in turn. `found` has
 * the violations by screen and appearance.
 */
export function createLook(workbench: Drawn) {
  const found: string[] = [];
  const [light, ...others] = everyAppearance;
  let looks = 0;
  return {
    found,
    async look(screen: string): Promise<void> {
      const other = others[looks % others.length];
      looks += 1;
      for (const appearance of isWhole ? everyAppearance : [light, other]) {
        if (appearance === undefined) continue;
        await appear(workbench, appearance);
        found.push(...(await audit(workbench, appearance)).map((violation) => `${screen}, ${appearance}: ${violation}`));
      }
      await appear(workbench, 'light');
    },
  };
}

/** Returns what an audit finds in a state that the spec keeps under way: a call that is being sent, a run, a search. */
export async function faultsWhile(workbench: Drawn, state: string): Promise<string[]> {
  const { found, look } = createLook(workbench);
  await look(state);
  return found;
}
