import { expect, test } from './fixtures.ts';

/**
 * Returns the controls that can be seen and not be pressed, because something lies over their middle, and whether the page is wider than
 * its window.
 */
function covered(): string[] {
  const inSight = (element: Element) => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let one = element.parentElement; one !== null; one = one.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(one);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      const view = one.getBoundingClientRect();
      if (x < view.left || x > view.right || y < view.top || y > view.bottom) return null;
    }
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && box.width > 1 && box.height > 1 ? { x, y } : null;
  };
  const found: string[] = [];
  for (const control of document.querySelectorAll('button, input, select, textarea, a[href], [role="tab"]')) {
    // The field of an editor has no place of its own.
    if (control.closest('.monaco-editor') !== null) continue;
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const middle = inSight(control);
    if (middle === null) continue;
    const top = document.elementFromPoint(middle.x, middle.y);
    if (top === null || control.contains(top) || top.contains(control)) continue;
    // A field's own label or mark may lie over it.
    if (top.closest('label')?.contains(control) === true) continue;
    found.push(`${control.getAttribute('aria-label') ?? control.textContent ?? ''} under ${top.className || top.tagName}`);
  }
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide in ${innerWidth}`);
  return found;
}

for (const [width, height] of [
  [720, 450],
  [320, 640],
] as const) {
  test(`at ${width} x ${height} the parts of a request take turns, a response has room, and nothing lies over anything`, async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const { page } = workbench;
    await shell.openOperation('getLauncherURL');
    await workbench.resize(width, height);
    const parts = page.getByRole('tablist', { name: 'Parts of the request' });
    await expect(parts.getByRole('tab', { name: 'Request', exact: true })).toHaveAttribute('aria-selected', 'true');
    expect(await page.evaluate(covered)).toEqual([]);
    await parts.getByRole('tab', { name: 'Hash input' }).click();
    await requests.hashInput.digest();
    expect(await page.evaluate(covered)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(response.code).toHaveText('0 ok');
    await expect(parts.getByRole('tab', { name: 'Response' })).toHaveAttribute('aria-selected', 'true');
    const view = page.getByRole('region', { name: 'Response' });
    await view.getByRole('tab', { name: 'Body' }).scrollIntoViewIfNeeded();
    const body = await view.getByRole('tabpanel').boundingBox();
    expect(body?.height).toBeGreaterThanOrEqual(120);
    expect(await page.evaluate(covered)).toEqual([]);
    for (const area of ['History', 'Doctor', 'Environments', 'Settings'] as const) {
      await shell.goTo(area);
      await expect(shell.main).toBeVisible();
      expect((await page.evaluate(covered)).map((one) => `${area}: ${one}`)).toEqual([]);
    }
    // A tab that is opened again shows what it has.
    await shell.goTo('Requests');
    await expect(response.code).toHaveText('0 ok');
  });
}
