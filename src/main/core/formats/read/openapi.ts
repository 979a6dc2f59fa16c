import type { CollectionRequest } from '#shared/collections/model.ts';
import type { NotCarried } from '#shared/ipc/index.ts';
import { AppError } from '#shared/errors.ts';
import { formatJson } from '#shared/json/format.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { pointerSteps } from '#shared/json/pointer.ts';
import { defaultEnvironment } from '#shared/model/default-environment.ts';
import { setMember } from '#shared/payload-text/edit.ts';
import { formOfFields, operations, templateText, type Operation } from '#shared/provider/index.ts';
import type { NamedFile } from './bruno.ts';
import {
  createLosses,
  createRequest,
  reasons,
  sourceRequest,
  type KeptRequest,
  type Lose,
  type Losses,
  type RequestDraft,
  type Source,
  type SourceRequest,
} from './import-source.ts';
import { membersOf, type Item, type Members } from './members.ts';
import { envelopeNames, namesOf } from './recognise.ts';
import { addExample, onlyBodies } from './saved-responses.ts';
import { createSchemaReader, type SchemaReader, type View } from './schema-values.ts';
import { literal } from './variable-names.ts';
import { jsonText, readYaml } from './yaml-members.ts';

const described = 'It describes the API, not a request to send.';
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
/** Number of references behind each other at most. */
const deepest = 10;

/** Reads an API in YAML. Fails with `invalid_input`. */
export function readOpenApiYaml(file: NamedFile, losses: Losses): Source {
  return readApi(readYaml(file, true), file.name, losses, (node) => formatJson(jsonText(node)));
}

/** Reads an API in JSON: bodies are their very text in the file. Fails with `invalid_input`. */
export function readOpenApi(text: string, root: Members, file: string, losses: Losses): Source {
  return readApi(root, file, losses, ({ start, end }) => text.slice(start, end));
}

interface Reading {
  readonly root: Members;
  readonly losses: Losses;
  /** The JSON text of a value of the file. */
  readonly textOf: (node: JsonNode) => string;
  readonly schemas: SchemaReader;
}

/** An operation of an API: its path, with the items of its parameters, and its description. */
interface Described {
  readonly path: string;
  readonly parameters: readonly Item[];
  readonly own: Members;
}

function readApi(root: Members, file: string, losses: Losses, textOf: Reading['textOf']): Source {
  const version = root.text('openapi') ?? '';
  if (!/^3\.[0-9]+(?:\.|$)/.test(version))
    throw new AppError('invalid_input', `${file} uses OpenAPI ${version}. Croupier imports OpenAPI 3.`);
  const schemas = createSchemaReader((schema) => resolve(schema, { root }), textOf);
  const reading: Reading = { root, losses, textOf, schemas };
  const info = root.object('info');
  const title = info?.text('title') ?? '';
  const notes = info?.text('description') ?? '';
  const base = serverOf(root, file, losses) ?? '';
  const requests: SourceRequest[] = [];
  for (const { key: path, value, at } of root.object('paths')?.all() ?? []) {
    const item = resolve({ node: value, at }, reading);
    if (item === null) losses.add(file, `the path ${path}`, 'It is not an object, or is in another file.', at);
    const shared = item?.items('parameters') ?? [];
    for (const method of item === null ? [] : methods) {
      const own = item?.object(method) ?? null;
      if (own === null || item === null) continue;
      const where = `${file} / ${method.toUpperCase()} ${path}`;
      const server = serverOf(own, where, losses) ?? serverOf(item, where, losses) ?? base;
      const parameters = [...shared, ...own.items('parameters')];
      const draft = createRequest(where, own.at);
      draft.method = method.toUpperCase();
      draft.address = server;
      requests.push(...requestsOf(draft, { path, parameters, own }, reading));
    }
    item?.rest(losses.of(`${file} / ${path}`), described);
  }
  root.object('components');
  root.take('tags');
  info?.rest(losses.of(title === '' ? file : `${file}, ${title}`), described);
  root.rest(losses.of(file), described);
  return { format: 'openapi', requests, folders: [{ path: [], variables: {}, notes }] };
}

/** Returns the first URL, with the default values of its variables; null without one. */
function serverOf(owner: Members, where: string, losses: Losses): string | null {
  const [first, ...others] = owner.items('servers').map(membersOf);
  for (const other of others) losses.add(where, `the server ${other?.text('url') ?? ''}`, reasons.address, other?.at ?? '');
  const url = first?.text('url') ?? null;
  if (first === undefined || first === null || url === null) return null;
  const variables = first.object('variables');
  return url
    .replace(/\{([^{}]*)\}/g, (whole, name: string) => variables?.object(name)?.text('default') ?? whole)
    .replace(/\/$/, '');
}

