import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from '@playwright/test';
import { Environment } from '#shared/ipc/index.ts';
import { launchOptions } from '../e2e/chromium.ts';
import { find, tools } from '../scripts/provision.mjs';

/** The built browser host on a home of its own, and the Chromium that shows it. */
export interface PageHost {
  /** The address that the host printed; good for one page. */
  readonly address: string;
  readonly browser: Browser;
  readonly pid: number;
  close(): Promise<void>;
}

/** Starts the host on a home that `prepare` fills (given its folder), and a browser beside it. */
export async function startPageHost(prepare: (home: string) => void): Promise<PageHost> {
  const folder = mkdtempSync(path.join(tmpdir(), 'croupier-bench-'));
  const home = path.join(folder, 'home');
  mkdirSync(path.join(home, 'environments'), { recursive: true });
  prepare(home);
  const host = spawn('bin/croupier', ['serve', '--no-open', '--port', '0'], {
    env: { ...process.env, CROUPIER_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  process.env['CHROMIUM_PATH'] ??= find(tools[0]) ?? undefined;
  const browser = await chromium.launch(launchOptions());
  const close = async () => {
    await browser.close();
    host.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { address: await addressOf(host.stdout), browser, pid: host.pid ?? -1, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Writes an environment, named by its ID, into a home. */
export function writeEnvironment(home: string, id: string, provider: { baseUrl: string; ca: string }, name = id): void {
  const environment = Environment.parse({ id, name, platform: 1, partnerId: 42, baseUrl: provider.baseUrl, ca: provider.ca });
  writeFileSync(path.join(home, 'environments', `${id}.json`), `${JSON.stringify(environment, null, 2)}\n`);
}

/** Gives an environment a key for this session, with the session that the page holds. */
export async function setKey(page: Page, environmentId: string): Promise<void> {
  await callFrom(page, 'keys.set', { environmentId, key: 'bench-key-0123456789abcdef' });
}

/** Makes a call of the inside contract from the page; fails if it is refused. */
async function callFrom(page: Page, name: string, input: unknown): Promise<void> {
  const answered = await page.evaluate(async (body) => {
    const session = sessionStorage.getItem('croupier.session') ?? '';
    const headers = { 'content-type': 'application/json', 'x-croupier-session': session };
    return (await fetch('/call', { method: 'POST', headers, body })).text();
  }, JSON.stringify({ name, input }));
  if (!answered.startsWith('{"ok":true')) throw new Error(`${name} was refused: ${answered}`);
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const found = /http:\/\/127\.0\.0\.1:\d+\/#\S+/.exec(line);
    if (found) return found[0];
  }
  throw new Error('The browser host printed no address');
}
