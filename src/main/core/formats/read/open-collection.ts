import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import { otherEnvironment, type NamedFile } from './bruno.ts';
import { addTake, expectationOf, loseExactness } from './bruno-checks.ts';
import { membersOf, type Item, type Members } from './members.ts';
import { readTests } from './request-tests.ts';
import { createNames, type Names } from './variable-names.ts';
import { readYaml } from './yaml-members.ts';
import { addExample, onlyAnswers } from './saved-responses.ts';
import {
  createLosses,
  importedKinds,
  reasons,
  type Losses,
  type Source,
  type SourceFolder,
  type SourceRequest,
} from './import-source.ts';

const ofBruno = 'It means something to Bruno alone.';
const foreign = 'It is not a file of a collection.';

/** Files of an OpenCollection: the YAML form of a collection of Bruno, in one file or in many. */
export function readOpenCollection(files: readonly NamedFile[], losses: Losses): Source {
  const names = createNames(losses, files.length === 1 ? (files[0]?.name ?? '') : 'the collection', 'Bruno');
  const requests: (SourceRequest & { seq: number })[] = [];
  const folders: SourceFolder[] = [];
  const titles = new Map<string, string>();
  const environments = files.filter(({ name }) => isEnvironment(name)).length;
  const reading: Reading = { names, losses, requests, folders };

  for (const file of files) {
    const parts = file.name.split('/');
    const base = parts.pop() ?? '';
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
      const title = root.text('name') ?? base;
      const variables = readVariables(root.items('variables'), `${file.name}, ${title}`, reading, environments > 1);
      folders.push({ path: [], variables, notes: '' });
      root.rest(losses, file.name, ofBruno);
    } else if (root.has('opencollection')) readRoot(root, file.name, parts, reading);
    else readItem(root, file.name, base === 'folder.yml' ? parts.slice(0, -1) : parts, reading, parts, titles);
  }
  // In the order of that tool: by their number, if they have one.
  requests.sort((one, other) => (one.folder.join('/') === other.folder.join('/') ? one.seq - other.seq : 0));
  const titled = (path: readonly string[]) => path.map((part, depth) => titles.get(path.slice(0, depth + 1).join('/')) ?? part);
  return {
    format: 'opencollection',
    requests: requests.map((request) => ({ ...request, folder: titled(request.folder) })),
    folders: folders.map((folder) => ({ ...folder, path: titled(folder.path) })),
  };
}

interface Reading {
  readonly names: Names;
  readonly losses: Losses;
  readonly requests: (SourceRequest & { seq: number })[];
  readonly folders: SourceFolder[];
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
  info?.rest(losses, where, ofBruno);
  folders.push({ path, variables: readDefaults(root, where, reading), notes: readDocs(root, where, losses) });
  for (const item of root.items('items')) {
    const members = membersOf(item);
    if (members === null) losses.add(where, 'an item that is not an object', 'Nobody can tell what it is.', item.at);
    else readItem(members, where, path, reading);
  }
  root.rest(losses, where, ofBruno);
}

/** A request, or a folder: `own` is the path of the directory where the folder's settings lie in it. */
function readItem(
  item: Members,
  where: string,
  path: readonly string[],
  reading: Reading,
  own?: readonly string[],
  titles?: Map<string, string>,
): void {
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
  const inPath = own ?? [...path, name === '' ? 'folder' : name];
  if (own !== undefined && name !== '') titles?.set(own.join('/'), name);
  info?.rest(losses, inside, ofBruno);
  folders.push({ path: inPath, variables: readDefaults(item, inside, reading), notes: readDocs(item, inside, losses) });
  for (const child of item.items('items')) {
    const members = membersOf(child);
    if (members === null || inPath.length > 30) losses.add(inside, 'an item', 'It is not an object, or lies too deep.', child.at);
    else readItem(members, inside, inPath, reading);
  }
  item.rest(losses, inside, ofBruno);
}

/** Reads a folder's settings for its requests: keeps variables and reports the rest. */
function readDefaults(owner: Members, where: string, reading: Reading): Variables {
  const request = owner.object('request');
  if (request === null) return {};
  const variables = readVariables(request.items('variables'), where, reading, false);
  loseCommon(request, where, reading.losses);
  request.rest(reading.losses, where, ofBruno);
  return variables;
}

function loseCommon(owner: Members, where: string, losses: Losses): void {
  for (const item of owner.items('headers'))
    losses.add(where, `the header ${membersOf(item)?.text('name') ?? ''}`, reasons.header, item.at);
  const auth = owner.take('auth');
  const isPlain = auth?.node.kind === 'string' && /^(?:none|inherit)$/.test(auth.node.value);
  if (auth !== null && !isPlain) losses.add(where, 'the authorization', reasons.auth, auth.at);
  for (const item of owner.items('scripts'))
    losses.add(where, `the ${membersOf(item)?.text('type') ?? ''} script`, reasons.script, item.at);
}

function readDocs(owner: Members, where: string, losses: Losses): string {
  const inner = owner.object('docs');
  if (inner === null) return owner.text('docs') ?? '';
  const content = inner.text('content') ?? '';
  inner.rest(losses, where, 'Notes are plain text.');
  return content;
}

