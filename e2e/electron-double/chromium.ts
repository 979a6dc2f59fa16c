import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { find, tools } from '../../scripts/provision.mjs';
import { connectCdp, type CdpSession } from './cdp.ts';

/** A running Chromium. `endpoint` is the address at which a second client, the test, can speak to it. */
export interface Chromium {
  readonly cdp: CdpSession;
  readonly endpoint: string;
  /** Ends it and removes its profile; settled when the process is gone. */
  close(): Promise<void>;
}

const switches = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  // Chrome loads a page that failed again by itself; Electron does not have that part of it.
  '--disable-auto-reload',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-field-trial-config',
  // The last two are pages of the address bar, which each window loads: half the work of a game's.
  '--disable-features=Translate,HttpsUpgrades,LocalNetworkAccessChecks,MediaRouter,OptimizationHints,BackForwardCache,WebUIOmniboxPopup,WebUIOmniboxAimPopup',
  '--force-color-profile=srgb',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
  '--mute-audio',
  // Electron's default; `autoplay.ts` has the others.
  '--autoplay-policy=no-user-gesture-required',
  '--force-prefers-reduced-motion',
  // There is no screen: drawing through an emulated graphics card only costs time.
  '--disable-gpu',
  // The double itself puts every certificate to the session before a request leaves; Chromium's own verdict would hold up a service worker's.
  '--ignore-certificate-errors',
];

/** Starts CHROMIUM_PATH, a Chromium on PATH, or Playwright's own. Ends with this process, however that ends. */
export async function startChromium(further: readonly string[] = []): Promise<Chromium> {
  const [tool] = tools;
  const found = tool === undefined ? null : find(tool);
  // Loaded only where it is needed: it takes longer than everything else here together.
  const program = found ?? (await import('@playwright/test')).chromium.executablePath();
  const profile = mkdtempSync(path.join(tmpdir(), 'electron-double-'));
  // Chrome opens connections ahead of a navigation, and refuses third-party cookies in a context that is not the profile's own. Electron does
  // neither.
  mkdirSync(path.join(profile, 'Default'));
  writeFileSync(
    path.join(profile, 'Default', 'Preferences'),
    JSON.stringify({ net: { network_prediction_options: 2 }, profile: { cookie_controls_mode: 0 } }),
  );
  const child = spawn(
    program,
    [
      ...switches,
      ...further,
      ...(process.env['ELECTRON_DOUBLE_HEADED'] === '1' ? [] : ['--headless=new']),
      // As Playwright does for Chromium under root. The application's own sandbox settings are checked, not used, by the double.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${profile}`,
      '--remote-debugging-pipe',
      '--remote-debugging-port=0',
      '--no-startup-window',
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const forget = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', () => {
    child.kill('SIGKILL');
    forget();
  });
  const cdp = connectCdp(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const last: string[] = [];
  const endpoint = await new Promise<string>((resolve, reject) => {
    // Line by line: on a busy machine the address comes in one piece with thousands of characters of complaints about D-Bus.
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      last.push(line);
      if (last.length > 20) last.shift();
      const found = /^DevTools listening on (ws:\/\/\S+)$/.exec(line);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${last.join('\n')}`)));
  });
  let closing = false;
  child.once('exit', (code, signal) => {
    if (closing) return;
    // Nothing would hold this process any more: without an error it would end, and nobody would learn why.
    throw new Error(`Chromium ended with ${code ?? signal} while the program ran: ${last.join('\n')}`);
  });
  return {
    cdp,
    endpoint,
    async close() {
      closing = true;
      // One that is closed while it still starts does not always go by itself.
      const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
      void cdp.send('Browser.close').catch(() => undefined);
      await gone;
      clearTimeout(timer);
      forget();
    },
  };
}
