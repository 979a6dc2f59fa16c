import { startHttpsServer } from '#testing/https-server.ts';
import { expect, test } from './fixtures.ts';
import { outOfOrder, trojanTexts } from './pages/character-order.ts';
import { createGamesScreen } from './pages/games.ts';
import { addEnvironment } from './provider.ts';

const { invisible, ...controls } = trojanTexts;
const labels = ['ALM', 'LRM', 'RLM', 'LRE', 'RLE', 'PDF', 'LRO', 'RLO', 'LRI', 'RLI', 'FSI', 'PDI'];

test.describe('Every character stands in its place', () => {
  for (const serialization of ['verbatim', 'php-unicode'] as const) {
    test(`in the hash input, the editor and the body that is to be sent (${serialization})`, async ({
      workbench,
      shell,
      requests,
    }) => {
      await workbench.cli(['env', 'set', 'sandbox', '--serialization', serialization]);
      await workbench.resize(1600, 1000);
      await shell.openOperation('getGameRound');
      const editor = await requests.openEditor();
      await expect(requests.hashInput.pane).toContainText(`serialization: ${serialization}`);
      for (const [value, shown] of [
        [controls, labels],
        [{ invisible }, ['ZWSP', 'NBSP', 'SHY', 'WJ', 'BOM']],
      ] as const) {
        await editor.replace(JSON.stringify(value));
        for (const view of [editor, requests.hashInput.text]) {
          for (const label of shown) await expect.poll(() => view.text(), label).toContain(label);
          expect(await outOfOrder(view.frame)).toEqual([]);
        }
      }
      await editor.replace(JSON.stringify(controls));
      await requests.show('Envelope');
      await expect.poll(() => requests.envelope.text()).toContain('RLO');
      expect(await outOfOrder(requests.envelope.frame)).toEqual([]);
    });
  }

  test('in what was sent, what came back, names of games and environments, and a field that cannot show them', async ({
    workbench,
    shell,
    requests,
    response,
    environments,
    history,
  }) => {
    const { page } = workbench;
    const games = createGamesScreen(page);
    const name = 'Lucky \u202eyoj\u202c 7';
    const slots = [{ id: 5, gameName: name, bets: [1], thumbnail: '', status: 1 }];
    const server = await startHttpsServer(({ body }, answer) => {
      const isList = body.includes('"gameList"');
      // A message of others stands in the middle of a sentence of ours.
      answer.end(
        JSON.stringify(
          isList ? { code: 0, message: 'ok', data: { slots } } : { code: 7, message: 'no\u202e ecnalab', data: controls },
        ),
      );
    });
    try {
      const environment = 'own \u202egnigats';
      await addEnvironment(workbench, server, environment, '--serialization', 'verbatim');
      await shell.goTo('Environments');
      await shell.sidebar.getByRole('button', { name: /^own/ }).click();
      await environments.key.set('k');
      await shell.useEnvironment('own');
      await expect(shell.environment.locator('bdi[data-control="RLO"]')).toHaveCount(1);
      expect(await outOfOrder(shell.topBar)).toEqual([]);

      await shell.openOperation('gameList');
      await requests.send.click();
      await expect(response.code).toHaveText(/^0/);
      await shell.goTo('Games');
      await expect(games.tiles.first().locator('bdi[data-control="RLO"]')).toHaveCount(1);
      expect(await outOfOrder(games.tiles.first())).toEqual([]);

      await shell.openOperation('getLauncherURL');
      await requests.form.field('playerId').fill(`pay\u200bload\u202e`);
      await expect(requests.form.row('playerId')).toContainText(
        'Not visible in this value: U+200B zero width space, U+202E right-to-left override (bidirectional control).',
      );
      await requests.form.field('gameId').fill('5');
      await expect(requests.form.row('gameId').locator('bdi[data-control="RLO"]')).toHaveCount(1);
      expect(await outOfOrder(requests.form.row('gameId'))).toEqual([]);
      const editor = await requests.openEditor();
      await editor.replace(JSON.stringify(controls));
      await requests.send.click();
      await expect(response.code).toHaveText(/^7/);
      await expect.poll(() => response.body.text()).toContain('RLO');
      expect(await outOfOrder(response.pane)).toEqual([]);
      await response.show('Raw');
      await expect.poll(() => response.raw.text()).toContain('RLO');
      expect(await outOfOrder(response.raw.frame)).toEqual([]);
      await response.show('Sent');
      const sent = response.pane.locator('.monaco-editor');
      await expect(sent).toHaveCount(2);
      for (const at of [0, 1]) {
        await expect(sent.nth(at).locator('.view-lines')).toContainText('RLO');
        expect(await outOfOrder(sent.nth(at))).toEqual([]);
      }
      await shell.goTo('History');
      await expect(history.rows.first()).toContainText('getLauncherURL');
      expect(await outOfOrder(history.rows.first())).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
