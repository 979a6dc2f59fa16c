import type { Variables } from '#shared/collections/model.ts';
import type { Environment, NotCarried } from '#shared/ipc/index.ts';
import { examplesText, keptLine } from '../kept.ts';
import { bruPrinter, type BrunoFile, type BrunoPrinter } from './bru-printer.ts';
import { brunoModule, loadingChecks, keyOfProcess, moduleOfBruno, signingOfBruno } from './bruno-module.ts';
import { testScript } from './check-script.ts';
import type { CollectionPart, PartFolder, PartItem, PartRequest } from './collection-part.ts';
import { openCollectionPrinter } from './open-collection-printer.ts';
import { ownVariables, requestTemplate, templateContext, withoutKeys, type TemplateContext } from './request-template.ts';
import { keyVariableOfTool } from './signing-script.ts';

/** The forms of Bruno's files: its own `.bru`, and OpenCollection, which is YAML. */
const printers: Readonly<Record<'bruno' | 'opencollection', BrunoPrinter>> = {
  bruno: bruPrinter,
  opencollection: openCollectionPrinter,
};

export interface BrunoOptions {
  readonly form: keyof typeof printers;
  /** The environment whose URLs, zone and numbers the export gets; null leaves them empty. */
  readonly environment: Environment | null;
  /** A file name of the environment, without an ending. */
  readonly environmentName: string;
  /** The writer: `Croupier 1.0.0`. */
  readonly writer: string;
}

/** Values that each file needs. */
interface Writing {
  readonly printer: BrunoPrinter;
  readonly context: TemplateContext;
}

/** Returns the files of a collection of Bruno that signs by itself, with the parts that it cannot express. */
export function brunoFiles(part: CollectionPart, options: BrunoOptions): { files: BrunoFile[]; notCarried: NotCarried[] } {
  const { form, environment, environmentName, writer } = options;
  const context = templateContext(part, environment);
  const writing = { printer: printers[form], context };
  const { printer } = writing;
  const variables = collectionVariables(part, context);
  const own = ownVariables(part, environment, variables);
  const timeZone = environment?.timeZone ?? 'UTC';
  const notes = [...(part.notes === '' ? [] : [part.notes]), ...noticeOf(environment, writer)].join('\n\n');
  const script = [
    signingOfBruno,
    keptLine('collection', { environment: Object.keys(own), folders: [] }),
    ...keptTexts({ variables, notes: part.notes, wholeNotes: notes }, printer),
  ].join('\n');
  const files = [
    ...printer.collection({ name: part.name, variables: sayable(variables, 'the collection', writing), script, notes }),
    { name: moduleOfBruno, text: brunoModule(context.serialization, { timeZone, writer }) },
    {
      name: `environments/${environmentName}${printer.extension}`,
      text: printer.environment(environmentName, sayable(own, 'the environment', writing), keyVariableOfTool),
    },
    ...itemFiles(part.items, '', writing),
  ];
  return { files, notCarried: context.notCarried };
}

function noticeOf(environment: Environment | null, writer: string): string[] {
  return [
    `Written by ${writer}. This collection's script signs each request with the key from \`${keyVariableOfTool}\`, a secret of the environment, or from the environment variable \`${keyOfProcess}\`. Exports never contain the key.`,
    environment === null
      ? 'Set the variables baseUrl, walletUrl, platform, partnerId and timeZone of the environment.'
      : `The URLs and numbers come from ${environment.name}.`,
  ];
}

/** Those of the collection, and of folders around the exported part: the nearest value counts. */
function collectionVariables({ variables, around }: CollectionPart, { lose }: TemplateContext): Variables {
  const all: Variables = {};
  for (const { path, variables: some } of [{ path: 'the collection', variables }, ...around])
    Object.assign(
      all,
      withoutKeys(some, (...one) => lose(path, ...one)),
    );
  return all;
}

