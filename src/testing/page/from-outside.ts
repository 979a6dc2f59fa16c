import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Frame, Page } from '@playwright/test';
import type { BrowserCommandContext } from 'vitest/node';
import { AppError } from '#shared/errors.ts';
import type { KeptPart } from '#shared/ipc/index.ts';
import { sendFromOutside } from '../../../e2e/provider.ts';
import { commands as programs } from '../../main/cli/commands.ts';
import { exitOfError } from '../../main/cli/command.ts';
import { createFrames } from '../../main/loopback/game-frames.ts';
import { createTestApp, temporaryFolder, type TestApp } from '../app.ts';
import { runCommand } from '../command-runner.ts';
import { recordPast, sandboxOf, type PastSession } from '../past-calls.ts';
import { supportPackText } from '../support-pack.ts';
import { startHttpsServer, type TestServer } from '../https-server.ts';

/** The application of the test that runs: tests of pages run one after the other. */
let open: TestApp | null = null;
const news: { readonly name: string; readonly payload: unknown }[] = [];
const waiting = new Set<() => void>();
let count = 0;
const servers = new Map<number, TestServer>();
const replies = new Map<number, ServerResponse>();
const gameFrames = createFrames(() => performance.now());
/** Frames that the page asked about; it knows them by their places. */
const frames: Frame[] = [];

function opened(): TestApp {
  if (open === null) throw new Error('No application is open.');
  return open;
}

/** Uses the keyboard or the pointer of the page under test, as a person does. */
async function drive(
  { page }: BrowserCommandContext,
  device: 'keyboard' | 'mouse',
  method: string,
  ...args: unknown[]
): Promise<void> {
  await (page[device] as unknown as Record<string, (...args: unknown[]) => Promise<void>>)[method]?.(...args);
}

/** Starts the real application with the built-in provider, on an empty home in a folder of its own unless one is given. Returns the home. */
async function openApp(_: BrowserCommandContext, given?: string): Promise<string> {
  const home = given ?? join(await temporaryFolder(), 'home');
  news.length = 0;
  open = await createTestApp({ home, sandbox: true, host: { capabilities: { embedGame: false, frameGame: true }, gameFrames } });
  open.app.transport.subscribe((name, payload) => happened(name, payload));
  return home;
}

/** Ends it; returns the faults that it met. */
async function closeApp(): Promise<string[]> {
  const { close, faults } = opened();
  open = null;
  wake();
  await close();
  return faults.map(String);
}

function wake(): void {
  for (const one of waiting) one();
  waiting.clear();
}

function happened(name: string, payload: unknown): void {
  news.push({ name, payload });
  wake();
}

/** Starts an https server, whose requests are news. */
async function startServer() {
  const server = ++count;
  const started = await startHttpsServer(({ request, body }, response) => {
    const id = ++count;
    replies.set(id, response);
    const { url = '', method = '', headers } = request;
    happened('server', { server, arrived: { id, url, method, headers, body: body.toString('utf8') } });
  });
  servers.set(server, started);
  const { port, baseUrl, ca } = started;
  return { server, port, baseUrl, ca };
}

type Ended = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string } | 'destroyed';

function endReply(_: BrowserCommandContext, id: number, ended: Ended): void {
  const response = replies.get(id);
  replies.delete(id);
  if (ended === 'destroyed') response?.socket?.destroy();
  else response?.writeHead(ended.status, ended.headers).end(ended.body);
}

async function closeServer(_: BrowserCommandContext, server: number): Promise<void> {
  await servers.get(server)?.close();
  servers.delete(server);
}

/** Returns the events since the last time, once there are any; null if the application of that home has ended. */
async function appNews(_: BrowserCommandContext, home: string): Promise<typeof news | null> {
  while (news.length === 0 && open?.home === home) await new Promise<void>((resolve) => waiting.add(resolve));
  return open?.home === home ? news.splice(0) : null;
}

/** Sends bodies through the gateway as a backend does, each after the response to the one before. */
async function sendAsBackend(_: BrowserCommandContext, bodies: readonly string[]): Promise<void> {
  const { client } = opened();
  const status = await client.call('gateway.status', {});
  if (status === null) throw new Error('The gateway does not run.');
  const ca = await files.readFile(status.caFile);
  const headers = { 'content-type': 'application/json', 'user-agent': 'GuzzleHttp/7' };
  for (const body of bodies) {
    const sent = request(`${status.baseUrl}/serviceApi.php`, { method: 'POST', ca, headers, agent: false }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
  }
}

export interface CommandOptions {
  readonly stdin?: string;
  /** Environment variables besides the home. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command on the same home, in this process. */
async function cli(_: BrowserCommandContext, args: readonly string[], { stdin, env = {} }: CommandOptions = {}) {
  const found = programs
    .toSorted((a, b) => b.name.length - a.name.length)
    .find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name);
  if (found === undefined) throw new Error(`There is no command ${args[0]}.`);
  const said: { printed: string[]; told: string[] } = { printed: [], told: [] };
  const command = await found.load();
  const rest = args.slice(found.name.split(' ').length);
  const code = await runCommand(command, { home: opened().home, said }, rest, {
    env,
    ...(stdin !== undefined && { typed: stdin }),
  }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    said.told.push(error.message);
    return exitOfError[error.code];
  });
  return { code, signal: null, stdout: said.printed.join('\n'), stderr: said.told.join('\n') };
}

