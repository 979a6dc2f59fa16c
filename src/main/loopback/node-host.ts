import { createAgentSecrets, createLocalSecrets, forkAgent } from '#core/app/app.ts';
import type { Host } from '#core/host/host.ts';

export interface NodeHostOptions extends Omit<Host, 'capabilities' | 'secrets'> {
  /** The entry of the key agent process. */
  readonly keyAgent: string;
  /** `process`: this process holds the keys until it ends, without a key agent. */
  readonly keys: 'keychain' | 'process';
}

/** Creates the host for plain Node, which the browser host and the command line share. */
export function createNodeHost({ keyAgent, keys, ...host }: NodeHostOptions): Host {
  return {
    ...host,
    capabilities: { embedGame: false, frameGame: host.gameFrames !== undefined },
    secrets: keys === 'process' ? createLocalSecrets() : createAgentSecrets({ spawn: () => forkAgent(keyAgent) }),
  };
}
