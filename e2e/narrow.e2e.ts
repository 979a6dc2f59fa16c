import { expect, test } from './fixtures.ts';

for (const [width, height] of [
  [720, 450],
  [320, 640],
] as const) {
  test(`at ${width} x ${height} the drawer has areas and list, the parts of a request take turns, and a response has room`, async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const { page } = workbench;
    await workbench.resize(width, height);
    await expect(shell.area('Requests')).toBeHidden();
    await page.keyboard.press('ControlOrMeta+B');
    await expect(shell.area('Requests')).toBeFocused();
    await page.keyboard.press('F6');
    expect(await shell.focusedPane()).toBe('side');
    await page.keyboard.press('Escape');
    const button = shell.topBar.getByRole('button', { name: 'Requests: areas and list' });
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await shell.openOperation('getLauncherURL');
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
    await expect(shell.area('Requests')).toBeHidden();

    const parts = page.getByRole('tablist', { name: 'Parts of the request' });
    await expect(parts.getByRole('tab', { name: 'Request', exact: true })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(response.code).toHaveText('0 ok');
    await expect(parts.getByRole('tab', { name: 'Response' })).toHaveAttribute('aria-selected', 'true');
    const view = page.getByRole('region', { name: 'Response' });
    await view.getByRole('tab', { name: 'Body' }).scrollIntoViewIfNeeded();
    const body = await view.getByRole('tabpanel').boundingBox();
    expect(body?.height).toBeGreaterThanOrEqual(120);
    // A tab that is opened again shows what it has.
    await shell.goTo('History');
    await expect(shell.main).toBeVisible();
    await shell.goTo('Requests');
    await expect(response.code).toHaveText('0 ok');
  });
}
