import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { _electron, test as base, type ElectronApplication } from '@playwright/test';
import { doublePath } from './electron-host.ts';
import type { HostOptions } from './fixtures.ts';

/** Rules of Electron's on which the desktop rests, on a program of a few lines: true of Electron, and so of its double. */
export const test = base.extend<HostOptions & { program: string; electron: ElectronApplication }>({
  hostName: ['double', { option: true }],
  program: ["require('electron').app.on('window-all-closed', () => undefined);\n", { option: true }],
  electron: async ({ hostName, program }, provide) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'croupier-rules-'));
    await writeFile(path.join(folder, 'package.json'), '{"name":"rules","version":"1.0.0","main":"main.cjs"}');
    await writeFile(path.join(folder, 'main.cjs'), program);
    const app = await _electron.launch({
      ...(hostName === 'double' ? { executablePath: doublePath } : {}),
      args: [folder],
      cwd: folder,
      chromiumSandbox: true,
    });
    try {
      await provide(app);
    } finally {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
});
