import { AppError } from '#shared/errors.ts';
import type { Client, Environment } from '#shared/ipc/index.ts';
import type { SettingName } from '#shared/ipc/settings.ts';
import type { Terminal } from '../process/terminal.ts';

/** The help of `--env` in each command that uses an environment without a name, too. */
export const envHelp = 'Use this environment (default: CROUPIER_ENV, then your default, then the only one)';

const environmentVariable = 'CROUPIER_ENV';
const setting = 'defaultEnvironment' satisfies SettingName;

/**
 * Returns the name or ID of the environment for a command: that of --env, else that of CROUPIER_ENV, else of the default one. Says which it is,
 * unless --env named it; undefined for none. Fails with `refused` if the default one was marked as production meanwhile, and with `not_found` if it was
 * removed.
 */
export async function chosenEnvironment(
  client: Client,
  named: string | undefined,
  { env, note }: Pick<Terminal, 'env' | 'note'>,
): Promise<string | undefined> {
  if (named !== undefined) return named;
  const ofVariable = env[environmentVariable];
  if (ofVariable) {
    note(`croupier: using environment ${ofVariable}, from ${environmentVariable}.`);
    return ofVariable;
  }
  const id = await defaultEnvironmentId(client);
  if (id === null) return undefined;
  const { environments } = await client.call('environments.list', {});
  const found = environments.find((one) => one.id === id);
  if (found === undefined)
    throw new AppError(
      'not_found',
      'The default environment was removed or can\'t be read. Use --env, or choose another with "croupier env default NAME".',
    );
  refuseProduction(found);
  note(`croupier: using environment ${found.name}, the default.`);
  return environments.filter(({ name }) => name === found.name).length === 1 ? found.name : found.id;
}

/** Returns the ID of the default environment; null for none. */
export async function defaultEnvironmentId(client: Client): Promise<string | null> {
  return (await client.call('settings.read', {})).values[setting] || null;
}

/** Makes an environment the default one; null for none. Fails with `refused` if it is marked as production. */
export async function setDefaultEnvironment(client: Client, environment: Environment | null): Promise<void> {
  if (environment !== null) refuseProduction(environment);
  await client.call('settings.write', { name: setting, value: environment?.id ?? '' });
}

function refuseProduction({ name, production }: Environment): void {
  if (!production) return;
  throw new AppError('refused', `${name} is marked as production, so it can't be the default environment. Use --env instead.`);
}
