import type { UtilityProcess } from 'electron';
import { agentEnvironment, type createAgentSecrets } from '#core/app/app.ts';

type AgentProcess = ReturnType<Parameters<typeof createAgentSecrets>[0]['spawn']>;

/** What is used of a utility process. */
type Child = Pick<UtilityProcess, 'pid' | 'postMessage' | 'kill'> & {
  on(event: 'message', listener: Parameters<AgentProcess['onReply']>[0]): unknown;
  on(event: 'error', listener: () => void): unknown;
  once(event: 'spawn', listener: () => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
};

/**
 * Returns the key agent as a utility process, since a packaged Electron forks no Node. It gets what a keychain needs of the environment and
 * nothing else. `fork` is Electron's; `end` ends a process by its number at once.
 */
export function spawnAgent(options: {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  readonly fork: (
    file: string,
    values: string[],
    options: { serviceName: string; stdio: 'ignore'; env: NodeJS.ProcessEnv; execArgv: string[] },
  ) => Child;
  readonly end: (pid: number) => void;
}): AgentProcess {
  const child = options.fork(options.file, [], {
    serviceName: 'Croupier keys',
    stdio: 'ignore',
    env: agentEnvironment(options.env),
    // None of this process: it may run under a debugger. `--disable-sigusr1` is not among those that Electron passes on.
    execArgv: [],
  });
  let gone = false;
  let ending = false;
  child.once('exit', () => {
    gone = true;
  });
  // A failure of V8 in it, which `exit` follows. Heard by nobody it would be an exception here.
  child.on('error', () => undefined);
  child.once('spawn', () => {
    if (ending) end();
  });

  function end(): void {
    if (gone) return;
    // Not only `child.kill()`, which asks politely: a keychain call that never comes back does not hear it.
    if (child.pid === undefined) child.kill();
    else options.end(child.pid);
  }

  return {
    post: (request) => child.postMessage(request),
    onReply: (listener) => void child.on('message', listener),
    onExit(listener) {
      if (gone) listener();
      else child.once('exit', listener);
    },
    kill() {
      // Before it has a number it cannot be ended; then it is as soon as it has one.
      ending = true;
      end();
    },
  };
}
