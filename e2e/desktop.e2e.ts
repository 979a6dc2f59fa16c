import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { doublePath, type DesktopHost } from './electron-host.ts';
import { keptTabs } from './kept-tabs.ts';
import { expect, test, type Workbench } from './fixtures.ts';
import { root, watch } from './program.ts';

// None of these expects Chromium to prevent something: what the shell cannot do would pass for nothing.
/** Features of a desktop alone: a window, a menu, one instance, a page whose process can end. */
function desktopOf({ desktop }: Workbench): DesktopHost {
  if (desktop === null) throw new Error('Not the desktop host.');
  return desktop;
}

/** Returns the remembered bounds, as they are in the home. */
function rememberedWindow(workbench: Workbench): unknown {
  const settings = JSON.parse(settingsText(workbench) || '{}') as Record<string, string>;
  return JSON.parse(settings['desktopWindow'] ?? 'null');
}

/** Returns all remembered settings; nothing if none were written yet. */
function settingsText({ home }: Workbench): string {
  const file = path.join(home, 'settings.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

test.describe('The window', () => {
  test('opens as it was left, also when it was maximised', async ({ workbench }) => {
    const bounds = { x: 120, y: 80, width: 1100, height: 760 };
    await desktopOf(workbench)
      .app()
      .evaluate(({ BrowserWindow }, wanted) => {
        const [window] = BrowserWindow.getAllWindows();
        window?.setBounds(wanted);
        window?.maximize();
      }, bounds);
    await expect.poll(() => rememberedWindow(workbench)).toEqual({ bounds, maximized: true });
    await workbench.restart();
    const opened = () =>
      desktopOf(workbench)
        .app()
        .evaluate(({ BrowserWindow }) => {
          const [window] = BrowserWindow.getAllWindows();
          return { bounds: window?.getNormalBounds(), maximized: window?.isMaximized(), visible: window?.isVisible() };
        });
    // It is shown when it has something to show.
    await expect.poll(opened).toEqual({ bounds, maximized: true, visible: true });
  });

  test('is remembered when it closes right after it was moved', async ({ workbench }) => {
    const bounds = { x: 10, y: 20, width: 900, height: 640 };
    await desktopOf(workbench)
      .app()
      .evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted), bounds);
    await workbench.restart();
    expect(rememberedWindow(workbench)).toEqual({ bounds, maximized: false });
  });

  test('comes to the front when the program is started a second time on the same home', async ({ workbench }) => {
    const { app } = desktopOf(workbench);
    await app().evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.minimize();
      window?.hide();
    });
    const executable = workbench.hostName === 'double' ? doublePath : (app().process().spawnfile ?? '');
    const { env } = desktopOf(workbench);
    const second = await watch(spawn(executable, [root], { cwd: root, env })).finished;
    expect(second.code).toBe(0);
    await expect
      .poll(() =>
        app().evaluate(({ BrowserWindow }) => {
          const windows = BrowserWindow.getAllWindows();
          return windows.map((window) => ({ visible: window.isVisible(), minimized: window.isMinimized() }));
        }),
      )
      .toEqual([{ visible: true, minimized: false }]);
  });

  test('asks before unsaved changes are lost, and stays when told to', async ({ workbench, shell, openPoints }) => {
    await shell.goTo('Open points');
    await openPoints.open('How far time may be off');
    await openPoints.answer.fill('5');
    const { app } = desktopOf(workbench);
    const asked = await app().evaluate(async ({ BrowserWindow, dialog }) => {
      const [window] = BrowserWindow.getAllWindows();
      if (window === undefined) return null;
      return await new Promise((resolve) => {
        // 0 is Stay.
        dialog.showMessageBoxSync = (_window: unknown, options?: { message: string; buttons?: string[] }) => {
          setTimeout(() => resolve({ ...options, open: BrowserWindow.getAllWindows().length }));
          return 0;
        };
        window.close();
      });
    });
    expect(asked).toMatchObject({
      message: 'You have unsaved changes.',
      buttons: ['Stay', 'Leave without saving'],
      open: 1,
    });
    await expect(openPoints.answer).toHaveValue('5');
    await app().evaluate(({ dialog }) => {
      dialog.showMessageBoxSync = () => 1;
    });
  });
});

