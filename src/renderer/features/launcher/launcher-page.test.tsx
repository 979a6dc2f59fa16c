import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { faultsWhile } from '../../../../e2e/audit.ts';
import { addBareEnvironment, addEnvironment, enterWithKey } from '../../../../e2e/own-environment.ts';
import { createGamesScreen } from '../../../../e2e/pages/games.ts';
import { createLauncher, providerOf, spin, type LauncherScreen } from '../../../../e2e/pages/launcher.ts';

const lobby = 'https://casino.example/lobby';

async function openGame(launcher: LauncherScreen, gameId = '1042'): Promise<void> {
  await launcher.field('gameId').fill(gameId);
  await launcher.field('exitURL').fill(lobby);
  await launcher.launch.click();
}

describe('The launcher', () => {
  test('teaches the first step and asks for a game before anything is sent', async ({ workbench, shell }) => {
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await expect(shell.main.getByRole('heading', { name: 'No game is open' })).toBeVisible();
    await launcher.launch.click();
    await expect(launcher.settings).toContainText('Enter a game number');
    await launcher.mode('real');
    await launcher.field('gameId').fill('1042');
    await launcher.launch.click();
    await expect(launcher.settings).toContainText('Real mode needs a session token.');
    await expect(shell.status).toContainText(/(?<!\d)0 calls/);
  });

  test('launches in fun mode, shows what was checked, and says when the game left through exitURL', async ({
    workbench,
    shell,
  }) => {
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await openGame(launcher);
    await expect(launcher.checks.filter({ hasText: '6 of 6 parameters present' })).toBeAttached();
    await expect(launcher.checks.filter({ hasText: 'No token in fun mode' })).toBeAttached();
    const game = await launcher.game(await providerOf(workbench), 'fun');
    await spin(game);
    await expect(launcher.entries.filter({ hasText: 'getLauncherURL answered 0' })).toBeVisible();
    await game.locator('#exit').click();
    await expect(launcher.banner).toContainText('The game left through exitURL.');
    await expect(launcher.entries.filter({ hasText: 'Left through exitURL' })).toHaveCount(1);
  });

  test('shows what the provider refused, with what it means and the way to the call', async ({ workbench, shell, requests }) => {
    const launcher = createLauncher(workbench);
    await shell.goTo('Launcher');
    await openGame(launcher, '999999');
    await expect(launcher.refusal).toContainText('No game to open');
    await expect(launcher.refusal).toContainText(/code \d+/);
    await expect(launcher.games).toHaveCount(0);
    await launcher.refusal.getByRole('button', { name: 'Open call' }).click();
    await expect(requests.activeTab).toHaveText(/getLauncherURL/);
  });

  test('can be used by everybody while it waits for the URL of a game', async ({ workbench, shell, environments }) => {
    const launcher = createLauncher(workbench);
    const asked = Promise.withResolvers<void>();
    const server = await startHttpsServer(() => asked.resolve());
    try {
      await addEnvironment(workbench, server, 'staging');
      await enterWithKey({ shell, environments }, 'staging', 'a-key-of-the-test');
      await shell.goTo('Launcher');
      await openGame(launcher);
      await asked.promise;
      expect(await faultsWhile(workbench, 'a launch under way')).toEqual([]);
      await expect(launcher.refusal).toHaveCount(0);
    } finally {
      await server.close();
    }
    await expect(launcher.refusal).toContainText('No game to open');
  });

  test('shows fun and real side by side, each with its record', async ({ workbench, shell }) => {
    const launcher = createLauncher(workbench);
    const origin = await providerOf(workbench);
    await shell.goTo('Launcher');
    await launcher.mode('both');
    await launcher.takeToken(/^player-1/);
    await openGame(launcher);
    await launcher.game(origin, 'real');
    await launcher.game(origin, 'fun');
    await expect(launcher.games).toHaveCount(2);
    await expect(launcher.entries.filter({ hasText: '/playerInfo' }).first()).toBeVisible();
    await launcher.record.getByRole('radio', { name: 'fun' }).click();
    await expect(launcher.entries.filter({ hasText: 'getLauncherURL answered 0' })).toBeVisible();
    await expect(launcher.entries.filter({ hasText: '/playerInfo' })).toHaveCount(0);
  });

  test('keeps a game as it is while another screen is shown, and ends it with its tab', async ({ workbench, shell }) => {
    const launcher = createLauncher(workbench);
    const origin = await providerOf(workbench);
    await shell.goTo('Launcher');
    await openGame(launcher);
    const game = await launcher.game(origin, 'fun');
    await spin(game);
    await shell.goTo('History');
    await shell.goTo('Launcher');
    await expect((await launcher.game(origin, 'fun')).locator('body')).toHaveAttribute('data-spins', '1');
    // It still belongs to the environment of its launch, whichever is selected.
    const mark = shell.main.getByText(/^Call \d+ went to /);
    await expect(mark).toHaveCount(0);
    await addBareEnvironment(workbench, 'staging');
    await shell.useEnvironment('staging');
    await expect(mark).toHaveText('Call 1 went to sandbox, but staging is selected.');
    await launcher.tabs.first().press('Delete');
    await expect(launcher.games).toHaveCount(0);
    const earlier = shell.main.getByRole('grid', { name: 'Earlier launches' }).locator('tbody tr');
    await expect(earlier).toHaveText(/player-1.*sandbox.*\d\d:\d\d:\d\d$/);
    await earlier.click();
    await expect(launcher.entries.filter({ hasText: 'Closed' })).toBeVisible();
  });

  test('opens the launcher URL of an answer, and exports the evidence without the token', async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const launcher = createLauncher(workbench);
    await shell.openOperation('getLauncherURL');
    await requests.form.choose('gameMode', 'real');
    await requests.form.takeToken(/^player-1/);
    const token = await requests.form.field('externalToken').inputValue();
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await response.explanation.getByRole('button', { name: 'Open in launcher' }).click();
    await launcher.game(await providerOf(workbench), 'real');
    await launcher.exportAs('As one HTML file');
    await expect.poll(() => workbench.saved().map(({ text }) => text)).toEqual([expect.stringContaining('[token]')]);
    expect(workbench.saved()[0]?.text).not.toContain(token);
  });
});

