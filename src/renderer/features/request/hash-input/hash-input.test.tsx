import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { addEnvironment, enterWithKey } from '../../../../../e2e/own-environment.ts';
import { hexOf, sizeOf } from '#testing/page/bytes.ts';

describe('The hash input', () => {
  test('shows exactly what is hashed: its digest is that of the bytes the provider received', async ({
    workbench,
    shell,
    requests,
    response,
    environments,
  }) => {
    let body = '';
    const server = await startHttpsServer((received, answer) => {
      body = String(received.body);
      answer.end('{"code":0,"message":"ok","data":{}}');
    });
    try {
      await addEnvironment(workbench, server, 'own');
      await enterWithKey({ shell, environments }, 'own', 'schlüssel-1');
      await shell.openOperation('getLauncherURL');
      await requests.overrides.open();
      await requests.overrides.set('time', '20-11-2026 10:15:30');
      await requests.overrides.close();
      const editor = await requests.openEditor();
      await editor.replace('{ "exitURL": "https://a.example/b?c=1&d=2", "name": "Zoë", "n": 1.50 }');
      const data = '{"exitURL":"https://a.example/b?c=1&d=2","name":"Zo\\u00eb","n":1.5}';
      await expect.poll(() => requests.hashInput.text.text()).toBe(`<PRIVATE_KEY>20-11-2026 10:15:30${data}`);
      await expect(requests.hashInput.sizes).toHaveText(`key 12 B, time 19 B, data ${sizeOf(data)} B`);
      const digest = await outside.sha256(`schlüssel-120-11-2026 10:15:30${data}`);
      await expect.poll(() => requests.hashInput.digest()).toBe(digest);

      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
      await expect(response.facts).toContainText('signed = sent');
      expect(body).toContain(`"data":${data},"hash":"${digest}"`);
    } finally {
      await server.close();
    }
  });

  test('shows every byte in hexadecimal, and of the key only that it is there', async ({ shell, requests }) => {
    await shell.openOperation('getGameRound');
    await requests.overrides.open();
    await requests.overrides.set('time', '20-11-2026 10:15:30');
    await requests.overrides.close();
    const editor = await requests.openEditor();
    await editor.replace('{"a":"/"}');
    await requests.hashInput.show('Hex');
    await expect.poll(async () => (await requests.hashInput.text.lines()).join('\n')).toContain(hexOf('{"a":"/"}').slice(0, 23));
    const text = (await requests.hashInput.text.lines()).join('\n');
    expect(text).toContain(hexOf('20-11-20').slice(0, 20));
    expect(text).toContain('key, 64 bytes, hidden');
    await expect(requests.hashInput.sizes).toHaveText('key 64 B, time 19 B, data 9 B');
  });

  test('is of the line ends that a request came with, until an edit, which undo takes back', async ({
    workbench,
    shell,
    requests,
    palette,
  }) => {
    const { page } = workbench;
    const text = '{\r\n"roundId":1,\n"a":"b"\r\n}';
    const size = new RegExp(`data ${text.length} B`);
    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'verbatim']);
    const args = ['call', 'getGameRound', '--env', 'sandbox', '--key-env', 'A_KEY', '--data', text];
    expect((await workbench.cli(args, { env: { A_KEY: 'a-key-of-the-test' } })).code).toBe(3);
    await shell.goTo('Requests');
    await palette.open();
    await page.keyboard.insertText('content-length');
    await expect(palette.options).toHaveText([/getGameRound/]);
    await page.keyboard.press('Enter');
    const editor = await requests.openEditor();
    await expect(requests.hashInput.sizes).toContainText(size);
    await editor.focus();
    // Colours stay here: what is copied is the text alone.
    await page.keyboard.press('ControlOrMeta+A');
    const copied = page.evaluate(() => {
      const event = new ClipboardEvent('copy', { bubbles: true, cancelable: true, clipboardData: new DataTransfer() });
      document.activeElement?.dispatchEvent(event);
      return event.clipboardData?.types.filter((type) => type.startsWith('text/'));
    });
    expect(await copied).toEqual(['text/plain']);
    await expect(requests.part).toContainText('Your next edit changes all line endings to CR LF.');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' ');
    await expect(requests.part).toContainText('Your edit changed all line endings to CR LF.');
    await page.keyboard.press('ControlOrMeta+Z');
    await expect(requests.part).toContainText('Your next edit');
    await expect(requests.hashInput.sizes).toContainText(size);
  });

  test('makes invisible characters visible and marks those outside ASCII', async ({ workbench, shell, requests }) => {
    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'verbatim']);
    await shell.openOperation('getGameRound');
    const editor = await requests.openEditor();
    await editor.replace('{"a":"x\u200by\u00a0z\u00adé"}');
    await expect(requests.hashInput.pane).toContainText('serialization: verbatim');
    await expect.poll(() => requests.hashInput.text.text()).toContain('ZWSP');
    const text = await requests.hashInput.text.text();
    expect(text).toContain('NBSP');
    expect(text).toContain('SHY');
    expect(text).toContain('é');
    await expect(requests.hashInput.sizes).toContainText(`data ${sizeOf('{"a":"x\u200by\u00a0z\u00adé"}')} B`);
  });

  test('warns at the byte where PHP would make another text of it, and shows both', async ({
    workbench,
    shell,
    requests,
    response,
  }) => {
    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'verbatim']);
    await shell.openOperation('getGameRound');
    const editor = await requests.openEditor();
    await editor.replace('{"roundId":1.50,"logMonth":0}');
    await expect(requests.hashInput.pane).toContainText('Changed by PHP');
    await expect(requests.hashInput.instability).toContainText('yours, byte 14');
    await expect(requests.hashInput.instability).toContainText('0,"logMonth":0}');
    await expect(requests.hashInput.instability).toContainText(',"logMonth":0}');
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');
    await expect(response.explanation).toContainText('At byte 14 of data, the provider hashed 1.5; this call sent 1.50.');

    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'php']);
    await expect(requests.hashInput.pane).toContainText('Unchanged by PHP');
    await editor.replace('{"roundId":1,"logMonth":{}}');
    await expect(requests.hashInput.pane).toContainText('Changed by PHP arrays');
  });

  test('says in the form what the bytes say, in every serialization, and finds an expiry in the past', async ({
    workbench,
    shell,
    requests,
  }) => {
    await shell.openOperation('freeRounds');
    const editor = await requests.openEditor();
    await editor.replace('{"playerId":"Zo\\u00EB ü","freeRoundValidity":"20-11-2020 12:00:00"}');
    await requests.show('Form');
    const hashed = { php: 'Zo\\u00eb \\u00fc', 'php-unicode': 'Zoë ü', verbatim: 'Zo\\u00EB ü' };
    for (const [serialization, text] of Object.entries(hashed)) {
      await workbench.cli(['env', 'set', 'sandbox', '--serialization', serialization]);
      await expect(requests.form.panel).toContainText(`Hashed as ${text} (${serialization})`);
      await expect.poll(() => requests.hashInput.text.text()).toContain(`"playerId":"${text}"`);
    }
    await expect(requests.form.panel).toContainText('freeRoundValidity is in the past');
  });

  test('says that wallet methods are not signed, and that gameList hashes no data', async ({ shell, requests }) => {
    await expect(requests.hashInput.sizes).toContainText('no data');
    await shell.openOperation('/bet');
    await expect(requests.hashInput.pane).toContainText("Wallet methods aren't signed");
  });
});
