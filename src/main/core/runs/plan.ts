import { setImmediate } from 'node:timers/promises';
import type { CollectionRequest, FolderSettings, Variables } from '#shared/collections/model.ts';
import { folderOf, nameOf, pathIn, requestOfFile, settingsNames } from '#shared/collections/file-names.ts';
import { AppError } from '#shared/errors.ts';
import type { CollectionNode } from '#shared/ipc/index.ts';
import { suggestion } from '#shared/suggestion.ts';
import { dependenciesOf } from '#shared/variables/dependencies.ts';
import { takersIn, type Takers } from '#shared/variables/takers.ts';
import { namesUsed } from '#shared/variables/substitute-request.ts';
import { createScopes } from '#shared/variables/scopes.ts';
import type { Directory } from '../collections/directory.ts';
import { textBytes } from '../collections/file-reader.ts';
import { placed, type Scan } from '../collections/tree.ts';
import { chooseTagged, type TagChoice } from './tags.ts';

/** One request of a plan. */
export interface PlannedRequest {
  /** Below the collection, without `.yaml`. */
  readonly path: string;
  /** Null for a file that cannot be read; `problem` says why. */
  readonly request: CollectionRequest | null;
  readonly problem: string;
  /** Variables of the folders around it, outermost first. */
  readonly folders: readonly Variables[];
}

/** The requests of one iteration, in order. */
export type Plan = Awaited<ReturnType<typeof readPlan>>;

export interface PlanSource {
  /** Each folder before what lies in it, in order; and what is there and not read. */
  scan(): Promise<Pick<Scan, 'nodes' | 'remarks'>>;
  readonly files: Pick<Directory, 'checkFormat' | 'readRequest' | 'readSettings'>;
}

const mostMessages = 20;
/** Of all texts that a run's files hold, which are in memory until it ends. Thousands of requests of usual length have a tenth of it. */
const mostBytes = 30_000_000;
/** Number of characters that are searched without a pause. */
const pauseEvery = 200_000;

/**
 * Reads the part to run: a request (a path with `.yaml`), a folder, or all (an empty path). With `refuse` it fails with
 * `invalid_input` if a file cannot be read; its `details.problems` are the sentences below `details.headline`. It fails so, too, if
 * the files are too large together, and with `refused` if a newer version wrote the collection.
 */
export async function readPlan(
  source: PlanSource,
  path: string,
  unreadable: 'refuse' | 'report',
  { unknownChecks = 'fail', ...choice }: Partial<TagChoice> & { readonly unknownChecks?: 'fail' | 'skip' } = {},
) {
  await source.files.checkFormat();
  const warnings = new Set<string>();
  const scan = requestOfFile(nameOf(path)) === null ? await source.scan() : null;
  const remarks = (scan?.remarks ?? []).filter((one) => one.path === '' || isWithin(one.path, path));
  const unusable = remarks.filter(({ prevents }) => prevents);
  const paths = scan === null ? [path] : requestsIn(scan.nodes, path, unusable.length > 0);
  const settings = new Map<string, Promise<FolderSettings | string>>();
  const problems = new Set<string>();
  for (const { words, prevents } of remarks) (prevents ? problems : warnings).add(words);

  function settingsOf(folder: string): Promise<FolderSettings | string> {
    const known = settings.get(folder);
    if (known !== undefined) return known;
    const file = folder === '' ? settingsNames.collection : pathIn(folder, settingsNames.folder);
    const read = source.files.readSettings(folder).then(
      (settingsFile) => {
        for (const warning of settingsFile.warnings) warnings.add(placed(file, warning));
        const { settings: values } = settingsFile;
        if (scan !== null)
          for (const words of strangersInOrder(folder, values.order, scan.nodes)) warnings.add(`${file}: ${words}`);
        return values;
      },
      (error: unknown) => sentenceOf(error),
    );
    settings.set(folder, read);
    return read;
  }

  async function plan(file: string): Promise<PlannedRequest> {
    const name = file.slice(0, -'.yaml'.length);
    const folders: Variables[] = [];
    for (const folder of foldersAround(file)) {
      const around = await settingsOf(folder);
      if (typeof around === 'string') {
        problems.add(around);
        return { path: name, request: null, problem: around, folders: [] };
      }
      if (folder !== '') folders.push(around.variables);
    }
    try {
      const { request, warnings: ofFile } = await source.files.readRequest(file);
      const unknown = unknownChecks === 'fail' ? ofFile.find(({ check }) => check) : undefined;
      if (unknown !== undefined)
        throw new AppError(
          'invalid_input',
          `${placed(file, unknown)} Update Croupier, or skip such checks (--skip-unknown-checks).`,
        );
      for (const warning of ofFile) warnings.add(placed(file, warning));
      return { path: name, request, problem: '', folders };
    } catch (error) {
      const problem = sentenceOf(error);
      problems.add(problem);
      return { path: name, request: null, problem, folders };
    }
  }

  const requests: PlannedRequest[] = [];
  let bytes = 0;
  const measured = new Set<unknown>();
  for (const file of paths) {
    const planned = await plan(file);
    for (const part of [planned.request, ...planned.folders]) {
      if (!measured.has(part)) bytes += textBytes(part);
      measured.add(part);
    }
    if (bytes > mostBytes) {
      const most = `${mostBytes / 1_000_000} MB`;
      throw new AppError(
        'invalid_input',
        `Nothing was run: the files of this run have more than ${most} of text. Run one folder.`,
      );
    }
    requests.push(planned);
  }
  if (problems.size > 0 && unreadable === 'refuse')
    throw refusal(
      [...problems],
      remarks.some(({ path, prevents }) => prevents && path === ''),
    );
  for (const one of unusable) requests.push({ path: one.path, request: null, problem: one.words, folders: [] });
  const whole = await settingsOf('');
  const collection = typeof whole === 'string' ? {} : whole.variables;
  const uses = await usesOf(requests, collection);
  const used = new Set(uses.flatMap((names) => [...names]));
  // A part of a collection may take values that another part uses.
  if (path === '') for (const words of untaken(requests, used)) warnings.add(words);
  // A run of one request looks at the other files only once a variable is missing.
  let scanned: Promise<readonly CollectionNode[] | null> | null = scan === null ? null : Promise.resolve(scan.nodes);
  /** Returns the requests of the whole collection that take a variable, for a request (a path with `.yaml`); undefined if it cannot be read. */
  async function takersFor(own: string): Promise<Takers | undefined> {
    scanned ??= source.scan().then(
      ({ nodes }) => nodes,
      () => null,
    );
    const nodes = await scanned;
    return nodes === null ? undefined : takersIn(nodes, own);
  }
  const chosen = chooseTagged({ requests, needs: needsOf(requests, uses) }, { tags: [], excludeTags: [], ...choice });
  const run = chosen.flatMap((at) => requests[at] ?? []);
  const needs = needsOf(
    run,
    chosen.map((at) => uses[at] ?? new Set<string>()),
  );
  return {
    requests: run,
    /** For each request: the index of the one whose response sets a variable, by the variable's name. */
    needs,
    collection,
    /** Fields of the files that Croupier does not know, with their positions; they do not prevent anything. */
    warnings: [...warnings],
    /** Names of the variables that requests use, in their files and in the files' variables. */
    used,
    takersFor,
  };
}

