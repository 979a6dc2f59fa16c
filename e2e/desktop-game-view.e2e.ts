import type { Page } from '@playwright/test';
import { call, openLaunch, recorded } from './desktop-call.ts';
import { expect, test, type Workbench } from './fixtures.ts';

test.use({ shares: 'calls' });
test.describe.configure({ mode: 'default' });

/** Launches a game in real mode and waits for its page. */
async function launch(workbench: Workbench): Promise<{ id: string; game: Page; token: string }> {
  const { players } = await call(workbench, 'sandbox.status', {});
  const [player] = players;
  if (player === undefined || workbench.desktop === null) throw new Error('There is nobody to play, or no desktop.');
  const { externalToken: token, playerId, country } = player;
  const id = await openLaunch(workbench, {
    environmentId: 'sandbox',
    gameMode: 'real',
    gameId: '1001',
    externalToken: token,
    playerId,
    country,
    exitURL: 'https://casino.example/lobby',
    ticket: 'launch',
  });
  const pages = () => workbench.desktop?.app().windows() ?? [];
  await expect.poll(() => pages().some((page) => page.url().includes('/game/'))).toBe(true);
  const game = pages().find((page) => page.url().includes('/game/'));
  if (game === undefined) throw new Error('The game has no page.');
  await expect(game.locator('#spin')).toBeEnabled();
  return { id, game, token };
}

const kinds = async (workbench: Workbench, id: string) => (await recorded(workbench, id)).map(({ kind }) => kind);

test('a game is played in a view of its own, watched, left through its exit and forgotten', async ({ workbench }) => {
  const { id, game, token } = await launch(workbench);
  await game.locator('#spin').click();
  await expect.poll(async () => (await recorded(workbench, id)).map(({ title }) => title).join('\n')).toMatch(/\/bet [\d.]+ EUR/);
  const { picture } = await call(workbench, 'launches.screenshot', { id });
  const { dataUrl } = await call(workbench, 'launches.picture', { id, number: picture?.number ?? 0 });
  expect(dataUrl).toMatch(/^data:image\/png;base64,/);
  await game.locator('#exit').click();
  await expect.poll(async () => (await call(workbench, 'launches.get', { id })).launch.exited).toBe(true);
  expect(JSON.stringify(await recorded(workbench, id))).not.toContain(token);
  const closed = await call(workbench, 'launches.close', { id });
  expect(closed).toMatchObject({ state: 'closed', exited: true });
  expect(closed.pictures).toContainEqual(picture);
  expect(closed.pictures.at(-1)?.moment).toBe('Last picture');
  await expect.poll(() => game.isClosed()).toBe(true);
});

test('a page that opens windows, asks, downloads, talks and reaches for this machine is stopped, and each attempt shows', async ({
  workbench,
}) => {
  const { id, game } = await launch(workbench);
  // The app adds nothing to it: no preload, no Node.
  expect(await game.evaluate(() => ['croupier', 'require', 'process'].filter((name) => name in window))).toEqual([]);
  const before = workbench.desktop?.app().windows().length;
  // A game that asked for no permission has no permission entry.
  expect(await kinds(workbench, id)).not.toContain('permission');
  await game.evaluate(() => {
    alert('hello');
    void Notification.requestPermission();
    window.open('https://example.com/');
    const link = document.createElement('a');
    link.href = 'data:application/octet-stream,abc';
    link.download = 'x.bin';
    document.body.append(link);
    link.click();
    // The game's own policy stops this one, and the browser says so in the console.
    void fetch('https://127.0.0.1:5900/').catch(() => undefined);
  });
  for (const kind of ['dialog', 'window', 'download', 'console', 'permission'] as const)
    await expect.poll(() => kinds(workbench, id)).toContain(kind);
  // A refused window lives for a moment before it is closed.
  await expect.poll(() => workbench.desktop?.app().windows().length).toBe(before);
  await game.evaluate(() => void (location.href = 'https://127.0.0.1:5900/')).catch(() => undefined);
  // A refused window may reach the proxy before the double has closed it; Electron creates none.
  const blocked = async () => (await recorded(workbench, id)).filter(({ kind }) => kind === 'address');
  await expect
    .poll(blocked)
    .toContainEqual(expect.objectContaining({ group: 'blocked', level: 'blocked', title: 'Blocked: request to 127.0.0.1:5900' }));
  await call(workbench, 'launches.close', { id });
});

test('developer tools of a game are no part of its record, and dialogs are noted again when they are closed', async ({
  workbench,
}) => {
  const { id, game } = await launch(workbench);
  await expect.poll(() => kinds(workbench, id)).toContain('loaded');
  await workbench.desktop?.app().evaluate(async ({ BrowserWindow }) => {
    const [view] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
    const { webContents: contents } = view as Electron.WebContentsView;
    const told = (name: 'devtools-opened' | 'devtools-closed') =>
      new Promise<void>((resolve) => contents.once(name as 'devtools-opened', () => resolve()));
    const opened = told('devtools-opened');
    contents.openDevTools({ mode: 'detach' });
    await opened;
    const closed = told('devtools-closed');
    contents.closeDevTools();
    await closed;
  });
  // Chromium attaches the debugger in its own time; before that, a dialog is answered and not noted.
  await expect.poll(async () => JSON.stringify(await recorded(workbench, id))).toContain('recorded again');
  await game.evaluate(() => alert('after'));
  await expect.poll(() => kinds(workbench, id)).toContain('dialog');
  // Nor what they ask the cache for, nor what Electron advises developers.
  expect(JSON.stringify(await recorded(workbench, id))).not.toMatch(/devtools|CACHE_MISS|Electron/);
  await call(workbench, 'launches.close', { id });
});
