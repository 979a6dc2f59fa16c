import { join } from 'node:path';
import { folderOf, nameOf, requestOfFile } from '#shared/collections/file-names.ts';
import { shortened } from '#shared/collections/run-words.ts';
import type { Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment, ParsedInput } from '#shared/ipc/index.ts';
import type { Calls } from '../calls/calls.ts';
import { createDirectory } from '../collections/directory.ts';
import type { FileReader } from '../collections/file-reader.ts';
import { createScanner } from '../collections/tree.ts';
import { removeStaleTemporaries } from '../files/files.ts';
import type { Pass } from '../files/passed.ts';
import { needsKey, requireChecks, textsOf } from './check-plan.ts';
import { failedOf } from './failed-of.ts';
import { prepareIterations } from './iterations.ts';
import { readPlan, unused } from './plan.ts';
import type { ReportFiles } from './report-files.ts';
import type { RunStart } from './report-lines.ts';
import type { RunJob } from './run.ts';
import { effectOfRun } from './run-effect.ts';
import { onlyOfShard, partOf } from './shard.ts';
import { tagsText } from './tags.ts';

export interface PrepareRunDeps {
  readonly reader: FileReader;
  readonly calls: Pick<Calls, 'confirmRun'>;
  /** Fails with `not_found`. */
  readonly environment: (id: string) => Environment;
  /** Returns the values that an environment gives to requests besides its settings. */
  readonly session: (environmentId: string) => Variables;
  /** Locates an open collection by its ID, or one by its directory. Fails with `not_found` and `invalid_input`. */
  readonly locate: (where: {
    collectionId?: string;
    directory?: string;
  }) => Promise<{ id: string; directory: string; name: string }>;
  /** Fails with `key_missing` or `key_unavailable` if the environment's key cannot be used. */
  readonly requireKey: (environmentId: string) => Promise<void>;
  readonly pass: Pass;
  readonly files: Pick<ReportFiles, 'start' | 'requests'>;
  /** Returns milliseconds since the epoch. */
  readonly now: () => number;
}

/** A run whose inputs were all checked; nothing is sent yet. */
export interface PreparedRun {
  readonly job: Omit<RunJob, 'options'> & { readonly environment: Environment } & Pick<ParsedInput<'runs.start'>, 'options'>;
  /** Null for a whole run. */
  readonly part: ReturnType<typeof partOf>;
  readonly facts: Pick<RunStart, 'collectionId' | 'hasData' | 'repeat' | 'path' | 'collection' | 'warnings'>;
}

const mostPlanned = 1_000_000;

/** A run reads the files of its collection and writes none. */
const neverWritten = () => Promise.reject(new AppError('internal', 'A run writes no file of its collection.'));

/**
 * Reads and checks the requests of a run. Fails if nothing may be sent, with the reason. `closing` ends the reading of the
 * collection.
 */
export function createRunPreparation(
  deps: PrepareRunDeps,
): (input: ParsedInput<'runs.start'>, closing: AbortSignal) => Promise<PreparedRun> {
  async function refuseKey(environmentId: string, text: string, what: string): Promise<void> {
    const keyFound = () =>
      `Nothing was run: ${what} hold the private key of an environment. Take it out; calls are signed without it.`;
    // What is sent stands in the report.
    await deps.pass('report', [text], { of: [environmentId], keyFound });
  }

  return async (input, closing) => {
    const { path, environmentId, options } = input;
    const environment = deps.environment(environmentId);
    const where = await deps.locate({
      ...(input.collectionId === undefined ? {} : { collectionId: input.collectionId }),
      ...(input.directory === undefined ? {} : { directory: input.directory }),
    });
    const look = createScanner(where.directory, deps.reader, closing);
    const scan = async () => {
      const found = await look();
      // What a killed save left; the page does it when it shows the collection.
      for (const folder of found.folders) await removeStaleTemporaries(join(where.directory, ...folder.split('/')));
      return found;
    };
    const comments: string[] = [];
    const directory = createDirectory(where.directory, {
      reader: {
        ...deps.reader,
        read(kind, source) {
          // A file that holds a key is refused for its comments, too, which no value has.
          for (const [comment] of source.matchAll(/#.+/g)) comments.push(comment);
          return deps.reader.read(kind, source);
        },
      },
      checkText: () => neverWritten(),
      replacing: { replace: neverWritten },
    });
    const plan = await readPlan({ scan, files: directory }, path, options.unreadable, options);
    if (options.requireChecks) requireChecks(plan);
    for (const texts of [...textsOf(plan), comments.join('\n')]) await refuseKey(environmentId, texts, 'the files');
    await refuseKey(environmentId, Object.entries(options.variables).flat().join('\n'), 'the variables');
    const iterations = await prepareIterations(options, (values) => refuseKey(environmentId, values, 'the data rows'));
    const facts = { collectionId: where.id, hasData: options.data !== null, repeat: options.repeat };
    const ofShard = onlyOfShard(options, plan, iterations);
    const only = options.failedOf === null ? ofShard : await failedOf(deps.files, options.failedOf, plan, facts);
    if (plan.requests.length * iterations.count > mostPlanned) {
      throw new AppError(
        'invalid_input',
        `This would be more than ${mostPlanned.toLocaleString('en')} requests. Run fewer at once.`,
      );
    }
    const name = `${titleOf(where.name, path)}${tagsText(options)}`;
    if (environment.production) {
      const session = deps.session(environmentId);
      const effect = await effectOfRun({ name, plan, iterations, only, environment, session, now: deps.now() });
      deps.calls.confirmRun(environment, effect, input.confirmed);
    }
    if (plan.requests.some((request) => needsKey(request, environment.answers))) await deps.requireKey(environmentId);
    const warnings = shortened([
      ...plan.warnings,
      ...unused('a variable of this run', Object.keys(options.variables), plan),
      ...unused('which is in the data', iterations.names, plan),
    ]);
    const part = partOf(options.shard, plan, iterations);
    return { job: { plan, iterations, only, environment, options }, facts: { ...facts, path, collection: name, warnings }, part };
  };
}

/** Returns the collection's name, with the part of it that is run. */
function titleOf(name: string, path: string): string {
  if (path === '') return name;
  const own = requestOfFile(nameOf(path)) ?? nameOf(path);
  return [name, folderOf(path), own].filter((part) => part !== '').join('/');
}
