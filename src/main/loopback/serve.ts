import { once } from 'node:events';
import { createApp, resolveHome } from '#core/app/app.ts';
import { within } from '#core/host/within.ts';
import { openRawEntrance } from '#sandbox/entrance.ts';
import { startSandbox } from '#sandbox/server.ts';
import { AppError } from '#shared/errors.ts';
import { createClient } from '#shared/ipc/client.ts';
import { pagePolicy } from '#shared/page-policy.ts';
import { noteError, type Terminal } from '../process/terminal.ts';
import { createAccess } from './access.ts';
import { createFrames } from './game-frames.ts';
import { createNodeHost } from './node-host.ts';
import { listPageFiles } from '../process/page-files.ts';
import { keepPort, keptPorts } from './ports.ts';
import type { Programs } from './programs.ts';
import { hasDisplay, openInBrowser, writeRedirectFile } from './redirect-file.ts';
import { startServer, type LoopbackServer } from './server.ts';
import { untilStopped } from './until-stopped.ts';

export interface ServeOptions {
  /** 0 for a free one; null for that of the last host on this home, or a free one if that is taken. */
  readonly port: number | null;
  /** True to open a browser if there is a display. */
  readonly open: boolean;
  readonly log: boolean;
  /** Its input asks for a new URL with Enter. */
  readonly terminal: Pick<Terminal, 'env' | 'stdin' | 'result' | 'note'>;
  readonly programs: Programs;
  /** Aborted by SIGINT or SIGTERM. Otherwise only too many faults end the host. */
  readonly stop: AbortSignal;
  /** Sets the handler of uncaught errors, from when core is open until it is closed. */
  readonly takeUncaught: (take: ((error: unknown) => void) | null) => void;
  /** Kills the process: everything is written, and a part did not end. */
  readonly kill: () => void;
}

/** Time to wait for the host's own server, in milliseconds: its connections are destroyed. */
const serverMs = 1_000;

/**
 * Runs the browser host until `stop`. Fails with `not_found` if the page is not built, `conflict` if the port is taken, and
 * `internal` after too many faults.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { terminal, programs } = options;
  const { env, stdin, note } = terminal;
  const print = (line: string) => void terminal.result(line);
  const gaveUp = new AbortController();
  const stop = AbortSignal.any([options.stop, gaveUp.signal]);
  const home = resolveHome(env);
  const files = await listPageFiles(programs.page);
  const frames = createFrames(() => performance.now());
  const building = createApp({
    home,
    host: createNodeHost({
      name: 'Browser',
      version: programs.version(),
      keyAgent: programs.keyAgent,
      searchWorker: programs.searchWorker,
      readingWorker: programs.readingWorker,
      exportWorker: programs.exportWorker,
      keys: 'keychain',
      startSandbox,
      openEntrance: openRawEntrance,
      gameFrames: frames,
      starters: programs.starters,
      licences: programs.licences,
    }),
    onFault,
  });
  const app = await untilStopped(building, stop, (late) => late.close());
  if (app === null) return;
  options.takeUncaught((error) => {
    if (!app.uncaught(error)) gaveUp.abort();
  });
  const client = createClient(app.transport);
  // Its answer is that of the process that holds keys, which starts meanwhile.
  const asked = client.call('app.info', {});
  asked.catch(() => undefined);
  const access = createAccess({
    now: () => performance.now(),
    onVoid: () => note('Ten wrong tokens were tried, so the printed URL no longer works. Press Enter for a new one.'),
  });
  let complete = true;
  try {
    const start = (port: number) =>
      startServer({
        port,
        files,
        access,
        policy: (line) => pagePolicy({ frame: 'self', line }),
        dispatch: (name, input) => app.dispatch(name, input),
        subscribe: (listener) => app.subscribe(listener),
        body: (callId, part) => app.body(callId, part),
        picture: (id) => app.picture(id),
        frame: (ticket) => frames.take(ticket),
        ...(options.log ? { log: note } : {}),
      });
    const server = options.port === null ? await startOnKept(start, keptPorts(home)) : await start(options.port);
    try {
      const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
      // Without it the next host takes another port, and open pages cannot go on.
      await Promise.race([keepPort(home, Number(new URL(server.origin).port)).catch(onFault), stopped]);
      // Not essential: a provider that cannot start says so in its status. It may wait for another copy's lock.
      await Promise.race([app.startSandbox(), stopped]);
      if (!stop.aborted) await Promise.race([ready(server.origin), stopped]);
      await stopped;
    } finally {
      await within(serverMs, server.close());
    }
  } finally {
    stdin.destroy();
    complete = await app.close();
    options.takeUncaught(null);
  }
  if (!complete) options.kill();
  if (gaveUp.signal.aborted) {
    throw new AppError(
      'internal',
      'Croupier stopped after too many faults in one minute. Everything recorded is kept. Start it again.',
    );
  }

  function onFault(error: unknown): void {
    noteError(error, terminal);
  }

  async function ready(origin: string): Promise<void> {
    const [info, provider] = await Promise.all([asked, client.call('sandbox.status', {})]);
    const address = () => `${origin}/#${access.issue()}`;
    const first = address();
    print(`Croupier is ready: ${first}`);
    print('  This URL works once, within 60 seconds. Press Enter for a new one, Ctrl+C to stop.');
    print(`  Home      ${info.home}`);
    print(`  Keys      ${info.keychainMessage ?? 'in the keychain of this computer'}`);
    print(
      `  Provider  ${provider.baseUrl ?? provider.message ?? 'not running'}${provider.running ? ' (environment sandbox)' : ''}`,
    );
    stdin.on('data', () => print(`New URL: ${address()}`));
    stdin.on('error', () => undefined);
    if (options.open && hasDisplay(env, process.platform)) await openBrowser(first);
  }

  async function openBrowser(address: string): Promise<void> {
    const failed = () => note('Croupier could not open a browser. Open the URL above yourself.');
    const redirect = await writeRedirectFile(address).catch(() => null);
    if (redirect === null) return failed();
    // Its token is void after a minute.
    const removal = setTimeout(() => void redirect.remove(), 60_000);
    stop.addEventListener('abort', () => {
      clearTimeout(removal);
      void redirect.remove();
    });
    void openInBrowser(redirect.path, process.platform).then((opened) => {
      if (!opened) failed();
    });
  }
}

/** Starts on a kept port, otherwise on a free one. Fails only if no port is free. */
async function startOnKept(start: (port: number) => Promise<LoopbackServer>, kept: readonly number[]): Promise<LoopbackServer> {
  for (const port of kept) {
    const server = await start(port).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'conflict') return null;
      throw error;
    });
    if (server !== null) return server;
  }
  return start(0);
}
