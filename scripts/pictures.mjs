// The pictures of docs/images, taken of the built app in the browser host: `npm run pictures`. Look at them before you commit.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { openBrowserHost } from '../e2e/browser-host.ts';
import { launchOptions } from '../e2e/chromium.ts';
import { createRequest } from '../e2e/pages/request.ts';
import { createResponse } from '../e2e/pages/response.ts';
import { createShell } from '../e2e/pages/shell.ts';
import { makeSurroundings } from '../e2e/program.ts';
import { find, tools } from './provision.mjs';

const folder = path.resolve(import.meta.dirname, '../docs/images');
mkdirSync(folder, { recursive: true });
process.env.CHROMIUM_PATH ??= find(tools[0]) ?? '';
const browser = await chromium.launch(launchOptions());
for (const scheme of ['light', 'dark']) {
  const surroundings = await makeSurroundings();
  const host = await openBrowserHost(surroundings, browser, (page) => page.emulateMedia({ colorScheme: scheme }));
  const { page } = host;
  const [shell, request, response] = [createShell(page), createRequest(page), createResponse(page)];
  const picture = (name) => page.screenshot({ path: path.join(folder, `${name}-${scheme}.png`), animations: 'disabled' });
  const answered = (code) => response.code.getByText(code).waitFor();
  try {
    await request.send.click();
    await answered('0 ok');
    await response.show('Table');
    await response.table.waitFor();
    await picture('game-list');

    await shell.openOperation('getLauncherURL');
    await request.form.choose('gameMode', 'real');
    await request.form.takeToken(/Zoë/);
    await request.form.field('exitURL').fill('https://casino.example/lobby');
    await request.send.click();
    await answered('0 ok');
    await response.nextStep.waitFor();
    await response.body.frame
      .locator('.mtk5, .mtk6, .mtk7')
      .first()
      .waitFor({ timeout: 3_000 })
      .catch(() => undefined);
    await picture('request');

    await request.overrides.open();
    await request.overrides.hash('Wrong digit');
    await request.overrides.close();
    await request.send.click();
    await answered('8 hash not valid');
    await picture('wrong-hash');

    for (const area of ['History', 'Open points', 'Environments']) {
      await shell.goTo(area);
      if (area === 'Open points') await shell.sidebar.getByRole('button').filter({ hasText: 'Non-ASCII text' }).first().click();
      await shell.main.waitFor();
      await picture(area.toLowerCase().replace(' ', '-'));
    }
  } finally {
    await host.close();
    await surroundings.remove();
  }
}
await browser.close();
