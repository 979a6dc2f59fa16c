import './without-debugger.ts';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app, dialog, Menu, protocol, session, BrowserWindow } from 'electron';
import { createApp, resolveHome } from '#core/app/app.ts';
import { ownFolder } from '#core/host/own-folder.ts';
import { within } from '#core/host/within.ts';
import { describeFault, isFault } from '#shared/faults.ts';
import { createClient } from '#shared/ipc/client.ts';
import type { SettingName } from '#shared/ipc/settings.ts';
import { pagePolicy } from '#shared/page-policy.ts';
import { readShortcuts, type Shortcuts } from '#shared/shortcuts.ts';
import { killProcess } from '../process/end.ts';
import { noteError, ownTerminal } from '../process/terminal.ts';
import { createCommandLine } from './command-line.ts';
import { createGameViews } from './game-view.ts';
import { chromeAgent } from './game-surroundings.ts';
import { createGameSessions } from './game-session.ts';
import { guardContents, keepOffNetwork, lockDownSession } from './guards.ts';
import { createDesktopHost } from './host.ts';
import { inspectGames, inspectPage } from './inspect.ts';
import { becomeTheInstance, markLeaving } from './single-instance.ts';
import { joinPage, type PageLine } from './ipc.ts';
import { putKeyboardIntoPage, shareKeyboard } from './keyboard.ts';
import { silenceLoadWarnings } from './load-warnings.ts';
import { menuTemplate, type MenuActions } from './menu-template.ts';
import { pageScheme } from './page-origin.ts';
import { createPageHandler } from './page-protocol.ts';
import { answerLogins } from './proxy-logins.ts';
import { closeWaysRoundProxy } from './proxy-switches.ts';
import { refuseWithoutSandbox } from './window-preferences.ts';
import { ask, openWindow, showWindow, zoomPage } from './window.ts';

const built = import.meta.dirname;
// Whoever started the desktop from a terminal may close that: its window goes on.
const terminal = ownTerminal();
const rememberedAs = 'desktopWindow' satisfies SettingName;
const followedAs = 'shortcuts' satisfies SettingName;

