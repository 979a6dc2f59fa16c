import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { faultsWhile } from '../../../../../e2e/audit.ts';
import { addBareEnvironment, addEnvironment, enterWithKey } from '../../../../../e2e/own-environment.ts';

describe('One request', () => {
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
      bodies.push(String(body));
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
      expect(sent.hash).toBe(await outside.sha256(`a-key${sent.time}${data}`));
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

  test('the form and the editor are two views of one text', async ({ shell, requests }) => {
    await shell.openOperation('getLauncherURL');
    await requests.form.field('gameId').fill('1001');
    const editor = await requests.openEditor();
    await expect(editor.frame).toContainText('"gameId": "1001"');
    // The form leaves fields that it does not know, and the layout of the text, as they were typed.
    await editor.replace('{"gameMode":"real",   "gameId" : "77", "x":1.50}');
    await requests.show('Form');
    await expect(requests.form.field('gameId')).toHaveValue('77');
    await expect(requests.form.panel).toContainText('Not in the spec');
    await requests.form.field('gameId').fill('78/ü');
    await requests.openEditor();
    await expect.poll(() => editor.text()).toContain('{"gameMode":"real",   "gameId" : "78/ü", "x":1.50}');
    await requests.show('Form');
    await requests.form.choose('gameMode', 'fun');
    await requests.form.leaveOut('gameId');
    await requests.openEditor();
    await expect.poll(() => editor.text()).toContain('{"gameMode":"fun", "x":1.50}');
  });

  test('a text that is not JSON is kept, its place is named, and the form says that it cannot read it', async ({
    shell,
    requests,
    response,
  }) => {
    await shell.openOperation('getLauncherURL');
    const editor = await requests.openEditor();
    await editor.replace('{"gameId": 1,}');
    await expect(requests.hashInput.pane).toContainText('Nothing is hashed');
    await requests.show('Form');
    await expect(requests.form.message).toHaveText("The form can't show this text");
    await expect(requests.form.panel).toContainText(/line 1, column 1[34]/);
    await requests.send.click();
    await expect(requests.refusal).toContainText('Trailing comma');
    await expect(response.failure).toHaveText('No response yet');
    await requests.openEditor();
    await expect.poll(() => editor.text()).toContain('{"gameId": 1,}');
  });

  test('checks of the spec stand at the field and in the editor, and block nothing', async ({ shell, requests, response }) => {
    await shell.openOperation('getLauncherURL');
    await requests.form.choose('gameMode', 'real');
    await expect(requests.form.warning('externalToken')).toContainText(/real mode/i);
    await requests.form.field('lang').fill('english');
    await requests.openEditor();
    await expect(requests.part).toContainText(/2 warnings/);
    await expect(requests.editor.frame).toContainText("The player's session token");
    await expect(requests.editor.markers.first()).toBeVisible();
    await requests.send.click();
    await expect(response.code).toHaveText('404 Invalid Token');
    await expect(response.explanation).toContainText('Real mode needs an externalToken of 1 to 255 characters.');
  });

  test('a field explains itself to a pointer that rests on it, and not to one that has left', async ({
    workbench,
    shell,
    requests,
  }) => {
    const { page } = workbench;
    await shell.openOperation('getLauncherURL');
    const { frame, replace } = await requests.openEditor();
    await replace('{"gameMode": "real"}');
    const name = frame.getByText('"gameMode"');
    const card = page.getByRole('status').filter({ hasText: 'gameMode' });
    await name.hover();
    await requests.send.hover();
    await new Promise((resolve) => setTimeout(resolve, 400));
    await expect(card).toBeHidden();
    await name.hover();
    await expect(card).toContainText('gameMode: real or fun, required');
    await requests.send.hover();
    await expect(card).toBeHidden();
  });

  test('a wrong platform is answered with 9, a field that is left out is not sent, and all faults go at once', async ({
    requests,
    response,
    history,
    shell,
  }) => {
    await requests.overrides.open();
    await requests.overrides.set('platform', '"1"');
    await requests.overrides.set('time', '01-01-2020 00:00:00');
    await requests.overrides.leaveOut('partnerId');
    await requests.overrides.close();
    await expect(requests.chips).toHaveCount(3);
    await requests.send.click();
    await expect(response.code).toHaveText(/^9 platform not valid/);
    await requests.show('Envelope');
    await expect.poll(() => requests.envelope.text()).toContain('"platform":"1","time":"01-01-2020 00:00:00"');
    expect(await requests.envelope.text()).not.toContain('partnerId');
    await requests.overrides.open();
    await requests.overrides.clear();
    await requests.overrides.close();
    await expect(requests.chips).toHaveCount(0);
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    await shell.goTo('History');
    await expect(history.rows).toHaveCount(2);
  });

  test('a call without an answer says what happened, in which phase, and what to do', async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    const server = await startHttpsServer((_, answer) => {
      answer.socket?.destroy();
    });
    await addEnvironment(workbench, server, 'staging');
    await addBareEnvironment(workbench, 'untrusted', server.baseUrl);
    await shell.useEnvironment('untrusted');
    await shell.openOperation('/playerInfo');
    await requests.send.click();
    await expect(response.code).toHaveText('No response');
    await expect(response.pane).toContainText('while securing the connection');
    await shell.useEnvironment('staging');
    await requests.send.click();
    await expect(response.pane).toContainText('while waiting for the response');
    await server.close();
    await requests.send.click();
    await expect(response.pane).toContainText('while connecting');
  });

  test('a production environment asks once before it reads, and before each call that moves money', async ({
    workbench,
    shell,
    requests,
    response,
    history,
  }) => {
    let received = 0;
    const server = await startHttpsServer((_, answer) => {
      received += 1;
      answer.end('{"country":"DE","currency":"EUR","balance":1,"playerId":"p"}');
    });
    try {
      await addEnvironment(workbench, server, 'live', '--production', '--color', 'red');
      await shell.useEnvironment('live');
      await expect(shell.topBar).toContainText('production');
      await shell.openOperation('/playerInfo');
      await requests.send.click();
      await expect(shell.dialog).toContainText('Send playerInfo to live?');
      await expect(shell.dialog).toContainText('live, production, platform 7, partner 11');
      await expect(shell.dialog).toContainText(`${server.baseUrl}/playerInfo`);
      await shell.dialog.getByRole('button', { name: "Don't send" }).click();
      await expect(shell.dialog).toBeHidden();
      await requests.send.click();
      await shell.dialog.getByRole('button', { name: 'Send playerInfo' }).click();
      await expect(response.facts).toContainText('HTTP 200');
      expect(received).toBe(1);
      await requests.send.click();
      await expect.poll(() => received).toBe(2);
      await shell.openOperation('/bet');
      await requests.form.field('amount').fill('1.25');
      await requests.send.click();
      await expect(shell.dialog).toContainText('Send bet to live?');
      await expect(shell.dialog).toContainText('It takes 1.25 EUR.');
      await expect(shell.dialog.getByRole('button', { name: "Don't send" })).toBeFocused();
      await shell.dialog.getByRole('button', { name: 'Send bet' }).click();
      await expect.poll(() => received).toBe(3);
      await requests.send.click();
      await expect(shell.dialog).toContainText('It takes 1.25 EUR.');
      await shell.dismiss();
      await expect(shell.dialog).toBeHidden();
      await shell.goTo('History');
      await expect(history.rows).toHaveCount(3);
    } finally {
      await server.close();
    }
  });

  test('tabs open beside each other, close, come back, and keep what was typed', async ({ workbench, shell, requests }) => {
    await shell.openOperation('getGameRound');
    await requests.form.field('roundId').fill('42');
    await shell.openOperation('/bet');
    await expect(requests.tabs).toHaveText([/gameList/, /getGameRound/, /\/bet/]);
    await workbench.page.keyboard.press('ControlOrMeta+2');
    await expect(requests.activeTab).toHaveText(/getGameRound/);
    await expect(requests.form.field('roundId')).toHaveValue('42');
    await workbench.page.keyboard.press('Alt+W');
    await expect(requests.tabs).toHaveText([/gameList/, /\/bet/]);
    await workbench.page.keyboard.press('Alt+Shift+T');
    await expect(requests.activeTab).toHaveText(/getGameRound/);
    await expect(requests.form.field('roundId')).toHaveValue('42');
  });
});
