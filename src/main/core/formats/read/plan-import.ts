import { setImmediate } from 'node:timers/promises';
import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment, ImportPlan, ImportStep, Overrides } from '#shared/ipc/index.ts';
import { actionOf, operationByName, operations, type Operation } from '#shared/provider/index.ts';
import { beyond, readers } from '#shared/model/readers.ts';
import { textBytes } from '../../collections/file-reader.ts';
import { createFreeNames, type FreeNames } from './free-names.ts';
import type { NamedFile } from './bruno.ts';
import { commentOf, withoutComments } from './file-comments.ts';
import { readFiles } from './read-files.ts';
import { maskedExamples } from './saved-responses.ts';
import { recognise, requestOf, type EnvelopeTexts, type Recognised } from './recognise.ts';
import { removeKeys } from './remove-keys.ts';
import { createSigningCheck, type HashedBody, type SigningCheckDeps } from './signing-check.ts';
import type { SecretsInput, SecretsTaken } from './take-secrets.ts';
import {
  createLosses,
  isRecorded,
  reasons,
  type KeptRequest,
  type Losses,
  type Source,
  type SourceRequest,
} from './import-source.ts';

declare module '../../untrusted/jobs.ts' {
  interface ReadingJobs {
    'imports.plan': typeof planFiles;
  }
}

export interface PlanDeps extends SigningCheckDeps {
  /** Returns whether a text holds the key of an environment, as far as that can be decided now. */
  readonly holdsKey: (text: string) => Promise<boolean>;
  /** `planFiles`, in a place where it may take its time. */
  readonly planFiles: (input: PlanInput) => Promise<PlannedFiles>;
  /** `takeSecrets`, in a place where it may take its time. */
  readonly takeSecrets: (input: SecretsInput) => Promise<SecretsTaken>;
  /** Gets the progress before each piece of work. Fails with `cancelled` if the user stopped it. */
  readonly at: (step: ImportStep, done?: number, total?: number) => void;
}

export interface PlanTarget {
  /** Path of the folder below the collection, or empty. */
  readonly folder: string;
  /** Names of its contents. */
  readonly names: readonly string[];
}

interface Found {
  readonly source: SourceRequest;
  readonly recognised: Extract<Recognised, { ok: true }>;
}

/** A body whose hash is checked once everything else is known. */
interface PlannedBody extends HashedBody {
  readonly path: string;
}

/** The planned files, before keys are checked. */
export interface PlannedFiles {
  readonly plan: ImportPlan;
  readonly bodies: readonly PlannedBody[];
}

/** Input of `planFiles`: plain data, as it may come from another thread. */
export interface PlanInput {
  readonly files: readonly NamedFile[];
  readonly target: PlanTarget;
  readonly environments: readonly Environment[];
}

const mostRequests = 10_000;
const mostLosses = 5_000;

/** Plans an import and writes nothing. Fails with `invalid_input` if a file is broken or in an unknown format. */
export async function planImport(
  files: readonly NamedFile[],
  target: PlanTarget,
  choices: Pick<SecretsInput, 'choices' | 'remembered'>,
  deps: PlanDeps,
): Promise<SecretsTaken> {
  deps.at('read');
  const { plan, bodies } = await deps.planFiles({ files, target, environments: deps.environments() });
  const checkSigning = createSigningCheck(deps);
  for (const [at, { path, ...body }] of bodies.entries()) {
    // Thousands of them would otherwise be checked without a pause.
    if (at % 32 === 31) await setImmediate();
    deps.at('hashes', at, bodies.length);
    const signing = await checkSigning(body);
    if (signing !== null) plan.signing.push({ path, ...signing });
  }
  // Recorded calls: their tokens are of sessions that are over.
  const recorded = plan.formats.every(isRecorded);
  const clean = await removeKeys(plan, async (text) => {
    deps.at('secrets');
    return deps.holdsKey(text);
  });
  return deps.takeSecrets({ plan: clean, ...choices, recorded });
}

