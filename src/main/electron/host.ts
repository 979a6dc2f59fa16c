import { utilityProcess } from 'electron';
import { createAgentSecrets } from '#core/app/app.ts';
import type { GameViews, Host } from '#core/host/host.ts';
import { startSandbox } from '#sandbox/server.ts';
import { allowCommand } from './allow-command.ts';
import { spawnAgent } from './key-agent.ts';
import { openOutside } from './outside.ts';
import { pickDirectory } from './pick-directory.ts';
import { createScreenReader } from './screen-reader.ts';

/** Creates the desktop's host for core. */
export function createDesktopHost(options: {
  version: string;
  versions: Readonly<Partial<Record<'chrome' | 'electron', string>>>;
  keyAgent: string;
  searchWorker: string;
  readingWorker: string;
  exportWorker: string;
  env: NodeJS.ProcessEnv;
  gameViews: GameViews;
  starters: string;
  licences: string;
}): Host {
  const fork: Parameters<typeof spawnAgent>[0]['fork'] = (file, values, given) => utilityProcess.fork(file, values, given);
  return {
    name: 'Desktop',
    version: options.version,
    ...engineOf(options.versions),
    capabilities: { embedGame: true },
    secrets: createAgentSecrets({ spawn: () => spawnAgent({ file: options.keyAgent, env: options.env, fork, end }) }),
    startSandbox,
    searchWorker: options.searchWorker,
    readingWorker: options.readingWorker,
    exportWorker: options.exportWorker,
    gameViews: options.gameViews,
    openOutside,
    pickDirectory,
    allowCommand,
    screenReader: createScreenReader(process.platform),
    starters: options.starters,
    licences: options.licences,
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
