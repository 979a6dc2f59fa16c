import { STATUS_CODES } from 'node:http';
import type { RequestExample, Variables } from '#shared/collections/model.ts';
import type { Environment, NotCarried } from '#shared/ipc/index.ts';
import { isJson } from '#shared/json/format.ts';
import { meansKey } from '#shared/secrets/secret-names.ts';
import { examplesText, keptLine } from '../kept.ts';
import { indented, pairBlock, sayable, textBlock, textOfBlock, valueOfPair } from './bruno-texts.ts';
import { brunoModule, loadingChecks, keyOfProcess, moduleOfBruno, signingOfBruno } from './bruno-module.ts';
import { testScript } from './check-script.ts';
import type { CollectionPart, PartFolder, PartItem, PartRequest } from './collection-part.ts';
import { ownVariables, requestTemplate, templateContext, withoutKeys, type TemplateContext } from './request-template.ts';
import { keyVariableOfTool } from './signing-script.ts';

export interface BrunoOptions {
  /** The environment whose URLs, zone and numbers the export gets; null leaves them empty. */
  readonly environment: Environment | null;
  /** A file name of the environment, without an ending. */
  readonly environmentName: string;
  /** The writer: `Croupier 0.1.0`. */
  readonly writer: string;
}

/** A file, with its path below the directory of the collection. */
export interface BrunoFile {
  readonly name: string;
  readonly text: string;
}

/** Returns the files of a collection of Bruno that signs by itself, with the parts that it cannot express. */
export function brunoFiles(part: CollectionPart, options: BrunoOptions): { files: BrunoFile[]; notCarried: NotCarried[] } {
  const { environment, environmentName, writer } = options;
  const context = templateContext(part, environment);
  const variables = collectionVariables(part, context);
  const own = ownVariables(part, environment, variables);
  const timeZone = environment?.timeZone ?? 'UTC';
  const notes = [...(part.notes === '' ? [] : [part.notes]), ...noticeOf(environment, writer)].join('\n\n');
  const script = [
    signingOfBruno,
    keptLine('collection', { environment: Object.keys(own), folders: [] }),
    ...keptTexts({ variables, notes: part.notes, wholeNotes: notes }),
  ];
  const settings = { version: '1', name: part.name, type: 'collection', ignore: ['node_modules', '.git'] };
  const files = [
    { name: 'bruno.json', text: `${JSON.stringify(settings, null, 2)}\n` },
    {
      name: 'collection.bru',
      text: blocks(variablesBlock(variables, 'the collection', context), scriptBlock(script), docsBlock(notes)),
    },
    { name: moduleOfBruno, text: brunoModule(context.serialization, { timeZone, writer }) },
    {
      name: `environments/${environmentName}.bru`,
      text: `${variablesBlock(own, 'the environment', context, 'vars')}vars:secret [\n  ${keyVariableOfTool}\n]\n`,
    },
    ...itemFiles(part.items, '', context),
  ];
  return { files, notCarried: context.notCarried };
}

function noticeOf(environment: Environment | null, writer: string): string[] {
  return [
    `Written by ${writer}. The script of this collection signs each request with the key in the variable \`${keyVariableOfTool}\`, a secret of the environment, or in the environment variable \`${keyOfProcess}\`. The key is in no export.`,
    environment === null
      ? 'Set the variables baseUrl, walletUrl, platform, partnerId and timeZone of the environment.'
      : `The URLs and numbers are those of ${environment.name}.`,
  ];
}

/** Those of the collection, and of folders around the exported part: the nearest value counts. */
function collectionVariables({ variables, around }: CollectionPart, { notCarried }: TemplateContext): Variables {
  const all: Variables = {};
  for (const { path, variables: some } of [{ path: 'the collection', variables }, ...around]) {
    for (const name of Object.keys(some).filter(meansKey))
      notCarried.push({ where: path, what: `the variable ${name}`, why: 'The private key is in no export.', at: [] });
    Object.assign(all, withoutKeys(some));
  }
  return all;
}

function itemFiles(items: readonly PartItem[], folder: string, context: TemplateContext): BrunoFile[] {
  const taken = new Set<string>();
  const firstRequest = items.findIndex(({ kind }) => kind === 'request');
  if (firstRequest !== -1 && items.slice(firstRequest).some(({ kind }) => kind === 'folder'))
    context.notCarried.push({
      where: folder === '' ? 'the collection' : folder.slice(0, -1),
      what: 'the order of its folders among its requests',
      why: 'Bruno runs the folders before the requests beside them.',
      at: [],
    });
  return items.flatMap((item, index) => {
    const name = freeName(item, folder, taken);
    const seq = index + 1;
    return item.kind === 'request'
      ? [{ name: `${folder}${name}.bru`, text: requestFile(item, seq, context) }]
      : folderFiles(item, seq, `${folder}${name}/`, context);
  });
}