/** Reads files and plans their import; `signing` stays empty, and keys in the files are still there. */
export function planFiles({ files, target, environments }: PlanInput): PlannedFiles {
  const losses = createLosses();
  const sources = readFiles(files, losses);
  const byAction = actionReader(environments);
  const free = createFreeNames(new Map([[target.folder, target.names]]));
  const bodies: PlannedBody[] = [];
  const plan: ImportPlan = {
    formats: [...new Set(sources.map(({ format }) => format))],
    requests: [],
    folders: [],
    variables: {},
    notes: '',
    notCarried: [],
    secrets: [],
    signing: [],
  };
  const found = sources.map((source) => ({ source, requests: recogniseAll(source, byAction, losses) }));
  const usual = usualEnvelope(found.flatMap(({ requests }) => requests));

  for (const { source, requests } of found) {
    const folderPaths = placeFolders(source, requests, target.folder, free, plan, losses);
    for (const one of requests) {
      const { where, name, folder, notes, take, expect, rawBody, losses: own, at, kept } = one.source;
      const examples = maskedExamples(one.source, losses);
      losses.addAll(own);
      const overrides = overridesOf(one, usual, losses);
      const written = kept ?? { ...requestOf(one.recognised), tags: [], overrides };
      const tags = one.source.tags.length > 0 ? one.source.tags : written.tags;
      const request: CollectionRequest = { ...written, tags, take, expect, notes, examples };
      if (beyond('collection.file', { bytes: textBytes(request) }) !== null) {
        const most = readers['collection.file'].bytes / 1_000_000;
        losses.add(where, 'the request', `Its file would have more than ${most} MB.`, at);
        continue;
      }
      if (plan.requests.length >= mostRequests) {
        const most = mostRequests.toLocaleString('en');
        throw new AppError('invalid_input', `This is more than ${most} requests. Import a part of it.`);
      }
      const wanted = name === '' ? one.recognised.operation.name : name;
      const claimed = free.claim(folderPaths.get(folder.join('\0')) ?? target.folder, wanted, 'request');
      if (name !== '' && claimed.name !== name)
        losses.add(where, 'its name', `It is called ${claimed.name} here: another one has the name, or no file can have it.`, at);
      const comment = commentOf(one.source.comments);
      if (comment.cut) losses.add(where, 'the end of its comments', 'A file gets at most 20,000 characters of them.', at);
      plan.requests.push({ ...claimed, request, comment: comment.text });
      loseEnvelope(one, overrides, environments, losses);
      if (kept === null) loseAddress(one.source, environments, losses);
      if (one.recognised.envelope !== null && rawBody !== null) {
        bodies.push({ path: claimed.path, rawBody, mayHoldVariables: !isRecorded(source.format) });
      }
    }
  }
  const lost = losses.all();
  plan.notCarried = lost.slice(0, mostLosses);
  if (lost.length > mostLosses) {
    const more = `${(lost.length - mostLosses).toLocaleString('en')} more things`;
    plan.notCarried.push({ where: '', what: more, why: `Only the first ${mostLosses.toLocaleString('en')} are listed.`, at: [] });
  }
  return { plan, bodies };
}

function actionReader(environments: readonly Environment[]): (action: string) => Operation | null {
  const known = new Map<string, Operation>();
  for (const { answers } of [...environments, { answers: {} }]) {
    for (const operation of operations) {
      const action = actionOf(operation, answers);
      if (action !== null) known.set(action, operation);
    }
  }
  return (action) => known.get(action) ?? null;
}

function recogniseAll(source: Source, byAction: (action: string) => Operation | null, losses: Losses): Found[] {
  const values = new Map(source.folders.flatMap(({ variables }) => Object.entries(variables)));
  function resolve(text: string): string {
    let result = text;
    // Variables that are made of each other without an end stay as they are.
    for (let round = 0; round < 5 && result.includes('{{') && result.length < 10_000; round++) {
      result = result.replace(/\{\{([^{}$]*)\}\}/g, (whole, name: string) => values.get(name.trim()) ?? whole);
    }
    return result;
  }
  return source.requests.flatMap((given) => {
    const request = isRecorded(source.format) ? given : withoutComments(given, losses);
    const recognised = request.kept === null ? recognise(request, { resolve, byAction }) : ofOurs(request.kept);
    if (recognised.ok) return { source: request, recognised };
    const { where, method, address, at } = request;
    losses.add(where, `the request ${method} ${shownAddress(address)}`, recognised.why + along(request), at);
    return [];
  });
}

