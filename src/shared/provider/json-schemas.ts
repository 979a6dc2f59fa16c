import { requestEnvelope, responseEnvelope } from './envelope-fields.ts';
import { documentedMessage, providerCodes } from './codes.ts';
import { combinedLimit } from './combined-values.ts';
import { standingNote } from './field-standing.ts';
import { formWith, requestPoints, responsePoints, responseShape } from './forms.ts';
import { serviceNames } from '../model/operations.ts';
import { findOpenPoint, openPointById } from './open-points.ts';
import { operations } from './operations.ts';
import { answerWords, recordedAnswer } from './recorded-answers.ts';
import { actionOf, answerOf, codesOf, fieldNotes, routeOf, timeOrderOf } from './wire-form.ts';
import type { TimeOrder } from '../signing/time.ts';
import type { Answers, Field, OpenPointId, Operation, RequestForm, Shape } from './model.ts';

/** A JSON Schema (2020-12) as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const clock = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d';
const day = '(0[1-9]|[12]\\d)';
/** Day and month in an order, without days that no year has. */
const days = {
  dmy: `(${day}-(0[1-9]|1[0-2])|30-(0[13-9]|1[0-2])|31-(0[13578]|1[02]))-\\d{4}`,
  ymd: `\\d{4}-((0[1-9]|1[0-2])-${day}|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)`,
} as const satisfies Record<TimeOrder, string>;
const dateTime = (...orders: readonly TimeOrder[]) => `^(${orders.map((order) => days[order]).join('|')}) ${clock}$`;

const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const digits = '^\\d+$';
/** Patterns of the formats of a request's fields; null for one that the specification gives as an example, or allows to be empty. */
const patterns: Readonly<Record<NonNullable<Field['format']>, string | null>> = {
  language: '^[a-z]{2}$',
  country: '^[A-Z]{2}$',
  currency: null,
  dateTime: dateTime('dmy'),
  url: null,
  ip: `^(${byte}(\\.${byte}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)$`,
  digits,
};

/** Returns the name of an operation's request or response among the schemas, as `GetLauncherURLRequest`. */
export function schemaName({ name }: Operation, part: 'Request' | 'Response'): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}${part}`;
}

/**
 * Returns the schemas of every request and response by name, completed with recorded answers; `at` is where a document has them, as `#/$defs/`.
 * They refuse what the specification forbids. What it leaves open is words, and so are fields that it does not list, which it does not forbid.
 */
export function jsonSchemas(answers: Answers, at: string): Readonly<Record<string, JsonSchema>> {
  return {
    ...Object.fromEntries(
      operations.flatMap((operation) => [
        [schemaName(operation, 'Request'), requestSchema(operation, answers)],
        [schemaName(operation, 'Response'), responseSchema(operation, answers, at)],
      ]),
    ),
    [rejectionNames.service]: rejectionSchema('service', answers),
    [rejectionNames.wallet]: rejectionSchema('wallet', answers),
  };
}

/** Returns whether a point is about the API as a whole: it touches as many operations as there are signed ones beside gameList, or none. */
export function isGeneral(id: OpenPointId): boolean {
  const { length } = openPointById(id).operations;
  return length === 0 || length >= serviceNames.length - 1;
}

/** Says what is open, and what a provider answered: one line for each open point. */
export function openPointLines(ids: readonly OpenPointId[], answers: Answers): string[] {
  return ids.map((id) => {
    const { title, question } = openPointById(id);
    const found = recordedAnswer(id, answers);
    if (found.state === 'none') return `Open: ${question} (${id})`;
    const recorded = found.state === 'valid' ? answerWords(found.value) : `${found.text} (not valid, not used: ${found.message})`;
    return `Recorded: ${title}: ${recorded} (${id})`;
  });
}

/** The points of one operation, beside those of all and that of its response. */
export function ownPointLines({ name, openPoints }: Operation, answers: Answers): string[] {
  return openPointLines(
    openPoints.filter((id) => !isGeneral(id) && id !== responsePoints[name]),
    answers,
  );
}

/** The open point of a response's shape. */
function responseLines({ name }: Operation, answers: Answers): string {
  const point = responsePoints[name];
  return point === undefined ? '' : openPointLines([point], answers).join('');
}