test('a game of the catalogue is launched in fun mode, played without the wallet, and left through exitURL', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  const games = createGamesScreen(workbench.page);
  await workbench.cli(['env', 'set', 'sandbox', '--exit-url', lobby]);
  await shell.goTo('Games');
  await games.fetch();
  await games.tile('Lucky Compass').click();
  await games.action(/^Launch fun/).click();
  await expect(launcher.tabs.first()).toHaveText(/^Lucky Compass/);
  const game = await launcher.game(await providerOf(workbench), 'fun');
  await expect(launcher.checks.filter({ hasText: 'No token in fun mode' })).toBeAttached();
  expect((await spin(game)).roundId).toBe('');
  await game.locator('#exit').click();
  await expect(launcher.banner).toContainText(`The game left through exitURL. ${lobby}`);
  await expect(launcher.entries.filter({ hasText: /\/(?:playerInfo|bet|win)\b/ })).toHaveCount(0);
});

test('a session token is renewed in the launcher: the new one plays, the old one is refused', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  const token = launcher.field('externalToken');
  await shell.goTo('Launcher');
  await launcher.mode('real');
  await expect(launcher.renewToken).toBeHidden();
  await launcher.field('gameId').fill('1001');
  await launcher.takeToken(/^player-1/);
  const old = await token.inputValue();
  await launcher.renewToken.click();
  await expect(shell.notices).toContainText('Token renewed.');
  await expect(token).not.toHaveValue(old);
  await expect(launcher.settings).toContainText('player-1, 1,000.00 EUR');
  const renewed = await token.inputValue();
  await launcher.launch.click();
  await launcher.game(await providerOf(workbench), 'real');
  await expect(launcher.entries.filter({ hasText: '/playerInfo' }).first()).toBeVisible();

  await token.fill(old);
  await launcher.renewToken.click();
  await expect(launcher.settings).toContainText('Invalid Token');
  await expect(token).toHaveValue(old);
  // The provider returns the launcher URL for any token; the game asks the wallet.
  await launcher.launch.click();
  await expect(launcher.entries.filter({ hasText: /\/playerInfo.*404 Invalid Token/ })).toBeVisible();
  await expect(launcher.record).not.toContainText(old);
  await expect(launcher.record).not.toContainText(renewed);
});