function itemFiles(items: readonly PartItem[], folder: string, writing: Writing): BrunoFile[] {
  const { printer, context } = writing;
  const taken = new Set<string>();
  const firstRequest = items.findIndex(({ kind }) => kind === 'request');
  if (firstRequest !== -1 && items.slice(firstRequest).some(({ kind }) => kind === 'folder'))
    context.lose(
      folder === '' ? 'the collection' : folder.slice(0, -1),
      'the order of its folders among its requests',
      'Bruno runs folders before requests.',
    );
  return items.flatMap((item, index) => {
    const reserved = item.kind === 'request' ? printer.reserved : folder === '' ? ['environments'] : [];
    const name = freeName(item, reserved, taken);
    const seq = index + 1;
    return item.kind === 'request'
      ? [{ name: `${folder}${name}${printer.extension}`, text: requestFile(item, seq, writing) }]
      : folderFiles(item, seq, `${folder}${name}/`, writing);
  });
}

/** Bruno knows some files and folders by their name: requests and folders keep theirs inside of the file. */
function freeName(item: PartItem, reserved: readonly string[], taken: Set<string>): string {
  let name = item.name;
  while (reserved.includes(name.toLowerCase()) || taken.has(`${item.kind} ${name.toLowerCase()}`)) name += ` ${item.kind}`;
  taken.add(`${item.kind} ${name.toLowerCase()}`);
  return name;
}

function folderFiles({ path, name, settings, items }: PartFolder, seq: number, place: string, writing: Writing): BrunoFile[] {
  const { printer, context } = writing;
  const variables = withoutKeys(settings.variables, (...one) => context.lose(path, ...one));
  const { notes } = settings;
  // An empty folder that is ours comes back, too.
  const script = [keptLine('folder', { variables: {} }), ...keptTexts({ variables, notes, wholeNotes: notes }, printer)].join(
    '\n',
  );
  const text = printer.folder({ name, seq, variables: sayable(variables, path, writing), script, notes });
  return [{ name: `${place}folder${printer.extension}`, text }, ...itemFiles(items, place, writing)];
}

function requestFile(item: PartRequest, seq: number, { printer, context }: Writing): string {
  const { path, name, request } = item;
  const { operation, base, path: urlPath, body } = requestTemplate(request, path, context);
  const url = base + urlPath;
  const { form, tags, data, overrides, notes, examples } = request;
  const heldTags = tags.filter((tag) => printer.holdsTag(tag));
  const own = { operation: operation.name, form, tags: heldTags.length === tags.length ? [] : tags, data, overrides };
  const held = examples.filter((example) => printer.holdsExample(example));
  for (const { name: lost } of examples.filter((example) => !held.includes(example)))
    context.lose(path, `the example ${lost}`, "Its name or body contains characters that Bruno files can't hold.");
  const tests = [
    keptLine('request', own, { of: `${url}\n${printer.textOf(body)}` }),
    ...(printer.textOf(notes) === notes ? [] : [keptLine('notes', notes, { of: printer.textOf(notes) })]),
    ...(held.length === examples.length ? [] : [keptLine('examples', examples, { of: examplesText(held) })]),
    ...testScript(item, { operation, lose: (...one) => context.lose(path, ...one), helpersOf: loadingChecks }),
  ].join('\n');
  return printer.request({ name, seq, url, body, tests, notes, tags: heldTags, examples: held });
}

/** Returns the variables that the files can hold, and reports the others. */
function sayable(variables: Variables, where: string, { printer, context }: Writing): Variables {
  const why = "Its value starts or ends with spaces, or contains characters that Bruno files can't hold.";
  for (const [lost, value] of Object.entries(variables))
    if (!printer.holdsVariable(value)) context.lose(where, `the variable ${lost}`, why);
  return heldBy(printer, variables);
}

function heldBy(printer: BrunoPrinter, variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => printer.holdsVariable(value)));
}

/** Comments for what the files cannot hold exactly, each about what they hold in its place. */
function keptTexts(
  { variables, notes, wholeNotes }: { variables: Variables; notes: string; wholeNotes: string },
  printer: BrunoPrinter,
): string[] {
  const said = heldBy(printer, variables);
  const saysAll = Object.keys(said).length === Object.keys(variables).length;
  return [
    ...(saysAll ? [] : [keptLine('variables', variables, { of: JSON.stringify(said) })]),
    ...(printer.textOf(wholeNotes) === wholeNotes ? [] : [keptLine('notes', notes, { of: printer.textOf(wholeNotes) })]),
  ];
}