function readVariables(items: readonly Item[], where: string, { names, losses }: Reading, isOneOfMany: boolean): Variables {
  const variables: Variables = {};
  for (const item of items) {
    const members = membersOf(item);
    const name = members?.text('name') ?? '';
    const what = `the variable ${name}`;
    if (members === null || name === '') losses.add(where, 'a variable without a name', 'Nothing can use it.', item.at);
    else if (members.text('secret') === 'true') losses.add(where, `the value of ${what}`, reasons.secret, item.at);
    else if (members.text('disabled') === 'true') losses.add(where, what, reasons.disabled, item.at);
    else if (meansKey(name)) losses.add(where, what, reasons.key, item.at);
    else if (isOneOfMany) losses.add(where, what, otherEnvironment, item.at);
    else {
      const typed = members.object('value');
      const value = typed === null ? members.text('value') : (typed.text('data') ?? typed.text('value'));
      variables[names.nameOf(name)] = names.text(value ?? '');
      typed?.rest(losses, `${where} / ${what}`, 'Variables are texts.');
      members.rest(losses, `${where} / ${what}`, reasons.description);
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
  { names, requests }: Reading,
): void {
  const losses = createLosses();
  const where = `${outer} / ${name === '' ? 'a request without a name' : name}`;
  const http = item.object('http');
  const runtime = item.object('runtime');
  const notes = readDocs(item, where, losses);
  const bodyObject = http?.object('body') ?? null;
  const mode = bodyObject?.text('type') ?? 'none';
  const isRead = mode === 'json' || mode === 'text';
  const body = isRead ? (bodyObject?.text('data') ?? null) : null;
  if (bodyObject !== null && !isRead)
    losses.add(where, `the body of the kind ${mode}`, 'Bodies of this API are JSON.', bodyObject.at);
  else bodyObject?.rest(losses, where, ofBruno);
  const address = http?.text('url') ?? '';
  const method = http?.text('method') ?? (type === 'http' ? 'GET' : type);
  if (http !== null) loseCommon(http, where, losses);
  http?.rest(losses, where, reasons.unknown);

  const take: CollectionRequest['take'] = {};
  const expect: CollectionRequest['expect'] = [];
  for (const assertion of runtime?.items('assertions') ?? []) {
    const members = membersOf(assertion);
    const expression = members?.text('expression') ?? '';
    const disabled = members?.text('disabled') === 'true';
    const condition = `${members?.text('operator') ?? ''} ${members?.text('value') ?? ''}`;
    const expectation = disabled ? null : expectationOf(expression, condition, names);
    if (expectation !== null) {
      expect.push(expectation);
      loseExactness(expectation, condition, { where, at: assertion.at, losses });
      members?.rest(losses, where, reasons.description);
    } else
      losses.add(
        where,
        `the assertion about ${expression}`,
        disabled ? reasons.disabled : 'There is no check like it here.',
        assertion.at,
      );
  }
  for (const action of runtime?.items('actions') ?? []) {
    const members = membersOf(action);
    const [target, source] = [members?.object('variable'), members?.object('selector')];
    const variable = target?.text('name') ?? '';
    const selector = source?.text('expression') ?? '';
    const fits = members?.text('type') === 'set-variable' && members.text('disabled') !== 'true' && variable !== '';
    if (!fits || !addTake(take, variable, selector, names)) {
      losses.add(
        where,
        `the variable ${variable} that the response sets`,
        'It is switched off, or its expression is not a plain place in the body of the response.',
        action.at,
      );
    } else for (const one of [members, target, source]) one?.rest(losses, where, ofBruno);
  }
  const scripts = runtime?.items('scripts') ?? [];
  const comments: string[] = [];
  let scripted = false;
  for (const script of scripts) {
    const members = membersOf(script);
    const kind = members?.text('type') ?? '';
    if (kind === 'before-request') scripted = true;
    if (kind === 'tests' || kind === 'after-response') {
      const what = kind === 'tests' ? 'tests' : 'post-response script';
      const code = members?.text('code') ?? '';
      comments.push(...readTests(code, { where, what, at: script.at, names, losses }, { expect, take }));
      members?.rest(losses, where, reasons.script);
    } else losses.add(where, `the ${kind} script`, reasons.script, script.at);
  }
  for (const variable of runtime?.items('variables') ?? []) {
    losses.add(
      where,
      `the variable ${membersOf(variable)?.text('name') ?? ''}`,
      'Variables belong to folders and collections here.',
      variable.at,
    );
  }
  const examples: CollectionRequest['examples'] = [];
  for (const example of item.items('examples')) {
    const members = membersOf(example);
    const answer = members?.object('response') ?? null;
    const exampleName = members?.text('name') ?? '';
    const inside = { where: `${where} / the example ${exampleName}`.trim(), at: example.at, losses };
    const content = answer?.object('body') ?? null;
    answer?.text('statusText');
    const text = content === null ? (answer?.text('body') ?? '') : (content.text('data') ?? '');
    content?.text('type');
    addExample(examples, { name: exampleName, status: answer?.text('status') ?? '', body: text }, inside);
    for (const one of [content, answer, members]) one?.rest(losses, inside.where, onlyAnswers);
  }
  runtime?.rest(losses, where, ofBruno);
  info?.rest(losses, where, ofBruno);
  item.rest(losses, where, ofBruno);
  requests.push({
    where,
    at: item.at,
    folder: path,
    name,
    method,
    address: names.text(address),
    body: body === null ? null : names.text(body),
    rawBody: body,
    unreadBody: bodyObject !== null && !isRead ? `Its body is of the kind ${mode}. Bodies of this API are JSON.` : null,
    notes,
    scripted,
    kept: null,
    comments,
    take,
    expect,
    examples,
    losses: losses.all(),
    seq,
  });
}