/** Serves the page of a ticket that frames a game. */
export function giveFrame({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const { html = '', policy = '' } = gameFrames.take(url.slice(1)) ?? {};
  response.writeHead(html === '' ? 404 : 200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(html);
}

/** Returns the frames of the page under test and of everything around it, those that are gone included. */
function framesOf({ page }: BrowserCommandContext): { readonly url: string; readonly parent: number }[] {
  frames.push(...page.frames().filter((frame) => !frames.includes(frame)));
  return frames.map((frame) => {
    const parent = frame.parentFrame();
    return { url: frame.isDetached() ? '' : frame.url(), parent: parent === null ? -1 : frames.indexOf(parent) };
  });
}

/** Does with a frame, such as that of a game, what a page of another origin cannot. */
async function inFrame(_: BrowserCommandContext, at: number, method: string, ...args: unknown[]): Promise<unknown> {
  const result = await (frames[at] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]?.(...args);
  return method === 'waitForSelector' ? null : result;
}

/** Writes files, and the folders that they are in: at once, as the application may read a folder anew after each of its changes. */
function writeFiles(_: BrowserCommandContext, folder: string, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Waits for a file that the page hands to the browser; returns its name, and where it is. */
async function download({ page }: BrowserCommandContext): Promise<{ name: string; file: string }> {
  const saved = await page.waitForEvent('download');
  return { name: saved.suggestedFilename(), file: await saved.path() };
}

/** Chooses files once the page asks for some. */
async function chooseFiles({ page }: BrowserCommandContext, chosen: readonly string[]): Promise<void> {
  await (await page.waitForEvent('filechooser')).setFiles(chosen);
}

/** Runs git in a folder; returns what it printed. */
async function git(_: BrowserCommandContext, folder: string, ...args: readonly string[]): Promise<string> {
  const settings = ['user.name=t', 'user.email=t@localhost', 'commit.gpgSign=false'].flatMap((one) => ['-c', one]);
  return (await promisify(execFile)('git', ['-C', folder, ...settings, ...args])).stdout;
}

/** Deeds of this process for a test in the page, which asks for them by `outside`. */
export const deeds = {
  drive,
  openApp,
  closeApp,
  appNews,
  startServer,
  endReply,
  closeServer,
  cli,
  /** Begins a text of an input method where the keyboard is. */
  async compose({ page }: BrowserCommandContext, text: string): Promise<void> {
    const method = await page.context().newCDPSession(page);
    await method.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  },
  sha256: (_: BrowserCommandContext, text: string) => createHash('sha256').update(text).digest('hex'),
  /** Records calls of past days in the home. */
  async recordPast(_: BrowserCommandContext, sessions: readonly PastSession[]): Promise<void> {
    const { home } = opened();
    await recordPast(home, sandboxOf(home), sessions, Date.now());
  },
  framesOf,
  inFrame,
  callApp: (_: BrowserCommandContext, name: string, input: unknown) => opened().app.transport.call(name, input),
  async bodyOf(_: BrowserCommandContext, callId: number, part?: KeptPart): Promise<string> {
    return Buffer.from(await opened().app.transport.body(callId, part)).toString('base64');
  },
  async pictureOf(_: BrowserCommandContext, id: string): Promise<string> {
    return Buffer.from(await opened().app.transport.picture(id)).toString('base64');
  },
  async emulateMedia({ page }: BrowserCommandContext, media: Parameters<Page['emulateMedia']>[0]): Promise<void> {
    await page.emulateMedia(media);
  },
  /** Calls a function of node:fs/promises. */
  file: (_: BrowserCommandContext, name: string, ...args: unknown[]) =>
    (files as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[name]?.(...args),
  writeFiles,
  /** Returns the names of the files of a folder and of those in it that hold a text. */
  async filesWith(_: BrowserCommandContext, folder: string, text: string): Promise<string[]> {
    const entries = await files.readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const texts = await Promise.all(names.map((name) => files.readFile(name)));
    return names.filter((_name, at) => texts[at]?.includes(text));
  },
  download,
  chooseFiles,
  supportPack: (_: BrowserCommandContext, calls: number) => supportPackText(calls, new Date(1_764_000_000_000)),
  sendFromOutside: (context: BrowserCommandContext, bodies: readonly string[]) =>
    sendFromOutside({ home: opened().home, cli: (args) => cli(context, args) }, bodies),
  git,
  sendAsBackend,
};

/** The same as a test in the page asks for them. */
export type Deeds = {
  [K in keyof typeof deeds]: (typeof deeds)[K] extends (context: BrowserCommandContext, ...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};
