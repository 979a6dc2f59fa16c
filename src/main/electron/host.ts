import { AppError } from '#shared/errors.ts';
import type { DirectoryPurpose } from '#shared/ipc/index.ts';
import { utilityProcess, BrowserWindow, dialog, app } from 'electron';
import { createAgentSecrets } from '#core/app/app.ts';
import type { GameViews, Host } from '#core/host/host.ts';
import { openRawEntrance } from '#sandbox/entrance.ts';
import { startSandbox } from '#sandbox/server.ts';
import { spawnAgent } from './key-agent.ts';
import { openOutside } from './outside.ts';
import { ask } from './window.ts';

/** Parts of the desktop's host that its program gives. */
interface DesktopHostOptions extends Pick<Host, 'version' | 'readingWorker' | 'exportWorker' | 'starters' | 'licences'> {
  readonly searchWorker: string;
  readonly gameViews: GameViews;
  readonly versions: Readonly<Partial<Record<'chrome' | 'electron', string>>>;
  readonly keyAgent: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Creates the desktop's host for core. */
export function createDesktopHost({ versions, keyAgent, env, ...given }: DesktopHostOptions): Host {
  const fork: Parameters<typeof spawnAgent>[0]['fork'] = (file, values, options) => utilityProcess.fork(file, values, options);
  return {
    ...given,
    ...engineOf(versions),
    name: 'Desktop',
    capabilities: { embedGame: true },
    secrets: createAgentSecrets({ spawn: () => spawnAgent({ file: keyAgent, env, fork, end }) }),
    startSandbox,
    openEntrance: openRawEntrance,
    openOutside,
    pickDirectory,
    allowCommand,
    screenReader: createScreenReader(process.platform),
  };
}

/** Electron states both; nothing is claimed where it does not run. */
function engineOf({ chrome, electron }: { readonly chrome?: string; readonly electron?: string }): Pick<Host, 'engine'> {
  return chrome === undefined || electron === undefined ? {} : { engine: `Chromium ${chrome}, Electron ${electron}` };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just ended by itself.
  }
}

/** Asks in a dialog of the system, which no page can answer, whether a program may run when games of an environment are launched. */
async function allowCommand(environmentName: string, command: string): Promise<boolean> {
  const chosen = await ask({
    type: 'warning',
    message: `Allow launches in ${environmentName} to run a program that provides session tokens?`,
    detail: `${command}\n\nCroupier runs it as you whenever a launch needs a token from it.`,
    buttons: ['Allow', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return chosen === 0;
}

/** Texts of the dialog, among which a page chooses, so that it cannot write its own. */
const words: Readonly<Record<DirectoryPurpose, { readonly title: string; readonly buttonLabel: string }>> = {
  open: { title: 'Open collection folder', buttonLabel: 'Open' },
  create: { title: 'Folder for the new collection', buttonLabel: 'Choose' },
};

/** Asks the user for one directory, over the focused window; null if they declined. Fails with `unsupported`. */
async function pickDirectory(purpose: DirectoryPurpose): Promise<string | null> {
  const question = { ...words[purpose], properties: ['openDirectory' as const, 'createDirectory' as const] };
  const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  try {
    const { canceled, filePaths } = await (window === undefined
      ? dialog.showOpenDialog(question)
      : dialog.showOpenDialog(window, question));
    return canceled ? null : (filePaths[0] ?? null);
  } catch (cause) {
    throw new AppError('unsupported', "The system's folder dialog did not open. Type the absolute path.", undefined, { cause });
  }
}

/**
 * Creates the desktop's word on screen readers, after `ready`. Electron documents it for macOS and Windows: elsewhere "none" is not
 * known.
 */
function createScreenReader(platform: NodeJS.Platform): NonNullable<Host['screenReader']> {
  const tells = platform === 'darwin' || platform === 'win32';
  return {
    heard: () => app.accessibilitySupportEnabled || (tells ? false : null),
    watch: (listener) => void app.on('accessibility-support-changed', listener),
  };
}