/** Returns whether a path is below a folder, or concerns all of it. */
function isWithin(path: string, folder: string): boolean {
  return path === '' || folder === '' || path === folder || path.startsWith(`${folder}/`);
}

function requestsIn(nodes: readonly CollectionNode[], folder: string, mayBeNone: boolean): string[] {
  if (!mayBeNone && folder !== '' && !nodes.some(({ kind, path }) => kind === 'folder' && path === folder)) {
    throw new AppError('not_found', `The collection has no folder ${folder}, or it has no requests.`);
  }
  const inside = nodes.filter(({ kind, path }) => kind === 'request' && (folder === '' || path.startsWith(`${folder}/`)));
  if (inside.length === 0 && !mayBeNone)
    throw new AppError('invalid_input', 'There are no requests here. Choose another folder.');
  return inside.map(({ path }) => path);
}

/** Returns `''`, `a` and `a/b` for `a/b/c.yaml`. */
function foldersAround(file: string): string[] {
  return file.split('/').map((_, index, steps) => steps.slice(0, index).join('/'));
}

/**
 * Returns the variables that each request uses. A variable of a file may be made of one that a response sets, and data rows only
 * make that fewer.
 */
async function usesOf(requests: readonly PlannedRequest[], collection: Variables): Promise<readonly ReadonlySet<string>[]> {
  const uses: ReadonlySet<string>[] = [];
  let characters = 0;
  for (const { request, folders } of requests) {
    uses.push(request === null ? new Set() : namesUsed(request, createScopes({ folders, collection })));
    // A request takes some time besides its text.
    characters += 1_000 + (request?.data.length ?? 0);
    if (characters < pauseEvery) continue;
    characters = 0;
    await setImmediate();
  }
  return uses;
}

function needsOf(requests: readonly PlannedRequest[], uses: readonly ReadonlySet<string>[]): ReadonlyMap<string, number>[] {
  return dependenciesOf(requests.map(({ request }, at) => ({ uses: uses[at] ?? [], sets: Object.keys(request?.take ?? {}) })));
}

/** Values that a request takes and none uses. */
function untaken(requests: readonly PlannedRequest[], used: ReadonlySet<string>): string[] {
  return requests.flatMap(({ path, request }) =>
    Object.keys(request?.take ?? {})
      .filter((name) => !used.has(name))
      .map((name) => `Never used: ${name} (set by \`take\` in ${path}.yaml).${suggestion(name, [...used])}`),
  );
}

/** Names in an order that no file and no folder has. */
function strangersInOrder(folder: string, order: readonly string[], nodes: readonly CollectionNode[]): string[] {
  const names = nodes.filter(({ path }) => folderOf(path) === folder).map(({ path }) => nameOf(path));
  return order
    .filter((name) => !names.includes(name))
    .map((name) => `\`order\` lists ${name}, which does not exist.${suggestion(name, names)}`);
}

/** Variables of a run, or columns of its data, that no request of the plan uses. */
export function unused(what: string, names: Iterable<string>, { used }: Pick<Plan, 'used'>): string[] {
  return [...names]
    .filter((name) => !used.has(name))
    .map((name) => `Never used: ${name} (${what}).${suggestion(name, [...used])}`);
}

function sentenceOf(error: unknown): string {
  if (error instanceof AppError && error.code !== 'internal' && error.code !== 'cancelled') return error.message;
  throw error;
}

function refusal(problems: readonly string[], tooMuch: boolean): AppError {
  const shown = problems.slice(0, mostMessages);
  const more = problems.length > shown.length ? ` And ${problems.length - shown.length} more.` : '';
  const count = problems.length === 1 ? 'A file' : `${problems.length} files`;
  const headline = tooMuch ? 'Nothing was run.' : `Nothing was run: ${count} cannot be read.`;
  return new AppError('invalid_input', `${headline} ${shown.join(' ')}${more}`, { headline, problems });
}
