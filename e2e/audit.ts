import { AxeBuilder } from '@axe-core/playwright';
import type { TestInfo } from '@playwright/test';
import type { Workbench } from './fixtures.ts';

/**
 * The violations that axe finds in the page as it is now, told by rule and place. Contrast counts whatever its weight.
 * In the dark theme contrast alone is looked at: colours are all that differs from the light one, which has every rule.
 */
export async function audit({ page }: Workbench): Promise<string[]> {
  // Legacy mode reads the result in the page itself; otherwise axe opens another page for it, which a desktop does not have.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const theme = await page.locator('html').getAttribute('data-theme');
  const { violations } = await (theme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze();
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'color-contrast')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`));
}

/** Screens that are looked at one after the other: what axe finds in each, by the screen's name. With `info`, a picture of each is kept. */
export function createLook(workbench: Workbench, info?: TestInfo) {
  const found: string[] = [];
  return {
    found,
    async look(screen: string): Promise<void> {
      found.push(...(await audit(workbench)).map((violation) => `${screen}: ${violation}`));
      if (info !== undefined) await workbench.page.screenshot({ path: info.outputPath(`${screen}.png`) });
    },
  };
}