/** Follows references inside of the file; null if there is no object at the end. */
function resolve(item: Item | null, { root }: Pick<Reading, 'root'>, depth = 0): Members | null {
  const members = item === null ? null : membersOf(item);
  const reference = members?.text('$ref') ?? null;
  if (members === null || reference === null) return members;
  const steps = reference.startsWith('#') ? pointerSteps(decoded(reference.slice(1))) : null;
  if (steps === null || !steps.ok || depth >= deepest) return null;
  let at: Item | null = null;
  let owner: Members | null = root;
  for (const step of steps.steps) {
    at = owner?.take(String(step)) ?? null;
    owner = at === null ? null : membersOf(at);
  }
  return resolve(at, { root }, depth + 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function requestsOf(draft: RequestDraft, given: Described, reading: Reading): SourceRequest[] {
  const { where, method, losses, lose } = draft;
  const { own } = given;
  const [folder] = own.items('tags').map(({ node }) => (node.kind === 'string' ? node.value : ''));
  const summary = own.text('summary') ?? '';
  // A whole sentence is not a name.
  const title = summary === '' || summary.length > 40 || summary.endsWith('.') ? (own.text('operationId') ?? summary) : summary;
  own.text('operationId');
  const content = jsonContent(resolve(own.take('requestBody'), reading), reading);
  const beside = examplesBeside(content, reading);
  const views = content === null || beside.length > 0 ? [] : reading.schemas.views(content.take('schema'));
  const bodies = beside.length > 0 ? beside : examplesWithin(views, reading);
  const answers = responsesOf(own.object('responses'), reading, lose);
  const path = pathOf(given, reading, lose);
  for (const name of ['security', 'callbacks'])
    if (own.has(name)) lose(name, name === 'security' ? reasons.auth : reasons.unknown, own.take(name)?.at);
  draft.folder = folder === undefined || folder === '' ? [] : [folder];
  draft.address += path;
  draft.notes = own.text('description') ?? '';
  const request = (parts: Partial<RequestDraft>) => sourceRequest({ ...draft, ...parts }, literal);
  own.rest(lose, described);
  const found = method === 'POST' && beside.length === 0 ? describedOperations(views, path, reading) : new Map<Operation, View>();
  const count = bodies.length + found.size;
  const named = (name: string) => (count === 1 || name === '' ? title : title === '' ? name : `${title}, ${name}`);
  const made = bodies.map(({ name, body: rawBody }, index) => {
    const own = answers.filter(({ of }) => of === name || (index === 0 && !bodies.some((one) => one.name === of)));
    return request({ name: named(name), rawBody, examples: own.map(({ example }) => example) });
  });
  if (made.length === 0 && found.size > 1 && answers.length > 0)
    lose('the examples of its responses', "Croupier can't tell which request they belong to.", own.at);
  for (const [operation, view] of found) {
    const { kept, missing } = newRequest(operation, view, reading);
    const all = createLosses();
    all.addAll(losses.all());
    if (missing !== null) all.add(where, missing.what, missing.why, own.at);
    const [name, examples] = count === 1 ? [title, answers.map(({ example }) => example)] : [operation.name, []];
    made.push(request({ name, kept, examples, losses: all }));
  }
  if (made.length > 0) return made;
  const [rawBody = null] = views.flatMap((view) => reading.schemas.value(view) ?? []);
  const unreadBody = content === null || rawBody !== null ? null : 'The file has no example of its body.';
  return [request({ name: title, rawBody, unreadBody, examples: answers.map(({ example }) => example) })];
}

/** Returns the path with the examples of its parameters; reports the parameters that are elsewhere, or have none. */
function pathOf({ path, parameters }: Described, reading: Reading, lose: Lose): string {
  let filled = path;
  for (const item of parameters) {
    const parameter = resolve(item, reading);
    const [named] = (parameter?.object('examples')?.all() ?? []).map(({ value, at }) => resolve({ node: value, at }, reading));
    const schema = parameter?.take('schema') ?? null;
    const own = parameter?.take('example') ?? named?.take('value') ?? null;
    const [found = null] =
      own === null
        ? reading.schemas.views(schema).flatMap((view) => reading.schemas.value(view) ?? [])
        : [reading.textOf(own.node)];
    if (parameter?.text('in') === 'path' && found !== null)
      filled = filled.replaceAll(`{${parameter.text('name')}}`, () => found.replace(/^"(.*)"$/s, '$1'));
    else lose('parameters', reasons.unknown, item.at);
  }
  return filled;
}

/** Returns what a body or a response has as JSON. */
function jsonContent(owner: Members | null, reading: Reading): Members | null {
  const types = owner?.object('content')?.all() ?? [];
  const found =
    types.find(({ key }) => /^application\/(?:[\w.+-]*\+)?json\b/i.test(key)) ?? types.find(({ key }) => /json/i.test(key));
  return found === undefined ? null : resolve({ node: found.value, at: found.at }, reading);
}

interface NamedBody {
  readonly name: string;
  readonly body: string;
}

/** A text as an example is the body itself. */
function written(node: JsonNode, reading: Reading): string {
  return node.kind === 'string' ? node.value : reading.textOf(node);
}

/** Returns the examples of a body that stand beside its schema. */
function examplesBeside(content: Members | null, reading: Reading): NamedBody[] {
  if (content === null) return [];
  const named = (content.object('examples')?.all() ?? []).flatMap(({ key, value, at }) => {
    const node = resolve({ node: value, at }, reading)?.take('value')?.node;
    return node === undefined ? [] : [{ name: key, body: written(node, reading) }];
  });
  if (named.length > 0) return named;
  const own = content.take('example');
  return own === null ? [] : [{ name: '', body: written(own.node, reading) }];
}

/** Returns the examples of a body as a whole in its schema. Several branches may share one. */
function examplesWithin(views: readonly View[], reading: Reading): NamedBody[] {
  const found = new Map<string, NamedBody>();
  for (const view of views) {
    const own = reading.schemas.example(view);
    if (own !== null && !found.has(own.at))
      found.set(own.at, { name: view.names.at(-1) ?? '', body: written(own.node, reading) });
  }
  return [...found.values()];
}

/** An example of a response, with the name that the file gives it. */
interface FoundResponse {
  readonly of: string;
  readonly example: CollectionRequest['examples'][number];
}

function responsesOf(responses: Members | null, reading: Reading, lose: Lose): FoundResponse[] {
  return (responses?.all() ?? []).flatMap(({ key: status, value, at }) =>
    bodyExamples(jsonContent(resolve({ node: value, at }, reading), reading), reading).flatMap(({ name, body }) => {
      const made: CollectionRequest['examples'] = [];
      const shown = name === '' ? `HTTP ${status}` : name;
      if (/^[1-5]\d\d$/.test(status)) addExample(made, { name: shown, status, body }, at, lose);
      else lose(`the example ${shown} of a response`, onlyBodies, at);
      return made.map((example) => ({ of: name, example }));
    }),
  );
}

function bodyExamples(content: Members | null, reading: Reading): NamedBody[] {
  const beside = examplesBeside(content, reading);
  if (content === null || beside.length > 0) return beside;
  return examplesWithin(reading.schemas.views(content.take('schema')).slice(0, 1), reading).map(({ body }) => ({
    name: '',
    body,
  }));
}

/** Returns the operations of this API that a path or the schema of a body names, each by its action or by its title, with the schema that does. */
function describedOperations(views: readonly View[], path: string, { schemas }: Reading): Map<Operation, View> {
  const found = new Map<Operation, View>();
  const [first = schemas.emptyView] = views;
  const wallet = operations.find((operation) => operation.endpoint === 'wallet' && path.endsWith(operation.path));
  const open = views.filter((view) => schemas.example(view) === null);
  if (wallet !== undefined && open.length === views.length) found.set(wallet, first);
  if (wallet !== undefined || !path.endsWith('/serviceApi.php')) return found;
  for (const view of open) {
    const names = new Set([...view.names, ...schemas.texts(view, 'action')]);
    for (const operation of operations)
      if (
        operation.endpoint === 'service' &&
        [operation.action, operation.name].some((name) => name !== null && names.has(name)) &&
        !found.has(operation)
      )
        found.set(operation, view);
  }
  return found;
}

/** Returns a new request as the workbench makes one, with the values that the schema of its body gives; `missing` says which it does not. */
function newRequest(
  operation: Operation,
  body: View,
  { schemas }: Reading,
): { kept: KeptRequest; missing: Pick<NotCarried, 'what' | 'why'> | null } {
  const payloads = operation.payload === 'data' ? schemas.viewsOf(body, 'data') : [body];
  const [whole] = payloads.flatMap((view) => schemas.example(view) ?? []);
  const read = payloads.map((view) => ({ view, values: schemas.values(view) }));
  const { view, values } = read.find((one) => one.values.size > 0) ??
    read[0] ?? { view: schemas.emptyView, values: new Map<string, string>() };
  const inEnvelope = (name: string) => operation.payload === 'envelope' && envelopeNames.has(name);
  const example = whole?.node.kind === 'object' ? whole.node : null;
  const form = formOfFields(operation, example === null ? schemas.fields(view) : namesOf(example));
  const kept = (data: string): KeptRequest => ({ operation: operation.name, form, tags: [], data, overrides: {} });
  if (example !== null) return { kept: kept(literal(schemas.textOf(example))), missing: null };
  const template = templateText(operation, form, defaultEnvironment.defaults, { now: Date.now() });
  let data = template;
  for (const [name, value] of values) if (!inEnvelope(name)) data = setMember(data, name, literal(value));
  const fields = Object.keys(JSON.parse(template) as object);
  const left = fields.filter((name) => !values.has(name));
  if (left.length === 0 && values.size > 0) return { kept: kept(data), missing: null };
  const [what, which] = left.length === fields.length ? ['the values', ''] : [left.join(', '), ' of them'];
  const why = `The file has no example${which}. Croupier uses the defaults of a new request.`;
  return { kept: kept(data), missing: { what: `${what} of ${operation.name}`, why } };
}
