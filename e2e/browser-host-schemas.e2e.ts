import { openBrowserHost } from './browser-host.ts';
import { expect, test } from './fixtures.ts';
import { createShell } from './pages/shell.ts';
import { makeSurroundings } from './program.ts';

/** Counts the schemas that the page creates: zod defines this one member of each. */
function countSchemas(): void {
  const define = Object.defineProperty;
  Reflect.set(window, 'schemasMade', 0);
  Object.defineProperty = <T>(object: T, name: PropertyKey, property: PropertyDescriptor & ThisType<unknown>): T => {
    if (name === '_zod') Reflect.set(window, 'schemasMade', Number(Reflect.get(window, 'schemasMade')) + 1);
    return define(object, name, property);
  };
}

test('the page makes no schema at its start, and those of what it remembers when it comes back', async ({ browser }) => {
  const surroundings = await makeSurroundings();
  const host = await openBrowserHost(surroundings, browser, async (page) => void (await page.addInitScript(countSchemas)));
  const { page } = host;
  const made = () => page.evaluate(() => Number(Reflect.get(window, 'schemasMade')));
  const shell = createShell(page);
  try {
    await expect(shell.status).toContainText(/No key|fingerprint|session only/, { timeout: 30_000 });
    expect(await made()).toBe(0);
    await shell.openOperation('getGameRound');
    // The write shows that there is a tab to read.
    await expect.poll(() => host.traffic.asked('"workspaces.write"')).toBeGreaterThan(0);
    await page.reload();
    await expect(shell.status).toContainText(/No key|fingerprint|session only/);
    // The contract alone has some thousand.
    await expect.poll(made).toBeGreaterThan(0);
    expect(await made()).toBeLessThan(200);
    await host.stop();
  } finally {
    await host.close();
    await surroundings.remove();
  }
});
