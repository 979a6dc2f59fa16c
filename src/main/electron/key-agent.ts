import type { UtilityProcess } from 'electron';
import { agentEnvironment, type createAgentSecrets } from '#core/app/app.ts';

type AgentProcess = ReturnType<Parameters<typeof createAgentSecrets>[0]['spawn']>;

/** The used part of a utility process. */
type Child = Pick<UtilityProcess, 'pid' | 'postMessage' | 'kill'> & {
  on(event: 'message', listener: Parameters<AgentProcess['onReply']>[0]): unknown;
  on(event: 'error', listener: () => void): unknown;
  once(event: 'spawn', listener: () => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
};

/**
 * Starts the key agent as a utility process, because a packaged Electron cannot fork Node. It gets only the environment variables that a keychain
 * needs. `fork` is Electron's; `end` ends a process by its number at once.
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
    // No options of this process, which may run under a debugger. Electron does not pass `--disable-sigusr1` on.
    execArgv: [],
  });
  let gone = false;
  let ending = false;
  child.once('exit', () => {
    gone = true;
  });
  // A failure of V8 in the agent, followed by `exit`. Without a listener it would be an exception here.
  child.on('error', () => undefined);
  child.once('spawn', () => {
    if (ending) end();
  });

  function end(): void {
    if (gone) return;
    // More than `child.kill()`, which a hanging keychain call does not notice.
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
      // A process without a number cannot be ended yet, so it is ended as soon as it has one.
      ending = true;
      end();
    },
  };
}
