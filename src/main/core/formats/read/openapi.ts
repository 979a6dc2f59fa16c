import type { CollectionRequest } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import { formatJson } from '#shared/json/format.ts';
import type { JsonNode } from '#shared/json/parse.ts';
import { pointerSteps } from '#shared/json/pointer.ts';
import { defaultEnvironment } from '#shared/model/default-environment.ts';
import { formOf, operations, templateText, type Operation } from '#shared/provider/index.ts';
import type { NamedFile } from './bruno.ts';
import {
  bareRequest,
  createLosses,
  reasons,
  type KeptRequest,
  type Losses,
  type Source,
  type SourceRequest,
} from './import-source.ts';
import { membersOf, type Item, type Members } from './members.ts';
import { addExample, onlyAnswers } from './saved-responses.ts';
import { literal } from './variable-names.ts';
import { jsonText, readYaml } from './yaml-members.ts';

const described = 'It describes the API; a request keeps what is sent.';
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
}

/** An operation of an API: its URL, its method and its description. */
interface Described {
  readonly where: string;
  readonly method: string;
  readonly path: string;
  readonly server: string;
  readonly own: Members;
}

function readApi(root: Members, file: string, losses: Losses, textOf: Reading['textOf']): Source {
  const version = root.text('openapi') ?? '';
  if (!/^3\.[0-9]+(?:\.|$)/.test(version))
    throw new AppError('invalid_input', `${file} is of OpenAPI ${version}. Croupier imports OpenAPI 3.`);
  const reading: Reading = { root, losses, textOf };
  const info = root.object('info');
  const title = info?.text('title') ?? '';
  const notes = info?.text('description') ?? '';
  const base = serverOf(root, file, losses) ?? '';
  const requests: SourceRequest[] = [];
  for (const { key: path, value, at } of root.object('paths')?.all() ?? []) {
    const item = resolve({ node: value, at }, reading);
    if (item === null) losses.add(file, `the path ${path}`, 'It is not an object, or lies in another file.', at);
    for (const method of item === null ? [] : methods) {
      const own = item?.object(method) ?? null;
      if (own === null || item === null) continue;
      const where = `${file} / ${method.toUpperCase()} ${path}`;
      const server = serverOf(own, where, losses) ?? serverOf(item, where, losses) ?? base;
      requests.push(...requestsOf({ where, method: method.toUpperCase(), path, server, own }, reading));
    }
    item?.rest(losses, `${file} / ${path}`, described);
  }
  root.object('components');
  root.take('tags');
  info?.rest(losses, title === '' ? file : `${file}, ${title}`, described);
  root.rest(losses, file, described);
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
function resolve(item: Item | null, { root }: Reading, depth = 0): Members | null {
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
  return resolve(at, { root } as Reading, depth + 1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function requestsOf(given: Described, reading: Reading): SourceRequest[] {
  const { where, method, path, server, own } = given;
  const losses = createLosses();
  const [folder] = own.items('tags').map(({ node }) => (node.kind === 'string' ? node.value : ''));
  const summary = own.text('summary') ?? '';
  // A whole sentence is not a name.
  const title = summary === '' || summary.length > 40 || summary.endsWith('.') ? (own.text('operationId') ?? summary) : summary;
  own.text('operationId');
  const content = jsonContent(resolve(own.take('requestBody'), reading), reading);
  const bodies = examplesOf(content, reading);
  const answers = answersOf(own.object('responses'), where, reading, losses);
  for (const name of ['parameters', 'security', 'callbacks'])
    if (own.has(name)) losses.add(where, name, name === 'security' ? reasons.auth : reasons.unknown, own.take(name)?.at);
  const shared = {
    ...bareRequest(),
    where,
    at: own.at,
    folder: folder === undefined || folder === '' ? [] : [folder],
    method,
    address: literal(server + path),
    unreadBody: null,
    notes: own.text('description') ?? '',
  };
  own.rest(losses, where, described);
  const named = (name: string, count: number) => (count === 1 || name === '' ? title : title === '' ? name : `${title}, ${name}`);
  if (bodies.length > 0)
    return bodies.map(({ name, body }, index) => ({
      ...shared,
      name: named(name, bodies.length),
      body: literal(body),
      rawBody: body,
      examples: answers
        .filter((answer) => answer.of === name || (index === 0 && !bodies.some((one) => one.name === answer.of)))
        .map(({ example }) => example),
      losses: losses.all(),
    }));
  const operationsHere = method === 'POST' ? describedOperations(content?.take('schema') ?? null, path, reading) : [];
  if (operationsHere.length > 1 && answers.length > 0)
    losses.add(where, 'the examples of its responses', 'They may be of any of its requests.', own.at);
  if (operationsHere.length > 0)
    return operationsHere.map((operation) => ({
      ...shared,
      name: operationsHere.length === 1 ? title : operation.name,
      body: null,
      rawBody: null,
      kept: newRequest(operation),
      examples: operationsHere.length === 1 ? answers.map(({ example }) => example) : [],
      losses: [
        ...losses.all(),
        {
          where,
          what: `the values of ${operation.name}`,
          why: 'The file has no example: they are those of a new request.',
          at: [own.at],
        },
      ],
    }));
  const unreadBody = content === null ? null : 'The file has no example of its body.';
  return [
    {
      ...shared,
      name: title,
      body: null,
      rawBody: null,
      unreadBody,
      examples: answers.map(({ example }) => example),
      losses: losses.all(),
    },
  ];
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

/** Returns the examples of a body: those beside its schema, or else that in it. A text is the body itself. */
function examplesOf(content: Members | null, reading: Reading): NamedBody[] {
  if (content === null) return [];
  const written = (node: JsonNode) => (node.kind === 'string' ? node.value : reading.textOf(node));
  const named = (content.object('examples')?.all() ?? []).flatMap(({ key, value, at }) => {
    const node = resolve({ node: value, at }, reading)?.take('value')?.node;
    return node === undefined ? [] : [{ name: key, body: written(node) }];
  });
  if (named.length > 0) return named;
  const schema = resolve(content.take('schema'), reading);
  const listed = schema?.items('examples')[0] ?? null;
  const own = content.take('example') ?? schema?.take('example') ?? listed;
  return own === null ? [] : [{ name: '', body: written(own.node) }];
}

/** An example of a response, with the name that the file gives it. */
interface Answer {
  readonly of: string;
  readonly example: CollectionRequest['examples'][number];
}

function answersOf(responses: Members | null, where: string, reading: Reading, losses: Losses): Answer[] {
  return (responses?.all() ?? []).flatMap(({ key: status, value, at }) =>
    examplesOf(jsonContent(resolve({ node: value, at }, reading), reading), reading).flatMap(({ name, body }) => {
      const made: CollectionRequest['examples'] = [];
      const shown = name === '' ? `HTTP ${status}` : name;
      if (/^[1-5]\d\d$/.test(status)) addExample(made, { name: shown, status, body }, { where, at, losses });
      else losses.add(where, `the example ${shown} of a response`, onlyAnswers, at);
      return made.map((example) => ({ of: name, example }));
    }),
  );
}

/** Returns the operations of this API that a path or the schema of a body names: each by its action, or by its title. */
function describedOperations(schema: Item | null, path: string, reading: Reading): Operation[] {
  const wallet = operations.find((operation) => operation.endpoint === 'wallet' && path.endsWith(operation.path));
  if (wallet !== undefined) return [wallet];
  if (!path.endsWith('/serviceApi.php')) return [];
  const found = new Set<Operation>();
  const seen = new Set<string>();
  const visit = (item: Item | null): void => {
    const own = resolve(item, reading);
    if (own === null || seen.has(own.at)) return;
    seen.add(own.at);
    const action = own.object('properties')?.object('action') ?? null;
    const names = [
      own.text('title'),
      action?.text('const'),
      ...(action?.items('enum') ?? []).map(({ node }) => textOfNode(node)),
    ];
    for (const operation of operations)
      if (operation.endpoint === 'service' && names.some((name) => name === operation.action || name === operation.name))
        found.add(operation);
    for (const part of ['allOf', 'anyOf', 'oneOf']) for (const inner of own.items(part)) visit(inner);
  };
  visit(schema);
  return [...found];
}

function textOfNode(node: JsonNode): string | null {
  return node.kind === 'string' ? node.value : null;
}

/** Returns a new request as the workbench makes one. */
function newRequest(operation: Operation): KeptRequest {
  const form = formOf(operation, '').id;
  const data = templateText(operation, form, defaultEnvironment.defaults, { now: Date.now() });
  return { operation: operation.name, form, tags: [], data, overrides: {} };
}
