import { expect, test } from './fixtures.ts';

test.describe('An exact repeat', () => {
  test('says first what goes out again, then sends the same bytes and selects the new call', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const { page } = workbench;
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(1);
    await history.rows.first().focus();
    await page.keyboard.press('r');
    await expect(shell.dialog).toContainText('Repeat call 1 exactly');
    await expect(shell.dialog).toContainText(/The same \d+ bytes go out once more/);
    await expect(shell.dialog).toContainText(/time stays "\d\d-\d\d-\d{4} \d\d:\d\d:\d\d"/);
    await page.keyboard.press('Escape');
    await expect(shell.dialog).toBeHidden();
    await expect(history.rows.first()).toBeFocused();
    await page.keyboard.press('r');
    await shell.dialog.getByRole('button', { name: 'Repeat exactly' }).click();
    await expect(history.rows).toHaveCount(2);
    const again = history.rows.filter({ has: page.getByRole('img', { name: 'Repeats call 1' }) });
    await expect(again).toContainText('0 ok');
    await expect(again).toHaveAttribute('aria-current', 'true');
    await expect(history.strip).toContainText('repeats call 1');
    await expect(again).toBeFocused();
    const shown = async (id: number) => {
      const { stdout } = await workbench.cli(['history', 'show', String(id), '--json']);
      return JSON.parse(stdout) as { repeats: number | null; request: unknown };
    };
    const [first, second] = [await shown(1), await shown(2)];
    expect([first.repeats, second.repeats]).toEqual([null, 1]);
    expect(second.request).toEqual(first.request);

    // For the same bytes the page asks once.
    await page.keyboard.press('r');
    await expect(history.rows).toHaveCount(3);
    await expect(history.strip).toContainText('repeats call 2');
    await page.keyboard.press('Enter');
    await expect(response.pane).toContainText('Sent exactly as call 2: the same bytes, with their old time and hash.');
    await expect(response.facts).toContainText('not signed again');
  });
});
