import { STATUS_CODES } from 'node:http';
import type { CollectionRequest, RequestExample, Variables } from '#shared/collections/model.ts';
import type { Environment, NotCarried, Serialization } from '#shared/ipc/index.ts';
import { isBlank } from '#shared/json/parse.ts';
import { isJson } from '#shared/json/format.ts';
import { operationByName, routeOf, serializationOf, timeOrderOf, type Operation } from '#shared/provider/index.ts';
import { serializeData } from '#shared/signing/serialize.ts';
import { findPlaceholders } from '#shared/payload-text/placeholders.ts';
import { namesUsed } from '#shared/variables/substitute-request.ts';
import { environmentVariables } from '#shared/variables/scopes.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import { keptLine } from '../kept.ts';
import { foldersOf, requestsOf, type CollectionPart, type PartItem, type PartRequest } from './collection-part.ts';
import { testScript } from './postman-checks.ts';
import { keyVariableOfPostman, signingScript } from './postman-signing.ts';

export interface PostmanOptions {
  /** The environment whose URLs, zone and numbers the variables get; null leaves them empty. */
  readonly environment: Environment | null;
  /** The writer: `Croupier 0.1.0`. */
  readonly writer: string;
}

/** Returns a collection of Postman, format 2.1, that signs by itself, as JSON text, with the parts that it cannot express. */
export function postmanDocument(
  part: CollectionPart,
  { environment, writer }: PostmanOptions,
): { text: string; notCarried: NotCarried[] } {
  const notCarried: NotCarried[] = [...part.unread];
  const serialization = environment === null ? 'php' : serializationOf(environment);
  const context: Context = { environment, serialization, notCarried };
  const { variables, kept } = variablesOf(part, context);
  const script = [...signingScript(serialization, writer), keptLine('collection', kept)];
  const document = {
    info: {
      name: part.name,
      description: descriptionOf(part.notes, environment, writer),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: part.items.map((item) => itemOf(item, context)),
    event: [scriptEvent('prerequest', script)],
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
  };
  return { text: `${JSON.stringify(document, null, 2)}\n`, notCarried };
}

interface Context {
  readonly environment: Environment | null;
  readonly serialization: Serialization;
  readonly notCarried: NotCarried[];
}

function descriptionOf(notes: string, environment: Environment | null, writer: string): string {
  return [
    ...(notes === '' ? [] : [notes]),
    `Written by ${writer}. The script of this collection signs each request with the key in the variable \`${keyVariableOfPostman}\`. The key is in no export: ` +
      `make an environment in Postman, add \`${keyVariableOfPostman}\` to it with the type secret, and enter the key as its current value only.`,
    environment === null
      ? 'Set the variables baseUrl, walletUrl, platform, partnerId and timeZone of this collection.'
      : `The URLs and numbers are those of ${environment.name}.`,
  ].join('\n\n');
}

function itemOf(item: PartItem, context: Context): object {
  if (item.kind === 'request') return requestItem(item, context);
  const { notes } = item.settings;
  const variables = withoutKeys(item.settings.variables);
  return {
    name: item.name,
    ...(notes === '' ? {} : { description: notes }),
    // An empty folder that is ours comes back, too.
    event: [scriptEvent('prerequest', [keptLine('folder', { variables })])],
    item: item.items.map((inner) => itemOf(inner, context)),
  };
}

function requestItem({ path, name, request }: PartRequest, context: Context): object {
  const operation = operationByName(request.operation);
  const base = operation.endpoint === 'wallet' ? '{{walletUrl}}' : '{{baseUrl}}';
  const route = routeOf(operation, context.environment?.answers ?? {});
  const urlPath = route?.path ?? operation.path;
  const raw = bodyOf(request, operation, path, context);
  const { form, data, overrides } = request;
  const kept = keptLine('request', { operation: operation.name, form, data, overrides }, { of: `${base}${urlPath}\n${raw}` });
  return {
    name,
    event: [scriptEvent('test', [kept, ...testScript(request, operation, path, context.notCarried)])],
    request: {
      method: 'POST',
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: { mode: 'raw', raw, options: { raw: { language: 'json' } } },
      url: { raw: base + urlPath, host: [base], path: urlPath.slice(1).split('/') },
      ...(request.notes === '' ? {} : { description: request.notes }),
    },
    response: request.examples.map(savedAnswer),
  };
}

function savedAnswer({ name, status, body }: RequestExample): object {
  const language = isJson(body) ? 'json' : 'text';
  return {
    name,
    status: STATUS_CODES[status] ?? '',
    code: Number(status),
    _postman_previewlanguage: language,
    header: [],
    cookie: [],
    body,
  };
}

function scriptEvent(listen: 'prerequest' | 'test', exec: readonly string[]): object {
  return { listen, script: { type: 'text/javascript', exec } };
}

/** The body with variables in it; `data` as the environment writes it. */
function bodyOf(request: CollectionRequest, operation: Operation, where: string, context: Context): string {
  const { environment, notCarried } = context;
  const lose = (what: string, why: string) => void notCarried.push({ where, what, why, at: [] });
  const route = routeOf(operation, environment?.answers ?? {});
  if (route?.signed === false) return isBlank(request.data) ? '' : request.data;
  const { overrides } = request;
  const omitted = new Set<string>(overrides.omit ?? []);
  const lines: string[] = [];
  const put = (name: string, value: string) => {
    if (!omitted.has(name)) lines.push(`  "${name}": ${value}`);
  };
  if (route === null && !omitted.has('action'))
    lose(
      'its action',
      `The spec does not show the action of ${operation.name}, and no environment has it recorded: put it in by hand.`,
    );
  const order = timeOrderOf(operation, environment?.answers ?? {});
  // A path of its own replaces the action.
  if (route?.action !== null) put('action', JSON.stringify(route?.action ?? ''));
  put('platform', overrides.platform ?? '{{platform}}');
  put('partnerId', overrides.partnerId ?? '{{partnerId}}');
  put('time', overrides.time === undefined ? `"{{$time${order === 'ymd' ? ':ymd' : ''}}}"` : JSON.stringify(overrides.time));
  if (omitted.has('time') && !omitted.has('hash'))
    lose('the time that is hashed', 'Without a time in the body the script hashes that of now, day first.');
  const inEnvelope = operation.payload === 'envelope';
  if (!inEnvelope && !isBlank(request.data)) put('data', writtenData(request.data, where, context));
  put('hash', hashOf(overrides.hash));
  const extra = inEnvelope
    ? request.data
        .trim()
        .replace(/^\{\s*/, '')
        .replace(/\s*\}$/, '')
    : '';
  if (extra !== '') lines.push(`  ${extra}`);
  return `{\n${lines.join(',\n')}\n}`;
}

function hashOf(override: string | undefined): string {
  if (override === undefined) return '"{{$hash}}"';
  return override === 'wrong' ? '"{{$wrongHash}}"' : JSON.stringify(override);
}

/** The text of `data` as it is hashed, with its variables still in it. */
function writtenData(text: string, where: string, { serialization, notCarried }: Context): string {
  // Each variable outside of strings becomes a number that stands nowhere else, and comes back afterwards.
  const marks = new Map<string, string>();
  let next = 700_000_000_000_000;
  let marked = '';
  let from = 0;
  for (const { kind, start, end, inString } of findPlaceholders(text, 'json')) {
    if (inString || kind === 'malformed') continue;
    while (text.includes(String(next))) next++;
    marks.set(String(next), text.slice(start, end));
    marked += text.slice(from, start) + String(next++);
    from = end;
  }
  marked += text.slice(from);
  const written = serializeData(marked, serialization);
  if (!written.ok) {
    notCarried.push({
      where,
      what: 'the way its data is written',
      why: `It is not JSON, so it is exported as it was typed: ${written.error.message}.`,
      at: [],
    });
    return text;
  }
  return written.dataJson.replace(/7\d{14}/g, (digits) => marks.get(digits) ?? digits);
}

/** Postman has variables of the whole collection only, and those of folders are put there, as long as each name has one value. */
function variablesOf(part: CollectionPart, { environment, notCarried }: Context): { variables: Variables; kept: KeptVariables } {
  const used = new Set(requestsOf(part.items).flatMap(({ request }) => [...namesUsed(request)]));
  const variables: Variables = {};
  const kept: KeptVariables = { environment: [], folders: [] };
  const inner = new Set(foldersOf(part.items).map(({ path }) => path));
  const scopes = [
    { path: 'the collection', variables: part.variables },
    ...part.around,
    ...foldersOf(part.items).map(({ path, settings }) => ({ path, variables: settings.variables })),
  ];
  for (const folder of scopes) {
    for (const [name, value] of Object.entries(folder.variables)) {
      if (meansKey(name))
        notCarried.push({ where: folder.path, what: `the variable ${name}`, why: 'The private key is in no export.', at: [] });
      else if (!Object.hasOwn(variables, name)) {
        variables[name] = value;
        if (inner.has(folder.path)) kept.folders.push(name);
      } else if (variables[name] !== value) {
        notCarried.push({
          where: folder.path,
          what: `the variable ${name}`,
          why: 'Folders of Postman have no variables, and the name has another value already.',
          at: [],
        });
      }
    }
  }
  const own: Variables =
    environment === null ? emptyVariables : { ...environmentVariables(environment), timeZone: environment.timeZone };
  const needed = new Set(['baseUrl', 'walletUrl', 'platform', 'partnerId', 'timeZone']);
  for (const [name, value] of Object.entries(own)) {
    if ((used.has(name) || needed.has(name)) && !Object.hasOwn(variables, name)) {
      variables[name] = value;
      kept.environment.push(name);
    }
  }
  return { variables, kept };
}

/** Names of the collection's variables there that are none of the collection here. */
interface KeptVariables {
  readonly environment: string[];
  readonly folders: string[];
}

function withoutKeys(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !meansKey(name)));
}

const emptyVariables: Variables = {
  baseUrl: '',
  walletUrl: '',
  platform: '',
  partnerId: '',
  timeZone: 'UTC',
  currency: '',
  lang: '',
  country: '',
  ip: '',
  exitURL: '',
  playerId: '',
  environmentName: '',
};
