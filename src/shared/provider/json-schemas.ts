import { requestEnvelope, responseEnvelope } from './envelope-fields.ts';
import { providerCodes } from './codes.ts';
import { standingNote } from './field-standing.ts';
import { formWith, responseShape } from './forms.ts';
import { notShownOf } from './not-shown-in-spec.ts';
import { serviceNames } from '../model/operations.ts';
import { openPointById } from './open-points.ts';
import { operations } from './operations.ts';
import { answerWords, recordedAnswer } from './recorded-answers.ts';
import { routeOf, timeOrderOf } from './wire-form.ts';
import type { Answers, Field, OpenPointId, Operation, RequestForm, Shape } from './model.ts';

/** A JSON Schema (2020-12) as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const days = { dmy: '\\d\\d-\\d\\d-\\d{4}', ymd: '\\d{4}-\\d\\d-\\d\\d' } as const;

/** Returns the name of an operation's request or response among the schemas, as `GetLauncherURLRequest`. */
export function schemaName({ name }: Operation, part: 'Request' | 'Response'): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}${part}`;
}

/**
 * Returns the schemas of every request and response by name, completed with recorded answers. The spec's facts are what they demand; what it
 * leaves open is words, so that they refuse nothing that a provider may accept.
 */
export function jsonSchemas(answers: Answers): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    operations.flatMap((operation) => [
      [schemaName(operation, 'Request'), requestSchema(operation, answers)],
      [schemaName(operation, 'Response'), responseSchema(operation, answers)],
    ]),
  );
}

/** Returns whether a point is about the API as a whole: it touches as many operations as there are signed ones, or none. */
export function isGeneral(id: OpenPointId): boolean {
  const { length } = openPointById(id).operations;
  return length === 0 || length >= serviceNames.length;
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

/** The points of one operation, beside those of all. */
export function ownPointLines({ openPoints }: Operation, answers: Answers): string[] {
  return openPointLines(
    openPoints.filter((id) => !isGeneral(id)),
    answers,
  );
}

function requestSchema(operation: Operation, answers: Answers): JsonSchema {
  const forms = operation.forms.map(({ id }) => formSchema(operation, formWith(operation, id, answers), answers));
  const payload = forms.length === 1 && forms[0] !== undefined ? forms[0] : { anyOf: forms };
  const title = operation.name;
  const description = [operation.summary, ...operation.rules, ...ownPointLines(operation, answers)].join('\n');
  const route = routeOf(operation, answers);
  if (route?.signed === false) return { title, description, ...payload };
  const action = route?.action ?? null;
  const own: Record<string, JsonSchema> = {
    action: action === null ? { type: 'string' } : { const: action },
    time: { type: 'string', pattern: `^${days[timeOrderOf(operation, answers)]} \\d\\d:\\d\\d:\\d\\d$` },
    hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    data: operation.payload === 'data' ? payload : {},
  };
  const fields = requestEnvelope.filter(({ name }) => name !== 'currency' && (name !== 'data' || operation.payload === 'data'));
  const envelope = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(({ name, type, notes }) => [name, { description: notes, ...(own[name] ?? (type === 'any' ? {} : { type })) }]),
    ),
    required: fields.map(({ name }) => name),
  };
  return { title, description, ...(operation.payload === 'envelope' ? { allOf: [envelope, payload] } : envelope) };
}

/** The payload in one of its forms. Other fields than the spec's are not refused, because it does not say that they are. */
function formSchema(operation: Operation, { title, fields }: RequestForm, answers: Answers): JsonSchema {
  const isRequired = ({ required }: Field) => required === 'yes' || (required === 'realMode' && operation.endpoint === 'wallet');
  const inRealMode = fields.filter(({ required }) => required === 'realMode' && operation.endpoint === 'service');
  return {
    title,
    ...(fields.length === 0 ? { description: notShown(operation, 'request', answers) } : {}),
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    required: fields.filter(isRequired).map(({ name }) => name),
    ...(inRealMode.length === 0
      ? {}
      : {
          anyOf: [
            { type: 'object', properties: { gameMode: { const: 'fun' } } },
            {
              type: 'object',
              properties: {
                gameMode: { const: 'real' },
                ...Object.fromEntries(inRealMode.map(({ name, type }) => [name, { type }])),
              },
              required: inRealMode.map(({ name }) => name),
            },
          ],
        }),
  };
}

function fieldSchema(field: Field): JsonSchema {
  const description = [field.notes, standingNote(field)].filter((part) => part !== '').join(' ');
  const { type, maxLength, exactLength, minimum, values } = field;
  const text = {
    type: 'string',
    ...(values === undefined ? {} : { enum: values }),
    ...(exactLength === undefined ? {} : { minLength: exactLength }),
    ...(maxLength === undefined && exactLength === undefined ? {} : { maxLength: exactLength ?? maxLength }),
  };
  const amount = minimum === undefined ? {} : { minimum };
  switch (type) {
    case 'string':
      return { description, ...text };
    case 'strings':
      return { description, type: 'array', items: text };
    case 'boolean':
      return { description, type };
    case 'json':
      return { description };
    case 'number':
    case 'integer':
    case 'bigint': {
      const number = { type: type === 'number' ? 'number' : 'integer', ...amount };
      // It may be beyond 2^53: programs that read it as a double change it.
      const exact = type === 'bigint' ? { ...number, format: 'int64' } : number;
      return field.orText === true
        ? { description, anyOf: [exact, { type: 'string', pattern: '^\\d+$' }] }
        : { description, ...exact };
    }
  }
}

function responseSchema(operation: Operation, answers: Answers): JsonSchema {
  const shapes = operation.forms.map(({ id }) => responseShape(operation, id, answers)?.shape ?? null);
  const known = [...new Set(shapes)].map((shape) =>
    shape === null ? { description: notShown(operation, 'response', answers) } : shapeSchema(shape),
  );
  const [first = {}] = known;
  const title = `${operation.name}, response`;
  const [code, message] = responseEnvelope.map(({ name, type, notes }) => [name, { description: notes, type }] as const);
  const codes = providerCodes.map((one) => `${one.code}: ${one.condition}`).join('\n');
  const head = Object.fromEntries([code, message].filter((one) => one !== undefined));
  if (operation.endpoint === 'wallet') {
    const rejection = { title: 'Rejection', description: codes, type: 'object', properties: head, required: ['code', 'message'] };
    return { title, anyOf: [...known, rejection] };
  }
  const data = known.length === 1 ? first : { anyOf: known };
  return {
    title,
    description: codes,
    type: 'object',
    properties: { ...head, data: { anyOf: [data, { type: 'null' }] } },
    required: responseEnvelope.map(({ name }) => name),
  };
}

function shapeSchema(shape: Shape): JsonSchema {
  const words = shape.notes === undefined ? {} : { description: shape.notes };
  switch (shape.kind) {
    case 'object':
      return {
        ...words,
        type: 'object',
        properties: Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, shapeSchema(field)])),
        required: Object.entries(shape.fields)
          .filter(([, field]) => field.optional !== true)
          .map(([name]) => name),
      };
    case 'array':
      return { ...words, type: 'array', items: shapeSchema(shape.items) };
    case 'numbers':
      return { ...words, type: 'array', items: { type: 'number' } };
    case 'any':
      return words;
    case 'bigint':
      return { ...words, type: 'integer', format: 'int64' };
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return { ...words, type: shape.kind };
  }
}

function notShown(operation: Operation, part: 'request' | 'response', answers: Answers): string {
  const point: OpenPointId | undefined = notShownOf(operation).find((one) => one.part === part)?.point;
  if (point !== undefined && recordedAnswer(point, answers).state === 'valid') return 'As recorded.';
  return `The specification does not show it${point === undefined ? '' : ` (${point})`}.`;
}
