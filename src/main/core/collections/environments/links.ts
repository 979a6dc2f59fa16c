import { statSync } from 'node:fs';
import { z } from '#shared/model/schema.ts';
import { keepUnknown } from '#shared/json/keep-unknown.ts';
import { writeFileDurably } from '../../files/files.ts';
import { vouched } from '../../files/passed.ts';
import { readHomeFile } from '../../files/home-file.ts';

/** The file of a collection that an environment of the home follows. */
export interface EnvironmentLink {
  /** The real path of the collection's directory. */
  readonly directory: string;
  /** The name of the file without its ending. */
  readonly name: string;
}

/** Links of environments of the home to the files of collections that they follow. Several programs may use it; whoever changes it holds its lock. */
export type EnvironmentLinks = ReturnType<typeof createEnvironmentLinks>;

const Stored = z.object({ environments: z.record(z.string(), z.object({ directory: z.string(), name: z.string() })) });

/** The fields of the file. */
export const linkFields = Object.keys(Stored.shape);

export function createEnvironmentLinks(path: string) {
  let cached: { stamp: string; raw: unknown; links: ReadonlyMap<string, EnvironmentLink> } | null = null;
  const noLinks = { raw: {}, links: new Map<string, EnvironmentLink>() };

  function read(): { raw: unknown; links: ReadonlyMap<string, EnvironmentLink> } {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return noLinks;
    const stamp = `${found.ino}:${found.size}:${found.mtimeMs}`;
    if (cached?.stamp !== stamp) cached = { stamp, ...parse() };
    return cached;
  }

  function parse(): { raw: unknown; links: ReadonlyMap<string, EnvironmentLink> } {
    const holds = 'lists the environments that follow a collection';
    const found = readHomeFile({ kind: 'home.environmentLinks', path, schema: Stored, holds });
    return found === null ? noLinks : { raw: found.raw, links: new Map(Object.entries(found.value.environments)) };
  }

  return {
    path,
    /** By the ID of the environment. Fails as `readHomeFile` does. */
    all: (): ReadonlyMap<string, EnvironmentLink> => read().links,
    /** Null ends it. */
    async set(environmentId: string, link: EnvironmentLink | null): Promise<void> {
      const { raw, links } = read();
      const after = new Map(links);
      if (link === null) after.delete(environmentId);
      else after.set(environmentId, { directory: link.directory, name: link.name });
      const [before, next] = [{ environments: Object.fromEntries(links) }, { environments: Object.fromEntries(after) }];
      await writeFileDurably(path, vouched('home', 'own', `${JSON.stringify(keepUnknown(raw, before, next), null, 2)}\n`));
    },
  };
}
