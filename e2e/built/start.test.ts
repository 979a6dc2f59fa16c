import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSurroundings, root, runCroupier, watch, type Surroundings } from '../program.ts';

let surroundings: Surroundings;
beforeEach(async () => {
  surroundings = await makeSurroundings();
});
afterEach(() => surroundings.remove());

describe('npm start on a machine without Electron’s binary', () => {
  it('says why it starts the browser host, prints its address, and ends on SIGTERM', async () => {
    const child = spawn(process.execPath, [path.join(root, 'scripts/start.mjs')], {
      cwd: root,
      // The tests fetch nothing and use no Electron of this machine.
      env: {
        ...surroundings.env,
        ELECTRON_SKIP_BINARY_DOWNLOAD: '1',
        ELECTRON_OVERRIDE_DIST_PATH: surroundings.folder,
        CI: '1',
      },
    });
    const running = watch(child);
    const [, origin = ''] = await running.saw(/Croupier is ready: (http:\/\/127\.0\.0\.1:\d+)\/#[\w-]{43}\n/);
    expect(running.stderr()).toMatch(/Starting Croupier in your browser, without Electron: .+\.\n/);
    const page = await fetch(`${origin}/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    // Node's debugger, which any account of the machine could use, reports on standard error when it opens.
    if (process.platform !== 'win32') running.kill('SIGUSR1');
    expect((await fetch(`${origin}/`)).status).toBe(200);
    running.kill('SIGTERM');
    expect(await running.finished).toMatchObject({ code: 0, signal: null });
    expect(running.stdout()).toContain('(environment sandbox)');
    expect(running.stderr()).not.toContain('Debugger');
  });
});

describe('a command that sends nothing', () => {
  it('loads nothing of HTTPS', async () => {
    // The list is Node's own, which has no types.
    const listing = `process.once('exit', () => require('node:fs').writeFileSync(__dirname + '/loaded', process.moduleLoadList.join('\\n')));`;
    const own = await makeSurroundings(listing);
    try {
      expect(await runCroupier(own, ['env', 'list'])).toMatchObject({ code: 0 });
      const loaded = readFileSync(path.join(own.folder, 'loaded'), 'utf8').split('\n');
      expect(loaded).toContain('NativeModule sqlite');
      expect(loaded.filter((name) => /^NativeModule (?:https?|http2|tls)$/.test(name))).toEqual([]);
    } finally {
      await own.remove();
    }
  });
});
