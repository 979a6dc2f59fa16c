import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { encode } from 'fast-png';
import { ownPage, builtInDevices } from '#shared/launches/devices.ts';
import { call, closeItself, openLaunch, recorded } from '../desktop-call.ts';
import { expect, test, type Workbench } from '../fixtures.ts';
import { createLauncher, providerOf, spin } from '../pages/launcher.ts';

/** The workbench once through on a real Electron: what only Electron itself can show, and pictures of the whole screen. */

/** Saves what is on the screen of Xvfb: a head in an XWD file, then 32 bits for each point. */
async function photograph({ desktop, page }: Workbench, name: string): Promise<void> {
  const file = process.env['CROUPIER_SCREEN'];
  if (file === undefined) return;
  // The screen has no manager of windows, and those of other specs.
  await desktop?.app().evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.moveTop());
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const xwd = await readFile(file);
  const [head = 0, , , , width = 0, height = 0] = [0, 4, 8, 12, 16, 20].map((at) => xwd.readUInt32BE(at));
  const start = head + xwd.readUInt32BE(76) * 12;
  const line = xwd.readUInt32BE(48);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = start + y * line + x * 4;
      data.set([xwd[from + 2] ?? 0, xwd[from + 1] ?? 0, xwd[from] ?? 0], (y * width + x) * 3);
    }
  }
  const folder = path.join(path.dirname(file), 'pictures');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${name}.png`), encode({ width, height, data, channels: 3 }));
}

const titles = async (workbench: Workbench, id: string) => (await recorded(workbench, id)).map(({ title }) => title);

function desktopOf({ desktop }: Workbench) {
  if (desktop === null) throw new Error('This is for the desktop.');
  return desktop;
}

/** Returns the page of the only game that is open. */
async function gameOf(workbench: Workbench) {
  const games = () =>
    desktopOf(workbench)
      .app()
      .windows()
      .filter((page) => page.url().includes('/game/'));
  await expect.poll(() => games().length).toBe(1);
  const [game] = games();
  if (game === undefined) throw new Error('No game is open.');
  await game.waitForLoadState();
  return game;
}

async function open(workbench: Workbench, how: Parameters<typeof openLaunch>[2] = {}) {
  const { environments } = await call(workbench, 'environments.list', {});
  const sandbox = environments.find(({ name }) => name === 'sandbox');
  const id = await openLaunch(workbench, { environmentId: sandbox?.id ?? '', gameId: '1001', ticket: randomUUID() }, how);
  return { id, game: await gameOf(workbench) };
}

test.describe.configure({ mode: 'default', timeout: 120_000 });

test('a request is sent and is in the history', async ({ workbench, shell, requests, response, history }) => {
  await photograph(workbench, 'start');
  await shell.openOperation('gameList');
  await requests.send.click();
  await expect(response.announced).toHaveText(/^gameList answered code 0 ok, in /);
  await photograph(workbench, 'sent');
  await shell.goTo('History');
  await expect(history.rows.first()).toContainText('gameList');
  await photograph(workbench, 'history');
});

test('a game is launched for fun and real, played, and its evidence is exported', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1042');
  await launcher.mode('both');
  await launcher.takeToken(/^player-1/);
  await launcher.launch.click();
  const origin = await providerOf(workbench);
  await launcher.game(origin, 'fun');
  await spin(await launcher.game(origin, 'real'));
  await expect(launcher.verdict.state).toBeVisible();
  await photograph(workbench, 'both modes');
  await launcher.exportAs('As a folder');
  await expect(shell.notices).toContainText('The evidence is in');
  await photograph(workbench, 'evidence');
});

test('three devices are seen by the page to the pixel, and the workbench at 150 % does not change that', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1001');
  await launcher.mode('fun');
  await launcher.launch.click();
  const game = await launcher.game(await providerOf(workbench), 'fun');
  const seen = () => game.evaluate(() => `${innerWidth} x ${innerHeight} ${devicePixelRatio} ${navigator.maxTouchPoints}`);
  for (const [device, size] of [
    ['Phone', '390 x 844 3 5'],
    ['Tablet', '820 x 1180 2 5'],
  ] as const) {
    await launcher.device(device);
    await expect.poll(seen).toBe(size);
    await photograph(workbench, device);
  }
  await workbench.desktop
    ?.app()
    .evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(1.5));
  // The game lies where the page, which is drawn larger now, left room for it.
  const lies = async () => {
    const { x = 0, width = 0 } = (await launcher.games.boundingBox()) ?? {};
    const place = await desktopOf(workbench)
      .app()
      .evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.contentView.children[0]?.getBounds());
    return Math.abs((place?.x ?? 0) - x * 1.5) <= 2 && Math.abs((place?.width ?? 0) - width * 1.5) <= 2;
  };
  await expect.poll(lies).toBe(true);
  await expect.poll(seen).toBe('820 x 1180 2 5');
  await photograph(workbench, 'zoom 150');
  await workbench.desktop?.app().evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(1));
  await launcher.device('Desktop');
  await expect.poll(seen).toMatch(/ 1 0$/);
  expect(await game.evaluate(() => navigator.userAgent)).not.toMatch(/Electron|Croupier/);
  await photograph(workbench, 'Desktop');
});

test('a slow network slows, and the record has what a round trip took', async ({ workbench }) => {
  const page = { ...ownPage, network: '3G', device: builtInDevices[0] ?? null } as const;
  const { id, game } = await open(workbench, { page });
  const [settings] = (await recorded(workbench, id)).filter(({ kind }) => kind === 'settings');
  expect(settings?.title).toMatch(/network 3G, a round trip took (?:[2-9]|\d\d)\d\d\d ms/);
  const ms = () =>
    game.evaluate(async () => {
      const start = performance.now();
      await (await fetch(`/?${Math.random()}`)).text();
      return performance.now() - start;
    });
  expect(await ms()).toBeGreaterThan(1_900);
  await call(workbench, 'launches.setPage', { id, viewport: { width: 390, height: 700 }, page: ownPage });
  await expect.poll(ms).toBeLessThan(1_000);
  await call(workbench, 'launches.close', { id });
});

test('printing and developer tools leave no false words, and nothing of Electron is in the record', async ({ workbench }) => {
  const { id, game } = await open(workbench);
  await game.evaluate(() => print());
  await expect.poll(() => titles(workbench, id)).toContain('Dialog (print) was not shown');
  await photograph(workbench, 'print');
  const turn = (way: 'open' | 'close') =>
    desktopOf(workbench)
      .app()
      .evaluate(async ({ BrowserWindow }, wanted) => {
        const [view] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
        const { webContents: contents } = view as Electron.WebContentsView;
        const done = new Promise<void>((resolve) =>
          contents.once(`devtools-${wanted}ed`.replace('closee', 'close') as 'devtools-opened', () => resolve()),
        );
        if (wanted === 'open') contents.openDevTools({ mode: 'detach' });
        else contents.closeDevTools();
        await done;
      }, way);
  await turn('open');
  await photograph(workbench, 'developer tools');
  await turn('close');
  await game.evaluate(() => alert('after'));
  await expect.poll(() => titles(workbench, id)).toContain('Dialog (alert) was not shown');
  const said = (await recorded(workbench, id)).map(({ title, detail }) => `${title} ${detail}`);
  expect(said.join('\n')).not.toMatch(/CACHE_MISS|Electron|devtools/);
  await call(workbench, 'launches.close', { id });
});

test('ten games come and go, the last by itself, and the next one opens', async ({ workbench }) => {
  for (let times = 0; times < 9; times += 1) {
    const { id } = await open(workbench);
    await call(workbench, 'launches.close', { id });
  }
  const { id, game } = await open(workbench);
  await closeItself(game);
  await expect.poll(() => titles(workbench, id)).toContain('The game closed its own page');
  await photograph(workbench, 'closed itself');
  await open(workbench);
});

test('the desktop quits with a game that hangs, and leaves no process', async ({ workbench }) => {
  const { game } = await open(workbench);
  void game
    .evaluate(() => {
      for (;;);
    })
    .catch(() => undefined);
  // The end of each test: it must exit with 0, leave no process, and print nothing.
  await workbench.restart();
});
