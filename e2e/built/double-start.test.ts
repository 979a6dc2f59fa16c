import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { startChromium } from '../electron-double/chromium.ts';

const endpoint = 'ws://127.0.0.1:1/devtools/browser/0';
const folders: string[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

it('finds the browser’s address in front of thousands of characters that came with it in one piece', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'croupier-'));
  folders.push(folder);
  const program = path.join(folder, 'chromium');
  const complaint = '[1:2:ERROR:dbus/bus.cc:405] Failed to connect to the bus\n'.repeat(200);
  const speak = `process.stderr.write(${JSON.stringify(`\nDevTools listening on ${endpoint}\n${complaint}`)})`;
  const leave = `require('node:fs').createReadStream(null, { fd: 3 }).once('data', () => process.exit())`;
  await writeFile(program, `#!${process.execPath}\n${speak};${leave};\n`);
  await chmod(program, 0o755);
  vi.stubEnv('CHROMIUM_PATH', program);
  const chromium = await startChromium();
  expect(chromium.endpoint).toBe(endpoint);
  await chromium.close();
});