test('earlier launches are searched, also in their records, opened with the keyboard, and kept by a limit that is shown', async ({
  workbench,
  shell,
}) => {
  const { page } = workbench;
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  const earlier = page.getByRole('region', { name: 'Earlier launches' });
  await expect(earlier).toHaveCount(0);
  for (const gameId of ['1001', '1042', 'none']) {
    await launcher.field('gameId').fill(gameId);
    await launcher.field('exitURL').fill(`https://casino.example/${gameId}`);
    await launcher.launch.click();
    if (gameId === 'none') await expect(launcher.verdict.state).toHaveText('failed');
    else await expect(launcher.entries.filter({ hasText: 'Opened https://localhost' })).toHaveCount(1);
    await page.getByRole('button', { name: 'New launch' }).click();
  }
  const rows = earlier.getByRole('grid', { name: 'Earlier launches' }).locator('tbody tr');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText(/none.*failed/);
  await expect(earlier).toContainText('Croupier keeps the newest 500 launches.');
  const search = earlier.getByRole('searchbox', { name: 'Search earlier launches' });
  // The first word is in the records alone.
  await search.fill('opened fun');
  await expect(rows).toHaveText([/Game 1042/, /Game 1001/]);
  await search.fill('nothing like it');
  await expect(earlier).toContainText('No matching launches');
  await search.fill('');
  await earlier.getByLabel('Verdict').selectOption('failed');
  await expect(rows).toHaveText([/none.*failed/]);
  await earlier.getByLabel('Verdict').selectOption('Any verdict');
  await expect(rows).toHaveCount(3);
  await search.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(rows.nth(1)).toHaveAttribute('aria-selected', 'true');
  await earlier.getByRole('button', { name: 'Export as CSV' }).click();
  await expect(shell.notices).toContainText(/Saved launches-[\d-]+\.csv/);
  await rows.nth(1).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(search).toBeFocused();
  const change = earlier.getByRole('button', { name: 'Change…' });
  await change.click();
  await shell.dialog.getByLabel('Launches to keep').fill('99');
  await expect(shell.dialog).toContainText('Enter a whole number from 100 to 10,000.');
  await shell.dialog.getByLabel('Launches to keep').fill('250');
  await expect(shell.dialog).toContainText('No launches will be removed.');
  await shell.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(earlier).toContainText('Croupier keeps the newest 250 launches');
  await expect(change).toBeFocused();
  await search.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(launcher.verdict.state).toHaveText('failed');
});

test('a framed game is to check at best, and the record says only what the browser showed', async ({ workbench, shell }) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1042');
  await launcher.launch.click();
  await launcher.game(await providerOf(workbench), 'fun');
  const { verdict, entries } = launcher;
  await expect(verdict.state).toHaveText('to check');
  // The first line says how much of the verdict rests on nothing.
  await expect(verdict.rules.first()).toHaveText(
    /^To check: 6 of 35 rules could be checked\. A browser can't see inside a frame\. /,
  );
  await expect(entries.filter({ hasText: 'Something loaded in the frame' })).toBeVisible();
  // The built-in provider's authority is nobody's but this machine's.
  await expect(verdict.rules.filter({ hasText: "comes from an authority that this machine doesn't know" })).toBeVisible();
  await expect(entries.filter({ hasText: 'It did not request the launcher URL.' })).toHaveCount(1);
  await expect(entries.filter({ hasText: 'User agent of the browser around the frame' })).toHaveCount(1);
  await verdict.showAll();
  // Its address was asked for without the token.
  await expect(verdict.region).toContainText('URL without parameters: any page may embed it');
  await expect(verdict.region).toContainText('29 rules not observed');
});

test('a framed game that posts a message for leaving has left; any other message is in the record', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  await shell.goTo('Launcher');
  await launcher.field('gameId').fill('1042');
  await launcher.field('exitURL').fill('https://casino.example/lobby');
  await launcher.launch.click();
  const game = await launcher.game(await providerOf(workbench), 'fun');
  await game.evaluate(() => parent.postMessage({ type: 'balance', amount: 4 }, '*'));
  await expect(launcher.entries.filter({ hasText: '{"type":"balance","amount":4}' })).toBeVisible();
  await expect(launcher.banner).toHaveCount(0);
  await game.evaluate(() => parent.postMessage('exit', '*'));
  await expect(launcher.banner).toContainText('The game left through exitURL.');
  await expect(launcher.entries.filter({ hasText: 'The game posted exit' })).toBeVisible();
});
