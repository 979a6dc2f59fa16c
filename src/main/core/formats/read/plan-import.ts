import { setImmediate } from 'node:timers/promises';
import { fileOfRequest, nameKey, normalName, pathIn, refusedName } from '#shared/collections/file-names.ts';
import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { Environment, ImportPlan, ImportStep, Overrides } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import { withStandIns } from '#shared/payload-text/placeholders.ts';
import { actionOf, operationByName, operations, type Operation } from '#shared/provider/index.ts';
import { beyond, readers } from '#shared/model/readers.ts';
import { textBytes } from '../../collections/file-reader.ts';
import type { NamedFile } from './bruno.ts';
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
  type Lose,
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

/** The planned files, before keys are checked. */
export interface PlannedFiles {
  readonly plan: ImportPlan;
  /** Bodies whose hash is checked once everything else is known. */
  readonly bodies: readonly (HashedBody & { readonly path: string })[];
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
  const bodies: PlannedFiles['bodies'][number][] = [];
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
      const lose: Lose = (what, why) => losses.add(where, what, why, at);
      const examples = maskedExamples(one.source, losses);
      losses.addAll(own);
      const overrides = overridesOf(one, usual, losses);
      const written = kept ?? { ...requestOf(one.recognised), tags: [], overrides };
      const tags = one.source.tags.length > 0 ? one.source.tags : written.tags;
      const request: CollectionRequest = { ...written, tags, take, expect, notes, examples };
      if (beyond('collection.file', { bytes: textBytes(request) }) !== null) {
        const most = readers['collection.file'].bytes / 1_000_000;
        lose('the request', `Its file would be larger than ${most} MB.`);
        continue;
      }
      if (plan.requests.length >= mostRequests) {
        const most = mostRequests.toLocaleString('en');
        throw new AppError('invalid_input', `The import has more than ${most} requests. Import a part of it.`);
      }
      const wanted = name === '' ? one.recognised.operation.name : name;
      const claimed = free.claim(folderPaths.get(folder.join('\0')) ?? target.folder, wanted, 'request');
      if (name !== '' && claimed.name !== name)
        lose('its name', `Renamed to ${claimed.name}: the name is taken, or not valid for a file.`);
      const comment = commentOf(one.source.comments);
      if (comment.cut) lose('the end of its comments', 'A file can have at most 20,000 characters of comments.');
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
    const more = `${(lost.length - mostLosses).toLocaleString('en')} more`;
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
  return parts.length === 0 ? '' : ` Also left out: ${parts.join(', ')}.`;
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
  free: ReturnType<typeof createFreeNames>,
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
    const { path, name } = free.claim(pathOf(folder.slice(0, -1)), wanted, 'folder');
    paths.set(key, path);
    const made = { path, variables: {}, notes: '' };
    plan.folders.push(made);
    folders.set(path, made);
    const why = `Renamed to ${name}: the name is taken, or not valid for a folder.`;
    if (name !== wanted) losses.add(folder.join(' / '), 'its name', why);
    return path;
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
    const made = folders.get(pathOf(path));
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
      losses.add('the variables', `another value of ${name}`, 'Croupier uses the value in the first file.');
  }
}

type Usual = Pick<EnvelopeTexts, 'platform' | 'partnerId'> | null;

/** Returns the platform and the partner ID of most requests: those are left to the environment. */
function usualEnvelope(found: readonly Found[]): Usual {
  const usual = found.flatMap(({ recognised: { envelope } }) =>
    envelope !== null && isNumber(envelope.platform) && isNumber(envelope.partnerId) ? [envelope] : [],
  );
  const counted = [...Map.groupBy(usual, ({ platform, partnerId }) => `${platform} ${partnerId}`).values()];
  // Of equal ones the first.
  return counted.sort((one, other) => other.length - one.length)[0]?.[0] ?? null;
}

function isNumber(text: string | null): boolean {
  return text !== null && /^-?\d+$/.test(text);
}

/** Turns missing fields and an unusual platform or partnerId into overrides. */
function overridesOf({ source, recognised: { envelope } }: Found, usual: Usual, losses: Losses): Overrides {
  if (envelope === null) return {};
  const overrides: Overrides = {};
  const { where, at } = source;
  const missing = (['platform', 'partnerId', 'time', 'hash'] as const).filter((name) => envelope[name] === null);
  const byScript = 'A script seems to add it. Croupier adds it when it sends.';
  if (missing.length > 0 && source.scripted) losses.add(where, `the missing ${missing.join(', ')} in the body`, byScript, at);
  else if (missing.length > 0) overrides.omit = missing;
  for (const name of ['platform', 'partnerId'] as const) {
    const text = envelope[name];
    if (text === null || text.includes('{{') || text === usual?.[name]) continue;
    if (text.length <= 1_000) overrides[name] = text;
    else losses.add(where, name, 'It is too long.', at);
  }
  return overrides;
}

function loseEnvelope(
  { source: { at, where }, recognised: { envelope, extra, operation } }: Found,
  overrides: Overrides,
  environments: readonly Environment[],
  losses: Losses,
): void {
  if (envelope === null) return;
  const lose: Lose = (what, why) => losses.add('the envelopes', what, why, at);
  if (envelope.time !== null || envelope.hash !== null) lose('time and hash', 'Croupier makes them at each send.');
  const { platform, partnerId } = envelope;
  if (overrides.platform === undefined && overrides.partnerId === undefined && platform !== null && partnerId !== null) {
    const owners = environments.filter((one) => String(one.platform) === platform && String(one.partnerId) === partnerId);
    const who = owners.length > 0 ? `They match ${namesIn(owners)}.` : 'No environment has them.';
    lose(`platform ${platform} and partnerId ${partnerId}`, `They come from the selected environment. ${who}`);
  } else
    for (const name of ['platform', 'partnerId'] as const)
      if (envelope[name] !== null && overrides[name] === undefined)
        lose(`${name} ${envelope[name]}`, 'It comes from the selected environment.');
  for (const name of extra)
    losses.add(where, `the field ${name} of the envelope`, `The envelope of ${operation.name} has no such field.`, at);
}

