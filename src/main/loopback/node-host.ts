import { createAgentSecrets, createLocalSecrets, forkAgent } from '#core/app/app.ts';
import type { GameFrames, Host, RunningSandbox, SandboxOptions, Secrets } from '#core/host/host.ts';

export interface NodeHostOptions {
  /** Name for the user: `Browser`, `Command line`. */
  readonly name: string;
  readonly version: string;
  /** The entry of the key agent process. */
  readonly keyAgent: string;
  /** The entry of the thread that searches the history; absent in a program that ends at once. */
  readonly searchWorker?: string;
  /** The entry of the threads that read untrusted text. */
  readonly readingWorker: string;
  /** The entry of the thread that writes an export. */
  readonly exportWorker: string;
  /** `process`: this process holds the keys until it ends, without a key agent. */
  readonly keys: 'keychain' | 'process';
  /** Starts the built-in provider; absent if this host runs none. */
  readonly startSandbox?: (options: SandboxOptions) => Promise<RunningSandbox>;
  /** Frame pages of games for the page that this host serves; absent if it serves no page. */
  readonly gameFrames?: GameFrames;
  /** Allows a program that yields session tokens; absent where a page could ask for one. */
  readonly allowCommand?: NonNullable<Host['allowCommand']>;
  /** The folder of the starter collections; absent in a program that offers none. */
  readonly starters?: string;
  /** The file with the licences; absent in a program that shows none. */
  readonly licences?: string;
}

/** Creates the host for plain Node, which the browser host and the command line share. */
export function createNodeHost(options: NodeHostOptions): Host {
  return {
    name: options.name,
    version: options.version,
    capabilities: { embedGame: false, frameGame: options.gameFrames !== undefined },
    secrets: options.keys === 'process' ? createLocalSecrets() : agentSecrets(options.keyAgent),
    readingWorker: options.readingWorker,
    exportWorker: options.exportWorker,
    ...(options.searchWorker === undefined ? {} : { searchWorker: options.searchWorker }),
    ...(options.startSandbox === undefined ? {} : { startSandbox: options.startSandbox }),
    ...(options.gameFrames === undefined ? {} : { gameFrames: options.gameFrames }),
    ...(options.allowCommand === undefined ? {} : { allowCommand: options.allowCommand }),
    ...(options.starters === undefined ? {} : { starters: options.starters }),
    ...(options.licences === undefined ? {} : { licences: options.licences }),
  };
}

function agentSecrets(file: string): Secrets {
  return createAgentSecrets({ spawn: () => forkAgent(file) });
}
