import type { ElectronApplication } from '@playwright/test';
import type { CallName, Input, Output, Reply } from '#shared/ipc/index.ts';
import type {} from '#renderer/api/bridge-transport.ts';
import { followComplaints, launchDesktop } from './electron-host.ts';
import { descendants, isRunning, type Surroundings } from './program.ts';

/** Ways in which the user or the system ends the program. */
export type Way = 'window' | 'menu' | 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/** The end of a desktop. */
interface Ended {
  /** The exit code, or the signal that ended it. */
  readonly code: number | string | null;
  /** Processes of its own that outlived it. */
  readonly left: readonly number[];
  readonly stderr: string;
}

/** A desktop that a test starts to end it. Nothing here asks its page through Playwright, so that a page may hang or be gone. */
export interface QuittingDesktop {
  readonly app: ElectronApplication;
  readonly pid: number;
  /** Makes a call as the page makes it and waits for its result. */
  call<K extends CallName>(name: K, input: Input<K>): Promise<Output<K>>;
  /** Makes a call and waits until main has it, and not for its result. */
  begin<K extends CallName>(name: K, input: Input<K>): Promise<void>;
  quit(way: Way): Promise<Ended>;
  /** Kills it after a test failed; does nothing if it has ended. */
  kill(): void;
}

/** Milliseconds after which a test has failed: no quit of the desktop may take longer than its own bounds. */
const mostMs = 20_000;

/** Starts the built desktop and waits until its page can call. */
export async function startQuittingDesktop(surroundings: Surroundings, executable: string): Promise<QuittingDesktop> {
  const app = await launchDesktop(surroundings, executable);
  const child = app.process();
  const pid = child.pid ?? -1;
  let stderr = '';
  followComplaints(app, (line) => (stderr += `${line}\n`));
  const gone = new Promise<number | string | null>((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  await app.evaluate(async ({ app: program, BrowserWindow }) => {
    await program.whenReady();
    const settle = () => new Promise((resolve) => setTimeout(resolve, 10));
    const canCall = async () => {
      const [window] = BrowserWindow.getAllWindows();
      return window !== undefined && (await window.webContents.executeJavaScript("typeof window.croupier === 'object'"));
    };
    while (!(await canCall().catch(() => false))) await settle();
  });
  const codeOf = (name: CallName, input: unknown) => `window.croupier.call(${JSON.stringify(name)}, ${JSON.stringify(input)})`;
  return {
    app,
    pid,
    async call(name, input) {
      const reply = (await app.evaluate(
        ({ BrowserWindow }, code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code) as Promise<unknown>,
        codeOf(name, input),
      )) as Reply;
      if (!reply.ok) throw new Error(`${name}: ${reply.error.message}`);
      return reply.value as Output<typeof name>;
    },
    begin: (name, input) =>
      app.evaluate(
        ({ BrowserWindow, ipcMain }, { code, wanted }) => {
          type Handler = Parameters<typeof ipcMain.handle>[1];
          const { _invokeHandlers: handlers } = ipcMain as unknown as { _invokeHandlers: Map<string, Handler> };
          const answer = handlers.get('call');
          if (answer === undefined) throw new Error('The desktop answers no calls.');
          return new Promise<void>((resolve) => {
            handlers.set('call', (event, ...values: unknown[]): unknown => {
              const reply: unknown = answer(event, ...values);
              if (values[0] === wanted) {
                handlers.set('call', answer);
                resolve();
              }
              return reply;
            });
            void BrowserWindow.getAllWindows()[0]
              ?.webContents.executeJavaScript(`void ${code}`)
              .catch(() => undefined);
          });
        },
        { code: codeOf(name, input), wanted: name },
      ),
    async quit(way) {
      const helpers = descendants(pid);
      const ask =
        way !== 'window' && way !== 'menu'
          ? Promise.resolve(process.kill(pid, way))
          : app.evaluate(({ app: program, BrowserWindow }, how) => {
              // After the test has its reply.
              setTimeout(() => {
                if (how === 'menu') program.quit();
                else BrowserWindow.getAllWindows()[0]?.close();
              });
            }, way);
      await ask.catch(() => undefined);
      const late = Promise.withResolvers<string>();
      const timer = setTimeout(() => late.resolve(`runs after ${mostMs / 1_000} s`), mostMs);
      const code = await Promise.race([gone, late.promise]);
      clearTimeout(timer);
      let left = helpers.filter(isRunning);
      // The system ends the processes of a killed one a moment later.
      for (const until = performance.now() + 2_000; left.length > 0 && performance.now() < until; left = left.filter(isRunning))
        await new Promise((resolve) => setTimeout(resolve, 10));
      return { code, left, stderr };
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
