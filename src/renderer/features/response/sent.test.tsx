import type { Page } from '@playwright/test';
import { describe } from 'vitest';
import { startHttpsServer } from '#testing/https-server.ts';
import { keepCopies } from '../../../../e2e/copies.ts';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { addEnvironment, enterWithKey } from '../../../../e2e/own-environment.ts';
import { hexOf, sizeOf } from '#testing/page/bytes.ts';

const key = 'a-key-of-the-test';

describe('What was sent', () => {
  test('stays as the provider received it while the next request ticks on', async ({
    workbench,
    shell,
    requests,
    response,
    environments,
  }) => {
    let body = '';
    const server = await startHttpsServer((received, answer) => {
      body = String(received.body);
      answer.end('{"code":8,"message":"hash not valid","data":null}');
    });
    try {
      await addEnvironment(workbench, server, 'own', '--serialization', 'verbatim');
      await enterWithKey({ shell, environments }, 'own', key);
      const copied = await keepCopies(workbench.page);
      await shell.openOperation('getGameRound');
      const editor = await requests.openEditor();
      await editor.replace('{"roundId":1,"note":"Zoë"}');
      await expect.poll(() => requests.hashInput.text.text()).toContain('"Zoë"');
      await requests.send.click();
      await expect(response.code).toHaveText('8 hash not valid');
      await expect(response.facts).toContainText(/own, call 1, \d\d:\d\d:\d\d/);

      const start = sizeOf(body.slice(0, body.indexOf('{"roundId"')));
      const length = sizeOf('{"roundId":1,"note":"Zoë"}');
      await expect(response.signed).toHaveAttribute('title', `signed = sent, bytes ${start} to ${start + length - 1}. Open Sent`);
      await response.signed.click();
      const { time, hash } = JSON.parse(body) as { time: string; hash: string };
      const input = `<PRIVATE_KEY>${time}{"roundId":1,"note":"Zoë"}`;
      // The left side shows another request by now: its time advances, and this one's does not.
      await expect.poll(() => requests.hashInput.text.text()).not.toContain(time);
      await expect.poll(() => response.sent.hashInput.text()).toBe(input);
      await expect(response.sent.hash).toHaveText(hash);
      expect(hash).toBe(await outside.sha256(input.replace('<PRIVATE_KEY>', key)));
      await expect.poll(() => response.sent.body.text()).toBe(body);
      await expect(response.sent.proof).toContainText(
        `bytes ${start} to ${start + length - 1} (data) of the body, counted from 0, are the same as in the hash input`,
      );
      await expect(response.sent.headers).toContainText(`content-length${sizeOf(body)}`);
      for (const [what, text] of [
        ['hash input', input],
        ['hash', hash],
        ['body', body],
      ] as const) {
        await response.sent.copy(what);
        expect(await copied()).toBe(text);
      }
      await response.sent.copy('headers');
      expect(await copied()).toMatch(/^host: localhost:\d+\n[^]*\ncontent-length: \d+$/);
      await response.sent.form.getByRole('radio', { name: 'Hex' }).click();
      await expect.poll(() => response.sent.body.text()).toContain(hexOf(body.slice(0, 8)));
      await expect.poll(() => response.sent.hashInput.text()).toContain(hexOf(time.slice(0, 8)));
      await response.sent.copy('body');
      expect(await copied()).toBe(hexOf(body));
    } finally {
      await server.close();
    }
  });

  test("is what the built-in provider's log received", async ({ workbench, requests, response, shell, providerLog }) => {
    const copied = await keepCopies(workbench.page);
    await requests.overrides.open();
    await requests.overrides.hash('Wrong digit');
    await requests.overrides.close();
    await requests.send.click();
    await expect(response.code).toHaveText('8 hash not valid');
    await expect(response.signed).toHaveText('hash digit changed');
    await response.show('Sent');
    await response.sent.copy('body');
    const sent = await copied();
    await response.toProviderLog.click();
    await providerLog.copyBody.click();
    await expect.poll(copied).toBe(sent);
    expect(sent).toContain('"hash":"');
    await expect(shell.main).toBeVisible();
  });

  for (const [why, overrides, fact] of [
    ['time is hashed and left out', ['time'], 'signed and sent differ'],
    ['the hash is left out', ['hash'], 'sent without a hash'],
  ] as const) {
    test(`is not called signed where ${why}`, async ({ requests, response }) => {
      await requests.overrides.open();
      for (const field of overrides) await requests.overrides.leaveOut(field);
      await requests.overrides.close();
      await requests.send.click();
      await expect(response.signed).toHaveText(fact);
      await expect(response.pane).not.toContainText('signed = sent');
    });
  }

  test('is nothing for a call that failed before its first byte, and not known for one without a response', async ({
    workbench,
    shell,
    requests,
    response,
    environments,
  }) => {
    const server = await startHttpsServer((_, answer) => {
      answer.socket?.destroy();
    });
    await addEnvironment(workbench, server, 'own');
    await enterWithKey({ shell, environments }, 'own', key);
    await shell.openOperation('gameList');
    await requests.send.click();
    await expect(response.code).toHaveText('No response');
    const untrue = /signed = sent|as it was sent|exactly as sent/;
    for (const view of ['Possibly sent', 'Timings'] as const) {
      await response.show(view);
      await expect(response.pane).not.toContainText(untrue);
      await expect(response.pane).not.toContainText('Nothing was sent');
    }
    await response.show('Possibly sent');
    await expect(response.sent.departure).toContainText('How much arrived is not known');
    await server.close();
    await requests.send.click();
    await expect(response.pane).toContainText('Failed while connecting');
    await expect(response.signed).toHaveText('nothing was sent');
    await response.signed.click();
    await expect(response.sent.departure).toHaveText('Nothing was sent. This is what would have been sent.');
    await expect.poll(() => response.sent.body.text()).toContain('"action":"gameList"');
    await expect(response.pane).not.toContainText(untrue);
    // The command line shows the same.
    const { stdout } = await workbench.cli(['history', 'show', '2']);
    expect(stdout).toContain('Nothing was sent. This is what would have been sent.\n\nPOST https://localhost');
  });
});

