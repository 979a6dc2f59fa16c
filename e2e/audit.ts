import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { Workbench } from './fixtures.ts';

const usual = { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' } as const;
/**
 * Wishes of the system, the theme that is drawn then, and the rules that are checked; null for all. Other themes differ from
 * the light one in colours alone.
 */
const appearances = {
  light: { media: usual, theme: 'light', rules: null },
  dark: { media: { ...usual, colorScheme: 'dark' }, theme: 'dark', rules: ['color-contrast'] },
  'light, more contrast': {
    media: { ...usual, contrast: 'more' },
    theme: 'light-contrast',
    rules: ['color-contrast-enhanced'],
  },
  'dark, more contrast': {
    media: { ...usual, colorScheme: 'dark', contrast: 'more' },
    theme: 'dark-contrast',
    rules: ['color-contrast-enhanced'],
  },
  'forced colours': {
    media: { ...usual, colorScheme: 'dark', forcedColors: 'active' },
    theme: 'dark-contrast',
    rules: ['color-contrast'],
  },
} as const;
type Appearance = keyof typeof appearances;
export const everyAppearance = Object.keys(appearances) as readonly Appearance[];

/** Lets the system ask for one appearance, and waits until the page is drawn in it. */
export async function appear({ page }: Workbench, appearance: Appearance): Promise<void> {
  const { media, theme } = appearances[appearance];
  await page.emulateMedia(media);
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  await hasSettled(page);
}

/** Returns the violations that axe finds in the page as it is now, by rule and element; those of contrast whatever their impact. */
async function audit({ page }: Workbench, appearance: Appearance): Promise<string[]> {
  // Legacy mode reads the result in the page itself; otherwise axe opens another page for it, which a desktop does not have.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { rules } = appearances[appearance];
  const { violations } = await (rules === null ? axe : axe.withRules([...rules])).analyze();
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id.startsWith('color-contrast'))
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`));
}

/** Waits until no colour is on its way from one theme to the other. */
async function hasSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });
}

/** Audits screens one after the other, as the system asks for them; `found` has the violations by screen and appearance. */
export function createLook(workbench: Workbench) {
  const found: string[] = [];
  return {
    found,
    async look(screen: string, shown: readonly Appearance[] = ['light', 'dark']): Promise<void> {
      for (const appearance of shown) {
        await appear(workbench, appearance);
        found.push(...(await audit(workbench, appearance)).map((violation) => `${screen}, ${appearance}: ${violation}`));
      }
    },
  };
}
