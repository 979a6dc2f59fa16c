import { expect } from '@playwright/test';
import { test } from './rules.ts';

/** Parts of Electron that nobody gets before it is ready, or after, and its checks of a dialog's options. */

test.use({
  shares: true,
  program: `
const { app, BrowserWindow, protocol, screen, session } = require('electron');
app.on('window-all-closed', () => undefined);
const attempt = (work) => {
  try {
    work();
    return 'nothing';
  } catch (error) {
    return String(error);
  }
};
const privileged = () => protocol.registerSchemesAsPrivileged([{ scheme: 'own', privileges: { standard: true } }]);
globalThis.attempt = attempt;
globalThis.privileged = privileged;
globalThis.before = {
  window: attempt(() => new BrowserWindow()),
  screen: attempt(() => screen.getPrimaryDisplay()),
  session: attempt(() => session.defaultSession),
  partition: attempt(() => session.fromPartition('own')),
  path: attempt(() => app.setPath('userData', 'here')),
  sandbox: attempt(() => app.enableSandbox()),
  privileged: attempt(privileged),
};
`,
});

interface Program {
  attempt(work: () => unknown): string;
  privileged(): void;
  before: Record<string, string>;
}

test('windows, screens and sessions come when Electron is ready, the sandbox and privileges before', async ({ electron }) => {
  const { before, after } = await electron.evaluate(async ({ app }) => {
    await app.whenReady();
    const { attempt, privileged, before } = globalThis as never as Program;
    return { before, after: [attempt(() => app.enableSandbox()), attempt(privileged)] };
  });
  expect(before).toEqual({
    window: 'Error: Cannot create BrowserWindow before app is ready',
    screen: "Error: The 'screen' module can't be used before the app 'ready' event",
    session: 'TypeError: Session can only be received when app is ready',
    partition: 'TypeError: Session can only be received when app is ready',
    path: 'Error: Path must be absolute',
    sandbox: 'nothing',
    privileged: 'nothing',
  });
  expect(after).toEqual([
    'Error: app.enableSandbox() can only be called before app is ready',
    'Error: protocol.registerSchemesAsPrivileged should be called before app is ready',
  ]);
});

test('a scheme has one handler', async ({ electron }) => {
  const told = await electron.evaluate(async ({ app, protocol }) => {
    await app.whenReady();
    const { attempt } = globalThis as never as Program;
    const handle = () => protocol.handle('own', () => new Response('here'));
    return [attempt(handle), attempt(handle)];
  });
  expect(told).toEqual(['nothing', 'Error: Failed to register protocol: own']);
});

test('a dialog looks at its options before it is shown', async ({ electron }) => {
  const told = await electron.evaluate(async ({ app, dialog }) => {
    await app.whenReady();
    const { attempt } = globalThis as never as Program;
    return [
      attempt(() => dialog.showMessageBoxSync({ message: 1 as never })),
      attempt(() => dialog.showMessageBoxSync({ message: 'm', detail: 1 as never })),
      attempt(() => dialog.showMessageBoxSync({ message: 'm', type: 'loud' as never })),
      attempt(() => dialog.showMessageBoxSync({ message: 'm', buttons: 'OK' as never })),
      attempt(() => dialog.showMessageBoxSync({ message: 'm', noLink: 1 as never })),
      attempt(() => void dialog.showOpenDialog({ title: 1 as never })),
      attempt(() => void dialog.showOpenDialog({ properties: 'openFile' as never })),
    ];
  });
  expect(told).toEqual([
    'TypeError: Message must be a string',
    'TypeError: Detail must be a string',
    'TypeError: Invalid message box type',
    'TypeError: Buttons must be an array',
    'TypeError: noLink must be a boolean',
    'TypeError: Title must be a string',
    'TypeError: Properties must be an array',
  ]);
});

test.describe('the double alone', () => {
  test.skip(({ hostName }) => hostName !== 'double');

  test('shows no dialog that no test answers, and none with options that Electron does not document', async ({ electron }) => {
    const told = await electron.evaluate(async ({ app, dialog }) => {
      await app.whenReady();
      const { attempt } = globalThis as never as Program;
      return [
        attempt(() => dialog.showMessageBoxSync({ message: 'm' })),
        attempt(() => dialog.showMessageBoxSync({ message: 'm', defaultID: 0 } as never)),
        attempt(() => dialog.showMessageBoxSync({ message: 'm', textWidth: 1 })),
        attempt(() => dialog.showCertificateTrustDialog({} as never)),
      ];
    });
    expect(told).toEqual([
      'Error: dialog.showMessageBoxSync was asked and the test gave no answer.',
      "Error: Electron's typings do not have MessageBoxOptions.defaultID.",
      'Error: The electron double does not have MessageBoxOptions.textWidth. Add it as Electron documents it.',
      'Error: The electron double does not have dialog.showCertificateTrustDialog. Add it as Electron documents it.',
    ]);
  });
});
