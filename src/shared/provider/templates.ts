import { formatTime, isTimeZone } from '../signing/time.ts';
import { formWith } from './forms.ts';
import type { EnvironmentDefaults } from '../ipc/environments.ts';
import type { Answers, Field, Operation } from './model.ts';

/** When the template is made, in milliseconds since the epoch, and the zone in which its dates are written (UTC unless given and known). */
export interface TemplateOptions {
  readonly now: number;
  readonly timeZone?: string;
  /** The recorded answers, for the fields that the spec does not show. */
  readonly answers?: Answers;
}

const validityMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The JSON text that a new request starts from, two spaces deep, with the form's fields in the spec's order.
 * With `now`, an expiry is seven days ahead and a value that may not be used twice ends in the milliseconds of `now`.
 * A form whose shape the spec does not show is an empty object.
 */
export function templateText(
  operation: Operation,
  formId: string,
  defaults: EnvironmentDefaults,
  options?: TemplateOptions,
): string {
  const { fields } = formWith(operation, formId, options?.answers ?? {});
  const members = fields.map((field) => {
    const value = indent(templateValue(field, defaults, options));
    return `  ${JSON.stringify(field.name)}: ${value}`;
  });
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`;
}

function templateValue(field: Field, defaults: EnvironmentDefaults, options: TemplateOptions | undefined): string {
  if (field.type === 'string') return JSON.stringify(textValue(field, defaults, options));
  if (field.type !== 'strings') return field.example;
  const example: string[] = JSON.parse(field.example);
  return `[\n  ${listValue(field, example, defaults, options)
    .map((value) => JSON.stringify(value))
    .join(',\n  ')}\n]`;
}

function textValue(field: Field, defaults: EnvironmentDefaults, options: TemplateOptions | undefined): string {
  if (field.from !== undefined) return defaults[field.from];
  const example: string = JSON.parse(field.example);
  if (options === undefined) return example;
  if (field.format === 'dateTime') {
    const { now, timeZone } = options;
    return formatTime(now + validityMs, timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC', 'dmy');
  }
  return field.unique === true ? `${example}-${options.now}` : example;
}

function listValue(
  field: Field,
  example: readonly string[],
  defaults: EnvironmentDefaults,
  options: TemplateOptions | undefined,
): string[] {
  if (field.unique === true && options !== undefined) return example.map((value) => `${value}-${options.now}`);
  if (field.from === undefined) return [...example];
  const first = defaults[field.from];
  return [first, ...example.filter((value) => value !== first)].slice(0, example.length);
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ');
}