/** Records, at each change of the envelope view, the text and size of its foot, and the time and hash in the body. */
async function watchEnvelope(page: Page): Promise<() => Promise<{ feet: string[]; pairs: string[][] }>> {
  await page.evaluate(() => {
    const foot = [...document.querySelectorAll('footer')].find((one) =>
      one.textContent.includes('application/json'),
    ) as HTMLElement;
    const view = foot.parentElement as HTMLElement;
    const [feet, pairs] = [new Set<string>(), new Map<string, string[]>()];
    const look = () => {
      const { width, height, top } = foot.getBoundingClientRect();
      feet.add(`${foot.firstElementChild?.textContent} ${width} ${height} ${top}`);
      const lines = [...view.querySelectorAll<HTMLElement>('.view-line')];
      const text = lines.toSorted((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top)).map((line) => line.textContent);
      const body = text.join('').replaceAll('\u00a0', ' ');
      const pair = [/"time":"([^"]*)"/, /"hash":"([^"]*)"/].map((pattern) => pattern.exec(body)?.[1] ?? 'missing');
      pairs.set(pair.join(), pair);
    };
    look();
    new MutationObserver(look).observe(view, { subtree: true, childList: true, characterData: true, attributes: true });
    Reflect.set(window, 'envelope', () => ({ feet: [...feet], pairs: [...pairs.values()] }));
  });
  return () => page.evaluate(() => (Reflect.get(window, 'envelope') as () => { feet: string[]; pairs: string[][] })());
}

describe('The envelope of the next request', () => {
  for (const fault of [false, true]) {
    test(`keeps its size at each tick, and each hash is that of the time beside it${fault ? ', with an override' : ''}`, async ({
      workbench,
      shell,
      requests,
      environments,
    }) => {
      const server = await startHttpsServer((_, answer) => {
        answer.end('{}');
      });
      try {
        await addEnvironment(workbench, server, 'own');
        await enterWithKey({ shell, environments }, 'own', key);
        await shell.openOperation('gameList');
        if (fault) {
          await requests.overrides.open();
          await requests.overrides.hash('Wrong digit');
          await requests.overrides.set('platform', '"x"');
          await requests.overrides.close();
        }
        await requests.show('Envelope');
        await expect.poll(() => requests.envelope.text()).toMatch(/"hash":"[0-9a-f]{64}"/);
        const seen = await watchEnvelope(workbench.page);
        await expect.poll(async () => (await seen()).pairs.length).toBeGreaterThan(3);
        const { feet, pairs } = await seen();
        const bytes = sizeOf(await requests.envelope.text());
        expect(feet).toHaveLength(1);
        expect(feet[0]).toContain(`application/json, ${bytes} bytes`);
        for (const [time = '', hash = ''] of pairs) {
          const right = await outside.sha256(`${key}${time}`);
          const [start, last] = [hash.slice(0, -1), hash.slice(-1)];
          expect(start).toBe(right.slice(0, -1));
          expect(last === right.slice(-1)).toBe(!fault);
        }
      } finally {
        await server.close();
      }
    });
  }
});
