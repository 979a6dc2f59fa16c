import type { Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import { inOrder, isWritten, ofBruno, otherEnvironment, type FoundRequest, type NamedFile, type Places } from './bruno.ts';
import { addAssertion, addTake } from './bruno-checks.ts';
import { membersOf, notesIn, type Item, type Members } from './members.ts';
import { createKept, readWritten, type Kept } from './kept-lines.ts';
import { readTests } from './script-checks.ts';
import { addVariable, createNames, type Names } from './variable-names.ts';
import { readYaml } from './yaml-members.ts';
import { addExample, onlyBodies } from './saved-responses.ts';
import {
  createRequest,
  importedKinds,
  reasons,
  sourceRequest,
  tagsAmong,
  type Lose,
  type Losses,
  type Source,
  type SourceFolder,
} from './import-source.ts';

const foreign = 'It is not a collection file.';

/** Files of an OpenCollection: the YAML form of a collection of Bruno, in one file or in many. */
export function readOpenCollection(files: readonly NamedFile[], losses: Losses): Source {
  const ours = files.some(({ name, text }) => /\.ya?ml$/.test(name) && isWritten(text));
  const names = createNames(losses, files.length === 1 ? (files[0]?.name ?? '') : 'the collection', 'Bruno', ours);
  const environments = files.filter(({ name }) => isEnvironment(name)).length;
  const reading: Reading = { names, losses, requests: [], folders: [], places: new Map(), ours, root: createKept([]) };
  const isRoot = ({ name }: NamedFile) => /^opencollection\.ya?ml$/.test(name);

  // The collection itself says which variables of an environment are its own.
  for (const file of [...files.filter(isRoot), ...files.filter((other) => !isRoot(other))]) {
    const parts = file.name.split('/');
    const base = parts.pop() ?? '';
    if (ours && base === fileOfOurs) continue;
    if (!/\.ya?ml$/.test(base) && files.length > 1) {
      losses.add(file.name, 'the file', foreign);
      continue;
    }
    const root = readYaml(file);
    // Bruno knows a folder's settings by their file's name.
    const isFolder = base === 'folder.yml' && files.length > 1;
    if (!isFolder && !isOpenCollection(root)) {
      if (files.length === 1)
        throw new AppError('invalid_input', `${file.name} is YAML in an unknown format. Croupier imports ${importedKinds()}.`);
      losses.add(file.name, 'the file', foreign);
    } else if (isEnvironment(file.name) || (!root.has('http') && !root.has('items') && root.has('variables'))) {
      const lose = losses.of(file.name);
      const where = `${file.name}, ${root.text('name') ?? base}`;
      const read = readVariables(root.items('variables'), where, reading, environments > 1);
      reading.folders.push({ path: [], variables: reading.root.ownVariables(read, lose), notes: '' });
      root.rest(lose, ofBruno);
    } else if (root.has('opencollection')) readRoot(root, file.name, parts, reading);
    else readItem(root, file.name, base === 'folder.yml' ? parts.slice(0, -1) : parts, reading, parts);
  }
  return { format: 'opencollection', ...inOrder(reading.requests, reading.folders, reading.places) };
}

/** The file that Croupier writes beside those of the requests. */
const fileOfOurs = 'croupier.js';

interface Reading {
  readonly names: Names;
  readonly losses: Losses;
  readonly requests: FoundRequest[];
  readonly folders: SourceFolder[];
  readonly places: Places;
  /** Croupier wrote the files. */
  readonly ours: boolean;
  /** Of the collection itself. */
  root: Kept;
}

/** Returns whether a file has the parts of a collection, a folder, a request or an environment. Other YAML has an `info`, too. */
function isOpenCollection(root: Members): boolean {
  const parts = ['opencollection', 'http', 'items', 'variables'];
  return parts.some((part) => root.has(part)) || root.object('info')?.has('type') === true;
}

function isEnvironment(name: string): boolean {
  return /(?:^|\/)environments\/[^/]*\.ya?ml$/.test(name);
}

function readRoot(root: Members, file: string, path: readonly string[], reading: Reading): void {
  const { losses, folders } = reading;
  root.text('opencollection');
  const info = root.object('info');
  const where = info?.text('name') ?? file;
  const lose = losses.of(where);
  info?.rest(lose, ofBruno);
  const { variables, kept } = readDefaults(root, where, reading);
  reading.root = kept;
  folders.push({ path, variables, notes: kept.ownNotes(notesIn(root, 'docs', lose)) });
  for (const item of root.items('items')) {
    const members = membersOf(item);
    if (members === null) lose('an item that is not an object', "Croupier can't tell what it is.", item.at);
    else readItem(members, where, path, reading);
  }
  root.rest(lose, ofBruno);
}

/** A request, or a folder: `own` is the path of the directory where the folder's settings lie in it. */
function readItem(item: Members, where: string, path: readonly string[], reading: Reading, own?: readonly string[]): void {
  const info = item.object('info');
  const name = info?.text('name') ?? '';
  const type = info?.text('type') ?? (item.has('http') ? 'http' : 'folder');
  const seq = Number(info?.text('seq') ?? '0') || 0;
  if (type !== 'folder') {
    readRequest(item, info, { where, path, name, type, seq }, reading);
    return;
  }
  const { losses, folders } = reading;
  const inside = `${where} / ${name}`;
  const lose = losses.of(inside);
  const inPath = own ?? [...path, name === '' ? 'folder' : name];
  reading.places.set(inPath.join('/'), { title: name === '' ? (inPath.at(-1) ?? '') : name, seq });
  info?.rest(lose, ofBruno);
  const { variables, kept } = readDefaults(item, inside, reading);
  const ours = kept.has('folder') ? { ours: true as const } : {};
  folders.push({ path: inPath, variables, notes: notesIn(item, 'docs', lose), ...ours });
  for (const child of item.items('items')) {
    const members = membersOf(child);
    if (members === null || inPath.length > 30) lose('an item', 'It is not an object, or is nested too deeply.', child.at);
    else readItem(members, inside, inPath, reading);
  }
  item.rest(lose, ofBruno);
}

/** Reads a folder's settings for its requests: keeps variables, and the comments of a script of ours, and reports the rest. */
function readDefaults(owner: Members, where: string, reading: Reading): { variables: Variables; kept: Kept } {
  const request = owner.object('request');
  if (request === null) return { variables: {}, kept: createKept([]) };
  const variables = readVariables(request.items('variables'), where, reading, false);
  const lose = reading.losses.of(where);
  const kept = loseCommon(request, lose);
  request.rest(lose, ofBruno);
  return { variables, kept };
}

/** Returns the comments of a script that Croupier wrote. */
function loseCommon(owner: Members, lose: Lose): Kept {
  for (const item of owner.items('headers')) lose(`the header ${membersOf(item)?.text('name') ?? ''}`, reasons.header, item.at);
  const auth = owner.take('auth');
  const isPlain = auth?.node.kind === 'string' && /^(?:none|inherit)$/.test(auth.node.value);
  if (auth !== null && !isPlain) lose('the authorization', reasons.auth, auth.at);
  const kept: Kept['lines'][number][] = [];
  for (const item of owner.items('scripts')) {
    const script = membersOf(item);
    const written = readWritten((script?.text('code') ?? '').split('\n'));
    kept.push(...written.kept.lines);
    if (written.kept.lines.length === 0 || written.others.length > 0)
      lose(`the ${script?.text('type') ?? ''} script`, reasons.script, item.at);
  }
  return createKept(kept);
}

function readVariables(items: readonly Item[], where: string, { names, losses, ours }: Reading, isOneOfMany: boolean): Variables {
  const variables: Variables = {};
  const lose = losses.of(where);
  for (const item of items) {
    const members = membersOf(item);
    const name = members?.text('name') ?? '';
    const what = `the variable ${name}`;
    if (members === null || name === '') lose('a variable without a name', 'Nothing can use it.', item.at);
    else if (members.text('secret') === 'true') {
      if (!ours || !meansKey(name)) lose(`the value of ${what}`, reasons.secret, item.at);
    } else {
      const disabled = members.text('disabled') === 'true';
      if (isOneOfMany && !disabled && !meansKey(name)) {
        lose(what, otherEnvironment, item.at);
        continue;
      }
      const typed = members.object('value');
      const value = (typed === null ? members.text('value') : (typed.text('data') ?? typed.text('value'))) ?? '';
      if (!addVariable(variables, { name, value, at: item.at, disabled }, { names, lose })) continue;
      for (const [one, why] of [
        [typed, 'Variable values are text.'],
        [members, reasons.description],
      ] as const)
        one?.rest(losses.of(`${where} / ${what}`), why);
    }
  }
  return variables;
}

interface RequestPlace {
  readonly where: string;
  readonly path: readonly string[];
  readonly name: string;
  readonly type: string;
  readonly seq: number;
}

function readRequest(
  item: Members,
  info: Members | null,
  { where: outer, path, name, type, seq }: RequestPlace,
  { names, requests, ours }: Reading,
): void {
  const where = `${outer} / ${name === '' ? 'a request without a name' : name}`;
  const request = createRequest(where, item.at);
  const { lose, losses } = request;
  const http = item.object('http');
  const runtime = item.object('runtime');
  const body = http?.object('body') ?? null;
  const mode = body?.text('type') ?? 'none';
  const isRead = mode === 'json' || mode === 'text';
  request.folder = path;
  request.name = name;
  request.notes = notesIn(item, 'docs', lose);
  if (isRead) request.rawBody = body?.text('data') ?? null;
  else if (body !== null) {
    request.unreadBody = `Its body type is "${mode}". ${reasons.body}`;
    lose(`the ${mode} body`, reasons.body, body.at);
  }
  if (isRead) body?.rest(lose, ofBruno);
  request.address = http?.text('url') ?? '';
  request.method = http?.text('method') ?? (type === 'http' ? 'GET' : type);
  if (http !== null) loseCommon(http, lose);
  http?.rest(lose, reasons.unknown);

  for (const { node, at } of runtime?.items('assertions') ?? []) {
    const members = membersOf({ node, at });
    const assertion = {
      expression: members?.text('expression') ?? '',
      condition: `${members?.text('operator') ?? ''} ${members?.text('value') ?? ''}`,
      disabled: members?.text('disabled') === 'true',
      at,
    };
    if (addAssertion(request, assertion, names)) members?.rest(lose, reasons.description);
  }
  for (const action of runtime?.items('actions') ?? []) {
    const members = membersOf(action);
    const [target, source] = [members?.object('variable'), members?.object('selector')];
    const variable = target?.text('name') ?? '';
    const selector = source?.text('expression') ?? '';
    const why = 'It is disabled, or its expression is more than a path into the response body.';
    const fits = members?.text('type') === 'set-variable' && members.text('disabled') !== 'true' && variable !== '';
    if (fits && addTake(request, variable, selector, names))
      for (const one of [members, target, source]) one?.rest(lose, ofBruno);
    else lose(`the variable ${variable} that the response sets`, why, action.at);
  }
  for (const { node, at } of runtime?.items('scripts') ?? []) {
    const members = membersOf({ node, at });
    const kind = members?.text('type') ?? '';
    if (kind === 'before-request') request.scripted = true;
    if (kind !== 'tests' && kind !== 'after-response') {
      lose(`the ${kind} script`, reasons.script, at);
      continue;
    }
    const what = kind === 'tests' ? 'tests' : 'post-response script';
    const code = members?.text('code') ?? '';
    const { kept, others } = readWritten(code.split('\n'));
    const isOurs = kind === 'tests' && kept.has('request');
    if (isOurs) {
      request.comments.push(...kept.comments());
      request.kept = kept.request(request);
      kept.checks(request);
    }
    readTests(isOurs ? others.join('\n') : code, { what, at, names }, request);
    members?.rest(lose, reasons.script);
  }
  for (const variable of runtime?.items('variables') ?? []) {
    const what = `the variable ${membersOf(variable)?.text('name') ?? ''}`;
    lose(what, 'In Croupier, variables belong to folders and collections.', variable.at);
  }
  for (const { node, at } of item.items('examples')) {
    const members = membersOf({ node, at });
    const response = members?.object('response') ?? null;
    const example = members?.text('name') ?? '';
    const loseOf = losses.of(`${where} / the example ${example}`.trim());
    const content = response?.object('body') ?? null;
    response?.text('statusText');
    if (ours) members?.object('request');
    const text = content === null ? (response?.text('body') ?? '') : (content.text('data') ?? '');
    content?.text('type');
    addExample(request.examples, { name: example, status: response?.text('status') ?? '', body: text }, at, loseOf);
    for (const one of [content, response, members]) one?.rest(loseOf, onlyBodies);
  }
  const tags = info?.items('tags') ?? [];
  for (const one of [runtime, info, item]) one?.rest(lose, ofBruno);
  const tagNames = tags.map(({ node }) => (node.kind === 'string' ? node.value : ''));
  request.tags = tagsAmong(tagNames, tags[0]?.at ?? '', lose);
  requests.push({ request: sourceRequest(request, names.text), seq, path });
}
