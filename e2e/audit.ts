import { AxeBuilder } from '@axe-core/playwright';
import type { Workbench } from './fixtures.ts';

/** What axe finds in the page as it is now, told by rule and place. Contrast counts whatever its weight. */
export async function audit({ page }: Workbench): Promise<string[]> {
  // Legacy mode reads the result in the page itself; otherwise axe opens another page for it, which a desktop does not have.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'color-contrast')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`));
}
