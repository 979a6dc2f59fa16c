import { startHttpsServer } from '#testing/https-server.ts';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { addEnvironment, enterWithKey } from '../../../../e2e/own-environment.ts';

const depth = 5_000;
const deep = `{"code":0,"message":"ok","data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const slots = Array.from(
  { length: 15_000 },
  (_, id) => `{"id":${id},"gameName":"Golden Orchard ${id}","note":"${'x'.repeat(100)}"}`,
);
const long = `{"code":0,"message":"ok","data":{"slots":[${slots.join(',')}]}}`;

test('A response that could hold the program is not judged beyond its code where it is too deep, and shown by its beginning where it is long', async ({
  workbench,
  shell,
  requests,
  response,
  environments,
}) => {
  let answer = deep;
  const server = await startHttpsServer((_, reply) => {
    reply.end(answer);
  });
  try {
    await addEnvironment(workbench, server, 'own');
    await enterWithKey({ shell, environments }, 'own', 'a-key-of-the-test');
    await shell.openOperation('gameList');
    await expect(requests.send).toBeEnabled();
    await requests.send.click();
    const why = 'was not read: it is nested 5,001 levels deep; Croupier reads at most 1,000.';
    await expect(response.explanation).toContainText(`Accepted. The response beyond code and message ${why}`);
    await expect(response.code).toHaveText('0 ok');
    await expect(response.pane).toContainText(`The response ${why}`);
    await expect(response.pane).not.toContainText('Not JSON');

    answer = long;
    await requests.send.click();
    await expect(response.code).toHaveText(/^0/);
    await response.pane.getByRole('button', { name: 'Show anyway' }).click();
    await expect(response.pane).toContainText('Only the first 1,000,000 characters are shown. Copy or save to get all.');
    await expect.poll(() => response.body.text()).toContain('Golden Orchard 0');
  } finally {
    await server.close();
  }
});
