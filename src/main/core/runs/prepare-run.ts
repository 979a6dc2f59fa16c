import { operationByName, routeOf } from '#shared/provider/index.ts';
import { isUnchecked } from './request.ts';
import { join } from 'node:path';
import { folderOf, nameOf, requestOfFile } from '#shared/collections/file-names.ts';
import { shortened, uncheckedText } from '#shared/collections/run-words.ts';
import type { Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment, ParsedInput } from '#shared/ipc/index.ts';
import type { Calls } from '../calls/calls.ts';
import { createDirectory } from '../collections/directory.ts';
import type { FileReader } from '../collections/file-reader.ts';
import { createScanner } from '../collections/tree.ts';
import { removeStaleTemporaries } from '../files/files.ts';
import type { Pass } from '../files/passed.ts';
import { prepareIterations } from './iterations.ts';
import { readPlan, unused, type Plan } from './plan.ts';
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
  readonly job: Omit<RunJob, 'options' | 'plan'> & { readonly plan: Plan; readonly environment: Environment } & Pick<
      ParsedInput<'runs.start'>,
      'options'
    >;
  /** Null for a whole run. */
  readonly part: ReturnType<typeof partOf>;
  readonly facts: Pick<RunStart, 'collectionId' | 'hasData' | 'repeat' | 'path' | 'collection' | 'warnings'>;
}

const mostPlanned = 1_000_000;

/** A run reads the files of its collection and writes none. */
const neverWritten = () => Promise.reject(new AppError('internal', "A run can't write files of its collection."));

/**
 * Reads and checks the requests of a run. Fails if nothing may be sent, with the reason. `closing` ends the reading of the
 * collection.
 */
export function createRunPreparation(
  deps: PrepareRunDeps,
): (input: ParsedInput<'runs.start'>, closing: AbortSignal) => Promise<PreparedRun> {
  async function refuseKey(environmentId: string, text: string, what: string): Promise<void> {
    const keyFound = () =>
      `Nothing was run: ${what} contain the private key of an environment. Remove it; Croupier signs without it.`;
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
    const scanDirectory = createScanner(where.directory, deps.reader, closing);
    const scan = async () => {
      const found = await scanDirectory();
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
      ...unused('a column of the data', iterations.names, plan),
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

/** Fails with `invalid_input` if a request has no check of its own; unreadable files are reported in another way. */
function requireChecks({ requests }: Plan): void {
  const problems = requests.filter(({ request }) => isUnchecked(request)).map(({ path }) => `${path}.yaml`);
  if (problems.length === 0) return;
  const headline = `Nothing was run: ${uncheckedText(problems.length, requests.length)}. Add checks under expect.`;
  throw new AppError('invalid_input', `${headline} ${shortened(problems).join(' ')}`, { headline, problems });
}

const partCharacters = 1_000_000;

/** Yields everything that a user wrote into the files, some texts at a time. */
export function* textsOf(plan: Plan): Generator<string> {
  let texts: string[] = [];
  let characters = 0;
  for (const text of eachText(plan)) {
    texts.push(text);
    characters += text.length;
    if (characters < partCharacters) continue;
    yield texts.join('\n');
    [texts, characters] = [[], 0];
  }
  yield texts.join('\n');
}

function* eachText({ requests, collection }: Plan): Generator<string> {
  // Variables of a folder once, whatever lies in it.
  for (const variables of new Set([collection, ...requests.flatMap(({ folders }) => folders)])) yield JSON.stringify(variables);
  for (const { request } of requests) {
    if (request === null) continue;
    yield request.data;
    yield JSON.stringify({ ...request, data: '' });
  }
}

/** Returns whether sending the request needs the environment's key. */
function needsKey({ request }: Plan['requests'][number], answers: Environment['answers']): boolean {
  if (request === null || routeOf(operationByName(request.operation), answers)?.signed === false) return false;
  const { hash, omit = [] } = request.overrides;
  return !omit.includes('hash') && (hash === undefined || hash === 'wrong');
}

/**
 * Returns the requests of an earlier run that did not pass, as indexes into the plan by the iteration's number. Fails with
 * `invalid_input` if there are none, or if that run was of another collection or had other data.
 */
export async function failedOf(
  files: Pick<ReportFiles, 'start' | 'requests'>,
  runId: string,
  plan: Plan,
  start: Pick<RunStart, 'collectionId' | 'hasData' | 'repeat'>,
) {
  const before = await files.start(runId);
  if (before.collectionId !== start.collectionId || before.hasData !== start.hasData || before.repeat !== start.repeat) {
    throw new AppError('invalid_input', 'That run had a different collection, data or repeat count. Use the same for this run.');
  }
  const places = new Map(plan.requests.map(({ path }, index) => [path, index]));
  const only = new Map<number, number[]>();
  for await (const { iteration, request } of files.requests(runId)) {
    if (request.state === 'passed') continue;
    const index = places.get(request.path);
    if (index === undefined) continue;
    const list = only.get(iteration);
    if (list === undefined) only.set(iteration, [index]);
    else list.push(index);
  }
  if (only.size === 0) throw new AppError('invalid_input', 'Nothing to rerun: each request passed or is no longer selected.');
  return new Map([...only].sort(([one], [other]) => one - other));
}
