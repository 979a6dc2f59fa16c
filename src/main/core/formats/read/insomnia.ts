import type { Variables } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import { valueText } from '#shared/json/values.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import type { NamedFile } from './bruno.ts';
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
import { membersOf, type Item, type Members } from './members.ts';
import { readTests } from './script-checks.ts';
import { createNames, type Names } from './variable-names.ts';
import { readYaml } from './yaml-members.ts';

const ofInsomnia = 'Only Insomnia uses it.';
const deepest = 30;

interface Reading {
  /** The source, of JSON. */
  readonly text: string;
  readonly names: Names;
  readonly losses: Losses;
}

/** The texts of a request or a folder, which its formats have in different members. */
type Texts = ReturnType<typeof textsOf>;

/** Reads an export of Insomnia in its format 4: a flat list of resources that name their parents. */
export function readInsomnia(text: string, root: Members, file: string, losses: Losses): Source {
  const names = createNames(losses, file, 'Insomnia');
  const resources = root.items('resources').flatMap((item) => membersOf(item) ?? []);
  const typed = resources.map((own) => ({ own, type: own.text('_type') ?? '', id: own.text('_id') ?? '' }));
  const groups = new Map(typed.flatMap(({ own, type, id }) => (type === 'request_group' ? [[id, own] as const] : [])));
  const workspaces = new Set(typed.flatMap(({ type, id }) => (type === 'workspace' ? [id] : [])));
  const parents = new Map(typed.map(({ own, id }) => [id, own.text('parentId') ?? '']));
  const orders = new Map(typed.map(({ own, id }) => [id, Number(own.text('metaSortKey') ?? '0') || 0]));
  const titles = new Map([...groups].map(([id, own]) => [id, own.text('name') ?? '']));
  const reading: Reading = { text, names, losses };

  /** IDs of the folders around a resource, outermost first. */
  function around(id: string): string[] {
    const path: string[] = [];
    for (let parent = parents.get(id) ?? ''; groups.has(parent) && path.length < deepest; parent = parents.get(parent) ?? '')
      path.unshift(parent);
    return path;
  }
  const named = (ids: readonly string[]) => ids.map((id) => titles.get(id) || 'folder');
  const orderOf = (id: string) => [...around(id), id].map((one) => orders.get(one) ?? 0);

  const folders: SourceFolder[] = [];
  const requests: { request: SourceRequest; order: readonly number[] }[] = [];
  for (const { own, type, id } of typed) {
    const name = own.text('name') ?? '';
    const folder = named(around(id));
    const where = [file, ...folder, name].join(' / ');
    if (type === 'request')
      requests.push({ request: readRequest(own, textsOf(own), { name, folder, where }, reading), order: orderOf(id) });
    else if (type === 'request_group') {
      const variables = readVariables(own.take('environment'), where, reading);
      folders.push({ path: [...folder, name || 'folder'], variables, notes: own.text('description') ?? '' });
      loseCommon(own, textsOf(own), losses.of(where));
    } else if (type === 'workspace') folders.push({ path: [], variables: {}, notes: own.text('description') ?? '' });
    else if (type === 'environment' && workspaces.has(parents.get(id) ?? ''))
      folders.push({ path: [], variables: readVariables(own.take('data'), where, reading), notes: '' });
    else {
      const why = type === 'environment' ? ofChoice : ofInsomnia;
      losses.add(where, `the ${type || 'resource without a type'} ${name}`.trim(), why, own.at);
    }
  }
  root.rest(losses.of(file), ofInsomnia);
  requests.sort((one, other) => compare(one.order, other.order));
  return { format: 'insomnia', requests: requests.map(({ request }) => request), folders };
}

function textsOf(own: Members) {
  return {
    description: own.text('description') ?? '',
    before: own.text('preRequestScript') ?? '',
    after: own.text('afterResponseScript') ?? '',
  };
}

