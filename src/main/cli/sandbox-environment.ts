import type { SandboxOptions } from '#core/host/host.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment } from '#shared/ipc/index.ts';
import type { Arguments } from './arguments.ts';
import { chosenEnvironment } from './chosen-environment.ts';
import type { Terminal } from '../process/terminal.ts';
import { readInputFile } from './read-input.ts';
import type { Context } from './command.ts';
import { findEnvironment, type Workbench } from './workbench.ts';

const sandboxName = 'sandbox';

/** Starts the built-in provider for a command, and loads its code only then. */
export const startSandbox = async (options: SandboxOptions) => (await import('#sandbox/server.ts')).startSandbox(options);

export interface Readiness {
  /** The typed name; undefined for none. */
  readonly name: string | undefined;
  /** The variable that `--key-env` names; undefined for none. */
  readonly keyVariable: string | undefined;
  readonly key: string | null;
  /** `own`: a new provider in this process. `any`: that of another program on this home, if there is one. */
  readonly provider: 'any' | 'own';
  readonly terminal: Terminal;
  readonly stop: AbortSignal;
}

/** Returns the environment of that name, usually of `--env`, ready for a command that uses the provider of any program on this home. */
export function namedEnvironment(
  workbench: Workbench,
  args: Arguments,
  key: string | null,
  { terminal, stop }: Pick<Context, 'terminal' | 'stop'>,
  name = args.value('env'),
): Promise<Environment> {
  const keyVariable = args.value('key-env');
  return readyEnvironment(workbench, { name, keyVariable, key, provider: 'any', terminal, stop });
}

/**
 * Returns the environment of that name, or the one of `chosenEnvironment`, with its key. For that of the built-in provider, ensures that a
 * provider runs: if there is none, starts one in this process until the command ends. A key that the user names belongs to a running provider, so
 * none is started for it.
 */
export async function readyEnvironment({ app, client }: Workbench, options: Readiness): Promise<Environment> {
  const { key, keyVariable, provider, terminal, stop } = options;
  const name = await chosenEnvironment(client, options.name, terminal);
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
  const found = provider === 'own' && key === null ? 'own' : await app.joinSandbox();
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
