import { describe } from 'vitest';
import { expect } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';

describe('The hash input', () => {
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
    await expect(requests.hashInput.sizes).toContainText(
      `data ${new TextEncoder().encode('{"a":"x\u200by\u00a0z\u00adé"}').length} B`,
    );
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
    await expect(requests.hashInput.pane).toContainText('Changes in PHP');
    await expect(requests.hashInput.instability).toContainText('yours, byte 14');
    await expect(requests.hashInput.instability).toContainText('0,"logMonth":0}');
    await expect(requests.hashInput.instability).toContainText(',"logMonth":0}');
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');
    await expect(response.explanation).toContainText('The provider hashed 1.5; this call hashed 1.50, byte 14 of data.');

    await workbench.cli(['env', 'set', 'sandbox', '--serialization', 'php']);
    await expect(requests.hashInput.pane).toContainText('Stable in PHP');
    await editor.replace('{"roundId":1,"logMonth":{}}');
    await expect(requests.hashInput.pane).toContainText('Stable in PHP, not as arrays');
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
      await expect(requests.form.panel).toContainText(`hashed as ${text} (serialization ${serialization})`);
      await expect.poll(() => requests.hashInput.text.text()).toContain(`"playerId":"${text}"`);
    }
    await expect(requests.form.panel).toContainText('freeRoundValidity is in the past');
  });

  test('says that wallet methods are not signed, and that gameList hashes no data', async ({ shell, requests }) => {
    await expect(requests.hashInput.sizes).toContainText('no data');
    await shell.openOperation('/bet');
    await expect(requests.hashInput.pane).toContainText('Wallet methods are not signed');
  });
});
