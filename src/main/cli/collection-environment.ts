import { AppError } from '#shared/errors.ts';
import type { Client, CollectionEnvironment } from '#shared/ipc/index.ts';
import type { Context } from './command.ts';
import { requireYes } from './questions.ts';

/** Prints each difference: the setting, and what home and file say. */
export function differenceLines({ differences, state }: CollectionEnvironment): string[] {
  return differences.map(({ field, home, file, asks }) => {
    const values = state === 'new' ? shown(file) : `${shown(home)} -> ${shown(file)}`;
    return `${field}: ${values}${asks && state !== 'new' ? '  (needs confirmation)' : ''}`;
  });
}

function shown(value: string): string {
  return value === '' ? '(none)' : value;
}

/**
 * Returns the name or ID of the environment for a run of a collection. One that only the collection has is taken into the home: on a terminal after a
 * question, otherwise with a note. Fails with `refused` if the home's has another base or wallet URL, certificate authority or mark of production
 * than the collection's, and there is no terminal to ask on.
 */
export async function environmentForRun(
  client: Client,
  directory: string,
  name: string | undefined,
  context: Context,
): Promise<string | undefined> {
  const { terminal } = context;
  if (name === undefined) return undefined;
  const { environments } = await client.call('environments.list', {});
  const ofHome = environments.find((one) => one.name === name || one.id === name);
  // The list brings environments of this home up to date with their files.
  if (ofHome?.kind === 'sandbox') return name;
  const found = (await client.call('collections.environments', { directory })).environments.find(
    (one) => one.name === name || (ofHome !== undefined && one.environmentId === ofHome.id),
  );
  if (found === undefined) return name;
  if (found.problem !== null) throw new AppError('refused', `${found.problem.message} Nothing was sent.`, found.problem);
  if (found.state === 'new') return takeNew(client, directory, found, context);
  const used = found.environmentId ?? name;
  const guards = found.differences.filter(({ asks }) => asks);
  if (guards.length > 0) await settleGuards(client, directory, found, context);
  else if (found.state === 'own')
    terminal.note(`croupier: using this home's ${name}, not the one in ${found.path}${otherwise(found)}.`);
  else terminal.note(`croupier: using ${name}, which is linked to ${found.path} in the collection.`);
  return used;
}

async function takeNew(client: Client, directory: string, found: CollectionEnvironment, context: Context): Promise<string> {
  const { name, path, revision, differences } = found;
  const provider = differences.find(({ field }) => field === 'sameProviderAs')?.file;
  // The recorded answers of that one count for this one, too.
  if (provider !== undefined && provider !== '') await environmentForRun(client, directory, provider, context);
  const agreement = { lines: differenceLines(found), declined: 'Nothing was sent, and no environment was added.' };
  await requireYes(`This home has no environment ${name}. Add it from ${path}?`, agreement, context);
  const environment = await client.call('collections.useEnvironment', { directory, name, revision });
  const mark = environment.production ? ', production' : '';
  context.terminal.note(`croupier: added environment ${name} from ${path}: ${environment.baseUrl}${mark}.`);
  return environment.id;
}

/** Asks what counts, because the collection says something else about where calls go or what guards them. */
async function settleGuards(client: Client, directory: string, found: CollectionEnvironment, context: Context): Promise<void> {
  const { name, path, revision, state } = found;
  const lines = differenceLines({ ...found, differences: found.differences.filter(({ asks }) => asks) });
  const advice = `To use the file's settings, run "croupier env import --replace". To keep your own, edit the file or this home's environment until they match.`;
  const unasked = `Nothing was sent: this home's ${name} differs from ${path} in the collection (${lines.join('; ')}). ${advice}`;
  const question =
    state === 'own'
      ? `This home's ${name} differs from ${path}. Run with this home's?`
      : `${path} has changed. Apply the changes?`;
  await requireYes(question, { lines, declined: 'Nothing was sent or changed.', unasked }, context);
  if (state !== 'own') await client.call('collections.useEnvironment', { directory, name, revision });
}

function otherwise({ differences }: CollectionEnvironment): string {
  return differences.length === 0 ? '' : ` (different: ${differences.map(({ field }) => field).join(', ')})`;
}
