import { CollectionRequest, Variables } from '#shared/collections/model.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import { textUpTo } from '#shared/model/schema.ts';
import { examplesText } from '../kept.ts';
import { bruItem, readBru, readBruExample, type BruBlock, type BruPair } from './bru.ts';
import { addAssertion, addTake } from './bruno-checks.ts';
import { createKept, readWritten, type Kept } from './kept-lines.ts';
import { readTests } from './script-checks.ts';
import { addVariable, createNames, type Names } from './variable-names.ts';
import { addExample, onlyBodies } from './saved-responses.ts';
import {
  createRequest,
  reasons,
  sourceRequest,
  tagsAmong,
  type Lose,
  type Losses,
  type Source,
  type SourceFolder,
  type SourceRequest,
} from './import-source.ts';

const methods = new Set(['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'connect', 'trace', 'http']);
export const ofBruno = 'Only Bruno uses it.';
/** Said where the variables of a whole environment stay behind. */
export const otherEnvironment = 'Croupier imports one environment at a time. Import its file by itself.';

export interface NamedFile {
  readonly name: string;
  readonly text: string;
}

/** Files of a collection of Bruno in its own format; names with `/` say in which folder they lie. */
export function readBruno(files: readonly NamedFile[], losses: Losses): Source {
  const ours = files.some(({ name, text }) => name.endsWith('.bru') && isWritten(text));
  const names = createNames(losses, files.length === 1 ? (files[0]?.name ?? '') : 'the collection', 'Bruno', ours);
  const found: FoundRequest[] = [];
  const folders = new Map<string, SourceFolder>();
  const places: Places = new Map();
  const environments = files.filter(({ name }) => isEnvironment(name));
  const root = files.flatMap(({ name, text }) => (name === 'collection.bru' ? text.split(/\r\n|\n|\r/) : []));

  for (const file of files) {
    const parts = file.name.split('/');
    const base = parts.pop() ?? '';
    if (ours && filesOfOurs.has(base)) continue;
    if (!base.endsWith('.bru') && files.length > 1) {
      losses.add(file.name, 'the file', base === 'bruno.json' ? ofBruno : 'It is not a Bruno file.');
      continue;
    }
    const blocks = readBru(file.text, file.name);
    if (isEnvironment(file.name) || isEnvironmentFile(blocks)) {
      const place = { names, lose: losses.of(file.name) };
      const variables = readEnvironment(blocks, place, environments.length > 1, readWritten(root).kept);
      mergeFolder(folders, { path: [], variables, notes: '' });
    } else if (base === 'collection.bru' || base === 'folder.bru') {
      const { folder, ...place } = readFolder(blocks, parts, { names, lose: losses.of(file.name) });
      mergeFolder(folders, folder);
      if (base === 'folder.bru') places.set(parts.join('/'), place);
    } else found.push(readRequest(blocks, file.name, parts, names));
  }

  return { format: 'bruno', ...inOrder(found, [...folders.values()], places) };
}

/** A request as it was found: `path` is that of its directories. */
export interface FoundRequest {
  readonly request: SourceRequest;
  readonly seq: number;
  readonly path: readonly string[];
}

/** Names and positions of folders, by the path of their directories. */
export type Places = Map<string, { readonly title: string; readonly seq: number }>;

/** Returns requests in Bruno's order, and the names of folders in place of those of their directories. */
export function inOrder(
  found: readonly FoundRequest[],
  folders: readonly SourceFolder[],
  places: Places,
): Pick<Source, 'requests' | 'folders'> {
  const order = (path: readonly string[]) => path.map((_, depth) => places.get(path.slice(0, depth + 1).join('/'))?.seq ?? 0);
  const sorted = found.toSorted((one, other) => compare([...order(one.path), one.seq], [...order(other.path), other.seq]));
  const titled = (path: readonly string[]) =>
    path.map((part, depth) => places.get(path.slice(0, depth + 1).join('/'))?.title ?? part);
  return {
    requests: sorted.map(({ request, path }) => ({ ...request, folder: titled(path) })),
    folders: folders.map((folder) => ({ ...folder, path: titled(folder.path) })),
  };
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isEnvironment(name: string): boolean {
  return /(?:^|\/)environments\/[^/]*\.bru$/.test(name);
}

function isEnvironmentFile(blocks: readonly BruBlock[]): boolean {
  return blocks.length > 0 && blocks.every(({ name }) => name === 'vars' || name === 'vars:secret' || name === 'color');
}

/** Files that Croupier writes beside those of the requests. */
const filesOfOurs = new Set(['bruno.json', 'croupier.js']);

/** Returns whether Croupier wrote a file of a request, a folder or a collection. */
export function isWritten(text: string): boolean {
  return /\/\/ croupier (?:collection|folder|request) [0-9a-f]{16} /.test(text);
}

function mergeFolder(folders: Map<string, SourceFolder>, { path, variables, notes, ours }: SourceFolder): void {
  const known = folders.get(path.join('/'));
  folders.set(path.join('/'), {
    path,
    variables: { ...known?.variables, ...variables },
    notes: [known?.notes ?? '', notes].filter((one) => one !== '').join('\n\n'),
    ...(ours === undefined && known?.ours === undefined ? {} : { ours: true }),
  });
}

interface Place {
  readonly names: Names;
  readonly lose: Lose;
}

/** `root` is of the collection itself. */
function readEnvironment(blocks: readonly BruBlock[], place: Place, isOneOfMany: boolean, root: Kept): Variables {
  const variables: Variables = {};
  const { lose } = place;
  for (const block of blocks) {
    const at = `line ${block.line}`;
    if (block.name === 'vars:secret') {
      for (const name of block.items)
        if (!root.isCollection || !meansKey(name)) lose(`the value of the variable ${name}`, reasons.secret, at);
    } else if (block.name !== 'vars') lose(block.name, ofBruno, at);
    else if (isOneOfMany)
      for (const { name, line } of block.pairs) lose(`the variable ${name}`, otherEnvironment, `line ${line}`);
    else readVariables(block, place, variables);
  }
  return root.ownVariables(variables, lose);
}

function readVariables({ pairs }: BruBlock, place: Place, variables: Variables): void {
  for (const pair of pairs) {
    loseAnnotations(pair, `the variable ${pair.name}`, place.lose);
    addVariable(variables, { ...pair, at: `line ${pair.line}` }, place);
  }
}

function loseAnnotations({ annotations, line }: BruPair, what: string, lose: Lose): void {
  for (const annotation of annotations) lose(`@${annotation} of ${what}`, reasons.description, `line ${line}`);
}

function readFolder(
  blocks: readonly BruBlock[],
  path: readonly string[],
  place: Place,
): { title: string; seq: number; folder: SourceFolder } {
  let variables: Variables = {};
  let [notes, title, seq] = ['', path.at(-1) ?? '', 0];
  let kept = createKept([]);
  for (const block of blocks) {
    if (block.name === 'docs') notes = block.text;
    else if (block.name === 'vars:pre-request') readVariables(block, place, variables);
    else if (block.name === 'meta') {
      for (const { name, value, line } of block.pairs) {
        if (name === 'name' && path.length > 0) title = value;
        else if (name === 'seq') seq = Number(value) || 0;
        else if (name !== 'type') place.lose(name, ofBruno, `line ${line}`);
      }
    } else if (block.name === 'script:pre-request' && isWritten(block.text)) {
      const written = readWritten(block.text.split('\n'));
      kept = written.kept;
      if (written.others.length > 0) loseBlock(block, place.lose);
    } else loseBlock(block, place.lose);
  }
  variables = kept.value('variables', Variables, JSON.stringify(variables)) ?? variables;
  notes = kept.ownNotes(kept.value('notes', Notes, notes) ?? notes);
  const ours = kept.has('folder') ? { ours: true as const } : {};
  return { title, seq, folder: { path, variables, notes, ...ours } };
}

const Notes = textUpTo(1_000_000);
const Examples = CollectionRequest.shape.examples;

/** Returns the tags of a file in the order that Croupier kept, with those that a file of Bruno cannot hold. */
function withKept(tags: readonly string[], kept: readonly string[]): string[] {
  const known = kept.filter((tag) => tags.includes(tag) || !bruItem.test(tag));
  return [...known, ...tags.filter((tag) => !kept.includes(tag))];
}

/** Reports a block that requests, folders and collections of Bruno have, but Croupier's requests do not. */
function loseBlock({ name, pairs, line }: BruBlock, lose: Lose): void {
  const at = `line ${line}`;
  const ofResponses =
    'In Croupier, variables belong to folders and collections. To set one from a response, use `take` in the request.';
  if (name === 'headers') {
    for (const pair of pairs)
      lose(`the header ${pair.name}${pair.disabled ? ', disabled' : ''}`, reasons.header, `line ${pair.line}`);
  } else if (name === 'auth' || name.startsWith('auth:')) lose(`the authorization ${name.slice(5)}`.trim(), reasons.auth, at);
  else if (name.startsWith('script:')) lose(`the ${name.slice(7)} script`, reasons.script, at);
  else if (name === 'tests') lose('the tests', reasons.script, at);
  else if (name.startsWith('vars:'))
    for (const pair of pairs) lose(`the variable ${pair.name} of ${name}`, ofResponses, `line ${pair.line}`);
  else lose(`the block ${name}`, ofBruno, at);
}

function readRequest(blocks: readonly BruBlock[], file: string, path: readonly string[], names: Names): FoundRequest {
  const request = createRequest(file);
  const { lose, losses } = request;
  request.folder = path;
  request.name = (file.split('/').at(-1) ?? file).replace(/\.bru$/, '');
  request.method = '';
  let [mode, seq] = ['none', 0];
  const { kept, others: tests } = readWritten(blocks.flatMap(({ name, text }) => (name === 'tests' ? text.split('\n') : [])));
  const ours = kept.has('request');
  request.comments.push(...kept.comments());

  for (const block of blocks) {
    const at = `line ${block.line}`;
    if (block.name === 'meta') {
      for (const { name: key, value, items, line } of block.pairs) {
        if (key === 'name') request.name = value;
        else if (key === 'seq') seq = Number(value) || 0;
        else if (key === 'tags') request.tags = tagsAmong(items, `line ${line}`, lose);
        else if (key !== 'type' || value !== 'http') lose(`${key} ${value}`.trim(), ofBruno, `line ${line}`);
      }
    } else if (methods.has(block.name)) {
      request.method = block.name === 'http' ? '' : block.name.toUpperCase();
      for (const { name: key, value, line } of block.pairs) {
        if (key === 'url') request.address = value;
        else if (key === 'body') mode = value;
        else if (key === 'method' && request.method === '') request.method = value.toUpperCase();
        else if (key !== 'auth') lose(key, ofBruno, `line ${line}`);
        else if (value !== 'none' && value !== 'inherit') lose(`the authorization ${value}`, reasons.auth, `line ${line}`);
      }
    } else if (block.name === 'docs') request.notes = block.text;
    else if (block.name === 'assert') {
      for (const pair of block.pairs) {
        loseAnnotations(pair, `the assertion about ${pair.name}`, lose);
        const assertion = { expression: pair.name, condition: pair.value, disabled: pair.disabled, at: `line ${pair.line}` };
        addAssertion(request, assertion, names);
      }
    } else if (block.name === 'vars:post-response') {
      for (const pair of block.pairs) {
        loseAnnotations(pair, `the variable ${pair.name}`, lose);
        if (!pair.disabled && addTake(request, pair.name, pair.value, names)) continue;
        const why = pair.disabled ? reasons.disabled : 'Its expression is more than a path into the response body.';
        lose(`the variable ${pair.name} that the response sets`, why, `line ${pair.line}`);
      }
    } else if (block.name === 'example') {
      const { others, ...example } = readBruExample(block.text);
      const loseOf = losses.of(`${file} / the example ${example.name}`.trim());
      addExample(request.examples, example, at, loseOf);
      const lost = others.filter((other) => !ours || other !== 'request');
      if (lost.length > 0) loseOf(lost.join(', '), onlyBodies, at);
    } else if (block.name === 'tests' || block.name === 'script:post-response') {
      const isOurs = ours && block.name === 'tests';
      const what = block.name === 'tests' ? 'tests' : 'post-response script';
      if (isOurs) kept.checks(request);
      readTests(isOurs ? tests.join('\n') : block.text, { what, at, names }, request);
    } else if (!block.name.startsWith('body')) loseBlock(block, lose);
  }

  for (const block of blocks.filter((one) => one.name.startsWith('body'))) {
    const kind = block.name.slice(5) || 'json';
    const why = kind === mode ? reasons.body : 'The file selects another body.';
    if (kind === mode && (kind === 'json' || kind === 'text')) request.rawBody = block.text;
    else lose(`the ${kind} body`, why, `line ${block.line}`);
  }
  if (request.rawBody === null && mode !== 'none') request.unreadBody = `Its body type is "${mode}". ${reasons.body}`;
  request.kept = kept.request(request);
  request.notes = kept.value('notes', Notes, request.notes) ?? request.notes;
  request.tags = withKept(request.tags, request.kept?.tags ?? []);
  request.scripted = blocks.some((block) => block.name === 'script:pre-request');
  request.examples = kept.value('examples', Examples, examplesText(request.examples)) ?? request.examples;
  return { request: sourceRequest(request, names.text), seq, path };
}