function requestSchema(operation: Operation, answers: Answers): JsonSchema {
  const { name: title, payload } = operation;
  const forms = operation.forms.map(({ id }) => formWith(operation, id, answers));
  const schemas = forms.map((form) => formSchema(operation, form, forms, answers));
  const [only = {}] = schemas;
  const body: JsonSchema = schemas.length === 1 ? only : { type: 'object', anyOf: schemas };
  const description = [operation.summary, ...operation.rules, ...ownPointLines(operation, answers)].join('\n');
  const route = routeOf(operation, answers);
  if (route?.signed === false) return { ...body, title, description };
  const { properties = {}, required = [] } = payload === 'envelope' ? (only as Partial<ObjectSchema>) : {};
  const values: Readonly<Record<string, JsonSchema>> = { ...envelopeValues(operation, answers), data: body };
  // A path of its own, by a recorded answer, selects the operation in place of an action.
  const absent = ['currency', ...(payload === 'data' ? [] : ['data']), ...(route?.action === null ? ['action'] : [])];
  const fields = requestEnvelope.filter(({ name }) => !absent.includes(name));
  return {
    title,
    description,
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map(({ name, type, notes }) => [name, { description: notes, type, ...values[name] }])),
      ...properties,
    },
    // The specification does not show whether an operation whose request it does not show has data.
    required: [...fields.map(({ name }) => name).filter((name) => name !== 'data' || forms.every(isShown)), ...required],
    ...(payload === 'envelope' ? { not: { required: ['data'] } } : {}),
  };
}

/** The values of the envelope's fields, beside their types. */
function envelopeValues(operation: Operation, answers: Answers): Record<string, JsonSchema> {
  const either = answerOf('identity.type', answers) === 'either';
  const identity = either ? { type: ['integer', 'string'], pattern: digits } : {};
  return {
    action: actionSchema(operation, answers),
    platform: identity,
    partnerId: identity,
    time: timeSchema(operation, answers),
    hash: { pattern: '^[0-9a-f]{64}$' },
  };
}

/** An action that the specification does not show is none of those that it does, or that were recorded. */
function actionSchema(operation: Operation, answers: Answers): JsonSchema {
  const action = actionOf(operation, answers);
  if (action !== null) return { const: action };
  return { not: { enum: operations.map((other) => actionOf(other, answers)).filter((other) => other !== null) } };
}

/** An order that the specification leaves open for one operation is one that a sample of this operation shows. */
function timeSchema(operation: Operation, answers: Answers): JsonSchema {
  const ids = [`time.order.${operation.name}`, 'time.order'];
  const isRecorded = ids.some((id) => recordedAnswer(id, answers).state === 'valid');
  const shown: readonly TimeOrder[] =
    !isRecorded && findOpenPoint(ids[0] ?? '') !== null ? ['dmy', 'ymd'] : [timeOrderOf(operation, answers)];
  const words = shown
    .map((order) => ({ dmy: 'dd-mm-yyyy hh:mm:ss', ymd: 'yyyy-mm-dd hh:mm:ss' })[order])
    .join(', or as a sample has it ');
  return { description: `Time of the request, as ${words}.`, pattern: dateTime(...shown) };
}

const isShown = ({ open, recorded }: RequestForm) => open !== true || recorded === true;

interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

/**
 * The payload in one of its forms. A field that stands in place of those of another form is refused beside them; any other field that the
 * specification does not list is not, because it does not say so.
 */
function formSchema(
  operation: Operation,
  form: RequestForm,
  forms: readonly RequestForm[],
  answers: Answers,
): ObjectSchema & JsonSchema {
  const { title, fields } = form;
  const names = new Set(fields.map(({ name }) => name));
  const others = new Set(forms.flatMap((other) => other.fields.map(({ name }) => name)).filter((name) => !names.has(name)));
  const isRequired = ({ required }: Field) => required === 'yes' || (required === 'realMode' && operation.endpoint === 'wallet');
  const inRealMode = fields.filter((field) => field.required === 'realMode' && !isRequired(field)).map(({ name }) => name);
  return {
    title,
    ...(form.open === true ? { description: `The specification does not show it (${requestPoints[operation.name]}).` } : {}),
    type: 'object',
    properties: Object.fromEntries(
      fields.map((field) => [field.name, fieldSchema(operation, field, form.combined?.includes(field.name) === true, answers)]),
    ),
    required: fields.filter(isRequired).map(({ name }) => name),
    ...(others.size === 0 ? {} : { not: { anyOf: [...others].map((name) => ({ required: [name] })) } }),
    ...(inRealMode.length === 0
      ? {}
      : {
          oneOf: [
            { title: 'Fun mode', properties: { gameMode: { const: 'fun' } } },
            {
              title: 'Real mode',
              properties: {
                gameMode: { const: 'real' },
                ...Object.fromEntries(inRealMode.map((name) => [name, { type: 'string', minLength: 1 }])),
              },
              required: inRealMode,
            },
          ],
        }),
  };
}

