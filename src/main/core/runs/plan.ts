import type { CollectionRequest, FolderSettings, Variables } from '#shared/collections/model.ts';
import { folderOf, requestOfFile, nameOf, pathIn } from '#shared/collections/names.ts';
import { AppError } from '#shared/errors.ts';
import type { CollectionNode } from '#shared/ipc/index.ts';
import { dependenciesOf } from '#shared/variables/dependencies.ts';
import { namesUsed } from '#shared/variables/request.ts';
import { createScopes } from '#shared/variables/scopes.ts';
import type { Directory } from '../collections/directory.ts';

/** One request of a plan. */
export interface PlannedRequest {
  /** Below the collection, without `.yaml`. */
  readonly path: string;
  /** Null for a file that can't be read; `problem` says why. */
  readonly request: CollectionRequest | null;
  readonly problem: string;
  /** Variables of the folders around it, outermost first. */
  readonly folders: readonly Variables[];
}

/** What is run in one pass, in order. */
export interface Plan {
  readonly requests: readonly PlannedRequest[];
  /** Of each request: the index of the one whose answer sets a variable, by the variable's name. */
  readonly needs: readonly ReadonlyMap<string, number>[];
  readonly collection: Variables;
}

export interface PlanSource {
  /** Each folder before what lies in it, in order. */
  nodes(): Promise<readonly CollectionNode[]>;
  readonly files: Pick<Directory, 'readRequest' | 'readSettings'>;
}

const mostMessages = 20;

/**
 * Reads what is to be run: a request (a path with `.yaml`), a folder, or all (an empty path). With `refuse` it fails with `invalid_input` where
 * a file can't be read; its `details.problems` are the sentences.
 */
export async function readPlan(source: PlanSource, path: string, unreadable: 'refuse' | 'report'): Promise<Plan> {
  const paths = requestOfFile(nameOf(path)) === null ? await requestsIn(source, path) : [path];
  const settings = new Map<string, Promise<FolderSettings | string>>();
  const problems = new Set<string>();

  function settingsOf(folder: string): Promise<FolderSettings | string> {
    const known = settings.get(folder);
    if (known !== undefined) return known;
    const read = source.files.readSettings(folder).then(
      (found) => found.settings,
      (error: unknown) => sentenceOf(error),
    );
    settings.set(folder, read);
    return read;
  }

  async function plan(file: string): Promise<PlannedRequest> {
    const name = file.slice(0, -'.yaml'.length);
    const folders: Variables[] = [];
    for (const folder of ['', ...foldersAround(file)]) {
      const found = await settingsOf(folder);
      if (typeof found === 'string') {
        problems.add(found);
        return { path: name, request: null, problem: found, folders: [] };
      }
      if (folder !== '') folders.push(found.variables);
    }
    try {
      const { request } = await source.files.readRequest(file);
      return { path: name, request, problem: '', folders };
    } catch (error) {
      const problem = sentenceOf(error);
      problems.add(problem);
      return { path: name, request: null, problem, folders };
    }
  }

  const requests: PlannedRequest[] = [];
  for (const file of paths) requests.push(await plan(file));
  if (problems.size > 0 && unreadable === 'refuse') throw refusal([...problems]);
  const whole = await settingsOf('');
  const collection = typeof whole === 'string' ? {} : whole.variables;
  return { requests, needs: needsOf(requests, collection), collection };
}

async function requestsIn(source: PlanSource, folder: string): Promise<string[]> {
  const nodes = await source.nodes();
  if (folder !== '' && !nodes.some(({ kind, path }) => kind === 'folder' && path === folder)) {
    throw new AppError('not_found', `There is no folder ${folder} in the collection, or no request in it.`);
  }
  const inside = nodes.filter(({ kind, path }) => kind === 'request' && (folder === '' || path.startsWith(`${folder}/`)));
  if (inside.length === 0) throw new AppError('invalid_input', 'There is no request here. Choose another folder.');
  return inside.map(({ path }) => path);
}

/** `a` and `a/b` for `a/b/c.yaml`. */
function foldersAround(file: string): string[] {
  const parts = folderOf(file) === '' ? [] : folderOf(file).split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).reduce(pathIn, ''));
}

/** A variable of a file may be made of one that an answer sets, and data rows only make that fewer. */
function needsOf(requests: readonly PlannedRequest[], collection: Variables): ReadonlyMap<string, number>[] {
  return dependenciesOf(
    requests.map(({ request, folders }) =>
      request === null
        ? { uses: [], sets: [] }
        : { uses: namesUsed(request, createScopes({ folders, collection })), sets: Object.keys(request.take) },
    ),
  );
}

/** The indexes of the requests and of everything that they wait for, in order. */
export function withDependencies(plan: Pick<Plan, 'needs'>, wanted: Iterable<number>): number[] {
  const found = new Set(wanted);
  // A set gives what is added while it is walked.
  for (const index of found) for (const needed of plan.needs[index]?.values() ?? []) found.add(needed);
  return [...found].sort((one, other) => one - other);
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal') return error.message;
  throw error;
}

function refusal(problems: readonly string[]): AppError {
  const shown = problems.slice(0, mostMessages);
  const more = problems.length > shown.length ? ` And ${problems.length - shown.length} more.` : '';
  const count = problems.length === 1 ? 'A file' : `${problems.length} files`;
  return new AppError('invalid_input', `Nothing was run: ${count} cannot be read. ${shown.join(' ')}${more}`, { problems });
}
