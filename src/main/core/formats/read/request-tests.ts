import type { CollectionRequest } from '#shared/collections/model.ts';
import { readScriptChecks } from './script-checks.ts';
import type { Losses } from './import-source.ts';
import type { Names } from './variable-names.ts';

/** The place of a script, for the user. */
interface ScriptPlace {
  readonly where: string;
  /** The kind of script, after "the". */
  readonly what: string;
  readonly at: string | readonly string[];
  readonly names: Names;
  readonly losses: Losses;
}

/** Adds the tests of a script to a request; returns those that were not understood, for a comment in its file. */
export function readTests(
  script: string,
  { where, what, at, names, losses }: ScriptPlace,
  { expect, take }: Pick<CollectionRequest, 'expect' | 'take'>,
): string[] {
  const read = readScriptChecks(script, names);
  expect.push(...read.expect);
  Object.assign(take, read.take);
  for (const duration of read.durations)
    losses.add(where, `the test of a duration in the ${what}`, `Its check here passes at exactly ${duration} ms, too.`, at);
  if (read.others.length > 0)
    losses.add(where, `a part of the ${what}`, 'It was not understood. It stands as a comment at the end of the file.', at);
  return read.others.map((text) => `Not imported from the ${what}:\n${text}`);
}
