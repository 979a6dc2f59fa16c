import { formatJson } from '../json/format.ts';
import { formatTime, isTimeZone } from '../signing/time.ts';
import { formWith } from './forms.ts';
import type { EnvironmentDefaults } from '../model/environment.ts';
import type { Answers, Field, Operation } from './model.ts';

/** Input of a template beside the environment's defaults. */
export interface TemplateOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Time zone of its dates; UTC unless given and known. */
  readonly timeZone?: string;
  /** The recorded answers, for the fields that the spec does not show. */
  readonly answers?: Answers;
  /** Values that the provider accepts now, as JSON text by operation and field; they override every other value. Only the built-in provider has any. */
  readonly samples?: Samples;
}

type Values = Readonly<Record<string, string>>;
type Samples = Readonly<Record<string, Values>>;

const validityMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Returns the payload of a new request, indented by two spaces, with the form's fields in the spec's order.
 * An expiry is seven days after `now`, and a value that must be unique ends in the milliseconds of `now`.
 * A form whose shape the spec does not show has the fields of the samples, or is an empty object.
 */
export function templateText(
  operation: Operation,
  formId: string,
  defaults: EnvironmentDefaults,
  options?: TemplateOptions,
): string {
  const { fields, open, combined } = formWith(operation, formId, options?.answers ?? {});
  const samples = options?.samples?.[operation.name] ?? {};
  const values =
    open === true && fields.length === 0
      ? samples
      : Object.fromEntries(
          fields.map((field) => [
            field.name,
            sampleFor(field, samples) ?? templateValue(field, defaults, options, countOf(samples, combined)),
          ]),
        );
  const members = Object.entries(values).map(([name, value]) => `  ${JSON.stringify(name)}: ${indent(formatJson(value))}`);
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n}`;
}

/** Returns the number of values in the lists of a combined form, if a sample has one. */
function countOf(samples: Values, combined: readonly string[] = []): number | undefined {
  const lists = combined.flatMap((name) => (samples[name] === undefined ? [] : [JSON.parse(samples[name]) as unknown]));
  return lists.find(Array.isArray)?.length;
}

function templateValue(
  field: Field,
  defaults: EnvironmentDefaults,
  options: TemplateOptions | undefined,
  count: number | undefined,
): string {
  if (field.type === 'string') return JSON.stringify(textValue(field, defaults, options));
  if (field.type !== 'strings') return field.example;
  const example: string[] = JSON.parse(field.example);
  return JSON.stringify(listValue(field, example.slice(0, count), defaults, options));
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

/** Returns the sample of a field; puts digits in double quotes if a recorded answer requires it. */
function sampleFor(field: Field, samples: Values): string | undefined {
  const sample = samples[field.name];
  return sample !== undefined && field.format === 'digits' && /^\d+$/.test(sample) ? JSON.stringify(sample) : sample;
}
