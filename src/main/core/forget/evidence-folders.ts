import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#shared/errors.ts';
import { z } from '#shared/model/schema.ts';
import type { Launch } from '#shared/ipc/index.ts';
import { LaunchParameterRow } from '#shared/model/launcher-url.ts';
import { readText } from '../files/files.ts';
import { each, launchNames, type Naming } from '../history/player-naming.ts';

/** A record has at most 2,000 entries of two short texts. */

const recordName = 'launch.json';

/** The fields of `launch.json` that identify the player. */
const Evidence = z.object({
  launch: z.object({
    call: z.object({ id: z.number(), sentAt: z.number() }),
    parameters: z.array(LaunchParameterRow),
    url: z.nullable(z.string()),
    playerId: z._default(z.string(), ''),
    note: z._default(z.string(), ''),
    overruled: z._default(z.nullable(z.object({ note: z.string() })), null),
  }),
  entries: z.array(z.object({ title: z.string(), detail: z.string() })),
});

/** The evidence folders of a home that name the player, and those that cannot be read. */
export async function findEvidence(
  folder: string,
  naming: Naming,
  stop: AbortSignal,
): Promise<{ named: string[]; unread: string[] }> {
  const named: string[] = [];
  const unread: string[] = [];
  const names = await readdir(folder).catch((): string[] => []);
  await each(names, stop, async (name) => {
    const path = join(folder, name);
    try {
      if ((await recordsIn(path)).some(({ launch, entries }) => launchNames(naming, withCall(launch), entries))) named.push(path);
    } catch {
      unread.push(path);
    }
  });
  return { named, unread };
}

/** Returns the records in a folder: one, or one in each folder below it. Fails if there is none, or one cannot be read. */
async function recordsIn(path: string): Promise<z.infer<typeof Evidence>[]> {
  const inside = await readdir(path, { withFileTypes: true });
  const below = inside.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  const folders = inside.some(({ name }) => name === recordName) ? [path, ...below] : below;
  if (folders.length === 0) throw new AppError('not_found', `${path} has no evidence.`);
  return folders.map((one) => Evidence.parse(JSON.parse(readText('home.evidence', join(one, recordName)))));
}

function withCall<L extends { readonly call: unknown }>(launch: L): L & Pick<Launch, 'call'> {
  return { ...launch, call: launch.call as Launch['call'] };
}

/** Removes the evidence of a launch, picture included. */
export async function removeEvidence(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
