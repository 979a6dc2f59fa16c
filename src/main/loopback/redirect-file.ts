import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A file that redirects a browser to a URL, so that no process list shows the URL with its token. Writes it with mode 0600 into a folder
 * of its own with mode 0700. `address` is an origin and a base64url token.
 */
export async function writeRedirectFile(address: string) {
  const folder = await mkdtemp(join(tmpdir(), 'croupier-'));
  const path = join(folder, 'open.html');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  const page = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${address}"><title>Croupier</title>\n`;
  try {
    await writeFile(path, page, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    await remove().catch(() => undefined);
    throw error;
  }
  return { path, remove };
}

/** Returns whether a browser can appear: there is a display, and this is not an unattended run. */
export function hasDisplay(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (env['CI'] !== undefined) return false;
  if (platform === 'linux') return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
  return platform === 'darwin' || platform === 'win32';
}

/**
 * Returns the system's program that opens a URL, with its first arguments: by its full name where that is known, because Windows looks for others in
 * the current folder first.
 */
export function opener(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): [program: string, ...first: string[]] {
  if (platform === 'darwin') return ['/usr/bin/open'];
  if (platform !== 'win32') return ['xdg-open'];
  const system = Object.entries(env).find(([name]) => name.toUpperCase() === 'SYSTEMROOT')?.[1] ?? String.raw`C:\Windows`;
  return [win32.join(system, 'System32', 'rundll32.exe'), 'url.dll,FileProtocolHandler'];
}

/** Asks the system to open a file in the browser. Resolves to false if it cannot; never throws. */
export function openInBrowser(path: string, platform: NodeJS.Platform): Promise<boolean> {
  const [program, ...first] = opener(process.env, platform);
  return new Promise((resolve) => {
    const child = spawn(program, [...first, pathToFileURL(path).href], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.unref();
  });
}
