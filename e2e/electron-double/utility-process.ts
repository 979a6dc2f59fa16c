import { fork, type ChildProcess } from 'node:child_process';
import { record } from './record.ts';
import { strict, StrictEmitter } from './strict.ts';

type UtilityApi = Pick<Electron.UtilityProcess, 'pid' | 'postMessage' | 'kill'>;

/** A child of Node with `process.parentPort`, which is what the app can see of a utility process. */
class UtilityProcessDouble extends StrictEmitter implements UtilityApi {
  readonly #child: ChildProcess;
  pid: number | undefined = undefined;
  constructor(file: string, values: readonly string[], options: Electron.ForkOptions) {
    super();
    record('utilityProcess.fork', { serviceName: options.serviceName, env: Object.keys(options.env ?? process.env).sort() });
    this.#child = fork(file, values, {
      env: { ...(options.env ?? process.env) } as NodeJS.ProcessEnv,
      execArgv: ['--import', new URL('./utility-port.ts', import.meta.url).href],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // As in Electron, the number is there from the event `spawn` on and gone with the process.
    this.#child.once('spawn', () => {
      this.pid = this.#child.pid;
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code) => {
      this.pid = undefined;
      this.emit('exit', code ?? 0);
    });
    this.#child.once('error', (error) => this.emit('error', 'FatalError', error.message, ''));
  }
  postMessage(message: unknown): void {
    this.#child.send(message as object, () => undefined);
  }
  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }
}

/** Electron's `utilityProcess` module. */
export const utilityProcess = strict('utilityProcess', {
  fork: (file: string, values: readonly string[] = [], options: Electron.ForkOptions = {}) =>
    new UtilityProcessDouble(file, values, options),
});
