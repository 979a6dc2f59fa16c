import { describe } from 'vitest';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from '@playwright/test';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { addEnvironment } from '../../../e2e/own-environment.ts';
import { outOfOrder, trojanTexts } from '../../../e2e/pages/character-order.ts';
import { createComparison } from '../../../e2e/pages/comparison.ts';
import type { Editor } from '../../../e2e/pages/editor.ts';
import { createGamesScreen } from '../../../e2e/pages/games.ts';
import { createRoundsScreen } from '../../../e2e/pages/rounds.ts';
import { createRunsScreen } from '../../../e2e/pages/runs.ts';

const { invisible, ...controls } = trojanTexts;
const labels = ['ALM', 'LRM', 'RLM', 'LRE', 'RLE', 'PDF', 'LRO', 'RLO', 'LRI', 'RLI', 'FSI', 'PDI'];

/** A file name with every control character in it, and characters that show nothing. */
const everyControl =
  'pay\u202elaer\u202c \u2067b\u2069 \u200f2\u061c3 \u2066a\u2069\u2068c\u2069\u202ad\u202c\u202be\u202c\u202df\u202c g\u200e1h\u00a0i\u200bj';

/** Expects a part of the page to have the name, with a label for each invisible character and every visible one in its place. */
async function inOrder(part: Locator): Promise<void> {
  const missing = async () => {
    const shown = await part
      .locator('bdi[data-control]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-control')));
    return [...labels, 'NBSP', 'ZWSP'].filter((label) => !shown.includes(label));
  };
  await expect.poll(missing).toEqual([]);
  // The character itself has no size; its abbreviation has.
  const first = part.locator('bdi[data-control="RLO"]').first();
  expect(await first.evaluate((element) => element.getBoundingClientRect().width)).toBeGreaterThan(5);
  expect(await outOfOrder(part)).toEqual([]);
}

/** Expects the same of an editor. */
async function textInOrder(editor: Pick<Editor, 'text' | 'frame'>): Promise<void> {
  const missing = async () => {
    const text = await editor.text();
    return labels.filter((label) => !text.includes(label));
  };
  await expect.poll(missing).toEqual([]);
  expect(await outOfOrder(editor.frame)).toEqual([]);
}

describe('Every character stands in its place', () => {
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
    const name = `Lucky ${everyControl}`;
    const slots = [{ id: 5, gameName: name, bets: [1], thumbnail: '', status: 1 }];
    const server = await startHttpsServer(({ body }, answer) => {
      const records = [{ id: 1, gameId: 5, action: everyControl, bet: 1, win: 0, currencyName: 'EUR', roundId: 12 }];
      const data = body.includes('"gameList"') ? { slots } : body.includes('"getGameRound"') ? records : null;
      // In the error, a message from outside is in the middle of a sentence of the page.
      const refused = { code: 7, message: 'no\u202e ecnalab', data: controls };
      answer.end(JSON.stringify(data === null ? refused : { code: 0, message: 'ok', data }));
    });
    try {
      const environment = 'own \u202egnigats';
      await addEnvironment(workbench, server, environment, '--serialization', 'verbatim');
      await shell.goTo('Environments');
      await shell.sidebar.getByRole('option', { name: /^own/ }).click();
      await environments.key.set('k');
      await shell.useEnvironment('own');
      await expect(shell.environment.locator('bdi[data-control="RLO"]')).toHaveCount(1);
      expect(await outOfOrder(shell.topBar)).toEqual([]);

      await shell.openOperation('gameList');
      await requests.send.click();
      await expect(response.code).toHaveText(/^0/);
      await response.show('Table');
      await inOrder(response.table);
      await shell.goTo('Games');
      await expect(games.tiles.first().locator('bdi[data-control="RLO"]')).toHaveCount(1);
      expect(await outOfOrder(games.tiles.first())).toEqual([]);
      await games.view('Table');
      await inOrder(games.rows.first());

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
      const rounds = createRoundsScreen(page);
      await shell.goTo('Rounds');
      await rounds.roundId.fill('12');
      await rounds.lookUp.click();
      await inOrder(rounds.rows.first());
    } finally {
      await server.close();
    }
  });

  test("in the tree and the tabs, quick open, the provider's log, the comparison and the report of a run", async ({
    workbench,
    shell,
    requests,
    response,
    collections,
    palette,
    history,
    providerLog,
  }) => {
    const { page } = workbench;
    const directory = join(dirname(workbench.home), everyControl);
    await mkdir(directory);
    const data = JSON.stringify(controls);
    // In the sentences of a run's checks a word that is read from right to left keeps its direction.
    const withoutLetters = JSON.stringify({ ...controls, letters: '' });
    await writeFile(join(directory, `${everyControl}.yaml`), `operation: getGameRound\ndata: |\n  ${withoutLetters}\n`);
    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'verbatim']);
    await workbench.resize(1600, 1000);
    await collections.openDirectory(directory);
    await inOrder(collections.rows.first());
    // Quick open keeps what is selected where a file is read later.
    await expect(collections.rows).toHaveCount(2);
    await palette.openQuick();
    await page.keyboard.insertText('pay');
    const found = palette.quick.getByRole('option', { selected: true });
    await expect(found).toContainText('getGameRound');
    await inOrder(found);
    await page.keyboard.press('Enter');
    // A tab shows both ends of a name that is too long for it.
    expect(await outOfOrder(requests.activeTab)).toEqual([]);
    await palette.openQuick();
    await inOrder(palette.quick.getByRole('group', { name: 'Open requests' }));
    await page.keyboard.press('Escape');

    for (const change of [data, data.replace('12', '13')]) {
      await (await requests.openEditor()).replace(change);
      await requests.send.click();
      await expect(response.code).toHaveText('8 hash not valid');
    }
    await outside.sendFromOutside([JSON.stringify({ action: everyControl })]);
    await response.toProviderLog.click();
    await inOrder(providerLog.rows.first());
    // The one from outside may have come since.
    await providerLog.rows.filter({ hasText: 'getGameRound' }).first().click();
    await textInOrder(providerLog.body);
    await expect(providerLog.received).toContainText('First difference at byte');
    expect(await outOfOrder(providerLog.details)).toEqual([]);

    await providerLog.toggle.click();
    for (const at of [0, 1]) await history.rows.nth(at).getByRole('checkbox').click();
    await shell.main.getByRole('button', { name: /^Compare/ }).click();
    const comparison = createComparison(page);
    for (const view of ['Hash input', 'Envelope'] as const) {
      await comparison.show(view);
      for (const id of [1, 2]) await textInOrder(comparison.text(id));
      expect(await outOfOrder(comparison.screen)).toEqual([]);
    }

    const runs = createRunsScreen(page);
    await shell.goTo('Runs');
    await runs.start(directory);
    await expect(runs.totals).toHaveText(/=1 planned$/);
    await inOrder(runs.list);
    await inOrder(runs.rows.first());
    await runs.rows.first().click();
    await expect(runs.details).toContainText('code 8');
    expect(await outOfOrder(runs.main)).toEqual([]);
  });
});
