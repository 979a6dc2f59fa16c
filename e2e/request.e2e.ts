import { createHash } from 'node:crypto';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect, test } from './fixtures.ts';
import { faultsWhile } from './audit.ts';
import { addEnvironment, enterWithKey } from './own-environment.ts';

test.describe('One request', () => {
  test('9007199254740993 and text beyond ASCII survive form, editor, sending, history and opening again', async ({
    workbench,
    shell,
    requests,
    response,
    history,
    environments,
  }) => {
    const bodies: string[] = [];
    const server = await startHttpsServer(({ body }, answer) => {
      bodies.push(body.toString('utf8'));
      answer.setHeader('content-type', 'application/json');
      answer.end(
        '{"code":0,"message":"ok","data":[{"id":9007199254740995,"gameId":1,"action":"a","bet":0.10,"win":1e2,"currencyName":"é","roundId":9007199254740993,"actionTime":"2026-11-20 10:00:00","source":1,"url":"https://x.example/ü"}]}',
      );
    });
    try {
      await addEnvironment(workbench, server, 'staging');
      await enterWithKey({ shell, environments }, 'staging', 'a-key');

      await shell.openOperation('getGameRound');
      await requests.form.field('roundId').fill('9007199254740993');
      const editor = await requests.openEditor();
      await expect(editor.frame).toContainText('9007199254740993');
      await editor.replace('{"roundId":9007199254740993,"logMonth":0,"note":"Zoë 幸 😀 ключ"}');
      await requests.show('Form');
      await expect(requests.form.field('roundId')).toHaveValue('9007199254740993');
      await expect(requests.hashInput.text.frame).toContainText('9007199254740993');
      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
      expect(bodies[0]).toContain(
        '"data":{"roundId":9007199254740993,"logMonth":0,"note":"Zo\\u00eb \\u5e78 \\ud83d\\ude00 \\u043a\\u043b\\u044e\\u0447"}',
      );
      const sent = JSON.parse(bodies[0] ?? '') as { time: string; hash: string };
      const data = /"data":(\{.*\}),"hash":/.exec(bodies[0] ?? '')?.[1] ?? '';
      expect(sent.hash).toBe(createHash('sha256').update(`a-key${sent.time}${data}`).digest('hex'));
      await expect(response.body.frame).toContainText('"roundId": 9007199254740993');
      await expect(response.body.frame).toContainText('"bet": 0.10');
      await response.show('Table');
      await expect(response.table.getByRole('cell', { name: '9007199254740993' })).toBeVisible();
      await expect(response.table.getByRole('cell', { name: '1e2' })).toBeVisible();

      await shell.goTo('History');
      await history.search('9007199254740993');
      await expect(history.count).toHaveText('1 call found');
      await history.open(0);
      await requests.openEditor();
      await expect.poll(() => editor.text()).toContain('{"roundId":9007199254740993,"logMonth":0,"note":"Zoë 幸 😀 ключ"}');
      await requests.send.click();
      await expect.poll(() => bodies.length).toBe(2);
      const withoutTime = (body = '') => body.replace(/"(?:time|hash)":"[^"]*"/g, '');
      expect(withoutTime(bodies[1])).toBe(withoutTime(bodies[0]));
      const shown = await workbench.cli(['history', 'show', '1']);
      expect(shown.stdout).toContain(bodies[0]);
      expect(shown.stdout).toContain('"id":9007199254740995');
    } finally {
      await server.close();
    }
  });

  test('Ctrl+Enter sends from inside the editor, and Escape cancels what takes long', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    const server = await startHttpsServer(() => undefined);
    try {
      await addEnvironment(workbench, server, 'staging');
      await shell.useEnvironment('staging');
      await shell.openOperation('/playerInfo');
      const editor = await requests.openEditor();
      await editor.replace('{"externalToken":"t"}');
      await workbench.page.keyboard.press('ControlOrMeta+Enter');
      await expect(response.announced).toHaveText('Sending');
      await expect(response.pane).toContainText(/Sending \d/);
      await expect(requests.cancel).toBeVisible();
      await workbench.page.keyboard.press('Escape');
      await expect(response.code).toHaveText('Cancelled');
      await expect(requests.send).toBeVisible();
      await shell.goTo('History');
      await expect(history.rows.first()).toContainText('cancelled');
      await shell.goTo('Requests');
      // Last: a look at every rule of the screen may take longer than a server may wait with its answer.
      await workbench.page.keyboard.press('ControlOrMeta+Enter');
      await expect(response.pane).toContainText(/Sending \d/);
      expect(await faultsWhile(workbench, 'a call under way')).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
