import { expect, test } from './fixtures.ts';
import { createGamesScreen } from './pages/games.ts';
import { createLauncher, providerOf, spin, type Spun } from './pages/launcher.ts';
import { createRoundsScreen } from './pages/rounds.ts';

const lobby = 'https://casino.example/lobby';

test('a game of the catalogue is launched in real mode, and its bet and win are in the records of the provider', async ({
  workbench,
  shell,
  environments,
}) => {
  const { page } = workbench;
  const launcher = createLauncher(workbench);
  const rounds = createRoundsScreen(page);
  workbench.troubles.expect(/casino\.example|frame-src refused/);
  const games = createGamesScreen(page);
  // The URL to which games return is entered once.
  await shell.goTo('Environments');
  await environments.open('sandbox');
  await shell.main.getByLabel(/^Exit URL/).fill(lobby);
  await environments.save.click();
  await expect(environments.save).toBeDisabled();
  await shell.goTo('Games');
  await games.fetch();
  await games.tile('Lucky Compass').click();
  await games.action(/^Launch real/).click();
  const game = await launcher.game(await providerOf(workbench), 'real');
  let spun: Spun = await spin(game);
  // About one spin in three wins.
  for (let more = 0; more < 40 && spun.win === '0'; more += 1) spun = await spin(game);
  const { roundId, bet, win, balance } = spun;
  expect(win).not.toBe('0');
  await expect(launcher.settings).toContainText(`player-1, ${balance} EUR`);
  const played = launcher.entries.filter({ hasText: `transaction ${roundId}` });
  await expect(played).toHaveText([new RegExp(`/bet ${bet} EUR`), new RegExp(`/win ${win} EUR`)]);

  await shell.goTo('Rounds');
  await rounds.roundId.fill(roundId);
  await rounds.lookUp.click();
  await expect(rounds.rows).toHaveCount(2);
  const cells = (row: number) => rounds.rows.nth(row).getByRole('cell');
  await expect(cells(0).nth(1)).toHaveText('bet');
  await expect(cells(0).nth(2)).toHaveText(bet);
  await expect(cells(1).nth(1)).toHaveText('win');
  await expect(cells(1).nth(3)).toHaveText(win);
  await expect(rounds.rows.first()).toContainText('1001 Lucky Compass');
  await expect(rounds.records).toContainText(`bet ${bet}, win ${win} EUR`);

  await shell.goTo('Launcher');
  await game.locator('#exit').click();
  await expect(launcher.banner).toContainText(`The game left through exitURL. ${lobby}`);
  await expect(launcher.entries.filter({ hasText: 'Left through exitURL' })).toHaveCount(1);
});