function namesIn(environments: readonly Environment[]): string {
  return environments.map(({ name }) => name).join(', ');
}

function loseAddress({ where, address, at }: SourceRequest, environments: readonly Environment[], losses: Losses): void {
  const shown = shownAddress(address);
  const base = shown.replace(/\/[^/]*$/, '');
  const owners = environments.filter(({ baseUrl, walletUrl }) => base !== '' && (base === baseUrl || base === walletUrl));
  const whose = owners.length === 0 ? '' : ` It matches ${namesIn(owners)}.`;
  losses.add('the URLs', base === '' ? shown : base, reasons.address + whose, at);
  if (/[?#]/.test(address)) losses.add(where, 'the query or fragment of the URL', reasons.parameter, at);
  if (/\/\/[^/@]*@/.test(address)) losses.add(where, 'the user in the URL', reasons.auth, at);
}

/** Returns the names of the items created directly in a folder, in the order of the plan. */
export function madeIn(plan: ImportPlan, folder: string): string[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = [...plan.requests, ...plan.folders].filter(({ path }) => path.startsWith(prefix));
  return [...new Set(inside.map(({ path }) => path.slice(prefix.length).split('/')[0] ?? ''))];
}

/** Gives names that every system can have for a file, each once in its folder. `taken` holds those that are there, by the folder's path. */
function createFreeNames(taken: ReadonlyMap<string, readonly string[]>) {
  const used = new Map([...taken].map(([folder, names]) => [folder, new Set(names.map(nameKey))]));
  /** The next number to try, by folder, kind and name. */
  const numbers = new Map<string, number>();
  return {
    /** The path of a new request or folder, and its name. */
    claim(folder: string, wanted: string, kind: 'request' | 'folder'): { readonly path: string; readonly name: string } {
      const names = used.get(folder) ?? new Set<string>();
      used.set(folder, names);
      const plain = fitName(wanted, kind);
      const place = JSON.stringify([folder, kind, nameKey(plain)]);
      for (let number = numbers.get(place) ?? 1; ; number++) {
        const name = number === 1 ? plain : `${plain} ${number}`;
        const file = kind === 'request' ? fileOfRequest(name) : name;
        if (names.has(nameKey(file))) continue;
        names.add(nameKey(file));
        numbers.set(place, number + 1);
        return { path: pathIn(folder, file), name };
      }
    },
  };
}

const longest = 100;

/** Returns the name without characters that no file name can have; a plain word for the item if nothing is left. */
function fitName(wanted: string, kind: 'request' | 'folder'): string {
  if (refusedName(wanted, kind) === null) return normalName(wanted);
  let name = normalName(wanted.toWellFormed())
    .replace(/[<>:"/\\|?*]+/g, '-')
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\s]+/g, ' ');
  // A cut may not leave half of a character, and a character may take four bytes.
  name = Array.from(name).slice(0, longest).join('');
  while (Buffer.byteLength(name, 'utf8') > 230) name = Array.from(name).slice(0, -1).join('');
  name = name.replace(/^[\s.]+|[\s.]+$/g, '');
  if (refusedName(name, kind) === null) return name;
  const other = `${name}-${kind}`;
  return refusedName(other, kind) === null ? other : kind;
}

/** Matches a string, which may hold slashes, or a comment. */
const parts = /"(?:[^"\\]|\\[^])*"|\/\/[^\r\n]*|\/\*[^]*?\*\//g;

/**
 * Returns the body of a tool that takes comments out of JSON before it sends it: the body without them, and the comments. Null if
 * it has none, or is not JSON without them either.
 */
function takeComments(body: string): { readonly body: string; readonly comments: readonly string[] } | null {
  if (!/\/[/*]/.test(body) || parseJson(withStandIns(body)).ok) return null;
  const comments: string[] = [];
  const plain = body.replace(parts, (part) => {
    if (part.startsWith('"')) return part;
    comments.push(part);
    return '';
  });
  return comments.length > 0 && parseJson(withStandIns(plain)).ok ? { body: plain, comments } : null;
}

/** Returns the request as its tool sends it: without the comments in its body, which its file keeps. */
function withoutComments(request: SourceRequest, losses: Losses): SourceRequest {
  const taken = request.body === null || request.kept !== null ? null : takeComments(request.body);
  if (taken === null) return request;
  const many = `${taken.comments.length} ${taken.comments.length === 1 ? 'comment' : 'comments'} in its body`;
  losses.add(request.where, many, 'Not sent: Croupier kept it as a comment at the end of the file.', request.at);
  return { ...request, body: taken.body, rawBody: null, comments: [...request.comments, ...taken.comments] };
}

const longestComment = 20_000;

/** Returns a text that fits a comment of a file: no character that YAML refuses, and not without an end. `cut`: the end is missing. */
function commentOf(texts: readonly string[]): { readonly text: string; readonly cut: boolean } {
  const text = texts
    .join('\n')
    .replace(
      /[^\n\t\x20-\x7e\u00a0-\ufefe\ufff0-\ufffd\u{10000}-\u{10ffff}]|[\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069]/gu,
      ' ',
    );
  const cut = text.length > longestComment;
  return { text: cut ? `${text.slice(0, longestComment)}\n…` : text, cut };
}
