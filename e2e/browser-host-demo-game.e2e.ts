import { startHttpsServer } from '#testing/https-server.ts';
import { expect, test } from './fixtures.ts';
import { createDemoGame } from './pages/demo-game.ts';

// The page under test is the provider's; it is the same whichever host started it.
test('The demo game of the built-in provider opens at the launcher URL, plays over the wallet, leaves by exitURL, and refuses a token that is not valid', async ({
  browser,
  shell,
  requests,
  response,
}) => {
  const lobby = await startHttpsServer((_, answer) => void answer.end('the lobby'));
  const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce' });
  const answer = async () => {
    await response.show('Raw');
    await expect(response.raw.frame).toContainText('{');
    return JSON.parse(await response.raw.text()) as Record<string, unknown>;
  };
  const balance = async () => {
    await shell.openOperation('/playerInfo');
    await requests.form.takeToken(/^player-1 /);
    await requests.send.click();
    await expect(response.announced).toContainText('playerInfo answered');
    return Number((await answer())['balance']);
  };
  try {
    const before = await balance();
    await shell.openOperation('getLauncherURL');
    await requests.form.choose('gameMode', 'real');
    await requests.form.field('gameId').fill('1001');
    await requests.form.takeToken(/^player-1 /);
    await requests.form.field('exitURL').fill(`${lobby.baseUrl}/lobby?from=game`);
    await requests.send.click();
    await expect(response.explanation).toContainText('The launcher URL matches the request');
    const { launcherURL } = (await answer())['data'] as { launcherURL: string };

    const page = await context.newPage();
    const game = createDemoGame(page);
    await page.goto(launcherURL);
    await expect(game.title).toHaveText('Lucky Compass');
    await expect(game.balance).toContainText('1,000.00');
    const shown = async () => Number(((await game.balance.textContent()) ?? '').replace(/[^0-9.]/g, ''));
    // A win may equal the bet, though hardly every time.
    for (let spins = 0; spins < 20 && (await shown()) === before; spins += 1) {
      await game.spin.click();
      await expect(game.outcome).toHaveText(/Try again|You win/);
      await expect(game.spin).toBeEnabled();
    }
    expect(await shown()).not.toBe(before);
    expect(await balance()).toBe(await shown());
    await game.exit.click();
    await expect(page).toHaveURL(`${lobby.baseUrl}/lobby?from=game`);

    const refused = new URL(launcherURL);
    refused.searchParams.set('externalToken', 'not-a-token');
    await page.goto(refused.href);
    await expect(game.notice).toContainText('The session is not valid');
  } finally {
    await context.close();
    await lobby.close();
  }
});
