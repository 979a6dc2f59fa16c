import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { expect, test, type Workbench } from './fixtures.ts';
import { doublePath, type DesktopHost } from './electron-host.ts';
import { brokenStart, shownBoxes } from './planted-fault.ts';
import { descendants, isRunning, makeSurroundings, root, watch, type Finished } from './program.ts';

function desktopOf({ desktop }: Workbench): DesktopHost {
  if (desktop === null) throw new Error('Not the desktop.');
  return desktop;
}

test('what nobody catches in main is shown once, and the desktop goes on', async ({ workbench, shell, requests, response }) => {
  const { app } = desktopOf(workbench);
  workbench.expectComplaint(/^croupier: (?:TypeError: planted with \[hidden\]|RangeError: planted rejection| {4}at )/);
  await app().evaluate(() => {
    setImmediate(() => {
      throw new TypeError("planted with 'a value of the user'");
    });
  });
  await expect(shell.fault).toContainText('An error in Croupier: TypeError: planted with [hidden]. What you typed is kept.');
  await app().evaluate(() => void setImmediate(() => void Promise.reject(new RangeError('planted rejection'))));
  await expect(shell.fault).toContainText('RangeError: planted rejection');
  await expect(shell.fault).toHaveCount(1);
  await requests.send.click();
  await expect(response.code).toHaveText('0 ok');
});

test('a call that main does not take is a fault of its screen alone', async ({ workbench, shell, history }) => {
  const { app } = desktopOf(workbench);
  // Electron's own words about it.
  workbench.expectComplaint(/Error occurred in handler for 'call'|^ {2,}at |^}?$/);
  await app().evaluate(({ ipcMain }) => {
    type Handler = Parameters<typeof ipcMain.handle>[1];
    const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> };
    const take = handlers.get('call');
    if (take === undefined) throw new Error('The desktop takes no calls.');
    handlers.set('call', (event, ...values: unknown[]): unknown => {
      if (values[0] === 'calls.list' && Reflect.get(globalThis, 'mended') !== true) throw new TypeError('planted');
      return take(event, ...values) as unknown;
    });
  });
  await shell.goTo('History');
  await expect(shell.main.getByRole('alert')).toContainText('An error in Croupier stopped this.');
  await expect(shell.fault).toContainText('TypeError: planted');
  await expect(shell.fault).toHaveCount(1);
  await expect(shell.loading).toHaveCount(0);
  await app().evaluate(() => void Reflect.set(globalThis, 'mended', true));
  await shell.main.getByRole('button', { name: 'Try again' }).click();
  await expect(history.empty).toBeVisible();
});

/** Starts a desktop that cannot start; returns its end, with the boxes that it shows. */
async function startWith(plant: string, prepare: (home: string) => Promise<void>): Promise<Finished> {
  const surroundings = await makeSurroundings(plant);
  try {
    await prepare(surroundings.home);
    const chromium = process.env['CHROMIUM_PATH'];
    const env = { ...surroundings.env, ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }) };
    const child = spawn(doublePath, ['-r', surroundings.plant ?? '', root], { cwd: surroundings.folder, env });
    const helpers = new Set<number>();
    const look = setInterval(() => descendants(child.pid ?? -1).forEach((pid) => helpers.add(pid)), 50);
    const finished = await watch(child).finished;
    clearInterval(look);
    await expect.poll(() => [...helpers].filter(isRunning)).toEqual([]);
    return finished;
  } finally {
    await surroundings.remove();
  }
}

test.describe('A desktop that cannot start', () => {
  test('says a fault once, with what to do, and ends', async () => {
    const { code, stdout, stderr } = await startWith(shownBoxes + brokenStart, async () => undefined);
    expect(code).toBe(70);
    expect(stdout).toBe(
      "Croupier could not start: An error in Croupier: TypeError: Cannot read properties of undefined (reading 'handler'). Start Croupier again. If that fails, report this message.\n",
    );
    expect(stderr).toMatch(/^croupier: TypeError: .*\ncroupier: {5}at /m);
  });

  test('says a refusal as it is, and ends', async () => {
    const { code, stdout } = await startWith(shownBoxes, (home) => writeFile(home, ''));
    expect(code).toBe(70);
    expect(stdout).toMatch(
      /^Croupier could not start: Croupier cannot write to .*: a file is in the place of its folder\. Rename or move it\. Or .*\n$/,
    );
  });
});

const many = `for (let i = 0; i < 12; i += 1) setImmediate(() => { throw new Error('planted ' + i); });`;
const moments = {
  'before its window': `
    const { protocol } = require('electron');
    const { handle } = protocol;
    protocol.handle = (...given) => { ${many} return handle.apply(protocol, given); };`,
  'with its page': `
    const { BrowserWindow } = require('electron');
    const looking = setInterval(() => {
      if (BrowserWindow.getAllWindows().length === 0) return;
      clearInterval(looking);
      ${many}
    }, 50);`,
};
for (const [moment, code] of Object.entries(moments)) {
  test(`too many faults in a minute end it with a sentence, ${moment}`, async () => {
    const ended = await startWith(`${shownBoxes}{${code}}`, async () => undefined);
    expect(ended.code).toBe(70);
    expect(ended.stdout).toBe(
      'Croupier is closing: Croupier had too many errors in one minute. Everything recorded is kept. Start Croupier again.\n',
    );
  });
}
