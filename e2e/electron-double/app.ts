import { readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { closeBrowser } from './browser.ts';
import { takeInstanceLock, type InstanceLock } from './instance-lock.ts';
import { browserStarted, whenStarted } from './ready.ts';
import { record } from './record.ts';
import { preventable, strict, StrictEmitter } from './strict.ts';
import { appendSwitch } from './switches.ts';
import { openWindows } from './window-list.ts';

type AppApi = Pick<
  Electron.App,
  | 'whenReady'
  | 'quit'
  | 'exit'
  | 'relaunch'
  | 'requestSingleInstanceLock'
  | 'releaseSingleInstanceLock'
  | 'hasSingleInstanceLock'
  | 'getPath'
  | 'setPath'
  | 'getVersion'
  | 'isPackaged'
  | 'enableSandbox'
  | 'accessibilitySupportEnabled'
  | 'userAgentFallback'
>;

const folder = process.env['ELECTRON_DOUBLE_APP'] ?? process.cwd();

/** Electron's `app`. Quits in the documented order: before-quit, every window's close, will-quit, quit. */
class AppDouble extends StrictEmitter implements AppApi {
  readonly isPackaged = false;
  readonly commandLine = strict('commandLine', {
    appendSwitch(name: string, value?: string) {
      record('app.commandLine.appendSwitch', { name, value });
      appendSwitch(name, value);
    },
    hasSwitch: (name: string) => process.argv.includes(`--${name}`),
  } satisfies Partial<Electron.CommandLine>);
  readonly #manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    name: string;
    productName?: string;
    version: string;
  };
  readonly #paths = new Map<string, string>();
  #name = this.#manifest.productName ?? this.#manifest.name;
  #lock: InstanceLock | null = null;
  #quitting = false;
  #accessible = false;
  #agent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) ${this.#name}/${this.#manifest.version} Chrome/156.0.0.0 Electron/45.4.1 Safari/537.36`;

  constructor() {
    super();
    appendSwitch('user-agent', this.#agent);
    void whenStarted().then(() => this.emit('ready', {}, {}));
  }
  whenReady(): Promise<void> {
    return whenStarted();
  }
  getVersion(): string {
    return this.#manifest.version;
  }
  enableSandbox(): void {
    if (browserStarted()) throw new Error('app.enableSandbox() can only be called before app is ready');
    record('app.enableSandbox', null);
  }
  /** Notes that the app wants to be started again when this one has ended. */
  relaunch(): void {
    record('app.relaunch', null);
  }
  /** Electron's own until it is set. */
  get userAgentFallback(): string {
    return this.#agent;
  }
  set userAgentFallback(agent: string) {
    if (browserStarted()) throw new Error('The electron double takes a user agent only before app is ready.');
    this.#agent = agent;
    appendSwitch('user-agent', agent);
  }
  get accessibilitySupportEnabled(): boolean {
    return this.#accessible;
  }
  /** As a screen reader does by its start: Electron reports both in the same way. */
  set accessibilitySupportEnabled(enabled: boolean) {
    if (!browserStarted()) throw new Error('app.setAccessibilitySupportEnabled() can only be called after app is ready');
    this.#accessible = enabled;
    this.emit('accessibility-support-changed', {}, enabled);
  }
  getPath(name: string): string {
    const set = this.#paths.get(name);
    if (set !== undefined) return set;
    if (name === 'temp') return tmpdir();
    if (name === 'home') return homedir();
    throw new Error(`The electron double does not have app.getPath('${name}') before it is set.`);
  }
  setPath(name: string, value: string): void {
    if (!path.isAbsolute(value)) throw new Error('Path must be absolute');
    this.#paths.set(name, value);
  }
  requestSingleInstanceLock(): boolean {
    this.#lock ??= takeInstanceLock(this.getPath('userData'), (argv, workingDirectory) => {
      void whenStarted().then(() => this.emit('second-instance', {}, argv, workingDirectory, null));
    });
    return this.#lock !== null;
  }
  hasSingleInstanceLock(): boolean {
    return this.#lock !== null;
  }
  releaseSingleInstanceLock(): void {
    this.#lock?.release();
    this.#lock = null;
  }
  quit(): void {
    if (!this.#quitting) void this.#leave();
  }
  async #leave(): Promise<void> {
    this.#quitting = true;
    const goes = this.#asks('before-quit') && (await this.#closeWindows()) && this.#asks('will-quit');
    this.#quitting = false;
    if (!goes) return;
    this.exit();
  }
  #asks(name: string): boolean {
    const event = preventable({});
    this.emit(name, event);
    return !event.defaultPrevented;
  }
  async #closeWindows(): Promise<boolean> {
    for (const window of openWindows()) {
      if (!(await window.tryToClose())) return false;
    }
    return true;
  }
  /** Called when the last window is gone: quits if nobody listens. */
  lastWindowClosed(): void {
    if (!this.#quitting && !this.emit('window-all-closed')) this.quit();
  }
  exit(code = 0): void {
    this.emit('quit', {}, code);
    this.releaseSingleInstanceLock();
    void whenStarted()
      .then(closeBrowser)
      .finally(() => {
        // Sockets and timers of the app do not hold Electron up either.
        process.exit(code);
      });
  }
}

/** Electron's `app` module. */
export const app = new AppDouble();

// SIGHUP comes when its terminal disappears. A second signal has the system's default.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => app.quit());
