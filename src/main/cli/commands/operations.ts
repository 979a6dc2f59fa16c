import { AppError } from '#shared/errors.ts';
import type { Environment } from '#shared/ipc/index.ts';
import {
  answerWords,
  commonRulesOf,
  fieldNotes,
  findOperation,
  formWith,
  jsonSchemaDocument,
  openApiDocument,
  openPointById,
  openPointLines,
  notShownOf,
  notStatedMeaning,
  operations,
  recordedAnswer,
  routeOf,
  standingOf,
  type Answers,
  type Field,
  type OpenPoint,
  type OpenPointId,
  type Operation,
} from '#shared/provider/index.ts';
import { formatIn, suggestion, UsageError } from '../arguments.ts';
import { exits, type Command } from '../command.ts';
import { findEnvironment, withWorkbench } from '../workbench.ts';

export const operationsCommand: Command = {
  spec: {
    name: 'operations',
    summary: 'List the operations, or print the fields, rules and open points of one.',
    positionals: ['[OPERATION]'],
    options: {
      env: { value: 'NAME', help: "Fill in this environment's recorded answers" },
      verbose: { help: 'Print every operation in full' },
      as: { value: 'FORMAT', help: 'Print the API as one document: openapi (OpenAPI 3.1) or json-schema (2020-12)' },
      json: { help: 'Print one JSON document' },
    },
  },
  async run(args, context) {
    const { terminal } = context;
    const [name] = args.positionals;
    const listed = name === undefined ? operations : [requireOperation(name)];
    const environment: Described = !args.has('env')
      ? noEnvironment
      : await withWorkbench(context, { keys: 'keychain' }, ({ client }) => findEnvironment(client, args.value('env')));
    const { answers } = environment;
    const format = args.value('as');
    if (format !== undefined) {
      if (name !== undefined) throw new UsageError('--as prints every operation: leave out the name.');
      await terminal.result(JSON.stringify(documentAs(format, environment), null, 2));
      return exits.done;
    }
    if (args.has('json')) {
      const described = listed.map((operation) => describe(operation, answers));
      await terminal.result(JSON.stringify({ operations: described }, null, 2));
      return exits.done;
    }
    if (name !== undefined || args.has('verbose'))
      for (const operation of listed) await terminal.result(`${paragraph(operation, answers)}\n`);
    else {
      const width = Math.max(...listed.map((operation) => operation.name.length));
      for (const { name: own, section, summary } of listed)
        await terminal.result(`${own.padEnd(width)}  section ${section.padStart(2)}  ${summary}`);
    }
    return exits.done;
  },
};

/** Returns the operation of that name; refuses an unknown name and suggests the nearest. */
export function requireOperation(name: string): Operation {
  const operation = findOperation(name);
  if (operation !== null) return operation;
  const names = operations.map((known) => known.name);
  throw new AppError(
    'invalid_input',
    `There is no operation ${JSON.stringify(name)}.${suggestion(name, names)} "croupier operations" lists them.`,
  );
}

/** Answers and base URL without an environment. The address is of a domain that belongs to nobody. */
const noEnvironment = { answers: {}, baseUrl: 'https://provider.example', walletUrl: '' };
type Described = Pick<Environment, 'answers' | 'baseUrl' | 'walletUrl'>;

function documentAs(format: string, environment: Described): unknown {
  const { name } = formatIn(format, [{ name: 'openapi' }, { name: 'json-schema' }]);
  return name === 'openapi' ? openApiDocument(environment) : jsonSchemaDocument(environment.answers);
}

function describe(operation: Operation, answers: Answers) {
  const forms = operation.forms.map(({ id }) => formWith(operation, id, answers));
  return {
    ...operation,
    forms: forms.map((form) => ({
      ...form,
      fields: form.fields.map((field) => ({ ...field, standing: standingOf(field) })),
    })),
    commonRules: commonRulesOf(operation, answers),
    gaps: describePoints(operation.openPoints, answers),
  };
}

/** Returns open points, each with its recorded answer or null. */
export function describePoints(ids: readonly OpenPointId[], answers: Answers): (OpenPoint & { recorded: string | null })[] {
  return ids.map((id) => ({ ...openPointById(id), recorded: recordedLine(id, answers) }));
}

/** Describes the recorded answer to an open point; null if there is none. */
function recordedLine(id: OpenPointId, answers: Answers): string | null {
  const found = recordedAnswer(id, answers);
  if (found.state === 'none') return null;
  return found.state === 'valid' ? answerWords(found.value) : `${found.text} (invalid, not used: ${found.message})`;
}

function routeLine(operation: Operation, answers: Answers): string {
  const route = routeOf(operation, answers);
  if (route === null) return `${operation.path}, action not shown in the spec`;
  if (route.action !== null) return `${route.path}, action ${route.action}`;
  return operation.endpoint === 'wallet' ? route.path : `${route.path}, ${route.signed ? 'signed' : 'plain JSON'}`;
}

function paragraph(operation: Operation, answers: Answers): string {
  const lines = [
    `${operation.name}  (${operation.group}, section ${operation.section}, since ${operation.since})`,
    `  ${operation.summary}`,
    `  POST {base_url}${routeLine(operation, answers)}`,
  ];
  for (const rule of operation.rules) lines.push(`  Rule: ${rule}`);
  for (const rule of commonRulesOf(operation, answers)) lines.push(`  Every such call: ${rule}`);
  const forms = operation.forms.map(({ id }) => formWith(operation, id, answers));
  for (const form of forms) {
    if (form.fields.length === 0) continue;
    const since = form.since === operation.since ? '' : `, since ${form.since}`;
    lines.push(operation.forms.length > 1 ? `  Fields, ${form.title} (--form ${form.id}${since}):` : `  Fields${since}:`);
    const width = Math.max(...form.fields.map(({ name }) => name.length));
    for (const field of form.fields)
      lines.push(`    ${field.name.padEnd(width)}  ${typeOf(field)}. ${fieldNotes(operation, field, answers)}`);
  }
  if (forms.some(({ fields }) => fields.some(({ required }) => required === 'unstated'))) {
    lines.push(`  ${notStatedMeaning}`);
  }
  for (const { part, point } of notShownOf(operation)) {
    if (recordedLine(point, answers) === null) lines.push(`  Not in the spec: ${part} (${point})`);
  }
  for (const line of openPointLines(operation.openPoints, answers)) lines.push(`  ${line}`);
  return lines.join('\n');
}

function typeOf(field: Field): string {
  const { type, maxLength, exactLength, values } = field;
  const parts: string[] = [type];
  if (values !== undefined) parts.push(values.join(' or '));
  if (maxLength !== undefined) parts.push(`at most ${maxLength} characters`);
  if (exactLength !== undefined) parts.push(`${exactLength} characters`);
  return [...parts, standingOf(field)].join(', ');
}
