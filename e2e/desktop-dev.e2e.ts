import { spawn } from 'node:child_process';
import { appendFile, cp, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test as base } from '@playwright/test';
import { doublePath } from './electron-host.ts';
import type { HostOptions } from './fixtures.ts';
import { makeSurroundings, root, watch } from './program.ts';

const test = base.extend<HostOptions>({ hostName: ['double', { option: true }] });

/** Prints which edition of the page was loaded: the one that the changed file names, otherwise the first. */
const tell = `const { app } = require('electron');
app.on('web-contents-created', (_event, contents) =>
  contents.on('did-finish-load', () => contents.executeJavaScript('document.documentElement.dataset.edition ?? "first"').then((edition) => console.log('shown: ' + edition + '.'))));`;

test('npm run dev shows the page again when one of its files has changed', async ({ hostName }) => {
  // The program is built twice.
  test.slow();
  test.skip(hostName !== 'double', 'The installed Electron is started by its own path.');
  const surroundings = await makeSurroundings();
  const copy = path.join(surroundings.folder, 'project');
  const chromium = process.env['CHROMIUM_PATH'];
  try {
    for (const name of [
      'src',
      'scripts',
      'docs',
      'resources',
      'starter-collections',
      'README.md',
      'package.json',
      'electron.vite.config.ts',
      'tsconfig.json',
      'tsconfig.base.json',
    ])
      await cp(path.join(root, name), path.join(copy, name), { recursive: true });
    await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    await writeFile(path.join(copy, 'tell.cjs'), tell);
    const electron = path.join(copy, 'electron');
    await writeFile(electron, `#!/bin/sh\nexec "${doublePath}" -r "${path.join(copy, 'tell.cjs')}" "$@"\n`, { mode: 0o755 });
    const running = watch(
      spawn(process.execPath, [path.join(copy, 'scripts', 'dev.mjs')], {
        cwd: copy,
        env: {
          ...surroundings.env,
          ELECTRON_EXEC_PATH: electron,
          ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }),
        },
      }),
    );
    try {
      await running.saw(/shown: first\./);
      await appendFile(
        path.join(copy, 'src', 'renderer', 'main.tsx'),
        "\ndocument.documentElement.dataset['edition'] = 'second';\n",
      );
      await running.saw(/shown: second\./);
    } finally {
      running.kill('SIGTERM');
    }
    expect((await running.finished).code).toBe(0);
  } finally {
    await surroundings.remove();
  }
});