function fieldSchema(operation: Operation, field: Field, combined: boolean, answers: Answers): JsonSchema {
  const { type, maxLength, exactLength, minimum, values, format, unique, required, mayBeEmpty } = field;
  const description = [fieldNotes(operation, field, answers), standingNote(field)].filter((part) => part !== '').join(' ');
  const pattern = format === undefined ? null : patterns[format];
  const filled = mayBeEmpty !== true && values === undefined && (required === 'yes' || required === 'realMode');
  const least = exactLength ?? (filled ? 1 : undefined);
  const most = exactLength ?? maxLength ?? (combined ? combinedLimit : undefined);
  const text = {
    type: 'string',
    ...(values === undefined ? {} : { enum: values }),
    ...(least === undefined ? {} : { minLength: least }),
    ...(most === undefined ? {} : { maxLength: most }),
    ...(pattern === null ? {} : { pattern }),
  };
  // No example of a value that is new each time or lies ahead, nor of digits that a double does not hold.
  const examples =
    unique === true || format === 'dateTime' || type === 'bigint' ? {} : { examples: [JSON.parse(field.example) as unknown] };
  switch (type) {
    case 'string':
      return { description, ...text, ...examples };
    case 'strings':
      return {
        description: combined ? `${description} ${notSummed}` : description,
        type: 'array',
        items: text,
        ...(combined ? { uniqueItems: true } : {}),
        ...examples,
      };
    case 'boolean':
      return { description, type, ...examples };
    case 'json':
      return { description, ...examples };
    case 'number':
    case 'integer':
    case 'bigint': {
      const number = {
        type: type === 'number' ? 'number' : 'integer',
        ...(type === 'bigint' ? wide : {}),
        ...(minimum === undefined ? {} : { minimum }),
      };
      return field.orText === true
        ? { description, anyOf: [number, { type: 'string', pattern: digits }], ...examples }
        : { description, ...number, ...examples };
    }
  }
}

const notSummed = "JSON Schema can't add up the lengths, so each value is checked alone.";
/** It may be beyond 2^53: programs that read it as a double change it. */
const wide = { format: 'int64' } as const;

const rejectionNames = { service: 'ServiceRejection', wallet: 'WalletRejection' } as const satisfies Record<
  Operation['endpoint'],
  string
>;

/** The members of a response that say how it went; `values` are what they hold. */
function outcome(values: Readonly<Record<'code' | 'message', JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    responseEnvelope.flatMap(({ name, type, notes }) =>
      name === 'code' || name === 'message' ? [[name, { description: notes, type, ...values[name] }]] : [],
    ),
  );
}

const success = () => outcome({ code: { const: 0 }, message: { const: documentedMessage(0) } });

/** Each code with its message, and null for data where the specification shows it. A code that it does not list has any message. */
function rejectionSchema(endpoint: Operation['endpoint'], answers: Answers): JsonSchema {
  const listed = providerCodes.filter(({ code }) => code !== 0);
  const recorded = codesOf(answers);
  const others = recorded === null ? [] : [...recorded.keys()].filter((code) => providerCodes.every((one) => one.code !== code));
  return {
    title: 'Rejection',
    description: openPointLines(['codes.complete'], answers).join('\n'),
    type: 'object',
    properties: {
      ...outcome({ code: {}, message: {} }),
      ...(endpoint === 'wallet' ? {} : { data: { description: 'Null on rejection.', type: 'null' } }),
    },
    required: ['code', 'message'],
    oneOf: [
      ...listed.map(({ code, message, condition, data }) => ({
        title: `Code ${code}`,
        description: condition,
        properties: { code: { const: code }, message: { const: message }, ...(data === null ? { data: { type: 'null' } } : {}) },
        ...(data === null && endpoint === 'service' ? { required: ['data'] } : {}),
      })),
      ...(recorded !== null && others.length === 0
        ? []
        : [
            {
              title: 'Another code',
              properties: {
                code: recorded === null ? { not: { enum: providerCodes.map(({ code }) => code) } } : { enum: others },
              },
            },
          ]),
    ],
  };
}

function responseSchema(operation: Operation, answers: Answers, at: string): JsonSchema {
  const title = `${operation.name}, response`;
  const shapes = [...new Set(operation.forms.map(({ id }) => responseShape(operation, id, answers)?.shape ?? null))];
  const enveloped = operation.endpoint === 'service' && routeOf(operation, answers)?.signed !== false;
  if (enveloped) {
    const accepted = shapes.map((shape) => acceptedService(operation, shape, shapes, answers));
    // A response does not name the form of its request: it may fit several.
    const [first, second] = accepted;
    return { title, oneOf: [second === undefined ? first : { anyOf: accepted }, { $ref: at + rejectionNames.service }] };
  }
  const [shape = null] = shapes;
  const fields = shape?.kind === 'object' ? requiredNames(shape) : [];
  const rejection = { $ref: at + rejectionNames.wallet };
  return {
    title,
    oneOf: [
      acceptedWallet(operation, shape, answers),
      fields.length === 0
        ? rejection
        : { ...rejection, type: 'object', not: { anyOf: fields.map((name) => ({ required: [name] })) } },
    ],
  };
}