/** Reads a file of Insomnia 5: YAML, with folders and requests inside of each other. Fails with `invalid_input`. */
export function readInsomnia5(file: NamedFile, losses: Losses): Source {
  const root = readYaml(file);
  const type = root.text('type') ?? '';
  if (!/^(?:collection|spec|environment)\.insomnia\.rest\/5\./.test(type))
    throw new AppError('invalid_input', `${file.name} is an Insomnia file of type ${type}, which has no requests.`);
  const names = createNames(losses, file.name, 'Insomnia');
  const reading: Reading = { text: file.text, names, losses };
  const requests: SourceRequest[] = [];
  const folders: SourceFolder[] = [];
  root.text('name');
  root.text('schema_version');
  const notes = root.object('meta')?.text('description') ?? '';
  const base = root.object('environments');
  folders.push({ path: [], variables: readVariables(base?.take('data') ?? null, file.name, reading), notes });
  for (const item of base?.items('subEnvironments') ?? [])
    losses.add(file.name, `the environment ${membersOf(item)?.text('name') ?? ''}`.trim(), ofChoice, item.at);

  function readItems(items: readonly Item[], folder: readonly string[]): void {
    for (const item of ordered(items)) {
      const own = membersOf(item);
      const name = own?.text('name') ?? '';
      const where = [file.name, ...folder, name].join(' / ');
      if (own === null || folder.length >= deepest) {
        losses.add(where, 'an item', 'It is not an object, or is nested too deeply.', item.at);
        continue;
      }
      const scripts = own.object('scripts');
      const texts = {
        description: own.object('meta')?.text('description') ?? '',
        before: scripts?.text('preRequest') ?? '',
        after: scripts?.text('afterResponse') ?? '',
      };
      if (own.has('children')) {
        const path = [...folder, name || 'folder'];
        folders.push({ path, variables: readVariables(own.take('environment'), where, reading), notes: texts.description });
        loseCommon(own, texts, losses.of(where));
        readItems(own.items('children'), path);
      } else if (own.has('method')) requests.push(readRequest(own, texts, { name, folder, where }, reading));
      else losses.add(where, `the item ${name}`.trim(), ofInsomnia, item.at);
    }
  }
  readItems(root.items('collection'), []);
  root.rest(losses.of(file.name), ofInsomnia);
  return { format: 'insomnia', requests, folders };
}

/** Items in the order of Insomnia: by their key, which may be missing. */
function ordered(items: readonly Item[]): Item[] {
  const keys = new Map(items.map((item) => [item, Number(membersOf(item)?.object('meta')?.text('sortKey') ?? '0') || 0]));
  return items.toSorted((one, other) => (keys.get(one) ?? 0) - (keys.get(other) ?? 0));
}

const ofChoice = 'Croupier imports only the base environment.';

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function readVariables(item: Item | null, where: string, { text, names, losses }: Reading): Variables {
  const variables: Variables = {};
  const pending = item === null ? [] : [{ prefix: '', members: membersOf(item) }];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    for (const { key, value, at } of next.members?.all() ?? []) {
      const name = next.prefix + key;
      if (meansKey(name)) losses.add(where, `the variable ${name}`, reasons.key, at);
      else if (value.kind === 'array' && !/^\s*[{[]/.test(text))
        losses.add(where, `the variable ${name}`, 'Variable values are text, and this is a YAML list.', at);
      else if (value.kind === 'object') pending.push({ prefix: `${name}.`, members: membersOf({ node: value, at }) });
      else variables[names.nameOf(name)] = value.kind === 'null' ? '' : names.text(plainNames(valueText(text, value)));
    }
  }
  return variables;
}

/** Insomnia has its variables below `_`. */
function plainNames(text: string): string {
  return text.replace(/\{\{\s*_\.([^{}]+?)\s*\}\}/g, '{{$1}}').replace(/\{%\s*uuid\b[^%]*%\}/g, '{{$guid}}');
}

function loseCommon(own: Members, { before }: Pick<Texts, 'before'>, lose: Lose): void {
  for (const item of own.items('headers')) lose(`the header ${membersOf(item)?.text('name') ?? ''}`, reasons.header, item.at);
  const type = own.object('authentication')?.text('type') ?? '';
  if (type !== '') lose(`the authorization ${type}`, reasons.auth, own.at);
  if (before.trim() !== '') lose('the pre-request script', reasons.script, own.at);
}

function readRequest(
  own: Members,
  texts: Texts,
  { name, folder, where }: Pick<SourceRequest, 'name' | 'folder' | 'where'>,
  { names }: Reading,
): SourceRequest {
  const request = createRequest(where, own.at);
  const { lose } = request;
  const { description, before, after } = texts;
  loseCommon(own, texts, lose);
  const body = own.object('body');
  const mime = body?.text('mimeType') ?? '';
  request.rawBody = body?.text('text') ?? null;
  body?.rest(lose, 'Croupier imports only the text of the body.');
  const tag = /\{%\s*(?!\s|uuid\b)(\w*)/.exec(request.rawBody ?? '')?.[1];
  readTests(after, { what: 'after-response script', at: own.at, names }, request);
  for (const item of own.items('parameters')) lose('a parameter of the URL', reasons.parameter, item.at);
  if (request.rawBody === null && mime !== '') request.unreadBody = `Its body type is "${mime}". ${reasons.body}`;
  else if (tag !== undefined) request.unreadBody = `Its body contains Insomnia's template tag ${tag}. Write its value instead.`;
  request.folder = folder;
  request.name = name;
  request.method = own.text('method') ?? 'GET';
  request.address = own.text('url') ?? '';
  request.notes = description;
  request.scripted = before.trim() !== '';
  return sourceRequest(request, (text) => names.text(plainNames(text)));
}
