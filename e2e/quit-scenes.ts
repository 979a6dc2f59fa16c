import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from '@playwright/test';
import type { TestServer } from '#testing/https-server.ts';
import { descendants, type Surroundings } from './program.ts';
import type { QuittingDesktop } from './quitting-desktop.ts';

/** A server that takes requests and never responds to one. */
interface SilentServer extends TestServer {
  /** Settles at the next request that it gets. */
  asked(): Promise<void>;
}

/** Parts that the rows of one worker share. */
export interface Place {
  readonly surroundings: Surroundings;
  readonly silent: SilentServer;
  /** The row after which the home was left: its next start is the test after it. */
  before: string;
}

export const bounds = { x: 0, y: 60, width: 390, height: 700 };

export async function prepareGame(desk: QuittingDesktop): Promise<string> {
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
export async function openGame(desk: QuittingDesktop): Promise<string> {
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

/** Runs code in the game; `told`: until it writes something to its console. */
export async function inGame(desk: QuittingDesktop, code: string, told = false): Promise<void> {
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

/** Creates an environment over the silent server that would wait for ten minutes. */
export async function silentEnvironment(desk: QuittingDesktop, { silent }: Place, production = false): Promise<string> {
  const name = production ? 'silent production' : 'silent';
  const { environments } = await desk.call('environments.list', {});
  const known = environments.find((one) => one.name === name);
  if (known !== undefined) return known.id;
  const long = { connect: 600_000, headers: 600_000, idle: 600_000, total: 600_000 };
  const { baseUrl, ca } = silent;
  const environment = { name, baseUrl, ca, platform: 1, partnerId: 2, production, timeouts: long };
  return (await desk.call('environments.create', { environment })).id;
}

export const walletCall = (environmentId: string) => ({
  environmentId,
  operation: 'playerInfo' as const,
  form: 'main',
  text: '{"externalToken": "t"}',
});

export async function makeCollection({ surroundings }: Place, name: string): Promise<string> {
  const directory = path.join(surroundings.folder, name);
  await mkdir(directory);
  await writeFile(path.join(directory, 'one.yaml'), 'operation: playerInfo\ndata: |\n  {"externalToken": "t"}\n');
  return directory;
}

/** Returns the processes of the key agent, as Linux shows them. */
export async function keyAgents({ pid }: QuittingDesktop): Promise<number[]> {
  const found: number[] = [];
  for (const one of descendants(pid)) {
    if ((await readFile(`/proc/${one}/cmdline`, 'latin1')).includes('key-agent.cjs')) found.push(one);
  }
  return found;
}

function query(place: Place, sql: string): Record<string, unknown>[] {
  const file = path.join(place.surroundings.home, 'history.sqlite');
  // A program that was quit at once has none yet.
  if (!existsSync(file)) return [];
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

export const lastCall = (place: Place) => query(place, 'SELECT operation, state FROM calls ORDER BY id DESC LIMIT 1')[0];

/** Returns calls whose end the history does not know. */
export const unfinished = (place: Place) =>
  query(place, "SELECT operation, state FROM calls WHERE state IN ('pending', 'interrupted')");

/** Checks that the record of the last launch says that it was closed. */
export async function closedRecord(place: Place): Promise<void> {
  const [last] = query(
    place,
    'SELECT entry FROM launch_entries JOIN launches ON id = launch_id ORDER BY prepared_at DESC, seq DESC LIMIT 1',
  );
  expect(JSON.stringify(last)).toContain('closed');
}
