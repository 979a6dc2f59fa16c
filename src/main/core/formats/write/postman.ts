import { STATUS_CODES } from 'node:http';
import type { RequestExample, Variables } from '#shared/collections/model.ts';
import type { Environment, NotCarried } from '#shared/ipc/index.ts';
import { isJson } from '#shared/json/format.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import { keptLine } from '../kept.ts';
import { testScript } from './check-script.ts';
import { foldersOf, type CollectionPart, type PartItem, type PartRequest } from './collection-part.ts';
import { ownVariables, requestTemplate, templateContext, withoutKeys, type TemplateContext } from './request-template.ts';
import { keyVariableOfTool, signingScript } from './signing-script.ts';

export interface PostmanOptions {
  /** The environment whose URLs, zone and numbers the variables get; null leaves them empty. */
  readonly environment: Environment | null;
  /** The writer: `Croupier 1.0.0`. */
  readonly writer: string;
}

/** Returns a collection of Postman, format 2.1, that signs by itself, as JSON text, with the parts that it cannot express. */
export function postmanDocument(
  part: CollectionPart,
  { environment, writer }: PostmanOptions,
): { text: string; notCarried: NotCarried[] } {
  const context = templateContext(part, environment);
  const { variables, kept } = variablesOf(part, context);
  const script = [
    `// Written by ${writer}. It signs each request; see "Import and export" in Croupier's documentation.`,
    ...signingScript(context.serialization),
    keptLine('collection', kept),
  ];
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
  return { text: `${JSON.stringify(document, null, 2)}\n`, notCarried: context.notCarried };
}

function descriptionOf(notes: string, environment: Environment | null, writer: string): string {
  return [
    ...(notes === '' ? [] : [notes]),
    `Written by ${writer}. This collection's script signs each request with the key in the variable \`${keyVariableOfTool}\`. Exports never contain the key: ` +
      `create an environment in Postman, add \`${keyVariableOfTool}\` to it with the type secret, and enter the key only as its current value.`,
    environment === null
      ? 'Set the variables baseUrl, walletUrl, platform, partnerId and timeZone of this collection.'
      : `The URLs and numbers come from ${environment.name}.`,
  ].join('\n\n');
}

function itemOf(item: PartItem, context: TemplateContext): object {
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

function requestItem(item: PartRequest, context: TemplateContext): object {
  const { path, name, request } = item;
  const { operation, base, path: urlPath, body: raw } = requestTemplate(request, path, context);
  const { form, tags, data, overrides } = request;
  const kept = keptLine(
    'request',
    { operation: operation.name, form, tags, data, overrides },
    { of: `${base}${urlPath}\n${raw}` },
  );
  return {
    name,
    event: [scriptEvent('test', [kept, ...testScript(item, { operation, lose: (...one) => context.lose(path, ...one) })])],
    request: {
      method: 'POST',
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: { mode: 'raw', raw, options: { raw: { language: 'json' } } },
      url: { raw: base + urlPath, host: [base], path: urlPath.slice(1).split('/') },
      ...(request.notes === '' ? {} : { description: request.notes }),
    },
    response: request.examples.map(savedResponse),
  };
}

function savedResponse({ name, status, body }: RequestExample): object {
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

/** Postman has variables of the whole collection only, and those of folders are put there, as long as each name has one value. */
function variablesOf(part: CollectionPart, { environment, lose }: TemplateContext) {
  const variables: Variables = {};
  // Names of the collection's variables there that are none of the collection here.
  const kept: { environment: string[]; folders: string[] } = { environment: [], folders: [] };
  const inner = new Set(foldersOf(part.items).map(({ path }) => path));
  const scopes = [
    { path: 'the collection', variables: part.variables },
    ...part.around,
    ...foldersOf(part.items).map(({ path, settings }) => ({ path, variables: settings.variables })),
  ];
  for (const folder of scopes) {
    for (const [name, value] of Object.entries(folder.variables)) {
      if (meansKey(name)) lose(folder.path, `the variable ${name}`, 'Exports never contain the private key.');
      else if (!Object.hasOwn(variables, name)) {
        variables[name] = value;
        if (inner.has(folder.path)) kept.folders.push(name);
      } else if (variables[name] !== value) {
        const why = 'Postman folders have no variables, and the name already has another value.';
        lose(folder.path, `the variable ${name}`, why);
      }
    }
  }
  for (const [name, value] of Object.entries(ownVariables(part, environment, variables))) {
    variables[name] = value;
    kept.environment.push(name);
  }
  return { variables, kept };
}