/** Takes what Croupier wrote without a guess. Its envelope is none that somebody typed. */
function ofOurs({ operation, form, data }: KeptRequest): Extract<Recognised, { ok: true }> {
  return { ok: true, operation: operationByName(operation), form, data, envelope: null, extra: [] };
}

/** Lists the parts of a request that are lost because it is not imported. */
function along({ body, notes, losses, examples, take, expect }: SourceRequest): string {
  const parts = [
    ...(body === null ? [] : ['its body']),
    ...(examples.length === 0 ? [] : [`${examples.length} saved ${examples.length === 1 ? 'response' : 'responses'}`]),
    ...(notes === '' ? [] : ['its description']),
    ...Object.keys(take).map((name) => `the variable ${name} that the response sets`),
    ...(expect.length === 0 ? [] : [`${expect.length} ${expect.length === 1 ? 'check' : 'checks'} of the response`]),
    ...new Set(losses.map(({ what }) => what)),
  ];
  return parts.length === 0 ? '' : ` With it stay behind: ${parts.join(', ')}.`;
}

/** Returns the URL without its query and a user's name, which may be secrets. */
function shownAddress(address: string): string {
  const plain = address.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
  return plain.length <= 200 ? plain : `${plain.slice(0, 200)}…`;
}

/** Places the folders that hold something; returns their paths by the names in the source. */
function placeFolders(
  source: Source,
  requests: readonly Found[],
  into: string,
  free: FreeNames,
  plan: ImportPlan,
  losses: Losses,
): ReadonlyMap<string, string> {
  const paths = new Map([['', into]]);
  const folders = new Map(plan.folders.map((folder) => [folder.path, folder]));

  function pathOf(folder: readonly string[]): string {
    const key = folder.join('\0');
    const known = paths.get(key);
    if (known !== undefined) return known;
    const wanted = folder.at(-1) ?? '';
    const claimed = free.claim(pathOf(folder.slice(0, -1)), wanted, 'folder');
    paths.set(key, claimed.path);
    const made = { path: claimed.path, variables: {}, notes: '' };
    plan.folders.push(made);
    folders.set(made.path, made);
    if (claimed.name !== wanted)
      losses.add(
        folder.join(' / '),
        'its name',
        `The folder is called ${claimed.name} here: another one has the name, or no folder can have it.`,
      );
    return claimed.path;
  }

  const used = new Set(
    requests.flatMap(({ source: { folder } }) => folder.map((_, depth) => folder.slice(0, depth + 1).join('\0'))),
  );
  for (const { path, variables, notes, ours } of source.folders) {
    if (path.length === 0) {
      mergeVariables(plan.variables, variables, losses);
      plan.notes = [plan.notes, notes].filter((one) => one !== '').join('\n\n');
      continue;
    }
    const key = path.join('\0');
    if (ours === undefined && !used.has(key) && notes === '' && Object.keys(variables).length === 0) {
      losses.add(path.join(' / '), 'the folder', 'Nothing in it is imported.');
      continue;
    }
    const own = pathOf(path);
    const made = folders.get(own);
    if (made === undefined) continue;
    mergeVariables(made.variables, variables, losses);
    made.notes = [made.notes, notes].filter((one) => one !== '').join('\n\n');
  }
  for (const { source: request } of requests) pathOf(request.folder);
  // A folder before its contents.
  plan.folders.sort((one, other) => one.path.split('/').length - other.path.split('/').length);
  return paths;
}

function mergeVariables(variables: Variables, more: Variables, losses: Losses): void {
  for (const [name, value] of Object.entries(more)) {
    if (!Object.hasOwn(variables, name)) variables[name] = value;
    else if (variables[name] !== value)
      losses.add('the variables', `another value of ${name}`, 'The first file that has it counts.');
  }
}

type Usual = Pick<EnvelopeTexts, 'platform' | 'partnerId'> | null;

