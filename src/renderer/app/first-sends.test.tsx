import { operationByName, operationNames } from '#shared/provider/index.ts';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';

test('each of the 15 operations, opened and sent without an edit, is answered with code 0', async ({
  shell,
  requests,
  response,
}) => {
  // In reverse order, generateNewToken comes first, and the later tabs have the new token.
  for (const name of operationNames.toReversed()) {
    const { endpoint, path } = operationByName(name);
    const label = endpoint === 'wallet' ? path : name;
    await shell.openOperation(label);
    await expect(requests.activeTab).toContainText(label);
    await requests.send.click();
    await expect(response.announced, name).toHaveText(new RegExp(`^${name} answered code 0 ok, in `));
  }
});
