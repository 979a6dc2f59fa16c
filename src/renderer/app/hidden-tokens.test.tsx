import type { Page } from '@playwright/test';
import { startHttpsServer } from '#testing/https-server.ts';
import { expect } from '#testing/page/playwright.ts';
import { test, type Screens } from '#testing/page/test.ts';
import { keepCopies } from '../../../e2e/copies.ts';
import { addEnvironment, enterWithKey } from '../../../e2e/own-environment.ts';

const token = 'Tk9-player-7f3a81';

type Used = Pick<Screens, 'workbench' | 'shell' | 'requests' | 'response' | 'history' | 'palette'>;
type Place = (screens: Used) => Promise<unknown>;

/** The token, its beginning or its end, as text or in hexadecimal. */
const parts = new RegExp(
  [token.slice(0, 6), token.slice(-6)]
    .flatMap((part) => [
      part,
      part
        .split('')
        .map((one) => one.charCodeAt(0).toString(16))
        .join(''),
    ])
    .join('|'),
);

/** Every place of the screen that can show a token of a request or of its response, by what leads there; in this order. */
const places: Readonly<Record<string, Place>> = {
  'the form': ({ requests }) => requests.show('Form'),
  'the payload as text': ({ requests }) => requests.openEditor(),
  'the body of the next request': ({ requests }) => requests.show('Envelope'),
  'the hash input': ({ requests }) => requests.hashInput.show('Text'),
  'the hash input in hexadecimal': ({ requests }) => requests.hashInput.show('Hex'),
  'an override': async ({ requests }) => {
    await requests.overrides.open();
    await requests.overrides.set('time', token);
  },
  'the chip of an override': ({ requests }) => requests.overrides.close(),
  'what was sent': ({ response }) => response.show('Sent'),
  'what was sent, in hexadecimal': ({ response }) => response.sent.form.getByRole('radio', { name: 'Hex' }).click(),
  'the response': ({ response }) => response.show('Body'),
  'the list of the response': ({ response }) => response.show('Table'),
  'the response as it came': ({ response }) => response.show('Raw'),
  'the headers': ({ response }) => response.show('Headers'),
  'the history': ({ shell }) => shell.goTo('History'),
  'a search of the history': ({ history }) => history.search(token),
  'the palette': async ({ workbench, palette }) => {
    await palette.open();
    await workbench.page.keyboard.insertText(token);
  },
};

/** Returns the text of the screen without what is covered, its white space left out. */
function uncovered(page: Page): Promise<string> {
  return page.evaluate(() => {
    const covered = [...(CSS.highlights.get('hidden-tokens') ?? [])] as Range[];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let seen = '';
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      if (node.parentElement?.closest('.hidden-token, script, style, textarea, .native-edit-context') !== null) continue;
      const over = covered.filter((range) => range.intersectsNode(node));
      for (let at = 0; at < node.length; at++)
        if (!over.some((range) => range.comparePoint(node, at) === 0 && range.comparePoint(node, at + 1) === 0))
          seen += node.data[at];
    }
    for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea:not(.inputarea)'))
      if (getComputedStyle(field).getPropertyValue('-webkit-text-security') !== 'disc') seen += field.value;
    return seen.replaceAll(/\s/g, '');
  });
}

test('An eye hides a session token everywhere on the screen, and copies and sizes stay true', async ({
  workbench,
  shell,
  requests,
  response,
  environments,
  history,
  palette,
}) => {
  const server = await startHttpsServer((_received, answer) => {
    answer.setHeader('x-session', token);
    answer.end(
      `{"code":0,"message":"ok","data":{"url":"https://a.example/?lang=en&token=${token}","all":[{"n":1,"token":"${token}"}]}}`,
    );
  });
  try {
    await addEnvironment(workbench, server, 'own');
    await enterWithKey({ shell, environments }, 'own', 'a-key-of-the-test');
    const copied = await keepCopies(workbench.page);
    await shell.openOperation('getLauncherURL');
    const editor = await requests.openEditor();
    await editor.replace(`{"externalToken":"${token}","note":"of ${token}"}`);
    await requests.send.click();
    await expect(response.code).toHaveText('0 ok');
    const sizes = (await requests.hashInput.sizes.textContent()) ?? '';
    await requests.show('Form');
    expect(await uncovered(workbench.page)).toContain(token);
    await requests.form.panel.getByRole('button', { name: 'Hide session tokens' }).click();
    for (const [place, go] of Object.entries(places)) {
      await go({ workbench, shell, requests, response, history, palette });
      // Under a dialog, too, where a screen reader does not find it.
      await expect(workbench.page.getByText('Session tokens hidden')).toBeVisible();
      await expect.poll(() => uncovered(workbench.page), { message: place }).not.toMatch(parts);
    }
    await workbench.page.keyboard.press('Escape');
    await shell.goTo('Requests');
    await requests.overrides.open();
    await requests.overrides.clear();
    await requests.overrides.close();
    await expect(requests.hashInput.sizes).toHaveText(sizes);
    await response.show('Sent');
    await response.sent.copy('hash input');
    expect(await copied()).toContain(token);
    await shell.status.getByRole('button', { name: 'Session tokens hidden' }).click();
    await expect.poll(() => uncovered(workbench.page)).toContain(token);
  } finally {
    await server.close();
  }
});
