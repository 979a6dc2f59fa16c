import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { startHttpsServer } from '#testing/https-server.ts';
import { browserHostOf, expect, test, type Workbench } from './fixtures.ts';
import type { BrowserHost } from './browser-host.ts';
import { keptTabs } from './kept-tabs.ts';
import { createShell } from './pages/shell.ts';
import { addEnvironment, enterWithKey } from './own-environment.ts';
import { hostGone } from './troubles.ts';

function hostOf(workbench: Workbench): BrowserHost {
  workbench.troubles.expect(hostGone);
  return browserHostOf(workbench);
}

test.describe('The line of a page', () => {
  test('seven tabs and seven calls that hang leave room for Escape, and what is cancelled ends', async ({
    workbench,
    shell,
    environments,
    requests,
    response,
  }) => {
    const host = hostOf(workbench);
    const received: string[] = [];
    const provider = await startHttpsServer(({ body }) => void received.push(body.toString()));
    await addEnvironment(workbench, provider, 'hangs');
    const files = readdirSync(path.join(workbench.home, 'environments'), { withFileTypes: true });
    const paths = files.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
    const file = paths.find((one) => readFileSync(one, 'utf8').includes('"hangs"')) ?? '';
    const environment = JSON.parse(readFileSync(file, 'utf8')) as object;
    const patient = { connect: 60_000, headers: 600_000, idle: 600_000, total: 600_000 };
    writeFileSync(file, JSON.stringify({ ...environment, timeouts: patient }));
    await enterWithKey({ shell, environments }, 'hangs', 'a-private-key-0123456789');
    // Browsers have six connections to a host, for all tabs.
    const others = [];
    for (let tab = 1; tab < 7; tab += 1) {
      const page = await workbench.page.context().newPage();
      await page.goto(await host.newAddress());
      await expect(createShell(page).status).toContainText(/No key|fingerprint|session only/);
      others.push(page);
    }
    await workbench.page.bringToFront();
    const operations = ['gameList', 'getGameRound', 'getLauncherURL', 'roundReplayInfo', '/playerInfo', '/bet', '/win'];
    for (const [index, operation] of operations.entries()) {
      await shell.openOperation(operation);
      await requests.send.click();
      await expect.poll(() => received).toHaveLength(index + 1);
    }
    await workbench.page.keyboard.press('Escape');
    await expect(response.announced).toContainText('cancelled');
    await expect(requests.send).toBeEnabled();
    for (const page of others) await page.close();
    await provider.close();
  });

  test('a host that is suspended is named, and the page goes on when it does', async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const host = hostOf(workbench);
    // The page has loaded: a further request of it would wait for the host, too.
    await expect(requests.send).toBeEnabled();
    host.suspend();
    await expect(shell.banner).toContainText('It is busy or suspended');
    await expect(shell.status).toContainText('Workbench does not respond');
    await requests.send.click();
    await workbench.page.keyboard.press('Escape');
    host.resume();
    await expect(shell.banner).toHaveCount(0);
    await expect(requests.send).toBeEnabled();
    // Cancelled before it left: nothing of it is in the history.
    const { stdout } = await workbench.cli(['history', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ calls: [], total: 0 });
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
  });

  test('after a restart the page goes on with an address that is pasted, with all that was typed since', async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const host = hostOf(workbench);
    await shell.openOperation('getGameRound');
    const field = requests.form.field('roundId');
    await field.fill('123');
    await host.kill();
    await expect(shell.banner).toContainText('does not respond');
    await field.fill('456');
    await host.comeBack();
    await expect(shell.banner).toContainText('Croupier was restarted.');
    await expect(shell.status).toContainText('Session ended');
    const address = shell.banner.getByRole('textbox', { name: 'New address' });
    await address.fill(`${new URL(host.address()).origin}/#${'A'.repeat(43)}`);
    await address.press('Enter');
    await expect(shell.banner.getByRole('alert')).toContainText('already used or is too old');
    await address.fill(host.address());
    await address.press('Enter');
    await expect(shell.banner).toHaveCount(0);
    // Where it was before the connection was lost.
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('456');
    await expect.poll(() => keptTabs(workbench.home)).toContain(': 456');
    await shell.openOperation('gameList');
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    // The tab keeps its new session.
    await workbench.page.reload();
    await expect(shell.status).toContainText(/No key|fingerprint|session only/);
  });

  test('an address that is opened in another tab brings the old ones back', async ({ workbench, shell, requests }) => {
    const host = hostOf(workbench);
    await shell.openOperation('getGameRound');
    await requests.form.field('roundId').fill('123');
    await expect.poll(() => keptTabs(workbench.home)).toContain(': 123');
    await host.kill();
    await expect(shell.banner).toContainText('does not respond');
    await requests.form.field('roundId').fill('789');
    await host.comeBack();
    await expect(shell.banner).toContainText('Croupier was restarted.');
    const other = await workbench.page.context().newPage();
    await other.goto(host.address());
    await expect(createShell(other).status).toContainText(/No key|fingerprint|session only/);
    await expect(shell.banner).toHaveCount(0);
    await expect(requests.form.field('roundId')).toHaveValue('789');
    // What they wait with is theirs: it is neither open in the new tab nor offered there.
    for (const [page, count] of [
      [workbench.page, 1],
      [other, 0],
    ] as const)
      await expect(page.getByRole('tab', { name: /getGameRound/ })).toHaveCount(count);
    await expect(other.getByText(/ left 1 tab open/)).toHaveCount(0);
    const secrets = await Promise.all(
      [workbench.page, other].map((page) => page.evaluate(() => sessionStorage.getItem('croupier.session'))),
    );
    expect(new Set(secrets).size).toBe(2);
    await other.close();
  });

  test('where the port was taken meanwhile, the page says so and what was typed leaves as a file', async ({
    workbench,
    shell,
    requests,
  }) => {
    const host = hostOf(workbench);
    const port = Number(new URL(host.address()).port);
    await shell.openOperation('getGameRound');
    await host.kill();
    const squatter = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    await requests.form.field('roundId').fill('9007199254740993');
    await host.comeBack();
    expect(new URL(host.address()).port).not.toBe(String(port));
    const address = shell.banner.getByRole('textbox', { name: 'New address' });
    await address.fill(host.address());
    await shell.banner.getByRole('button', { name: 'Reconnect' }).click();
    await expect(shell.banner.getByRole('alert')).toContainText(`this page belongs to 127.0.0.1:${port}`);
    const download = workbench.page.waitForEvent('download');
    await shell.banner.getByRole('button', { name: 'Save what I typed' }).click();
    const file = await (await download).path();
    expect(readFileSync(file, 'utf8')).toContain('9007199254740993');
    await new Promise((resolve) => squatter.close(resolve));
  });
});
