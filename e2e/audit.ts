import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { Workbench } from './fixtures.ts';

/**
 * Returns the violations that axe finds in the page as it is now, by rule and element; those of contrast whatever their impact.
 * `colours`: checks contrast alone, in the dark theme, which differs in nothing else from the light one.
 */
async function audit({ page }: Workbench, colours: boolean): Promise<string[]> {
  // Legacy mode reads the result in the page itself; otherwise axe opens another page for it, which a desktop does not have.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (colours ? axe.withRules(['color-contrast']) : axe).analyze();
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'color-contrast')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`));
}

/** Waits until no colour is on its way from one theme to the other. */
async function hasSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });
}

/** Audits screens one after the other in both themes of the system; `found` has the violations by screen and theme. */
export function createLook(workbench: Workbench) {
  const { page } = workbench;
  const found: string[] = [];
  return {
    found,
    async look(screen: string): Promise<void> {
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
        await hasSettled(page);
        found.push(...(await audit(workbench, theme === 'dark')).map((violation) => `${screen}, ${theme}: ${violation}`));
      }
    },
  };
}
