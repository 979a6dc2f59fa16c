import { describe } from 'vitest';
import { expect, outside } from '#testing/page/playwright.ts';
import { test, type Screens } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';
import { createGatewayScreen } from '../../../../e2e/pages/gateway.ts';

/** Returns the body of a good gameList, and the same with a wrong hash. */
async function bodies({
  shell,
  requests,
  response,
}: Pick<Screens, 'shell' | 'requests' | 'response'>): Promise<readonly [good: string, wrong: string]> {
  await shell.openOperation('gameList');
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  const reply = await outside.callApp('calls.get', { id: 1 });
  if (!reply.ok) throw new Error(reply.error.message);
  const { request } = reply.value as { request: { bodyText: string; hash: string } };
  const { bodyText, hash } = request;
  return [
    bodyText,
    bodyText.replace(
      hash,
      hash.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ];
}

describe('The gateway', () => {
  test('starts, shows what passes, and leads to the call', async ({ workbench, shell, requests, response }) => {
    const gateway = createGatewayScreen(workbench.page);
    const [good, wrong] = await bodies({ shell, requests, response });
    const { found, look } = createLook(workbench);
    await shell.goTo('Gateway');
    await expect(gateway.main).toContainText('Watch what your backend sends');
    await look('before it runs');
    await gateway.start.click();
    await expect(gateway.summary).toHaveText('No exchanges yet');
    await expect(gateway.main).toContainText('https://localhost:');
    await outside.sendAsBackend([good, wrong, '{"action":"nothing"}']);
    await expect(gateway.rows).toHaveCount(3);
    await expect(gateway.summary).toHaveText('1 of 3 wrong hash, 1 not this API');
    await expect(gateway.rows.nth(2)).toHaveText(/gameListOK/);
    await gateway.rows.nth(1).click();
    await expect(gateway.verdict).toHaveText(/^Wrong hash./);
    const call = gateway.main.getByRole('region', { name: 'Call 3', exact: true });
    await expect(call).toContainText('from my backend');
    await expect(gateway.actions).toBeVisible();
    await workbench.page.keyboard.press('ArrowDown');
    await expect(gateway.main.getByRole('region', { name: 'Call 2', exact: true })).toContainText('0 ok');
    await look('while it runs');
    expect(found).toEqual([]);
  });
});