test.describe('The menu', () => {
  test('has the commands of the palette and runs them in the page', async ({ workbench, shell, requests }) => {
    const { app } = desktopOf(workbench);
    const choose = (id: string) =>
      app().evaluate(({ Menu, BrowserWindow }, wanted) => {
        const item = Menu.getApplicationMenu()?.getMenuItemById(wanted);
        if (item === null || item === undefined) throw new Error(`No menu item ${wanted}`);
        item.click(undefined, BrowserWindow.getAllWindows()[0]);
      }, id);
    await choose('history');
    await expect(shell.area('History')).toHaveAttribute('aria-current', 'page');
    await choose('newTab');
    await expect(requests.tabs).toHaveCount(2);
    await choose('closeTab');
    await expect(requests.tabs).toHaveCount(1);
    await choose('help');
    await expect(shell.dialog).toContainText('Keyboard shortcuts');
    // A dialog is open, so a command that would act behind it does nothing.
    await choose('newTab');
    await choose('palette');
    await expect(shell.dialog).toContainText('Find anything');
    await shell.dismiss();
    await expect(requests.tabs).toHaveCount(1);
  });
});

test.describe('A page whose process ends', () => {
  test('is shown again with what was typed in it', async ({ workbench, shell, requests }) => {
    const { app } = desktopOf(workbench);
    await shell.openOperation('getGameRound');
    const editor = await requests.openEditor();
    await editor.replace('{"roundId": 77000000000000001}');
    await expect.poll(() => keptTabs(workbench.home)).toContain('77000000000000001');
    workbench.troubles.expect(/the page crashed/);
    await app().evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
    // The test's own page object does not outlive the process; main asks the page.
    await expect
      .poll(() =>
        app().evaluate(async ({ BrowserWindow }) => {
          const [window] = BrowserWindow.getAllWindows();
          if (window === undefined || window.webContents.isCrashed()) return '';
          return String(await window.webContents.executeJavaScript('document.body.innerText').catch(() => ''));
        }),
      )
      // The bytes of the typed text, in the hash input.
      .toContain('data 29 B');
    await workbench.restart();
    await expect(requests.tabs).toHaveText([/gameList/, /getGameRound/]);
    await expect.poll(() => editor.text()).toContain('{"roundId": 77000000000000001}');
  });

  test('is not started again forever: after three times within a minute the user is asked', async ({ workbench }) => {
    const { app } = desktopOf(workbench);
    workbench.troubles.expect(/the page crashed/);
    const outcome = await app().evaluate(async ({ BrowserWindow, dialog }) => {
      const [window] = BrowserWindow.getAllWindows();
      if (window === undefined) return null;
      const { webContents } = window;
      const asked: string[] = [];
      let reloads = 0;
      webContents.reload = () => void (reloads += 1);
      dialog.showMessageBox = ((_window: unknown, options: { message: string }) => {
        asked.push(options.message);
        return Promise.resolve({ response: 0, checkboxChecked: false });
      }) as typeof dialog.showMessageBox;
      const gone = { reason: 'crashed', exitCode: 1 };
      for (let count = 0; count < 4; count++) webContents.emit('render-process-gone', {}, gone);
      webContents.emit('render-process-gone', {}, { reason: 'clean-exit', exitCode: 0 });
      await new Promise((resolve) => setTimeout(resolve));
      return { reloads, asked };
    });
    // Three by itself, one that the user confirmed with "Try again".
    expect(outcome).toEqual({ reloads: 4, asked: ['The page crashed several times.'] });
  });
});
