import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { valueText } from '#shared/json/values.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import { membersOf, scalarText, type Item, type Members } from './members.ts';
import { createNames, type Names } from './variable-names.ts';
import {
  ofFolders,
  keptComments,
  keptOf,
  keptRequest,
  KeptFolder,
  KeptVariables,
  readChecks,
  readEvents,
  withoutNotice,
  withoutOthers,
} from './postman-scripts.ts';
import { readTests } from './script-checks.ts';
import { addExample, onlyAnswers } from './saved-responses.ts';
import { createLosses, reasons, type Losses, type Source, type SourceFolder, type SourceRequest } from './import-source.ts';

/** Depth of folders at most: more than a collection may have. */
const deepest = 30;

const ofPostman = 'It means something to Postman alone.';

/** Reads a collection of Postman in its format 2.1 or 2.0. `file` names it; `root` is its object. */
export function readPostman(text: string, root: Members, file: string, losses: Losses): Source {
  const info = root.object('info');
  const schema = info?.text('schema') ?? '';
  if (/\/v1\./.test(schema)) {
    throw new AppError(
      'invalid_input',
      `${file} is of an older format of Postman. Export it as Collection v2.1 and import that.`,
    );
  }
  const name = info?.text('name') ?? file;
  const where = file === name || name === '' ? file : `${file}, ${name}`;
  const own = readEvents(root, where, losses);
  const ours = keptOf(own, 'collection', KeptVariables);
  const names = createNames(losses, where, 'Postman', ours !== null);
  const requests: SourceRequest[] = [];
  const folders: SourceFolder[] = [];
  const place = { text, names, losses };
  const notes = description(info, where, losses);
  const variables = readVariables(root.items('variable'), where, place);

  folders.push({
    path: [],
    variables: ours === null ? variables : withoutOthers(variables, ours, where, losses),
    notes: ours === null ? notes : withoutNotice(notes),
  });
  if (schema !== '' && !/\/collection\/v2\.[01]\.\d+\//.test(schema))
    losses.add(where, `the format ${schema}`, 'It is read as v2.1.', '/info/schema');
  info?.rest(losses, where, ofPostman);
  readAuth(root, where, losses);
  readItems(
    root.items('item'),
    { path: [], where, scripted: own.scripted, ours: ours === null ? null : { ofFolders: ofFolders(ours, variables) }, depth: 0 },
    { ...place, requests, folders },
  );
  root.rest(losses, where, ofPostman);
  return { format: 'postman', requests, folders };
}

/** Reads an environment or the globals of Postman: variables alone. */
export function readPostmanEnvironment(text: string, root: Members, file: string, losses: Losses): Source {
  const name = root.text('name') ?? '';
  const where = name === '' ? file : `${file}, ${name}`;
  const names = createNames(losses, where, 'Postman');
  const variables = readVariables(root.items('values'), where, { text, names, losses });
  root.rest(losses, where, ofPostman);
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
  readonly ours: { readonly ofFolders: Map<string, string> } | null;
  readonly depth: number;
}

type Collecting = Place & { readonly requests: SourceRequest[]; readonly folders: SourceFolder[] };

function readItems(items: readonly Item[], inside: Inside, collecting: Collecting): void {
  const { losses } = collecting;
  for (const item of items) {
    const members = membersOf(item);
    if (members === null) {
      losses.add(inside.where, 'an item that is not an object', 'Nobody can tell what it is.', item.at);
      continue;
    }
    const name = members.text('name') ?? '';
    const where = `${inside.where} / ${name === '' ? 'a request without a name' : name}`;
    if (!members.has('item') || members.has('request')) readRequest(members, name, { ...inside, where }, collecting);
    else if (inside.depth >= deepest) losses.add(where, 'the folder', `Folders lie more than ${deepest} deep.`, item.at);
    else readFolder(members, name, { ...inside, where }, collecting);
  }
}

function readFolder(members: Members, name: string, inside: Inside, collecting: Collecting): void {
  const { losses, folders } = collecting;
  const { where, depth } = inside;
  const path = [...inside.path, name === '' ? 'folder' : name];
  const variables = readVariables(members.items('variable'), where, collecting);
  const events = readEvents(members, where, losses);
  const kept = keptOf(events, 'folder', KeptFolder);
  for (const [own, value] of Object.entries(kept?.variables ?? {})) {
    // Somebody may have changed it there.
    variables[own] = inside.ours?.ofFolders.get(own) ?? value;
    inside.ours?.ofFolders.delete(own);
  }
  folders.push({
    path,
    variables,
    notes: description(members, where, losses),
    ...(kept === null ? {} : { ours: true as const }),
  });
  const scripted = events.scripted || inside.scripted;
  readAuth(members, where, losses);
  readItems(members.items('item'), { ...inside, path, where, scripted, depth: depth + 1 }, collecting);
  members.rest(losses, where, ofPostman);
}

function readRequest(members: Members, name: string, inside: Inside, { names, requests }: Collecting): void {
  // Separate list: reported only if this request is imported.
  const losses = createLosses();
  const { where } = inside;
  const events = readEvents(members, where, losses, true);
  const own = members.object('request');
  const address = own === null ? (members.text('request') ?? '') : readAddress(own, where, losses);
  let notes = description(members, where, losses);
  let body: ReadBody = { text: null, unread: null };
  if (own !== null) {
    const inner = description(own, where, losses);
    notes = [notes, inner].filter((one) => one !== '').join('\n\n');
    body = readBody(own, where, losses);
    readHeaders(own, where, losses, inside.ours !== null);
    readAuth(own, where, losses);
  }
  const method = own?.text('method') ?? 'GET';
  own?.rest(losses, where, reasons.unknown);
  const examples = readAnswers(members.items('response'), where, losses, inside.ours !== null);
  const { expect, take } = readChecks(events, where, losses);
  const place = { where, what: 'test script', at: events.at, names, losses };
  const comments = [...keptComments(events), ...readTests(events.tests, place, { expect, take })];
  const kept = keptRequest(events, `${address}\n${body.text ?? ''}`, where, losses);
  members.rest(losses, where, ofPostman);
  requests.push({
    where,
    at: members.at,
    folder: inside.path,
    name,
    method,
    address: names.text(address),
    body: body.text === null ? null : names.text(body.text),
    unreadBody: body.unread,
    rawBody: body.text,
    notes,
    tags: [],
    scripted: events.scripted || inside.scripted,
    kept,
    comments,
    take,
    expect,
    examples,
    losses: losses.all(),
  });
}

/** Reads saved responses: the name, HTTP status and body of each. */
function readAnswers(items: readonly Item[], where: string, losses: Losses, ours: boolean): CollectionRequest['examples'] {
  const examples: CollectionRequest['examples'] = [];
  for (const item of items) {
    const answer = membersOf(item);
    if (answer === null) {
      losses.add(where, 'a saved response', 'It is not an object.', item.at);
      continue;
    }
    const name = answer.text('name') ?? '';
    const inside = { where: `${where} / the saved response ${name}`.trim(), at: item.at, losses };
    // The reason phrase adds nothing to the number.
    answer.text('status');
    if (ours) answer.text('_postman_previewlanguage');
    addExample(examples, { name, status: answer.text('code') ?? '', body: answer.text('body') ?? '' }, inside);
    answer.rest(losses, inside.where, onlyAnswers);
  }
  return examples;
}

/** Returns the URL as it was typed; parts that repeat it are not reported again. */
function readAddress(request: Members, where: string, losses: Losses): string {
  const url = request.object('url');
  if (url === null) return request.text('url') ?? '';
  const raw = url.text('raw');
  if (raw === null) {
    const part = (name: string, separator: string) => partText(url.take(name)?.node, separator);
    const [protocol, host, port, path] = [part('protocol', ''), part('host', '.'), part('port', ''), part('path', '/')];
    url.rest(losses, where, reasons.address);
    return `${protocol === '' ? '' : `${protocol}://`}${host}${port === '' ? '' : `:${port}`}${path === '' ? '' : `/${path}`}`;
  }
  for (const part of ['protocol', 'host', 'port', 'path', 'hash']) {
    const found = url.take(part);
    if (found !== null && !isSaid(found.node, raw)) losses.add(where, `the ${part} of the URL`, reasons.address, found.at);
  }
  for (const { node, at } of url.items('query')) {
    if (!isSaid(node, raw)) losses.add(where, 'a parameter of the URL', 'The operations of this API have none.', at);
  }
  url.rest(losses, where, reasons.address);
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

interface ReadBody {
  readonly text: string | null;
  readonly unread: string | null;
}

function readBody(request: Members, where: string, losses: Losses): ReadBody {
  const body = request.object('body');
  if (body === null) return { text: null, unread: null };
  const mode = body.text('mode') ?? 'raw';
  if (body.text('disabled') === 'true') {
    losses.add(where, 'the body', reasons.disabled, body.at);
    return { text: null, unread: null };
  }
  if (mode !== 'raw') {
    losses.add(where, `the body of the kind ${mode}`, 'Bodies of this API are JSON.', body.at);
    return { text: null, unread: `Its body is of the kind ${mode}. Bodies of this API are raw JSON.` };
  }
  const text = body.text('raw');
  const options = body.object('options');
  const rawOptions = options?.object('raw') ?? null;
  const language = rawOptions?.text('language') ?? 'json';
  if (language !== 'json')
    losses.add(where, `the language ${language} of the body`, 'Bodies of this API are JSON.', rawOptions?.at ?? body.at);
  rawOptions?.rest(losses, where, ofPostman);
  options?.rest(losses, where, ofPostman);
  body.rest(losses, where, 'Only the raw body is read.');
  return { text, unread: null };
}

function readHeaders(request: Members, where: string, losses: Losses, ours: boolean): void {
  if (request.text('header') !== null) {
    losses.add(where, 'the headers', reasons.header, `${request.at}/header`);
    return;
  }
  for (const item of request.items('header')) {
    const header = membersOf(item);
    const name = header?.text('key') ?? header?.text('name') ?? '';
    if (ours && name === 'Content-Type' && header?.text('value') === 'application/json') continue;
    const off = header?.text('disabled') === 'true' ? ', switched off' : '';
    losses.add(where, `the header ${name}${off}`, reasons.header, item.at);
  }
}

function readAuth(owner: Members, where: string, losses: Losses): void {
  const auth = owner.object('auth');
  if (auth !== null) losses.add(where, `the authorization ${auth.text('type') ?? ''}`.trim(), reasons.auth, auth.at);
}

/** Returns a text, or the content of an object. */
function description(owner: Members | null, where: string, losses: Losses): string {
  const inner = owner?.object('description') ?? null;
  if (inner === null) return owner?.text('description') ?? '';
  const content = inner.text('content') ?? '';
  inner.rest(losses, where, 'Notes are plain text.');
  return content;
}

function readVariables(items: readonly Item[], where: string, { text, names, losses }: Place): Variables {
  const variables: Variables = {};
  for (const item of items) {
    const members = membersOf(item);
    const name = members?.text('key') ?? members?.text('id') ?? '';
    if (members === null || name === '') {
      losses.add(where, 'a variable without a name', 'Nothing can use it.', item.at);
      continue;
    }
    const what = `the variable ${name}`;
    const type = members.text('type');
    const disabled = members.text('disabled') === 'true' || members.text('enabled') === 'false';
    const value = members.take('value')?.node ?? null;
    if (type === 'secret') losses.add(where, `the value of ${what}`, reasons.secret, item.at);
    else if (meansKey(name)) losses.add(where, what, reasons.key, item.at);
    else if (disabled) losses.add(where, what, reasons.disabled, item.at);
    else {
      const own = names.nameOf(name);
      if (Object.hasOwn(variables, own))
        losses.add(where, `an earlier value of ${what}`, 'Of several the last one counts.', item.at);
      variables[own] = value === null || value.kind === 'null' ? '' : names.text(valueText(text, value));
      if (type !== null && !['string', 'default', 'any', 'number', 'boolean'].includes(type)) {
        losses.add(where, `the type ${type} of ${what}`, 'Variables are texts.', `${item.at}/type`);
      }
      members.text('id');
      members.rest(losses, `${where} / ${what}`, reasons.description);
    }
  }
  return variables;
}
