import type { CollectionRequest, Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import type { z } from '#shared/model/schema.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import type { KeptLine } from '../kept.ts';
import { inOrder, isWritten, otherEnvironment, type FoundRequest, type NamedFile, type Places } from './bruno.ts';
import { addTake, expectationOf, loseExactness } from './bruno-checks.ts';
import { membersOf, type Item, type Members } from './members.ts';
import {
  keptComments,
  keptOf,
  keptRequest,
  KeptVariables,
  readChecks,
  readWritten,
  withoutNotice,
  withoutOthers,
} from './postman-scripts.ts';
import { readTests } from './script-checks.ts';
import { createNames, type Names } from './variable-names.ts';
import { readYaml } from './yaml-members.ts';
import { addExample, onlyAnswers } from './saved-responses.ts';
import {
  createLosses,
  importedKinds,
  reasons,
  tagsAmong,
  type KeptRequest,
  type Losses,
  type Source,
  type SourceFolder,
} from './import-source.ts';

const ofBruno = 'It means something to Bruno alone.';
const foreign = 'It is not a file of a collection.';

/** Files of an OpenCollection: the YAML form of a collection of Bruno, in one file or in many. */
export function readOpenCollection(files: readonly NamedFile[], losses: Losses): Source {
  const ours = files.some(({ name, text }) => /\.ya?ml$/.test(name) && isWritten(text));
  const names = createNames(losses, files.length === 1 ? (files[0]?.name ?? '') : 'the collection', 'Bruno', ours);
  const environments = files.filter(({ name }) => isEnvironment(name)).length;
  const reading: Reading = { names, losses, requests: [], folders: [], places: new Map(), ours, root: null };
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
      const title = root.text('name') ?? base;
      const read = readVariables(root.items('variables'), `${file.name}, ${title}`, reading, environments > 1);
      const variables = reading.root === null ? read : withoutOthers(read, reading.root, file.name, losses);
      reading.folders.push({ path: [], variables, notes: '' });
      root.rest(losses, file.name, ofBruno);
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
  /** Kept names of the collection that Croupier wrote. */
  root: z.infer<typeof KeptVariables> | null;
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
  const { variables, kept } = readDefaults(root, where, reading);
  reading.root = keptOf({ kept }, 'collection', KeptVariables);
  const notes = readDocs(root, where, losses);
  folders.push({ path, variables, notes: reading.root === null ? notes : withoutNotice(notes) });
  for (const item of root.items('items')) {
    const members = membersOf(item);
    if (members === null) losses.add(where, 'an item that is not an object', 'Nobody can tell what it is.', item.at);
    else readItem(members, where, path, reading);
  }
  root.rest(losses, where, ofBruno);
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
  const inPath = own ?? [...path, name === '' ? 'folder' : name];
  reading.places.set(inPath.join('/'), { title: name === '' ? (inPath.at(-1) ?? '') : name, seq });
  info?.rest(losses, inside, ofBruno);
  const { variables, kept } = readDefaults(item, inside, reading);
  const ours = kept.some(({ kind }) => kind === 'folder') ? { ours: true as const } : {};
  folders.push({ path: inPath, variables, notes: readDocs(item, inside, losses), ...ours });
  for (const child of item.items('items')) {
    const members = membersOf(child);
    if (members === null || inPath.length > 30) losses.add(inside, 'an item', 'It is not an object, or lies too deep.', child.at);
    else readItem(members, inside, inPath, reading);
  }
  item.rest(losses, inside, ofBruno);
}

/** Reads a folder's settings for its requests: keeps variables, and the comments of a script of ours, and reports the rest. */
function readDefaults(owner: Members, where: string, reading: Reading): { variables: Variables; kept: readonly KeptLine[] } {
  const request = owner.object('request');
  if (request === null) return { variables: {}, kept: [] };
  const variables = readVariables(request.items('variables'), where, reading, false);
  const kept = loseCommon(request, where, reading.losses);
  request.rest(reading.losses, where, ofBruno);
  return { variables, kept };
}

/** Returns the comments of a script that Croupier wrote. */
function loseCommon(owner: Members, where: string, losses: Losses): readonly KeptLine[] {
  for (const item of owner.items('headers'))
    losses.add(where, `the header ${membersOf(item)?.text('name') ?? ''}`, reasons.header, item.at);
  const auth = owner.take('auth');
  const isPlain = auth?.node.kind === 'string' && /^(?:none|inherit)$/.test(auth.node.value);
  if (auth !== null && !isPlain) losses.add(where, 'the authorization', reasons.auth, auth.at);
  const kept: KeptLine[] = [];
  for (const item of owner.items('scripts')) {
    const script = membersOf(item);
    const written = readWritten((script?.text('code') ?? '').split('\n'));
    kept.push(...written.kept);
    if (written.kept.length === 0 || written.others.length > 0)
      losses.add(where, `the ${script?.text('type') ?? ''} script`, reasons.script, item.at);
  }
  return kept;
}

function readDocs(owner: Members, where: string, losses: Losses): string {
  const inner = owner.object('docs');
  if (inner === null) return owner.text('docs') ?? '';
  const content = inner.text('content') ?? '';
  inner.rest(losses, where, 'Notes are plain text.');
  return content;
}

function readVariables(items: readonly Item[], where: string, { names, losses, ours }: Reading, isOneOfMany: boolean): Variables {
  const variables: Variables = {};
  for (const item of items) {
    const members = membersOf(item);
    const name = members?.text('name') ?? '';
    const what = `the variable ${name}`;
    if (members === null || name === '') losses.add(where, 'a variable without a name', 'Nothing can use it.', item.at);
    else if (members.text('secret') === 'true') {
      if (!ours || !meansKey(name)) losses.add(where, `the value of ${what}`, reasons.secret, item.at);
    } else if (members.text('disabled') === 'true') losses.add(where, what, reasons.disabled, item.at);
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
  { names, requests, ours }: Reading,
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
  let kept: KeptRequest | null = null;
  let scripted = false;
  for (const script of scripts) {
    const members = membersOf(script);
    const kind = members?.text('type') ?? '';
    if (kind === 'before-request') scripted = true;
    if (kind === 'tests' || kind === 'after-response') {
      const what = kind === 'tests' ? 'tests' : 'post-response script';
      const code = members?.text('code') ?? '';
      const written = readWritten(code.split('\n'));
      const isOurs = kind === 'tests' && written.kept.some((line) => line.kind === 'request');
      if (isOurs) {
        comments.push(...keptComments(written));
        kept = keptRequest(written, `${address}\n${body ?? ''}`, where, losses);
        const own = readChecks(written, where, losses);
        expect.push(...own.expect);
        Object.assign(take, own.take);
      }
      comments.push(
        ...readTests(isOurs ? written.others.join('\n') : code, { where, what, at: script.at, names, losses }, { expect, take }),
      );
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
    if (ours) members?.object('request');
    const text = content === null ? (answer?.text('body') ?? '') : (content.text('data') ?? '');
    content?.text('type');
    addExample(examples, { name: exampleName, status: answer?.text('status') ?? '', body: text }, inside);
    for (const one of [content, answer, members]) one?.rest(losses, inside.where, onlyAnswers);
  }
  const tags = info?.items('tags') ?? [];
  runtime?.rest(losses, where, ofBruno);
  info?.rest(losses, where, ofBruno);
  item.rest(losses, where, ofBruno);
  const request = {
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
    tags: tagsAmong(
      tags.map(({ node }) => (node.kind === 'string' ? node.value : '')),
      where,
      tags[0]?.at ?? '',
      losses,
    ),
    scripted,
    kept,
    comments,
    take,
    expect,
    examples,
    losses: losses.all(),
  };
  requests.push({ request, seq, path });
}
