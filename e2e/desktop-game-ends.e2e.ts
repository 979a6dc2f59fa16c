import { call, closeItself, recorded } from './desktop-call.ts';
import { expect, type Workbench } from './fixtures.ts';
import { gameSite, test } from './game-site.ts';

test.use({ shares: 'calls' });
test.describe.configure({ mode: 'default' });

/** Games that end, or want more than their view: the record describes it, and they close all the same. */

const views = ({ desktop }: Workbench) =>
  desktop?.app().evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.contentView.children.length);

/** Returns the number of pages of games, seen or not. */
const pages = ({ desktop }: Workbench) =>
  desktop
    ?.app()
    .evaluate(({ webContents }) => webContents.getAllWebContents().filter((one) => one.getURL().startsWith('https:')).length);

/** Does something to the contents of the one open game, in the program. */
async function inMain({ desktop }: Workbench, work: 'crash' | 'detach'): Promise<void> {
  await desktop?.app().evaluate(({ webContents }, what) => {
    const game = webContents.getAllWebContents().find((contents) => contents.getURL().startsWith('https://'));
    if (what === 'crash') game?.forcefullyCrashRenderer();
    else game?.debugger.detach();
  }, work);
}

test('a game that closes its page is closed, with its session, and the record says that it did it itself', async ({
  workbench,
  games,
}) => {
  const id = await games.open('/play');
  await games.finished(1);
  const before = await games.titles(id);
  await closeItself(await games.page('/play'));
  await expect
    .poll(async () => (await games.titles(id)).slice(before.length))
    .toEqual(['The game closed its own page', 'Closed']);
  expect((await call(workbench, 'launches.get', { id })).launch.state).toBe('closed');
  await expect.poll(() => views(workbench)).toBe(0);
  expect(await pages(workbench)).toBe(0);
  expect((await recorded(workbench, id)).at(-1)?.detail).toBe('Its session data was deleted.');
});

test('a game that hangs is closed all the same, and the next one opens', async ({ workbench, games }) => {
  const id = await games.open('/play');
  await games.finished(1);
  const page = await games.page('/play');
  page
    .evaluate(() => {
      for (;;);
    })
    .catch(() => undefined);
  const before = await games.titles(id);
  expect(await call(workbench, 'launches.close', { id })).toMatchObject({ state: 'closed' });
  expect(await pages(workbench)).toBe(0);
  expect((await games.titles(id)).slice(before.length)).toEqual(['Closed']);
  expect((await recorded(workbench, id)).at(-1)?.detail).toBe('Its session data was deleted.');
  await games.open('/again');
  await games.finished(2);
});

test('a game that crashes is said to have crashed, and can be loaded again', async ({ workbench, games }) => {
  const id = await games.open('/play');
  await games.finished(1);
  const before = await games.titles(id);
  await inMain(workbench, 'crash');
  await expect.poll(() => games.titles(id)).toHaveLength(before.length + 1);
  await call(workbench, 'launches.reload', { id });
  await games.finished(2);
  expect((await games.titles(id)).slice(before.length)).toEqual([
    'The game page crashed',
    `Going to ${gameSite}/play`,
    `${gameSite}/play answered HTTP 200`,
    'Loaded again',
  ]);
});

test('every window that a game opens is refused, however it does, and each is in the record', async ({ workbench, games }) => {
  const id = await games.open('/play');
  await games.finished(1);
  const page = await games.page('/play');
  const refused = async () =>
    (await recorded(workbench, id))
      .filter(({ kind }) => kind === 'window')
      .flatMap(({ detail, count }) => Array.from({ length: count }, () => detail));
  const told: string[] = [];
  const opens = async (work: () => Promise<unknown>, path: string) => {
    await work();
    told.push(`https://${gameSite}${path}`);
    await expect.poll(refused).toEqual(told);
  };
  await opens(() => page.evaluate(() => void window.open('/open')), '/open');
  await opens(() => page.click('#blank'), '/blank');
  await opens(() => page.click('#link', { button: 'middle' }), '/link');
  await opens(() => page.click('#link', { modifiers: ['Control'] }), '/link');
});

test('a picker of files, a dialog and printing are not shown, and each is in the record', async ({ workbench, games }) => {
  const id = await games.open('/play');
  await games.finished(1);
  const page = await games.page('/play');
  await page.locator('input').click();
  await page.evaluate(() => prompt('Name?'));
  // Its own binding is not there for a game to find.
  expect(await page.evaluate(() => [print(), document.execCommand('print'), 'croupierPrint' in globalThis])).toEqual([
    undefined,
    true,
    false,
  ]);
  const dialogs = async () =>
    (await recorded(workbench, id))
      .filter(({ kind }) => kind === 'dialog')
      .map(({ title, detail, count }) => [title, detail, count]);
  await expect.poll(dialogs).toEqual([
    ['File picker was not shown', '', 1],
    ['Dialog (prompt) was not shown', 'Name?', 1],
    ['Dialog (print) was not shown', '', 2],
  ]);
});

test('where dialogs cannot be noted any more, the record says so once, and closing says nothing of it', async ({
  workbench,
  games,
}) => {
  const id = await games.open('/play');
  await games.finished(1);
  const before = await games.titles(id);
  const unnoted = 'Dialogs, file pickers, uncaught errors and WebSockets are no longer recorded.';
  await inMain(workbench, 'detach');
  await expect.poll(async () => (await games.titles(id)).slice(before.length)).toEqual([unnoted]);
  await call(workbench, 'launches.close', { id });
  expect((await games.titles(id)).slice(before.length)).toEqual([unnoted, 'Closed']);
});

test('a game that asks whether to leave is left', async ({ workbench, games }) => {
  const id = await games.open('/play');
  await games.finished(1);
  const page = await games.page('/play');
  await page.mouse.click(300, 650);
  await page.evaluate(() => void (window.onbeforeunload = (event) => event.preventDefault()));
  await call(workbench, 'launches.reload', { id });
  await games.finished(2);
  expect((await recorded(workbench, id)).filter(({ kind }) => kind === 'dialog')).toEqual([]);
});
