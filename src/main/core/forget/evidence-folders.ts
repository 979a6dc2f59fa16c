import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from '#shared/model/schema.ts';
import type { Launch } from '#shared/ipc/index.ts';
import { LaunchParameterRow } from '#shared/model/launcher-url.ts';
import { readTextUpTo } from '../files/files.ts';
import { each, launchNames, type Naming } from '../history/player-naming.ts';

/** A record has at most 2,000 entries of two short texts. */
const mostBytes = 20_000_000;

/** The fields of `launch.json` that identify the player. */
const Evidence = z.object({
  launch: z.object({
    call: z.object({ id: z.number(), sentAt: z.number() }),
    parameters: z.array(LaunchParameterRow),
    url: z.nullable(z.string()),
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
      const { launch, entries } = Evidence.parse(JSON.parse(readTextUpTo(join(path, 'launch.json'), mostBytes)));
      if (launchNames(naming, { ...launch, call: launch.call as Launch['call'] }, entries)) named.push(path);
    } catch {
      unread.push(path);
    }
  });
  return { named, unread };
}

/** Removes the evidence of a launch, picture included. */
export async function removeEvidence(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
