import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserCommandContext } from 'vitest/node';
import type { ReceivedPart } from '#shared/ipc/index.ts';
import { commands as programs } from '../../main/cli/commands.ts';
import { createTestApp, type TestApp } from '../app.ts';
import { runCommand } from '../command-runner.ts';

/** The application of the test that runs: tests of pages run one after the other. */
let open: TestApp | null = null;
let news: { readonly name: string; readonly payload: unknown }[] = [];
let tell: () => void = () => undefined;

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

/** Starts the real application with the built-in provider, on an empty home. Returns the home. */
async function openApp(): Promise<string> {
  open = await createTestApp({ sandbox: true, host: { capabilities: { embedGame: false, frameGame: true } } });
  news = [];
  open.app.transport.subscribe((name, payload) => {
    news.push({ name, payload });
    tell();
  });
  return open.home;
}

/** Closes it and removes its home; returns the faults that it met. */
async function closeApp(): Promise<string[]> {
  const { close, faults } = opened();
  open = null;
  tell();
  await close();
  return faults.map(String);
}

/** Returns the events since the last time, once there are any. */
async function appNews(): Promise<typeof news> {
  if (news.length === 0 && open !== null) await new Promise<void>((resolve) => (tell = resolve));
  return news.splice(0);
}

/** Runs a command on the same home, in this process. */
async function cli(_: BrowserCommandContext, args: readonly string[], stdin?: string) {
  const found = programs
    .toSorted((a, b) => b.name.length - a.name.length)
    .find(({ name }) => args.slice(0, name.split(' ').length).join(' ') === name);
  if (found === undefined) throw new Error(`There is no command ${args[0]}.`);
  const said = { printed: [], told: [] };
  const command = await found.load();
  const rest = args.slice(found.name.split(' ').length);
  const code = await runCommand(command, { home: opened().home, said }, rest, stdin === undefined ? {} : { typed: stdin });
  return { code, stdout: said.printed.join('\n'), stderr: said.told.join('\n') };
}

/** Deeds of this process for a test in the page, which asks for them by `outside`. */
export const deeds = {
  drive,
  openApp,
  closeApp,
  appNews,
  cli,
  callApp: (_: BrowserCommandContext, name: string, input: unknown) => opened().app.transport.call(name, input),
  async bodyOf(_: BrowserCommandContext, callId: number, part?: ReceivedPart): Promise<string> {
    return Buffer.from(await opened().app.transport.body(callId, part)).toString('base64');
  },
  async pictureOf(_: BrowserCommandContext, id: string): Promise<string> {
    return Buffer.from(await opened().app.transport.picture(id)).toString('base64');
  },
  readHome: (_: BrowserCommandContext, file: string) => readFile(path.join(opened().home, file), 'utf8'),
  writeHome: (_: BrowserCommandContext, file: string, text: string) => writeFile(path.join(opened().home, file), text),
};

/** The same as a test in the page asks for them. */
export type Deeds = {
  [K in keyof typeof deeds]: (typeof deeds)[K] extends (context: BrowserCommandContext, ...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};
