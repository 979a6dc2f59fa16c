import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test as base } from '@playwright/test';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import type { HostOptions } from './fixtures.ts';
import { createEnvironmentsScreen } from './pages/environments.ts';
import { createRequest } from './pages/request.ts';
import { createShell } from './pages/shell.ts';
import { executableOf, startQuittingDesktop, type QuittingDesktop, type Way } from './quitting-desktop.ts';
import { descendants, makeSurroundings, type Surroundings } from './program.ts';

/** A server that takes requests and never responds to one. */
interface SilentServer extends TestServer {
  /** The next request that it gets. */
  asked(): Promise<void>;
}

interface Place {
  readonly surroundings: Surroundings;
  readonly silent: SilentServer;
  /** What the home was left by: its next start is the test after it. */
  before: string;
}

/** One home for all rows of a worker: each start is the next one after the quit of the row before. */
const test = base.extend<HostOptions & { desk: QuittingDesktop }, { place: Place }>({
  hostName: ['double', { option: true }],
  place: [
    async ({}, provide) => {
      const surroundings = await makeSurroundings();
      const waiting = new Set<() => void>();
      const server = await startHttpsServer(() => {
        for (const tell of waiting) tell();
        waiting.clear();
        return new Promise(() => undefined);
      });
      const silent = { ...server, asked: () => new Promise<void>((resolve) => waiting.add(resolve)) };
      await provide({ surroundings, silent, before: 'nothing' });
      await server.close();
      await surroundings.remove();
    },
    { scope: 'worker' },
  ],
  desk: async ({ hostName, place }, provide) => {
    const desk = await startQuittingDesktop(place.surroundings, executableOf(hostName)).catch((cause: unknown) => {
      throw new Error(`It did not start after it was quit with ${place.before}.`, { cause });
    });
    await provide(desk);
    desk.kill();
  },
});

interface Scene {
  readonly desk: QuittingDesktop;
  readonly place: Place;
}

interface Row {
  readonly what: string;
  readonly way: Way;
  readonly begin: (scene: Scene) => Promise<unknown>;
  /** Where it has to be ended by force: the words for it. */
  readonly byForce?: string;
  /** What has to be true afterwards, of the files of the home. */
  readonly after?: (place: Place) => Promise<void>;
}

