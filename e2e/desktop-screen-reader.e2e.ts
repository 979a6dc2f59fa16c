import { expect, test } from './fixtures.ts';

test('editors write their text while a screen reader runs, or as the user chooses, and say their keys', async ({
  workbench,
  shell,
  requests,
  response,
}) => {
  const { page, desktop } = workbench;
  /** Returns the element of an editor that a screen reader reads; Monaco fills it once it has the focus. */
  const editor = (name: string) => page.getByRole('textbox', { name });
  const heard = async (name: string) => {
    await editor(name).focus();
    return expect(editor(name));
  };
  await shell.openOperation('getLauncherURL');
  await requests.openEditor();
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
  await (await heard('Response of getLauncherURL')).toHaveText('');
  await expect(editor('Response of getLauncherURL')).toHaveAccessibleDescription(
    'Read-only. Tab moves on. Alt+F2 opens the text in a plain field.',
  );
  await expect(editor('Data of getLauncherURL, JSON')).toHaveAccessibleDescription(/Tab indents; Ctrl\+M makes Tab move on\./);

  await desktop?.app().evaluate(({ app }) => void (app.accessibilitySupportEnabled = true));
  await (await heard('Response of getLauncherURL')).toContainText('"launcherURL": "https://');
  await (await heard('Next hash input')).toContainText('<PRIVATE_KEY>');
  await (await heard('Data of getLauncherURL, JSON')).toContainText('"gameMode": "fun"');

  // Its keys, and the text in a field that needs no editor.
  await page.keyboard.press('Alt+F1');
  await expect(shell.dialog).toContainText('Ctrl+M');
  await shell.dismiss();
  await expect(editor('Data of getLauncherURL, JSON')).toBeFocused();
  // What only eyes get is not part of a name, and keys pressed twice do not explain the dialog's own button.
  await shell.topBar.getByRole('button', { name: 'Find anything' }).focus();
  for (let times = 0; times < 2; times += 1) {
    await page.keyboard.press('Alt+F1');
    await expect(shell.dialog.getByRole('button', { name: 'Close' })).toBeFocused();
    await expect(shell.dialog).toHaveAccessibleName('Find anything');
    await expect(shell.dialog).toHaveAccessibleDescription(/^Button ?Enter or Space Presses it\. .*F6 Next pane\./);
  }
  await shell.dismiss();
  await requests.hashInput.show('Hex');
  await editor('Next hash input').focus();
  await page.keyboard.press('Alt+F2');
  await expect(shell.dialog.getByRole('textbox')).toHaveValue(/^00000000 {2}key, 64 bytes, hidden\n/);
  await shell.dismiss();

  await shell.goTo('Settings');
  await expect(shell.main).toContainText('The system reports one.');
  await page
    .getByRole('group', { name: 'Screen reader' })
    .or(page.getByRole('radiogroup', { name: 'Screen reader' }))
    .getByRole('radio', { name: 'Off' })
    .click();
  await shell.goTo('Requests');
  await (await heard('Data of getLauncherURL, JSON')).toHaveText('');
});