function acceptedService(
  operation: Operation,
  shape: Shape | null,
  shapes: readonly (Shape | null)[],
  answers: Answers,
): JsonSchema {
  const properties = success();
  const base = { title: 'Success', type: 'object' };
  if (shape !== null)
    return {
      ...base,
      properties: { ...properties, data: ofRound(operation, shapeSchema(shape), answers) },
      required: ['code', 'message', 'data'],
    };
  // The response of another form, which is shown, is not this one.
  const shown = shapes.flatMap((other) => (other?.kind === 'object' ? requiredNames(other) : []));
  const data = {
    description: responseLines(operation, answers),
    ...(shown.length === 0 ? {} : { not: { type: 'object', anyOf: shown.map((name) => ({ required: [name] })) } }),
  };
  return {
    ...base,
    title: shown.length === 0 ? 'Success' : 'Success, response not shown',
    properties: { ...properties, data },
    required: ['code', 'message'],
  };
}

/** The record of a round, or none: what an unknown round gets is open. */
function ofRound({ openPoints }: Operation, data: JsonSchema, answers: Answers): JsonSchema {
  if (!openPoints.includes('rounds.unknown')) return data;
  if (answerOf('rounds.unknown', answers) === 'code') return data['type'] === 'array' ? { ...data, minItems: 1 } : data;
  return { anyOf: [data, { description: openPointLines(['rounds.unknown'], answers).join('\n'), type: 'null' }] };
}

function acceptedWallet(operation: Operation, shape: Shape | null, answers: Answers): JsonSchema {
  if (shape !== null && shape.kind !== 'object') return shapeSchema(shape);
  // The response of a recorded path that takes plain JSON may be anything, that of a wallet method is an object.
  const unknown = {
    description: responseLines(operation, answers),
    ...(operation.endpoint === 'wallet' ? { type: 'object' } : {}),
  };
  const whole = shape === null ? unknown : shapeSchema(shape);
  const { properties = {}, required = [] } = whole as Partial<ObjectSchema>;
  const both = ['code', 'message'];
  const answer = answerOf('wallet.codeAndMessage', answers);
  return {
    ...whole,
    title: 'Success',
    properties: { ...success(), ...properties },
    required: answer === 'always' ? [...new Set([...both, ...required])] : required,
    ...(answer === 'never' ? { not: { anyOf: both.map((name) => ({ required: [name] })) } } : {}),
  };
}

function requiredNames({ fields }: Extract<Shape, { kind: 'object' }>): string[] {
  return Object.entries(fields).flatMap(([name, { optional }]) => (optional === true ? [] : [name]));
}

function shapeSchema(shape: Shape): JsonSchema {
  const words = shape.notes === undefined ? {} : { description: shape.notes };
  switch (shape.kind) {
    case 'object':
      return {
        ...words,
        type: 'object',
        properties: Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, shapeSchema(field)])),
        required: requiredNames(shape),
      };
    case 'array':
      return { ...words, type: 'array', items: shapeSchema(shape.items) };
    case 'numbers':
      return { ...words, type: 'array', items: { type: 'number' } };
    case 'any':
      return words;
    case 'integer':
    case 'bigint':
      return { ...words, type: 'integer', ...wide };
    case 'string':
      return { ...words, type: 'string', ...textSchema(shape) };
    case 'number':
    case 'boolean':
    case 'null':
      return { ...words, type: shape.kind };
  }
}

const webAddress = (s: '[Ss]' | '[Ss]?') => `^[Hh][Tt][Tt][Pp]${s}://[^/?#\\s]`;
/** Patterns of the formats of a response's texts, whose times are year first. */
const shapePatterns = {
  dateTime: dateTime('ymd'),
  currency: '^[A-Z]{3}$',
  digits,
  url: webAddress('[Ss]?'),
} as const;

function textSchema({ format, query, https }: Exclude<Shape, { kind: 'object' | 'array' }>): JsonSchema {
  if (format === undefined) return {};
  const pattern = https === true ? webAddress('[Ss]') : shapePatterns[format];
  if (query === undefined) return { pattern };
  // In fun mode, a launcher URL has no token.
  const names = query.map((name) => (name === 'externalToken' ? `${name}|gameMode=fun` : name));
  return {
    pattern,
    allOf: names.map((name) => ({ pattern: `^[^#]*[?&](${name})([=&#]|$)` })),
    examples: [`https://provider.example/?${query.map((name) => `${name}=1`).join('&')}`],
  };
}
