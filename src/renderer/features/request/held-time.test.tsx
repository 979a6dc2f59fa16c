import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';

test('time that stands is the time of every request, as it is shown and as it is sent, until it runs again', async ({
  workbench,
  requests,
  response,
  shell,
}) => {
  const { main } = shell;
  await shell.goTo('Doctor');
  await expect(main).toContainText('server clock unknown');
  await main.getByRole('button', { name: 'Freeze time' }).click();
  const shown = await main.locator('time').first().textContent();
  expect(shown).toMatch(/^\d{2}-\d{2}-\d{4} \d{2}:\d{2}:\d{2}$/);
  await expect(shell.status).toContainText(`Time frozen at ${shown}`);

  await shell.goTo('Requests');
  await expect(requests.hashInput.pane).toContainText(String(shown));
  for (const calls of ['1 call', '2 calls']) {
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await expect(shell.status.getByRole('button', { name: calls, exact: true })).toBeVisible();
  }
  const sent = await Promise.all(
    ['1', '2'].map(async (id) => {
      const call = JSON.parse((await workbench.cli(['history', 'show', id, '--json'])).stdout) as {
        request: { bodyText: string };
      };
      return JSON.parse(call.request.bodyText) as { time: string; hash: string };
    }),
  );
  expect(sent.map(({ time }) => time)).toEqual([shown, shown]);
  expect(sent[0]?.hash).toBe(sent[1]?.hash);

  await shell.goTo('Doctor');
  await expect(main).not.toContainText('server clock unknown');
  await main.getByRole('button', { name: 'Unfreeze time' }).click();
  await expect(shell.status).not.toContainText('Time frozen');
});
