import { Variables, type CollectionRequest } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { valueText } from '#shared/json/values.ts';
import { z } from '#shared/model/schema.ts';
import { membersOf, notesIn, scalarText, type Item, type Members } from './members.ts';
import { addVariable, createNames, type Names } from './variable-names.ts';
import { readEvents, type Kept } from './kept-lines.ts';
import { readTests } from './script-checks.ts';
import { addExample, onlyBodies } from './saved-responses.ts';
import {
  createRequest,
  reasons,
  sourceRequest,
  type Lose,
  type Losses,
  type Source,
  type SourceFolder,
  type SourceRequest,
} from './import-source.ts';

/** Depth of folders at most: more than a collection may have. */
const deepest = 30;

const KeptFolder = z.strictObject({ variables: Variables });

const ofPostman = 'Only Postman uses it.';

/** Reads a collection of Postman in its format 2.1 or 2.0. `file` names it; `root` is its object. */
export function readPostman(text: string, root: Members, file: string, losses: Losses): Source {
  const info = root.object('info');
  const schema = info?.text('schema') ?? '';
  if (/\/v1\./.test(schema)) {
    throw new AppError('invalid_input', `${file} is in an older Postman format. Export it as Collection v2.1 and import that.`);
  }
  const name = info?.text('name') ?? file;
  const where = file === name || name === '' ? file : `${file}, ${name}`;
  const lose = losses.of(where);
  const own = readEvents(root, lose);
  const ours = own.kept.isCollection;
  const names = createNames(losses, where, 'Postman', ours);
  const requests: SourceRequest[] = [];
  const folders: SourceFolder[] = [];
  const place = { text, names, losses };
  const notes = notesIn(info, 'description', lose);
  const variables = readVariables(root.items('variable'), where, place);

  folders.push({
    path: [],
    variables: own.kept.ownVariables(variables, lose),
    notes: own.kept.ownNotes(notes),
  });
  if (schema !== '' && !/\/collection\/v2\.[01]\.\d+\//.test(schema))
    lose(`the format ${schema}`, 'Croupier reads it as v2.1.', '/info/schema');
  info?.rest(lose, ofPostman);
  readAuth(root, lose);
  readItems(
    root.items('item'),
    { path: [], where, scripted: own.scripted, ours: ours ? own.kept.ofFolders(variables) : null, depth: 0 },
    { ...place, requests, folders },
  );
  root.rest(lose, ofPostman);
  return { format: 'postman', requests, folders };
}

/** Reads an environment or the globals of Postman: variables alone. */
export function readPostmanEnvironment(text: string, root: Members, file: string, losses: Losses): Source {
  const name = root.text('name') ?? '';
  const where = name === '' ? file : `${file}, ${name}`;
  const names = createNames(losses, where, 'Postman');
  const variables = readVariables(root.items('values'), where, { text, names, losses });
  root.rest(losses.of(where), ofPostman);
  return { format: 'postman-environment', requests: [], folders: [{ path: [], variables, notes: '' }] };
}

interface Place {
  readonly text: string;
  readonly names: Names;
  readonly losses: Losses;
}

interface Inside {
  readonly path: readonly string[];
  readonly where: string;
  readonly scripted: boolean;
  /** Not null in a file that Croupier wrote: values of folders that Postman has in the collection, until their folder is read. */
  readonly ours: ReturnType<Kept['ofFolders']> | null;
  readonly depth: number;
}

type Collecting = Place & { readonly requests: SourceRequest[]; readonly folders: SourceFolder[] };

function readItems(items: readonly Item[], inside: Inside, collecting: Collecting): void {
  const { losses } = collecting;
  for (const item of items) {
    const members = membersOf(item);
    if (members === null) {
      losses.add(inside.where, 'an item that is not an object', "Croupier can't tell what it is.", item.at);
      continue;
    }
    const name = members.text('name') ?? '';
    const where = `${inside.where} / ${name === '' ? 'a request without a name' : name}`;
    if (!members.has('item') || members.has('request')) readRequest(members, name, { ...inside, where }, collecting);
    else if (inside.depth >= deepest) losses.add(where, 'the folder', `Folders are nested more than ${deepest} deep.`, item.at);
    else readFolder(members, name, { ...inside, where }, collecting);
  }
}

function readFolder(members: Members, name: string, inside: Inside, collecting: Collecting): void {
  const { losses, folders } = collecting;
  const { where, depth } = inside;
  const path = [...inside.path, name === '' ? 'folder' : name];
  const variables = readVariables(members.items('variable'), where, collecting);
  const lose = losses.of(where);
  const events = readEvents(members, lose);
  const kept = events.kept.value('folder', KeptFolder);
  for (const [own, value] of Object.entries(kept?.variables ?? {})) {
    // Somebody may have changed it there.
    variables[own] = inside.ours?.get(own) ?? value;
    inside.ours?.delete(own);
  }
  folders.push({
    path,
    variables,
    notes: notesIn(members, 'description', lose),
    ...(kept === null ? {} : { ours: true as const }),
  });
  const scripted = events.scripted || inside.scripted;
  readAuth(members, lose);
  readItems(members.items('item'), { ...inside, path, where, scripted, depth: depth + 1 }, collecting);
  members.rest(lose, ofPostman);
}

function readRequest(members: Members, name: string, inside: Inside, { names, requests }: Collecting): void {
  const { where } = inside;
  // Its losses are reported only if it is imported.
  const request = createRequest(where, members.at);
  const { lose, losses, comments } = request;
  const events = readEvents(members, lose, true);
  const own = members.object('request');
  request.folder = inside.path;
  request.name = name;
  request.scripted = events.scripted || inside.scripted;
  request.address = own === null ? (members.text('request') ?? '') : readAddress(own, lose);
  request.notes = notesIn(members, 'description', lose);
  if (own !== null) {
    request.notes = [request.notes, notesIn(own, 'description', lose)].filter((one) => one !== '').join('\n\n');
    Object.assign(request, readBody(own, lose));
    readHeaders(own, lose, inside.ours !== null);
    readAuth(own, lose);
  }
  request.method = own?.text('method') ?? 'GET';
  own?.rest(lose, reasons.unknown);
  request.examples = readExamples(members.items('response'), where, losses, inside.ours !== null);
  events.kept.checks(request);
  comments.push(...events.kept.comments());
  readTests(events.tests, { what: 'test script', at: events.at, names }, request);
  request.kept = events.kept.request(request);
  members.rest(lose, ofPostman);
  requests.push(sourceRequest(request, names.text));
}

/** Reads saved responses: the name, HTTP status and body of each. */
function readExamples(items: readonly Item[], where: string, losses: Losses, ours: boolean): CollectionRequest['examples'] {
  const examples: CollectionRequest['examples'] = [];
  for (const item of items) {
    const response = membersOf(item);
    if (response === null) {
      losses.add(where, 'a saved response', 'It is not an object.', item.at);
      continue;
    }
    const name = response.text('name') ?? '';
    const lose = losses.of(`${where} / the saved response ${name}`.trim());
    // The reason phrase adds nothing to the number.
    response.text('status');
    if (ours) response.text('_postman_previewlanguage');
    addExample(examples, { name, status: response.text('code') ?? '', body: response.text('body') ?? '' }, item.at, lose);
    response.rest(lose, onlyBodies);
  }
  return examples;
}

/** Returns the URL as it was typed; parts that repeat it are not reported again. */
function readAddress(request: Members, lose: Lose): string {
  const url = request.object('url');
  if (url === null) return request.text('url') ?? '';
  const raw = url.text('raw');
  if (raw === null) {
    const part = (name: string, separator: string) => partText(url.take(name)?.node, separator);
    const [protocol, host, port, path] = [part('protocol', ''), part('host', '.'), part('port', ''), part('path', '/')];
    url.rest(lose, reasons.address);
    return `${protocol === '' ? '' : `${protocol}://`}${host}${port === '' ? '' : `:${port}`}${path === '' ? '' : `/${path}`}`;
  }
  for (const part of ['protocol', 'host', 'port', 'path', 'hash']) {
    const found = url.take(part);
    if (found !== null && !isSaid(found.node, raw)) lose(`the ${part} of the URL`, reasons.address, found.at);
  }
  for (const { node, at } of url.items('query')) {
    if (!isSaid(node, raw)) lose('a parameter of the URL', reasons.parameter, at);
  }
  url.rest(lose, reasons.address);
  return raw;
}

function partText(node: JsonNode | undefined, separator: string): string {
  if (node?.kind === 'array') return node.items.map((item) => scalarText(item) ?? '').join(separator);
  return node === undefined ? '' : (scalarText(node) ?? '');
}

/** Returns whether every text of the value is in the URL; an object may have a key and a value. */
function isSaid(node: JsonNode, address: string): boolean {
  if (node.kind === 'array') return node.items.every((item) => item.kind !== 'object' && isSaid(item, address));
  if (node.kind === 'object') {
    return node.members.every(
      ({ key, value }) => (key === 'key' || key === 'value') && value.kind === 'string' && address.includes(value.value),
    );
  }
  const text = scalarText(node);
  return text !== null && address.includes(text);
}

type ReadBody = Pick<SourceRequest, 'rawBody' | 'unreadBody'>;

function readBody(request: Members, lose: Lose): ReadBody {
  const body = request.object('body');
  if (body === null) return { rawBody: null, unreadBody: null };
  const mode = body.text('mode') ?? 'raw';
  if (body.text('disabled') === 'true') {
    lose('the body', reasons.disabled, body.at);
    return { rawBody: null, unreadBody: null };
  }
  if (mode !== 'raw') {
    lose(`the ${mode} body`, reasons.body, body.at);
    return { rawBody: null, unreadBody: `Its body type is "${mode}". ${reasons.body}` };
  }
  const rawBody = body.text('raw');
  const options = body.object('options');
  const raw = options?.object('raw') ?? null;
  const language = raw?.text('language') ?? 'json';
  if (language !== 'json') lose(`the language ${language} of the body`, reasons.body, raw?.at ?? body.at);
  for (const one of [raw, options]) one?.rest(lose, ofPostman);
  body.rest(lose, 'Croupier imports only the raw body.');
  return { rawBody, unreadBody: null };
}

function readHeaders(request: Members, lose: Lose, ours: boolean): void {
  if (request.text('header') !== null) {
    lose('the headers', reasons.header, `${request.at}/header`);
    return;
  }
  for (const item of request.items('header')) {
    const header = membersOf(item);
    const name = header?.text('key') ?? header?.text('name') ?? '';
    if (ours && name === 'Content-Type' && header?.text('value') === 'application/json') continue;
    const off = header?.text('disabled') === 'true' ? ', disabled' : '';
    lose(`the header ${name}${off}`, reasons.header, item.at);
  }
}

function readAuth(owner: Members, lose: Lose): void {
  const auth = owner.object('auth');
  if (auth !== null) lose(`the authorization ${auth.text('type') ?? ''}`.trim(), reasons.auth, auth.at);
}

function readVariables(items: readonly Item[], where: string, { text, names, losses }: Place): Variables {
  const variables: Variables = {};
  const lose = losses.of(where);
  for (const item of items) {
    const members = membersOf(item);
    const name = members?.text('key') ?? members?.text('id') ?? '';
    if (members === null || name === '') {
      lose('a variable without a name', 'Nothing can use it.', item.at);
      continue;
    }
    const what = `the variable ${name}`;
    const type = members.text('type');
    const disabled = members.text('disabled') === 'true' || members.text('enabled') === 'false';
    const node = members.take('value')?.node ?? null;
    const value = node === null || node.kind === 'null' ? '' : valueText(text, node);
    if (type === 'secret') lose(`the value of ${what}`, reasons.secret, item.at);
    else if (addVariable(variables, { name, value, at: item.at, disabled }, { names, lose })) {
      if (type !== null && !['string', 'default', 'any', 'number', 'boolean'].includes(type))
        lose(`the type ${type} of ${what}`, 'Variable values are text.', `${item.at}/type`);
      members.text('id');
      members.rest(losses.of(`${where} / ${what}`), reasons.description);
    }
  }
  return variables;
}