/** Returns the platform and the partner ID of most requests: those are left to the environment. */
function usualEnvelope(found: readonly Found[]): Usual {
  const counts = new Map<string, { usual: NonNullable<Usual>; count: number }>();
  for (const { recognised } of found) {
    const { envelope } = recognised;
    if (envelope === null || !isNumber(envelope.platform) || !isNumber(envelope.partnerId)) continue;
    const { platform, partnerId } = envelope;
    const key = `${platform} ${partnerId}`;
    const known = counts.get(key);
    counts.set(key, { usual: { platform, partnerId }, count: (known?.count ?? 0) + 1 });
  }
  let best: { usual: NonNullable<Usual>; count: number } | null = null;
  for (const one of counts.values()) if (best === null || one.count > best.count) best = one;
  return best?.usual ?? null;
}

function isNumber(text: string | null): boolean {
  return text !== null && /^-?\d+$/.test(text);
}

/** Turns missing fields and an unusual platform or partnerId into overrides. */
function overridesOf({ source, recognised }: Found, usual: Usual, losses: Losses): Overrides {
  const { envelope } = recognised;
  if (envelope === null) return {};
  const overrides: Overrides = {};
  const missing = (['platform', 'partnerId', 'time', 'hash'] as const).filter((name) => envelope[name] === null);
  if (source.scripted) {
    if (missing.length > 0)
      losses.add(
        source.where,
        `that the body has no ${missing.join(', ')}`,
        'A script puts it in, it seems; the workbench does so here.',
        source.at,
      );
  } else if (missing.length > 0) overrides.omit = missing;
  for (const name of ['platform', 'partnerId'] as const) {
    const text = envelope[name];
    if (text === null || text.includes('{{') || text === usual?.[name]) continue;
    if (text.length <= 1_000) overrides[name] = text;
    else losses.add(source.where, name, 'It is too long.', source.at);
  }
  return overrides;
}

function loseEnvelope(
  { source, recognised }: Found,
  overrides: Overrides,
  environments: readonly Environment[],
  losses: Losses,
): void {
  const { envelope, extra } = recognised;
  if (envelope === null) return;
  const { at, where } = source;
  if (envelope.time !== null || envelope.hash !== null)
    losses.add('the envelopes', 'time and hash', 'They are made again at each send.', at);
  const { platform, partnerId } = envelope;
  if (overrides.platform === undefined && overrides.partnerId === undefined && platform !== null && partnerId !== null) {
    const owners = environments
      .filter((one) => String(one.platform) === platform && String(one.partnerId) === partnerId)
      .map(({ name }) => name);
    const who = owners.length > 0 ? `They are those of ${owners.join(', ')}.` : 'No environment has these.';
    losses.add(
      'the envelopes',
      `platform ${platform} and partnerId ${partnerId}`,
      `They come from the environment that is chosen. ${who}`,
      at,
    );
  } else {
    for (const [name, text] of [
      ['platform', platform],
      ['partnerId', partnerId],
    ] as const) {
      if (text !== null && overrides[name] === undefined)
        losses.add('the envelopes', `${name} ${text}`, 'It comes from the environment that is chosen.', at);
    }
  }
  for (const name of extra)
    losses.add(where, `the field ${name} of the envelope`, `The envelope of ${recognised.operation.name} has no such field.`, at);
}

function loseAddress({ where, address, at }: SourceRequest, environments: readonly Environment[], losses: Losses): void {
  const shown = shownAddress(address);
  const base = shown.replace(/\/[^/]*$/, '');
  const owners = environments
    .filter(({ baseUrl, walletUrl }) => base !== '' && (base === baseUrl || base === walletUrl))
    .map(({ name }) => name);
  losses.add(
    'the URLs',
    base === '' ? shown : base,
    owners.length === 0 ? reasons.address : `${reasons.address} It is that of ${owners.join(', ')}.`,
    at,
  );
  if (/[?#]/.test(address)) losses.add(where, 'what follows ? or # in the URL', 'The operations of this API have none.', at);
  if (/\/\/[^/@]*@/.test(address)) losses.add(where, 'the user in the URL', reasons.auth, at);
}

/** Returns the names of the items created directly in a folder, in the order of the plan. */
export function madeIn(plan: ImportPlan, folder: string): string[] {
  const inOrder = new Set<string>();
  const prefix = folder === '' ? '' : `${folder}/`;
  for (const { path } of [...plan.requests, ...plan.folders]) {
    if (!path.startsWith(prefix)) continue;
    inOrder.add(path.slice(prefix.length).split('/')[0] ?? '');
  }
  return [...inOrder];
}
