import { fork, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { browserStarted } from './ready.ts';
import { record } from './record.ts';
import { strict, StrictEmitter } from './strict.ts';

type UtilityApi = Pick<Electron.UtilityProcess, 'pid' | 'postMessage' | 'kill'>;

/**
 * Doubles a utility process by a child of Node with `process.parentPort`. As in Electron, an `env` without entries inherits
 * everything, and the exit code is 0 after `kill()` and the signal's number after a signal from elsewhere.
 */
class UtilityProcessDouble extends StrictEmitter implements UtilityApi {
  readonly #child: ChildProcess;
  pid: number | undefined = undefined;
  #killed = false;
  constructor(file: string, values: readonly string[], options: Electron.ForkOptions) {
    super();
    if (!browserStarted()) throw new TypeError('utilityProcess cannot be created before app is ready.');
    const env = Object.keys(options.env ?? {}).length === 0 ? process.env : options.env;
    record('utilityProcess.fork', { serviceName: options.serviceName, env: Object.keys(env ?? {}).sort() });
    const given = encodeURIComponent(JSON.stringify(options.execArgv ?? []));
    this.#child = fork(file, values, {
      env: { ...env } as NodeJS.ProcessEnv,
      execArgv: ['--import', new URL(`./utility-port.mjs?${given}`, import.meta.url).href],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // As in Electron, the process ID exists from the event `spawn` on until the exit.
    this.#child.once('spawn', () => {
      this.pid = this.#child.pid;
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code, signal) => {
      this.pid = undefined;
      const bySignal = this.#killed || signal === null ? 0 : constants.signals[signal];
      this.emit('exit', code ?? bySignal);
    });
    // A failed launch has no event. `error` is V8's own failure in the child, which a test emits.
    this.#child.on('error', (error) => record('utilityProcess', String(error)));
  }
  postMessage(message: unknown): void {
    this.#child.send(message as object, () => undefined);
  }
  kill(): boolean {
    if (this.pid === undefined) return false;
    this.#killed = true;
    return this.#child.kill('SIGTERM');
  }
}

/** Electron's `utilityProcess` module. */
export const utilityProcess = strict('utilityProcess', {
  fork: (file: string, values: readonly string[] = [], options: Electron.ForkOptions = {}) =>
    new UtilityProcessDouble(file, values, options),
});