/** Bruno knows some files and folders by their name: requests and folders keep theirs inside of the file. */
function freeName(item: PartItem, folder: string, taken: Set<string>): string {
  const reserved = item.kind === 'request' ? ['collection', 'folder'] : folder === '' ? ['environments'] : [];
  let name = item.name;
  while (reserved.includes(name.toLowerCase()) || taken.has(`${item.kind} ${name.toLowerCase()}`)) name += ` ${item.kind}`;
  taken.add(`${item.kind} ${name.toLowerCase()}`);
  return name;
}

function folderFiles(
  { path, name, settings, items }: PartFolder,
  seq: number,
  place: string,
  context: TemplateContext,
): BrunoFile[] {
  const variables = withoutKeys(settings.variables);
  for (const key of Object.keys(settings.variables).filter(meansKey))
    context.notCarried.push({ where: path, what: `the variable ${key}`, why: 'The private key is in no export.', at: [] });
  const { notes } = settings;
  // An empty folder that is ours comes back, too.
  const script = [keptLine('folder', { variables: {} }), ...keptTexts({ variables, notes, wholeNotes: notes })];
  const text = blocks(
    metaBlock(name, seq),
    variablesBlock(variables, path, context),
    scriptBlock(script),
    notes === '' ? '' : docsBlock(notes),
  );
  return [{ name: `${place}folder.bru`, text }, ...itemFiles(items, place, context)];
}

function requestFile({ path, name, request }: PartRequest, seq: number, context: TemplateContext): string {
  const { operation, base, path: urlPath, body } = requestTemplate(request, path, context);
  const url = base + urlPath;
  const { form, tags, data, overrides, notes, examples } = request;
  const held = examples.filter((example) => isHeld(example));
  for (const { name: lost } of examples.filter((example) => !isHeld(example)))
    context.notCarried.push({
      where: path,
      what: `the example ${lost}`,
      why: 'Its name or its body has marks that the files of Bruno cannot hold.',
      at: [],
    });
  const tests = [
    keptLine('request', { operation: operation.name, form, tags, data, overrides }, { of: `${url}\n${textOfBlock(body)}` }),
    ...(textOfBlock(notes) === notes ? [] : [keptLine('notes', notes, { of: textOfBlock(notes) })]),
    ...(held.length === examples.length ? [] : [keptLine('examples', examples, { of: examplesText(held) })]),
    ...testScript(request, { operation, where: path, notCarried: context.notCarried, helpersOf: loadingChecks }),
  ];
  return blocks(
    metaBlock(name, seq, 'http'),
    pairBlock('post', [
      ['url', url],
      ['body', 'json'],
      ['auth', 'none'],
    ]),
    textBlock('body:json', body),
    textBlock('tests', tests.join('\n')),
    notes === '' ? '' : docsBlock(notes),
    ...held.map((example) => exampleBlock(example, url)),
  );
}

function metaBlock(name: string, seq: number, type?: string): string {
  const own: [string, string][] = valueOfPair(name) === name ? [['name', name]] : [];
  return pairBlock('meta', [...own, ...(type === undefined ? [] : [['type', type] as const]), ['seq', String(seq)]]);
}

function variablesBlock(variables: Variables, where: string, { notCarried }: TemplateContext, name = 'vars:pre-request'): string {
  const { said, unsaid } = sayable(variables);
  for (const lost of unsaid)
    notCarried.push({
      where,
      what: `the variable ${lost}`,
      why: 'Its value has spaces at its ends, or marks that the files of Bruno cannot hold.',
      at: [],
    });
  const pairs = Object.entries(said);
  return pairs.length === 0 && name !== 'vars' ? '' : pairBlock(name, pairs);
}

function scriptBlock(lines: readonly string[]): string {
  return textBlock('script:pre-request', lines.join('\n'));
}

function docsBlock(notes: string): string {
  return textBlock('docs', notes);
}

/** Comments for what the blocks cannot hold exactly, each about what they hold in its place. */
function keptTexts({ variables, notes, wholeNotes }: { variables: Variables; notes: string; wholeNotes: string }): string[] {
  const { said, unsaid } = sayable(variables);
  return [
    ...(unsaid.length === 0 ? [] : [keptLine('variables', variables, { of: JSON.stringify(said) })]),
    ...(textOfBlock(wholeNotes) === wholeNotes ? [] : [keptLine('notes', notes, { of: textOfBlock(wholeNotes) })]),
  ];
}

function isHeld({ name, body }: RequestExample): boolean {
  return valueOfPair(name) === name && textOfBlock(body) === body && !body.includes("'''");
}

function exampleBlock({ name, status, body }: RequestExample, url: string): string {
  const lines = [
    `name: ${name}`,
    '',
    'request: {',
    `  url: ${url}`,
    '  method: post',
    '  mode: json',
    '}',
    '',
    'response: {',
    '  status: {',
    `    code: ${status}`,
    `    text: ${STATUS_CODES[status] ?? ''}`.trimEnd(),
    '  }',
    '',
    '  body: {',
    `    type: ${isJson(body) ? 'json' : 'text'}`,
    "    content: '''",
    indented(body, 6),
    "    '''",
    '  }',
    '}',
  ];
  return textBlock('example', lines.join('\n'));
}

function blocks(...some: readonly string[]): string {
  return some.filter((one) => one !== '').join('\n');
}
