import { AppError } from '#shared/errors.ts';
import {
  commonRulesOf,
  findOperation,
  gapById,
  notShownOf,
  notStatedMeaning,
  operations,
  standingOf,
  type Field,
  type Operation,
} from '#shared/provider/index.ts';
import { suggestion } from '../arguments.ts';
import type { Command } from '../commands.ts';
import { exits } from '../exit-codes.ts';

export const operationsCommand: Command = {
  spec: {
    name: 'operations',
    summary: 'Print the operations, their fields and what the spec leaves open.',
    positionals: ['[OPERATION]'],
    options: { json: { help: 'Print one JSON document' } },
  },
  async run(args, { terminal }) {
    const [name] = args.positionals;
    const listed = name === undefined ? operations : [requireOperation(name)];
    if (args.has('json')) {
      await terminal.result(JSON.stringify({ operations: listed.map(describe) }, null, 2));
      return exits.done;
    }
    for (const operation of listed) await terminal.result(`${paragraph(operation)}\n`);
    return exits.done;
  },
};

/** The operation of that name; a name that is none is refused with the nearest. */
export function requireOperation(name: string): Operation {
  const operation = findOperation(name);
  if (operation !== null) return operation;
  const names = operations.map((known) => known.name);
  throw new AppError(
    'invalid_input',
    `There is no operation ${JSON.stringify(name)}.${suggestion(name, names)} "croupier operations" lists them.`,
  );
}

function describe(operation: Operation) {
  return {
    ...operation,
    forms: operation.forms.map((form) => ({
      ...form,
      fields: form.fields.map((field) => ({ ...field, standing: standingOf(field) })),
    })),
    commonRules: commonRulesOf(operation),
    gaps: operation.gaps.map(gapById),
  };
}

function paragraph(operation: Operation): string {
  const action = operation.endpoint === 'service' ? `, action ${operation.action ?? 'not shown in the spec'}` : '';
  const lines = [
    `${operation.name}  (${operation.group}, section ${operation.section}, since ${operation.since})`,
    `  ${operation.summary}`,
    `  POST {base_url}${operation.path}${action}`,
  ];
  for (const rule of operation.rules) lines.push(`  Rule: ${rule}`);
  for (const rule of commonRulesOf(operation)) lines.push(`  Every such call: ${rule}`);
  for (const form of operation.forms) {
    if (form.fields.length === 0) continue;
    const since = form.since === operation.since ? '' : `, since ${form.since}`;
    lines.push(operation.forms.length > 1 ? `  Fields, ${form.title} (--form ${form.id}${since}):` : `  Fields${since}:`);
    const width = Math.max(...form.fields.map(({ name }) => name.length));
    for (const field of form.fields) lines.push(`    ${field.name.padEnd(width)}  ${typeOf(field)}. ${field.notes}`);
  }
  if (operation.forms.some(({ fields }) => fields.some(({ required }) => required === 'unstated'))) {
    lines.push(`  ${notStatedMeaning}`);
  }
  for (const { part, gap } of notShownOf(operation)) lines.push(`  Not shown: ${part} (${gap})`);
  for (const id of operation.gaps) lines.push(`  Open: ${gapById(id).question} (${id})`);
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
