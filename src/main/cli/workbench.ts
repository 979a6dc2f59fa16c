import type { createRedaction } from '#core/app/app.ts';
import type { Host } from '#core/host/host.ts';
import { AppError } from '#shared/errors.ts';
import { provenText } from '#shared/calls/key-words.ts';
import { errorForLog } from '#shared/faults.ts';
import type { Client, Environment } from '#shared/ipc/index.ts';
import { shortestKeyMasked } from '#shared/signing/key.ts';
import { suggestion, type Arguments } from './arguments.ts';
import type { Terminal } from '../process/terminal.ts';
import type { Command, Context, ExitCode, Workbench } from './command.ts';

export type { Workbench } from './command.ts';

export interface WorkbenchOptions {
  /**
   * `process`: this process holds the keys until it ends, without a key agent, as one that `--key-env` gave. Such a key is found in every text
   * from the first on, before the command knows its environment.
   */
  readonly keys: 'keychain' | 'process' | { readonly given: string | null };
  /** Starts the built-in provider; absent if the command does not need it. */
  readonly startSandbox?: Host['startSandbox'];
}

/** Opens core for one piece of work and closes it again, even if the work fails. Uses the context's workbench if there is one. */
export async function withWorkbench<T>(
  { terminal, programs, stop, workbench }: Context,
  options: WorkbenchOptions,
  work: (workbench: Workbench) => Promise<T>,
): Promise<T> {
  if (workbench !== undefined) return work(workbench);
  const [core, { createClient }, { createNodeHost }, { untilStopped }] = await Promise.all([
    import('#core/app/app.ts'),
    import('#shared/ipc/client.ts'),
    import('../loopback/node-host.ts'),
    import('../loopback/until-stopped.ts'),
  ]);
  const given = typeof options.keys === 'string' ? null : options.keys.given;
  if (given !== null) hideKey(given, terminal, core);
  const host = createNodeHost({
    name: 'Command line',
    version: programs.version(),
    keyAgent: programs.keyAgent,
    readingWorker: programs.readingWorker,
    exportWorker: programs.exportWorker,
    keys: typeof options.keys === 'string' ? options.keys : given === null ? 'keychain' : 'process',
    // Whoever types a command of Croupier here can run the program as well.
    allowCommand: async () => true,
    ...(options.startSandbox === undefined ? {} : { startSandbox: options.startSandbox }),
    openEntrance: async (...given) => (await import('#sandbox/entrance.ts')).openRawEntrance(...given),
  });
  const home = core.resolveHome(terminal.env);
  const reading = new AbortController();
  const endWaits = () => {
    core.endLockWaits(home);
    reading.abort(new AppError('cancelled', 'Croupier was stopped while it read the collection.'));
  };
  stop.addEventListener('abort', endWaits);
  const building = core.createApp({
    home,
    host,
    stop: reading.signal,
    onFault(error) {
      const [first = '', ...stack] = errorForLog(error).split('\n');
      terminal.note(`croupier: ${first}`);
      if (terminal.env['CROUPIER_DEBUG'] !== undefined) for (const line of stack) terminal.note(line);
    },
  });
  const app = await untilStopped(building, stop, (late) => late.close());
  if (app === null) throw new AppError('cancelled', 'Croupier was stopped while it opened its home. Nothing was done.');
  try {
    if (given !== null) await app.expectKey(given);
    const client = createClient(app.transport);
    // After whatever call, and also while this program ends.
    client.on('keys.proven', ({ removed, callId }) => terminal.note(`croupier: ${provenText(removed, callId)}`));
    return await work({ app, client });
  } finally {
    await app.close();
    stop.removeEventListener('abort', endWaits);
  }
}

/** Returns the work of a command that opens core for all that it does. */
export function inHome(
  keys: 'keychain' | 'process',
  work: (workbench: Workbench, args: Arguments, context: Context) => Promise<ExitCode>,
): Command['run'] {
  return (args, context) => withWorkbench(context, { keys }, (workbench) => work(workbench, args, context));
}

/** Prints no text with this key in any form from now on. A key of a few letters stays: it stands in words by chance. */
export function hideKey(key: string, terminal: Terminal, core: { readonly createRedaction: typeof createRedaction }): void {
  if (Buffer.byteLength(key) < shortestKeyMasked) return;
  const redaction = core.createRedaction();
  redaction.protect(key);
  terminal.hide(redaction.redact);
}

/** Returns the environment of that name or ID; without a name, the only one. */
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
    throw new AppError(
      'conflict',
      `Several environments are named ${name}. Use the ID: ${found.map(({ id }) => id).join(', ')}.`,
    );
  if (found[0] !== undefined) return found[0];
  const near = suggestion(
    name,
    environments.map((environment) => environment.name),
  );
  const isThere = `${near} Available: ${names(environments)}.`;
  const unread = broken.map(({ file, message }) => `${file} cannot be read: ${message}`).join(' ');
  throw new AppError(
    'not_found',
    broken.length === 0
      ? `There is no environment ${JSON.stringify(name)}.${isThere}`
      : `There is no readable environment ${JSON.stringify(name)}.${isThere} ${unread}`,
  );
}

function names(environments: readonly Environment[]): string {
  return environments.length === 0 ? 'none' : environments.map(({ name }) => name).join(', ');
}
