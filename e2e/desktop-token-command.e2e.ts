import type { MessageBoxOptions } from 'electron';
import { expect, test, type Workbench } from './fixtures.ts';

// None of these expects Chromium to prevent something: what the shell cannot do would pass for nothing.
/** Answers the system's boxes from now on with the button at `response`. Gives what was asked, each time. */
async function answerWith({ desktop }: Workbench, response: number): Promise<() => Promise<MessageBoxOptions[]>> {
  if (desktop === null) throw new Error('This is for the desktop.');
  const app = desktop.app();
  await app.evaluate(({ dialog }, answer) => {
    const asked: unknown[] = [];
    Reflect.set(globalThis, 'askedBoxes', asked);
    dialog.showMessageBox = ((_window: unknown, options: MessageBoxOptions) => {
      asked.push(options);
      return Promise.resolve({ response: answer, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
  }, response);
  return () => app.evaluate(() => Reflect.get(globalThis, 'askedBoxes') as MessageBoxOptions[]);
}

test("a program for session tokens is set only after the system's box, which the page cannot answer", async ({
  workbench,
  shell,
  environments,
}) => {
  const command = '/opt/tools/token "--brand=a b"';
  const field = workbench.page.getByLabel('Token command', { exact: false });
  const set = workbench.page.getByRole('button', { name: 'Set command' });
  const problem = workbench.page.getByRole('main', { name: 'Environments' }).locator('[id$="-error"]');
  const shown = async () => (await workbench.cli(['env', 'show', 'sandbox'])).stdout;
  await shell.goTo('Environments');
  await environments.open('sandbox');
  await expect(set).toBeDisabled();
  await answerWith(workbench, 1);
  await field.fill(command);
  await set.click();
  await expect(problem).toContainText('The command was not set. To set it, choose Allow when asked.');
  expect(await shown()).toMatch(/^token command +none$/m);

  const asked = await answerWith(workbench, 0);
  await field.press('Enter');
  await expect(set).toBeDisabled();
  await expect(field).toHaveValue(command);
  const [box] = await asked();
  expect(box).toMatchObject({ buttons: ['Allow', 'Cancel'], defaultId: 1, cancelId: 1 });
  expect(box?.message).toBe('Allow launches in sandbox to run a program that provides session tokens?');
  expect(box?.detail).toContain(command);
  expect(await shown()).toContain(`${command} (on this machine)`);

  await field.fill('/opt/tools/token | head');
  await set.click();
  await expect(problem).toContainText('runs without a shell, so | would do nothing');
  expect(await asked()).toHaveLength(1);
  await workbench.page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(field).toHaveValue('');
  expect(await shown()).toMatch(/^token command +none$/m);
});
