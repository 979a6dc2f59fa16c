import type { App } from '#core/app/app.ts';
import type { Host } from '#core/host/host.ts';
import { AppError } from '#shared/errors.ts';
import { errorForLog } from '#shared/faults.ts';
import type { Client, Environment } from '#shared/ipc/index.ts';
import { suggestion } from './arguments.ts';
import type { Context } from './command.ts';

/** The application on this home, and its client. */
export interface Workbench {
  readonly app: App;
  readonly client: Client;
}

export interface WorkbenchOptions {
  /** `process`: keys are held here for this run and no key agent is started (`--key-env`). */
  readonly keys: 'keychain' | 'process';
  /** How this command runs the built-in provider; absent where it runs none. */
  readonly startSandbox?: Host['startSandbox'];
}

/** Opens the application for one piece of work and closes it again, whatever becomes of the work. */
export async function withWorkbench<T>(
  { terminal, programs, stop }: Context,
  options: WorkbenchOptions,
  work: (workbench: Workbench) => Promise<T>,
): Promise<T> {
  const [core, { createClient }, { createNodeHost }] = await Promise.all([
    import('#core/app/app.ts'),
    import('#shared/ipc/client.ts'),
    import('../loopback/node-host.ts'),
  ]);
  const host = createNodeHost({
    name: 'Command line',
    version: programs.version(),
    keyAgent: programs.keyAgent,
    readingWorker: programs.readingWorker,
    exportWorker: programs.exportWorker,
    keys: options.keys,
    ...(options.startSandbox === undefined ? {} : { startSandbox: options.startSandbox }),
  });
  const home = core.resolveHome(terminal.env);
  const endWaits = () => core.endLockWaits(home);
  stop.addEventListener('abort', endWaits);
  const app = await core.createApp({
    home,
    host,
    onFault(error) {
      const [first = '', ...stack] = errorForLog(error).split('\n');
      terminal.note(`croupier: ${first}`);
      if (terminal.env['CROUPIER_DEBUG'] !== undefined) for (const line of stack) terminal.note(line);
    },
  });
  try {
    return await work({ app, client: createClient(app.transport) });
  } finally {
    await app.close();
    stop.removeEventListener('abort', endWaits);
  }
}

/** The environment of that name or id; without a name, the only one there is. */
export async function findEnvironment(client: Client, name: string | undefined): Promise<Environment> {
  const { environments, broken } = await client.call('environments.list', {});
  if (name === undefined) {
    const [only, ...others] = environments;
    if (only !== undefined && others.length === 0) return only;
    throw new AppError(
      'invalid_input',
      environments.length === 0
        ? 'There is no environment yet. Use --env sandbox for the built-in provider, or create one with "croupier env set NAME".'
        : `Name the environment with --env: ${names(environments)}.`,
    );
  }
  const found = environments.filter((environment) => environment.name === name || environment.id === name);
  if (found.length > 1)
    throw new AppError('conflict', `Several environments are called so. Use the id: ${found.map(({ id }) => id).join(', ')}.`);
  if (found[0] !== undefined) return found[0];
  const unread =
    broken.length > 0 ? ` ${broken.length} files could not be read: ${broken.map(({ file }) => file).join(', ')}.` : '';
  throw new AppError(
    'not_found',
    `There is no environment ${JSON.stringify(name)}.${suggestion(
      name,
      environments.map((environment) => environment.name),
    )} There are: ${names(environments)}.${unread}`,
  );
}

function names(environments: readonly Environment[]): string {
  return environments.length === 0 ? 'none' : environments.map(({ name }) => name).join(', ');
}