/** Runs the desktop until its last window is closed. */
async function main(): Promise<void> {
  const home = resolveHome(process.env);
  // One instance per home: this folder holds the lock.
  const folder = join(home, 'desktop');
  app.setPath('userData', folder);
  if (!becomeTheInstance(folder)) return app.quit();
  silenceLoadWarnings(process);
  app.enableSandbox();
  // Providers that look at it treat a game as in a player's Chrome.
  app.userAgentFallback = chromeAgent(app.userAgentFallback);
  closeWaysRoundProxy(app.commandLine);
  protocol.registerSchemesAsPrivileged([
    { scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
  const guards = guardContents();
  let shortcuts: Shortcuts = {};
  shareKeyboard(() => shortcuts);
  app.on('second-instance', showWindow);
  app.on('activate', showWindow);
  app.on('window-all-closed', () => app.quit());
  await app.whenReady();
  refuseWithoutSandbox(app);

  const games = createGameSessions({ fromPartition: (name) => session.fromPartition(name), logins: answerLogins(app) });
  const workbench = await createApp({
    home,
    host: createDesktopHost({
      version: app.getVersion(),
      versions: process.versions,
      keyAgent: join(built, 'key-agent.cjs'),
      searchWorker: join(built, 'search-worker.cjs'),
      readingWorker: join(built, 'reading-worker.cjs'),
      exportWorker: join(built, 'export-worker.cjs'),
      env: process.env,
      gameViews: createGameViews(guards, games),
      starters: ownFolder(join(built, '..', '..', 'starter-collections')),
      licences: () => ownFolder(join(built, '..')).read('licences.txt'),
    }),
    onFault: say,
  });
  let gaveUp = false;
  takeUncaught = (error) => {
    if (workbench.uncaught(error) || gaveUp) return;
    gaveUp = true;
    dialog.showErrorBox(
      'Croupier is closing',
      'Croupier had too many errors in one minute. Everything recorded is kept. Start Croupier again.',
    );
    app.quit();
  };
  let line: PageLine | null = null;
  let leaving: Promise<void> | null = null;
  let closed = false;
  // From now on quitting waits for open work. Not `before-quit`, because the page still saves the typed text while its window
  // closes.
  app.on('will-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    markLeaving(folder);
    leaving ??= leave();
  });
  async function leave(): Promise<void> {
    line?.leave();
    const complete = await workbench.close();
    // Sockets on this machine, which would also close when the program ends.
    await within(1_000, games.close()).catch(say);
    closed = true;
    if (gaveUp) app.exit(70);
    else if (complete) app.quit();
    else endNow();
  }
  const client = createClient(workbench.transport);
  lockDownSession(session.defaultSession);
  keepOffNetwork(session.defaultSession, !app.isPackaged);
  const readPage = () =>
    createPageHandler({
      folder: ownFolder(join(built, '..', 'renderer')),
      policy: () => pagePolicy({ frame: null }),
      body: (callId, part) => workbench.body(callId, part),
      picture: (id) => workbench.picture(id),
    });
  let page = await readPage();
  if (leaving !== null) return;
  protocol.handle(pageScheme, (request) => page(request));
  followBuilds(async () => void (page = await readPage()), say);
  const joined = joinPage(workbench);
  line = joined;
  const { platform, resourcesPath: resources, env } = process;
  const commandLine = app.isPackaged
    ? createCommandLine({ platform, resources, version: app.getVersion(), userFolder: homedir(), env })
    : null;
  const actions: MenuActions = {
    choose(id) {
      putKeyboardIntoPage(id);
      joined.tell('app.commandChosen', { id });
    },
    zoom: zoomPage,
    commandLine: commandLine && (() => void commandLine.show(ask)),
    inspect: app.isPackaged ? null : { page: inspectPage, game: () => void inspectGames() },
  };
  function follow(text: string | undefined): void {
    shortcuts = readShortcuts(text);
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, process.platform === 'darwin', shortcuts)));
  }
  follow(undefined);
  client.on('settings.changed', ({ name, value }) => {
    if (name === followedAs) follow(value);
  });
  await workbench.startSandbox();

  function remember(value: string): void {
    client.call('settings.write', { name: rememberedAs, value }).catch(say);
  }

  const { values } = await client.call('settings.read', {}).catch(() => ({ values: {} as Record<string, string> }));
  if (leaving !== null) return;
  follow(values[followedAs]);
  openWindow({
    preload: join(built, '..', 'preload', 'preload.cjs'),
    icon: join(built, '..', '..', 'resources', 'icon.png'),
    remembered: values[rememberedAs],
    remember,
  });
}

/** Ends the process after everything is written: even `app.exit` waits for a thread in an SQLite statement, and for a DNS lookup. */
function endNow(): void {
  app.releaseSingleInstanceLock();
  killProcess();
}

function say(error: unknown): void {
  noteError(error, terminal);
}

let endsUnstarted = false;

/** Says once why Croupier could not start, and ends. More faults may come while the box waits for its button. */
function endUnstarted(error: unknown): void {
  say(error);
  if (endsUnstarted) return;
  endsUnstarted = true;
  // A user who starts from an icon does not see standard error.
  const message = isFault(error)
    ? `An error in Croupier: ${describeFault(error).message}. Start Croupier again. If that fails, report this message.`
    : (error as Error).message;
  dialog.showErrorBox('Croupier could not start', message);
  app.exit(70);
}

/** Handler of uncaught errors in this process. Electron itself would show each with its stack, and continue. */
let takeUncaught = endUnstarted;
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => takeUncaught(error));
}

main().catch(endUnstarted);

/** Reloads the page after each build of `npm run dev`, if that started this program. `read` reads its files. */
function followBuilds(read: () => Promise<void>, onFault: (error: unknown) => void): void {
  if (app.isPackaged || process.send === undefined) return;
  process.on('message', (message) => {
    if (message === 'page-built') void showAnew(read).catch(onFault);
  });
}

async function showAnew(read: () => Promise<void>): Promise<void> {
  await read();
  for (const { webContents } of BrowserWindow.getAllWindows()) webContents.reload();
}
