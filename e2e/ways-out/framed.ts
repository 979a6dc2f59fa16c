import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, expect, type Frame, type Page } from '@playwright/test';
import { gameFrameAllow } from '#shared/page-policy.ts';
import { makeCertificate } from '#testing/https-server.ts';
import { startQuiet } from '#testing/loopback-driver.ts';
import { createAccess } from '../../src/main/loopback/access.ts';
import { createFrames } from '../../src/main/loopback/game-frames.ts';
import { launchOptions } from '../chromium.ts';
import { startSite } from './site.ts';
import { startTargets, type Targets } from './targets.ts';
import { wayNames } from './ways.ts';

/** A game in a frame of the browser host's page. */
export interface Framed {
  readonly page: Page;
  readonly game: Frame;
  readonly targets: Targets;
  /** Begins every attempt. */
  tryAll(): Promise<void>;
}

/**
 * Opens the page that tries its ways out in a real Chromium, in a frame as the browser host makes it, and calls `look`. `from`:
 * Chromium takes the game's address for one of the internet or for one of this computer.
 */
export async function inFrame(from: 'internet' | 'here', look: (framed: Framed) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'croupier-framed-'));
  const certificate = await makeCertificate({ hosts: ['ways.example', 'rebound1.example'] });
  const targets = await startTargets(wayNames, certificate);
  const site = await startSite(certificate);
  const frames = createFrames(() => performance.now());
  const src = frames.offer({ url: `https://ways.example:${site.port}/`, redirects: 'origin' });
  const bytes = Buffer.from(`<!doctype html><title>Workbench</title><iframe src="${src}" allow="${gameFrameAllow}"></iframe>`);
  const server = await startQuiet({
    files: new Map([['/', { read: () => Promise.resolve(bytes), type: 'text/html; charset=utf-8', caching: 'no-store' }]]),
    access: createAccess({ now: () => 0 }),
    frame: (ticket) => frames.take(ticket),
  });
  const { args = [], ...options } = launchOptions();
  const browser = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
    ...options,
    args: [
      ...args.filter((one) => one !== '--no-pings'),
      '--ignore-certificate-errors',
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      ...(from === 'internet' ? [`--ip-address-space-overrides=127.0.0.1:${site.port}=public`] : []),
    ],
  });
  try {
    const page = await browser.newPage();
    await page.goto(server.origin);
    const find = () => page.frames().find((frame) => frame.url().startsWith('https://ways.example'));
    await expect.poll(() => find()?.evaluate(() => 'tryAll' in globalThis) ?? false).toBe(true);
    const game = find();
    if (game === undefined) throw new Error('There is no game.');
    await look({
      page,
      game,
      targets,
      async tryAll() {
        await game.evaluate((ports) => (Reflect.get(globalThis, 'tryAll') as (given: object) => void)(ports), targets.ports);
      },
    });
  } finally {
    await browser.close();
    await server.close();
    await site.close();
    targets.close();
    await rm(folder, { recursive: true, force: true });
  }
}
