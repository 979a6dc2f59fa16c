import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { createLauncher, providerOf } from './pages/launcher.ts';

test('launches take session tokens from a pool, then from a program of this machine, and no record has one', async ({
  workbench,
  shell,
}) => {
  const launcher = createLauncher(workbench);
  const { pool } = launcher;
  await shell.goTo('Launcher');
  await launcher.mode('real');
  await launcher.field('gameId').fill('1001');
  const tokens: string[] = [];
  for (const player of [/^player-1/, /^player-2/]) {
    await launcher.takeToken(player);
    tokens.push(await launcher.field('externalToken').inputValue());
  }
  await launcher.field('externalToken').fill('');
  const [one = '', two = ''] = tokens;

  await pool.open();
  await expect(pool.dialog).toContainText('No tokens yet.');
  await pool.paste(`${one},player-1,sv,SE\n\n${one}`);
  await expect(pool.dialog.getByRole('status')).toContainText('Added 1 token.');
  await expect(pool.dialog.getByRole('status')).toContainText('Line 2 is empty.');
  await pool.drop('more.txt', `${one}\n`);
  await expect(pool.dialog.getByRole('status')).toContainText('Line 1 has a token that the pool already has.');
  await pool.choose('players.csv', `playerId,token\nplayer-2,${two}\n`);
  await expect(pool.rows).toHaveText([/pasted line 1.*player-1.*unused/, /line 2 of players\.csv.*player-2.*unused/]);
  await expect(pool.dialog).not.toContainText(one.slice(0, 6));
  await workbench.page.keyboard.press('Escape');
  await expect(pool.dialog).toBeHidden();

  await expect(launcher.settings).toContainText('Next unused token of player-1: pasted line 1.');
  await launcher.launch.click();
  await launcher.game(await providerOf(workbench), 'real');
  await expect(launcher.entries.filter({ hasText: 'session token: pool, pasted line 1' })).toBeVisible();
  await expect(launcher.field('playerId')).toHaveValue('player-1');
  await expect(launcher.field('country')).toHaveValue('SE');
  await pool.open();
  await expect(pool.rows.first()).toContainText('in use by Game 1001');
  await pool.done();

  await launcher.launch.click();
  await expect(launcher.entries.filter({ hasText: 'session token: pool, line 2 of players.csv' })).toBeVisible();
  await launcher.launch.click();
  await expect(launcher.settings.locator('[id$="-error"]')).toContainText(
    'The pool has no unused token. Add tokens, reset used ones, or type one.',
  );

  await pool.open();
  await pool.dialog.getByRole('button', { name: 'Remove all' }).click();
  await expect(pool.dialog).toContainText('No tokens yet.');
  await pool.done();
  const program = path.join(workbench.home, 'token.mjs');
  writeFileSync(program, `console.log(JSON.stringify({ token: ${JSON.stringify(one)}, playerId: 'player-1' }))`);
  const set = await workbench.cli(['env', 'set', 'sandbox', '--token-command', `"${process.execPath}" "${program}"`]);
  expect(set.code).toBe(0);
  await launcher.tokenFrom(/^command$/);
  await expect(launcher.settings).toContainText('token.mjs');
  await launcher.launch.click();
  await expect(launcher.entries.filter({ hasText: 'session token: command' })).toBeVisible();
  await expect(launcher.record).not.toContainText(one);
  await expect(launcher.record).not.toContainText(two);
});
