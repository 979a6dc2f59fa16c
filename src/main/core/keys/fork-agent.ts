import { withoutDebugger } from './no-debugger.ts';
import type { AgentProcess, AgentReply, AgentRequest } from './agent-messages.ts';

/** Environment variables by which a keychain is found. The agent gets no others: no key named by `--key-env`, no NODE_OPTIONS. */
const passedOn = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'XDG_DATA_HOME',
  'XDG_DATA_DIRS',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_CURRENT_DESKTOP',
  'XDG_SESSION_ID',
  'XDG_SESSION_TYPE',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  // Windows
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'USERNAME',
  'USERDOMAIN',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'TEMP',
  'TMP',
] as const;

/** Returns the part of `env` that the key agent gets; `isWindows`: names count in any case. */
export function agentEnvironment(env: NodeJS.ProcessEnv, isWindows = process.platform === 'win32'): NodeJS.ProcessEnv {
  const passed: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(env)) {
    // Windows writes `Path` and ignores case.
    const known = passedOn.some((wanted) => wanted === (isWindows ? name.toUpperCase() : name));
    if (known && value !== undefined) passed[name] = value;
  }
  return passed;
}

/** Starts the key agent as a child process of Node. It does not keep this process alive, and its output goes nowhere. */
export function forkAgent(
  modulePath: string,
  env: NodeJS.ProcessEnv = process.env,
  execArgv: string[] = [withoutDebugger],
): AgentProcess {
  const child = process.getBuiltinModule('node:child_process').fork(modulePath, [], {
    env: agentEnvironment(env),
    execArgv,
    // Bytes travel as bytes; a large payload is four times faster than as base64 in JSON.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  child.unref();
  child.channel?.unref();

  // A message costs more than what it says: while a reply is awaited, the requests of one turn share one, and so do their replies.
  let waiting: AgentRequest[] = [];
  /** The first reply, that it listens, has no request. */
  let awaited = 1;
  child.on('message', (replies) => (awaited -= (replies as AgentReply[]).length));
  function send(): void {
    // If the channel closed meanwhile, `exit` follows and is handled there.
    child.send(waiting, () => undefined);
    waiting = [];
  }

  let gone = false;
  const listeners: (() => void)[] = [];
  function leave(): void {
    if (gone) return;
    gone = true;
    for (const listener of listeners) listener();
  }
  child.once('exit', leave);
  // Emitted in place of `exit` if the process could not be started.
  child.on('error', leave);

  return {
    post(request) {
      waiting.push(request);
      if (awaited++ === 0) send();
      else if (waiting.length === 1) setImmediate(send);
    },
    onReply: (listener) => void child.on('message', (replies) => (replies as AgentReply[]).forEach(listener)),
    onExit(listener) {
      if (gone) listener();
      else listeners.push(listener);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
