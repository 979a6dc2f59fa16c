import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, outside } from '#testing/page/playwright.ts';
import { test } from '#testing/page/test.ts';
import { createLook } from '../../../../e2e/audit.ts';

test('A save asks about values that look like secrets, all in one list', async ({ workbench, shell, collections, requests }) => {
  const folder = join(dirname(workbench.home), 'secrets');
  await outside.writeFiles(folder, {
    'collection.yaml': '',
    'info.yaml': 'operation: playerInfo\ndata: |\n  {"externalToken": "t"}\n',
  });
  const written = () => readFile(join(folder, 'info.yaml'), 'utf8');
  await collections.openDirectory(folder);
  await collections.open('info');
  const editor = await requests.openEditor();
  await editor.replace('{"externalToken": "t", "apiSecret": "hunter2-x", "trace": "9f86d081884c7d659a2feaa0c55ad015"}');
  await workbench.page.keyboard.press('ControlOrMeta+S');
  await expect(shell.dialog).toContainText('Save 2 possible secrets?');
  await expect(shell.dialog.getByRole('listitem')).toHaveText([
    'apiSecret, recognised by its name',
    'trace, recognised by its value',
  ]);
  const { found, look } = createLook(workbench);
  await look('the question before secrets are saved');
  expect(found).toEqual([]);
  await shell.dialog.getByRole('button', { name: "Don't save" }).click();
  await expect(shell.main).toContainText('apiSecret, trace look like secrets');
  expect(await written()).not.toContain('hunter2');

  // A long list in a small window does not push the buttons out of sight.
  await editor.replace(`{${Array.from({ length: 30 }, (_, at) => `"apiSecret${at}": "hunter2-x"`).join(',')}}`);
  await workbench.resize(720, 450);
  await workbench.page.keyboard.press('ControlOrMeta+S');
  await expect(shell.dialog.getByRole('listitem')).toHaveCount(30);
  const save = shell.dialog.getByRole('button', { name: 'Save anyway' });
  const bottom = async (locator: typeof save) => {
    const box = await locator.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  expect(await bottom(save)).toBeLessThan(await bottom(shell.dialog));
  await save.click();
  await expect.poll(written).toContain('hunter2-x');
});
