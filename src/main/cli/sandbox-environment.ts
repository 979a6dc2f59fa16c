import type { SandboxOptions } from '#core/host/host.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment } from '#shared/ipc/index.ts';
import type { Arguments } from './arguments.ts';
import { chosenEnvironment } from './chosen-environment.ts';
import { givenKey } from './key-variable.ts';
import { readInputFile } from './read-input.ts';
import type { Context } from './command.ts';
import { findEnvironment, withWorkbench, type Workbench } from './workbench.ts';

const sandboxName = 'sandbox';

/** Starts the built-in provider for a command, and loads its code only then. */
export const startSandbox = async (options: SandboxOptions) => (await import('#sandbox/server.ts')).startSandbox(options);

interface Readiness {
  /** The typed name; undefined for none. */
  readonly name: string | undefined;
  /** The variable that `--key-env` names, and the key in it. */
  readonly keyVariable?: string | undefined;
  readonly key?: string | null;
  /** Starts a new provider in this process, also if another program on this home has one. */
  readonly own?: boolean;
}

/** Opens core for one piece of work with the environment that `--env` names, or the usual one, ready with the key that `--key-env` gives. */
export function withEnvironment<T>(
  args: Arguments,
  context: Context,
  work: (workbench: Workbench, environment: Environment) => Promise<T>,
  key = givenKey(args, context.terminal),
): Promise<T> {
  const asked = { name: args.value('env'), keyVariable: args.value('key-env'), key };
  return withWorkbench(context, { keys: { given: key }, startSandbox }, async (workbench) =>
    work(workbench, await readyEnvironment(workbench, asked, context)),
  );
}

/**
 * Returns the environment of that name, or the one of `chosenEnvironment`, with its key. For that of the built-in provider, ensures that a
 * provider runs: if there is none, starts one in this process until the command ends. A key that the user names belongs to a running provider, so
 * none is started for it.
 */
export async function readyEnvironment(
  { app, client }: Workbench,
  { name: typed, keyVariable, key = null, own = false }: Readiness,
  { terminal, stop }: Pick<Context, 'terminal' | 'stop'>,
): Promise<Environment> {
  const name = await chosenEnvironment(client, typed, terminal);
  const { environments } = await client.call('environments.list', {});
  const isMissing = name === sandboxName && !environments.some((one) => one.name === name || one.id === name);
  if (isMissing && key !== null) {
    throw new AppError(
      'not_found',
      `No built-in provider has run on this home yet. Start it with "croupier sandbox --key-env ${keyVariable ?? 'VAR'}", or leave --key-env out.`,
    );
  }
  const environment = isMissing ? null : await findEnvironment(client, name);
  if (environment !== null && key !== null) {
    await app.useKey(environment.id, key);
    const { CROUPIER_CERTIFICATE: path = '', CROUPIER_PASSPHRASE: passphrase = '' } = terminal.env;
    delete terminal.env['CROUPIER_PASSPHRASE'];
    if (path !== '' && environment.kind !== 'sandbox') {
      const file = await readInputFile('input.clientCertificate', path, { terminal, stop });
      await app.useCertificate(environment.id, file, passphrase);
    }
  }
  if (environment !== null && environment.kind !== 'sandbox') return environment;
  // A command that others work for has started it for one of them.
  if (environment !== null && (await client.call('sandbox.status', {})).controlUrl !== null) return environment;
  const found = own && key === null ? 'own' : await app.joinSandbox();
  if (environment !== null && (key !== null || found === 'joined')) return environment;
  await app.startSandbox({ port: 0, transient: true });
  const { running, message } = await client.call('sandbox.status', {});
  if (!running) throw new AppError('refused', message ?? 'The built-in provider could not start.');
  terminal.note(`croupier: ${reasons[found]}This command starts its own built-in provider and stops it at the end.`);
  return findEnvironment(client, environment?.id ?? name);
}

const reasons = {
  own: '',
  joined: '',
  absent: 'No built-in provider is running. ',
  otherKey: "A built-in provider is running, but this command doesn't have its key. ",
} as const;