const rows: readonly Row[] = [
  { what: 'nothing under way, by its window', way: 'window', begin: async () => undefined },
  { what: 'nothing under way, by the menu', way: 'menu', begin: async () => undefined },
  { what: 'nothing under way, by a signal', way: 'signal', begin: async () => undefined },
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
    way: 'signal',
    async begin({ desk }) {
      await openGame(desk);
      await inGame(
        desk,
        `const link = document.createElement('a'); link.href = 'data:application/octet-stream,abc'; link.download = 'x.bin';
        document.body.append(link); link.click()`,
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
    way: 'signal',
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
      await expect(createShell(page).status).toContainText(/No key|fingerprint/);
      await desk.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('palette')?.click());
      await expect(createShell(page).dialog).toContainText('Find anything');
    },
  },
  {
    what: 'a change that is not saved, and was to stay at first',
    way: 'menu',
    async begin({ desk }) {
      const page = await desk.app.firstWindow();
      await createShell(page).goTo('Environments');
      const environments = createEnvironmentsScreen(page);
      await environments.open('sandbox');
      await environments.field('Name').fill('changed');
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
    way: 'signal',
    async begin({ desk }) {
      const page = await desk.app.firstWindow();
      await createShell(page).openOperation('getGameRound');
      await (await createRequest(page).openEditor()).replace('{"roundId": 77000000000000001}');
    },
    after: async ({ surroundings }) =>
      expect(await readFile(path.join(surroundings.home, 'settings.json'), 'utf8')).toContain('77000000000000001'),
  },
  {
    what: 'a save',
    way: 'signal',
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
      await desk.begin('launches.export', { id, as: 'folder' });
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
    byForce: 'The search of the history did not end within 2.5 s, and ends with the program.',
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

for (const row of rows) {
  test(`it quits with ${row.what}`, async ({ desk, place }) => {
    await row.begin({ desk, place });
    const ended = await desk.quit(row.way);
    place.before = row.what;
    const forced = { code: 'SIGKILL', left: [], stderr: `croupier: ${row.byForce}\n` };
    expect(ended).toEqual(row.byForce === undefined ? { code: 0, left: [], stderr: '' } : forced);
    expect(await leftIn(place.surroundings.home)).toEqual([]);
    await row.after?.(place);
    expect(unfinished(place)).toEqual([]);
  });
}

const bounds = { x: 0, y: 60, width: 390, height: 700 };

async function prepareGame(desk: QuittingDesktop): Promise<string> {
  const { id, problem } = await desk.call('launches.prepare', {
    environmentId: 'sandbox',
    gameMode: 'fun',
    gameId: '1001',
    lang: 'en',
    playerId: 'p',
    country: 'DE',
    ip: '203.0.113.9',
    exitURL: 'https://casino.example/lobby',
    ticket: 'launch',
  });
  expect(problem).toBeNull();
  return id;
}

/** Opens a game and waits for its page. */
async function openGame(desk: QuittingDesktop): Promise<string> {
  const id = await prepareGame(desk);
  await desk.app.evaluate(({ app }) => {
    const loaded = new Promise<void>((resolve) =>
      app.on('web-contents-created', (_event, contents) => contents.once('did-finish-load', () => resolve())),
    );
    Reflect.set(globalThis, 'gameLoaded', loaded);
  });
  await desk.call('launches.open', { id, bounds });
  await desk.app.evaluate(() => Reflect.get(globalThis, 'gameLoaded') as Promise<void>);
  return id;
}

/** Runs code in the game; `told`: until it says something in its console. */
async function inGame(desk: QuittingDesktop, code: string, told = false): Promise<void> {
  await desk.app.evaluate(
    async ({ BrowserWindow }, { text, waits }) => {
      const [view] = BrowserWindow.getAllWindows()[0]?.contentView.children ?? [];
      const { webContents: contents } = view as Electron.WebContentsView;
      const said = new Promise<void>((resolve) => contents.on('console-message', () => resolve()));
      await contents.executeJavaScript(`${text}; 0`);
      if (waits) await said;
    },
    { text: code, waits: told },
  );
}

/** An environment over the silent server that would wait for ten minutes. */
async function silentEnvironment(desk: QuittingDesktop, { silent }: Place, production = false): Promise<string> {
  const name = production ? 'silent production' : 'silent';
  const { environments } = await desk.call('environments.list', {});
  const known = environments.find((one) => one.name === name);
  if (known !== undefined) return known.id;
  const long = { connect: 600_000, headers: 600_000, idle: 600_000, total: 600_000 };
  const { baseUrl, ca } = silent;
  const environment = { name, baseUrl, ca, platform: 1, partnerId: 2, production, timeouts: long };
  return (await desk.call('environments.create', { environment })).id;
}

const walletCall = (environmentId: string) => ({
  environmentId,
  operation: 'playerInfo' as const,
  form: 'main',
  text: '{"externalToken": "t"}',
});

async function makeCollection({ surroundings }: Place, name: string): Promise<string> {
  const directory = path.join(surroundings.folder, name);
  await mkdir(directory);
  await writeFile(path.join(directory, 'one.yaml'), 'operation: playerInfo\ndata: |\n  {"externalToken": "t"}\n');
  return directory;
}

/** The processes of the key agent, as Linux shows them. */
async function keyAgents({ pid }: QuittingDesktop): Promise<number[]> {
  const found: number[] = [];
  for (const one of descendants(pid)) {
    if ((await readFile(`/proc/${one}/cmdline`, 'latin1')).includes('key-agent.cjs')) found.push(one);
  }
  return found;
}

function query(place: Place, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(path.join(place.surroundings.home, 'history.sqlite'), { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

const lastCall = (place: Place) => query(place, 'SELECT operation, state FROM calls ORDER BY id DESC LIMIT 1')[0];

/** Calls of which the history does not know how they ended. */
const unfinished = (place: Place) => query(place, "SELECT operation, state FROM calls WHERE state IN ('pending', 'interrupted')");

/** The record of the last launch says that it was closed. */
async function closedRecord(place: Place): Promise<void> {
  const [last] = query(
    place,
    'SELECT entry FROM launch_entries JOIN launches ON id = launch_id ORDER BY prepared_at DESC, seq DESC LIMIT 1',
  );
  expect(JSON.stringify(last)).toContain('closed');
}

/** Locks and half-written files. */
async function leftIn(home: string): Promise<string[]> {
  const names = await readdir(home, { recursive: true });
  return names.filter((name) => name !== path.join('runs', 'opening.lock') && /\.(?:lock|tmp)$/.test(name));
}
