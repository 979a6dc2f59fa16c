import { createHash } from 'node:crypto';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect, test } from './fixtures.ts';
import { addEnvironment, enterWithKey } from './own-environment.ts';

test.describe('The hash input', () => {
  test('shows exactly what is hashed: its digest is that of the bytes the provider received', async ({
    workbench,
    shell,
    requests,
    response,
    environments,
  }) => {
    let body = '';
    const server = await startHttpsServer((received, answer) => {
      body = received.body.toString('utf8');
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
      await expect(requests.hashInput.sizes).toHaveText(`key 12 B, time 19 B, data ${Buffer.byteLength(data)} B`);
      const digest = createHash('sha256').update(`schlüssel-120-11-2026 10:15:30${data}`).digest('hex');
      await expect.poll(() => requests.hashInput.digest()).toBe(digest);

      await requests.send.click();
      await expect(response.code).toHaveText('0 ok');
      await expect(response.facts).toContainText(/signed = sent, bytes \d+ to \d+/);
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
    const hex = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '$& ').trim();
    await expect.poll(async () => (await requests.hashInput.text.lines()).join('\n')).toContain(hex('{"a":"/"}').slice(0, 23));
    const text = (await requests.hashInput.text.lines()).join('\n');
    expect(text).toContain(hex('20-11-20').slice(0, 20));
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
    await expect(requests.part).toContainText('An edit here ends all lines of this text with CR LF.');
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' ');
    await expect(requests.part).toContainText('Your edit ended all lines of this text with CR LF.');
    await page.keyboard.press('ControlOrMeta+Z');
    await expect(requests.part).toContainText('An edit here');
    await expect(requests.hashInput.sizes).toContainText(size);
  });
});
