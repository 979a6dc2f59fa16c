import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import { keptTabs } from './kept-tabs.ts';
import { createOpenPointsScreen } from './pages/open-points.ts';
import { createRequest } from './pages/request.ts';
import { createShell } from './pages/shell.ts';
import {
  bounds,
  closedRecord,
  inGame,
  keyAgents,
  lastCall,
  makeCollection,
  openGame,
  prepareGame,
  silentEnvironment,
  walletCall,
  type Place,
} from './quit-scenes.ts';
import type { QuittingDesktop, Way } from './quitting-desktop.ts';

interface Scene {
  readonly desk: QuittingDesktop;
  readonly place: Place;
}

/** Something that is under way when the desktop has to quit. */
export interface Row {
  readonly what: string;
  readonly way: Way;
  readonly begin: (scene: Scene) => Promise<unknown>;
  /** The words about it, if it has to be ended by force. */
  readonly byForce?: string;
  /** Checks the files of the home afterwards. */
  readonly after?: (place: Place) => Promise<void>;
}

export const quitRows: readonly Row[] = [
  { what: 'nothing under way, by its window', way: 'window', begin: async () => undefined },
  { what: 'nothing under way, by the menu', way: 'menu', begin: async () => undefined },
  { what: 'nothing under way, by a signal', way: 'SIGTERM', begin: async () => undefined },
  {
    // It goes on until the signal that the system sends then.
    what: 'a terminal that is gone, and a message for it',
    way: 'SIGHUP',
    async begin({ desk }) {
      // The test needs the true one: Node says there that it waits for a debugger.
      await desk.app.evaluate(async () => {
        const { Writable } = process.getBuiltinModule('node:stream');
        const gone = new Writable({
          write: (_text, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
        });
        Object.defineProperty(process, 'stderr', { value: gone });
        const heard = new Promise((done) => gone.once('error', done));
        // A fault, which the desktop says there.
        setTimeout(() => {
          throw new Error('planted');
        });
        await heard;
      });
      await desk.call('app.info', {});
    },
  },
  { what: 'a game', way: 'window', begin: ({ desk }) => openGame(desk), after: closedRecord },
  {
    what: 'a game whose server does not respond',
    way: 'window',
    async begin({ desk }) {
      await desk.app.evaluate(({ app }) => {
        app.on('web-contents-created', (_event, contents) => contents.session.webRequest.onBeforeRequest(() => undefined));
      });
      const id = await prepareGame(desk);
      await desk.call('launches.open', { id, bounds });
    },
    after: closedRecord,
  },
  {
    what: 'a game that is being opened while the network does not respond',
    way: 'window',
    async begin({ desk }) {
      const id = await prepareGame(desk);
      await desk.app.evaluate(({ session }) => {
        const real = session.fromPartition;
        session.fromPartition = (name, options) =>
          Object.assign(real(name, options), { resolveProxy: () => new Promise<string>(() => undefined) });
      });
      await desk.begin('launches.open', { id, bounds });
    },
  },
  {
    what: 'a game that hangs',
    way: 'window',
    async begin({ desk }) {
      await openGame(desk);
      await inGame(desk, 'setTimeout(() => { console.log("hangs"); while (true) {} })', true);
    },
    after: closedRecord,
  },
  {
    what: 'a game that crashed',
    way: 'menu',
    async begin({ desk }) {
      await openGame(desk);
      await desk.app.evaluate(async ({ BrowserWindow }) => {
        const [view] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
        const { webContents: contents } = view as Electron.WebContentsView;
        // The process of the empty page that a view begins with is on its way out.
        while (contents.getURL() === 'about:blank' || contents.isLoading())
          await new Promise<void>((resolve) => contents.once('did-stop-loading', () => resolve()));
        const crashed = new Promise<void>((resolve) => contents.once('render-process-gone', () => resolve()));
        contents.forcefullyCrashRenderer();
        await crashed;
      });
    },
    after: closedRecord,
  },
  {
    what: 'a game that asks to stay',
    way: 'window',
    async begin({ desk }) {
      await openGame(desk);
      await inGame(desk, 'addEventListener("beforeunload", (event) => event.preventDefault())');
    },
    after: closedRecord,
  },
  {
    what: 'a game that downloads',
    way: 'SIGINT',
    async begin({ desk }) {
      await openGame(desk);
      await inGame(
        desk,
        // A launch is open before its page is.
        `const save = () => {
          const link = document.createElement('a'); link.href = 'data:application/octet-stream,abc'; link.download = 'x.bin';
          document.body.append(link); link.click();
        };
        if (document.readyState === 'loading') addEventListener('DOMContentLoaded', save); else save()`,
      );
    },
    after: closedRecord,
  },
  {
    what: 'a game whose session cannot be emptied',
    way: 'window',
    async begin({ desk }) {
      const id = await openGame(desk);
      await desk.app.evaluate(({ BrowserWindow }) => {
        const [view] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
        const { session } = (view as Electron.WebContentsView).webContents;
        session.clearStorageData = () => new Promise(() => undefined);
      });
      await desk.begin('launches.close', { id });
    },
    after: closedRecord,
  },
  {
    what: 'a call that nobody responds to',
    way: 'window',
    async begin({ desk, place }) {
      const environmentId = await silentEnvironment(desk, place);
      const asked = place.silent.asked();
      await desk.begin('calls.send', { draft: walletCall(environmentId), ticket: 'waits' });
      await asked;
    },
    after: async (place) => expect(lastCall(place)).toEqual({ operation: 'playerInfo', state: 'cancelled' }),
  },
  {
    what: 'a run',
    way: 'menu',
    async begin({ desk, place }) {
      const environmentId = await silentEnvironment(desk, place);
      const directory = await makeCollection(place, 'runs of a team');
      const asked = place.silent.asked();
      await desk.call('runs.start', { directory, environmentId });
      await asked;
    },
    async after(place) {
      expect(lastCall(place)).toEqual({ operation: 'playerInfo', state: 'cancelled' });
      const [name = ''] = (await readdir(path.join(place.surroundings.home, 'collection-runs'))).toSorted().toReversed();
      const report = await readFile(path.join(place.surroundings.home, 'collection-runs', name), 'utf8');
      expect(report.trimEnd().split('\n').at(-1)).toContain('"state":"cancelled"');
    },
  },
  {
    what: 'the question before production',
    way: 'window',
    async begin({ desk, place }) {
      const environmentId = await silentEnvironment(desk, place, true);
      const directory = await makeCollection(place, 'production');
      await expect(desk.call('runs.start', { directory, environmentId })).rejects.toThrow(/runs\.start/);
    },
  },
  {
    what: 'a message box',
    way: 'window',
    async begin({ desk }) {
      await desk.app.evaluate(({ dialog }) => void (dialog.showMessageBox = () => new Promise(() => undefined)));
      await desk.begin('app.openOutside', { url: 'https://example.com/' });
    },
  },
  {
    what: 'a dialog for directories',
    way: 'SIGHUP',
    async begin({ desk }) {
      await desk.app.evaluate(({ dialog }) => void (dialog.showOpenDialog = () => new Promise(() => undefined)));
      await desk.begin('app.pickDirectory', { purpose: 'open' });
    },
  },
  {
    what: 'the palette',
    way: 'window',
    async begin({ desk }) {
      const page = await desk.app.firstWindow();
      await expect(createShell(page).status).toContainText(/No key|fingerprint|session only/);
      await desk.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('palette')?.click());
      await expect(createShell(page).dialog).toContainText('Find anything');
    },
  },
  {
    what: 'a change that is not saved, and was to stay at first',
    way: 'menu',
    async begin({ desk }) {
      const page = await desk.app.firstWindow();
      await createShell(page).goTo('Open points');
      const openPoints = createOpenPointsScreen(page);
      await openPoints.open('How far time may be off');
      await openPoints.answer.fill('5');
      await desk.app.evaluate(async ({ app, dialog }) => {
        await new Promise<void>((resolve) => {
          dialog.showMessageBoxSync = () => {
            setTimeout(resolve);
            return 0;
          };
          app.quit();
        });
        dialog.showMessageBoxSync = () => 1;
      });
      await desk.call('app.info', {});
    },
  },
  {
    what: 'a request that was just typed',
    way: 'SIGTERM',
    async begin({ desk }) {
      const page = await desk.app.firstWindow();
      await createShell(page).openOperation('getGameRound');
      await (await createRequest(page).openEditor()).replace('{"roundId": 77000000000000001}');
    },
    after: async ({ surroundings }) => expect(keptTabs(surroundings.home)).toContain('77000000000000001'),
  },
  {
    what: 'a save',
    way: 'SIGINT',
    async begin({ desk, place }) {
      const directory = await makeCollection(place, 'save');
      const { id } = await desk.call('collections.open', { directory });
      const { revision } = await desk.call('collections.read', { id, path: 'one.yaml' });
      const data = `{"note": "${'x'.repeat(1_000_000)}"}`;
      await desk.begin('collections.save', { id, path: 'one.yaml', revision, request: { operation: 'win', data } });
    },
    async after({ surroundings }) {
      const text = await readFile(path.join(surroundings.folder, 'save', 'one.yaml'), 'utf8');
      expect([text.startsWith('operation: win'), text.length > 1_000_000]).toEqual([true, true]);
    },
  },
  {
    what: 'an import',
    way: 'window',
    async begin({ desk, place }) {
      const directory = await makeCollection(place, 'import');
      const { id } = await desk.call('collections.open', { directory });
      const command = `curl -d '{"action":"gameList","currency":"EUR"}' https://example.com/serviceApi.php`;
      await desk.begin('collections.import', { id, folder: '', files: [{ name: '', text: `${command}\n`.repeat(20) }] });
    },
    async after({ surroundings }) {
      const names = await readdir(path.join(surroundings.folder, 'import'));
      expect(names.filter((name) => name.startsWith('gameList'))).toHaveLength(20);
    },
  },
  {
    what: 'an export',
    way: 'menu',
    async begin({ desk }) {
      const id = await openGame(desk);
      await desk.begin('launches.export', { ids: [id], as: 'folder' });
    },
  },
  {
    what: 'a key agent that hangs',
    way: 'window',
    async begin({ desk }) {
      for (const pid of await keyAgents(desk)) process.kill(pid, 'SIGSTOP');
      await desk.begin('calls.send', {
        draft: { environmentId: 'sandbox', operation: 'gameList', form: 'main', text: '{"currency": "EUR"}' },
        ticket: 'signs',
      });
      await desk.begin('keys.status', { environmentId: 'sandbox' });
    },
  },
  {
    what: 'a key agent that failed',
    way: 'window',
    async begin({ desk }) {
      await desk.app.evaluate(({ utilityProcess }) => {
        const real = utilityProcess.fork;
        utilityProcess.fork = (...given) => {
          const child = real(...given);
          Reflect.set(globalThis, 'lastChild', child);
          return child;
        };
      });
      for (const pid of await keyAgents(desk)) process.kill(pid, 'SIGKILL');
      const { id } = await desk.call('environments.create', {
        environment: { name: 'failing', baseUrl: 'https://localhost:1', platform: 1, partnerId: 2, production: false },
      });
      await desk.call('keys.status', { environmentId: id });
      // As Electron does after a failure of V8 in it.
      await desk.app.evaluate(() => {
        const child = Reflect.get(globalThis, 'lastChild') as Electron.UtilityProcess;
        child.emit('error', 'FatalError', 'here', 'report');
        if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
      });
    },
  },
  {
    what: 'a page that crashed',
    way: 'menu',
    async begin({ desk }) {
      await desk.app.evaluate(async ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        const crashed = new Promise<void>((resolve) => contents?.once('render-process-gone', () => resolve()));
        contents?.forcefullyCrashRenderer();
        await crashed;
      });
    },
  },
  {
    what: 'a page that hangs',
    way: 'window',
    async begin({ desk }) {
      await desk.app.evaluate(async ({ BrowserWindow }) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        const hangs = new Promise<void>((resolve) => contents?.on('console-message', () => resolve()));
        void contents?.executeJavaScript('console.log("hangs"); while (true) {}').catch(() => undefined);
        await hangs;
      });
    },
  },
  {
    what: 'a search of the history that hangs',
    way: 'window',
    async begin({ desk }) {
      await desk.call('calls.list', { limit: 1, text: 'nothing' });
      await desk.app.evaluate(() => {
        const { Worker } = process.getBuiltinModule('node:worker_threads');
        Worker.prototype.postMessage = () => undefined;
        Worker.prototype.terminate = () => new Promise(() => undefined);
      });
    },
    byForce: 'The history search did not end within 2.5 s. Croupier exits anyway.',
  },
  {
    what: 'a large directory that is watched',
    way: 'window',
    async begin({ desk, place }) {
      const directory = await makeCollection(place, 'large');
      for (let folder = 0; folder < 400; folder++) await mkdir(path.join(directory, `folder ${folder}`));
      const { id } = await desk.call('collections.open', { directory });
      await desk.call('collections.tree', { id });
      await writeFile(path.join(directory, 'folder 7', 'new.yaml'), 'operation: gameList\n');
    },
  },
];
