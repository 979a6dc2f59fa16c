import { parseJson } from '../json/parse.ts';
import { answerOf } from './wire-form.ts';
import { formOf, operations } from './operations.ts';
import { valueOf } from './recorded-answers.ts';
import type { Answers, Field, OpenPointId, Operation, RequestForm, Shape } from './model.ts';
import type { OperationName } from '../model/operations.ts';

/** Returns the form that has most of these fields: of several the one with the fewest others, and the first if none has any. */
export function fittingForm({ forms }: Pick<Operation, 'forms'>, names: readonly string[]): RequestForm | undefined {
  const scores = forms.map(({ fields }) => {
    const known = new Set(fields.map(({ name }) => name));
    const count = names.filter((name) => known.has(name)).length;
    return count === 0 ? 0 : count - known.size / 1_000;
  });
  return forms[scores.indexOf(Math.max(...scores))];
}

/** Returns the ID of the form of a payload: the given one; without one, that which fits, empty for the first. */
export function formOfPayload(operation: Pick<Operation, 'forms'>, given: string, text: string): string {
  return given !== '' || operation.forms.length < 2 ? given : formOfFields(operation, memberNames(text));
}

/** Returns the ID of the form that fits these fields, empty for the first. */
export function formOfFields(operation: Pick<Operation, 'forms'>, names: readonly string[]): string {
  const fitting = fittingForm(operation, names);
  return fitting === undefined || fitting === operation.forms[0] ? '' : fitting.id;
}

/** Returns the names in a text that is a JSON object; none of another one. */
export function memberNames(text: string): string[] {
  const parsed = parseJson(text);
  return parsed.ok && parsed.root.kind === 'object' ? parsed.root.members.map(({ key }) => key) : [];
}

/** Open points for the requests whose fields the spec does not show. */
export const requestPoints: Partial<Record<OperationName, OpenPointId>> = {
  cancelFreeRounds: 'cancelFreeRounds.request',
  currencyList: 'currencyList.request',
  cancel: 'cancel.request',
};

// The page compares forms by identity, so equal input must return the same object.
const completed = new WeakMap<Answers, Map<string, RequestForm>>();

/** Returns the form of that ID with the recorded answers: fields that the spec does not show, their types, and whether they are required. */
export function formWith(operation: Operation, formId: string, answers: Answers): RequestForm {
  const form = formOf(operation, formId);
  if (Object.keys(answers).length === 0) return form;
  const key = `${operation.name} ${form.id}`;
  let known = completed.get(answers);
  if (known === undefined) completed.set(answers, (known = new Map()));
  let found = known.get(key);
  if (found === undefined) known.set(key, (found = complete(operation, form, answers)));
  return found;
}

function complete(operation: Operation, form: RequestForm, answers: Answers): RequestForm {
  const point = form.open === true ? requestPoints[operation.name] : undefined;
  const shape = point === undefined ? undefined : valueOf('shape', point, answers)?.shape;
  if (shape?.kind === 'object') {
    const fields = Object.entries(shape.fields).map(([name, field]) => fieldOf(name, field));
    const { id, since } = form;
    // A shape with further fields allows every other name.
    return {
      id,
      title: 'Recorded answer',
      since,
      fields,
      recorded: true,
      ...(shape.rest === true ? { open: true as const } : {}),
    };
  }
  return { ...form, fields: form.fields.map((field) => completeField(operation, field, answers)) };
}

function completeField(operation: Operation, field: Field, answers: Answers): Field {
  let done = field;
  const optional = valueOf('optionalFields', 'fields.required', answers)?.names;
  if (optional !== undefined && field.required === 'unstated') {
    done = { ...done, required: optional.has(`${operation.name}.${field.name}`) ? 'no' : 'yes', recorded: true };
  }
  if (field.name === 'roundId') {
    const type = answerOf('roundId.type', answers);
    if (type === 'text')
      done = { ...done, type: 'string', format: 'digits', example: JSON.stringify(field.example), recorded: true };
    if (type === 'either') done = { ...done, orText: true, recorded: true };
  }
  if (operation.name === 'win' && field.name === 'transactionId' && answerOf('win.bet', answers) === 'transactionId') {
    const { unique: _, ...shared } = done;
    done = shared;
  }
  return done;
}

const examples = { string: '"text"', integer: '0', number: '0', boolean: 'false', strings: '["text"]', json: '{}' } as const;

/** Returns a recorded field. If another operation has a field of that name, it takes only its placeholder value. */
function fieldOf(name: string, shape: Shape): Field {
  const type = fieldType(shape);
  const namesake = operations
    .flatMap(({ forms }) => forms.flatMap(({ fields }) => fields))
    .find((field) => field.name === name && field.type === type);
  const { example, from } = namesake ?? {};
  return {
    name,
    type,
    required: shape.optional === true ? 'no' : 'yes',
    notes: sentence(shape.notes ?? ''),
    example: example ?? ('items' in shape && type === 'json' ? '[]' : examples[type]),
    recorded: true,
    ...(from === undefined ? {} : { from }),
    ...('money' in shape && shape.money === true ? { money: true as const } : {}),
    ...('format' in shape && shape.format !== undefined ? { format: shape.format } : {}),
  };
}

function sentence(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

function fieldType(shape: Shape): keyof typeof examples {
  switch (shape.kind) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return shape.kind;
    case 'bigint':
      return 'integer';
    case 'array':
      return shape.items.kind === 'string' ? 'strings' : 'json';
    case 'numbers':
    case 'null':
    case 'any':
    case 'object':
      return 'json';
  }
}

/** Open points for the responses whose shape the spec does not show. */
export const responsePoints: Partial<Record<OperationName, OpenPointId>> = {
  freeRounds: 'freeRounds.multiResponse',
  freeRoundsByBet: 'freeRoundsByBet.response',
  cancelFreeRounds: 'cancelFreeRounds.response',
  currencyList: 'currencyList.response',
  win: 'win.response',
  // The spec: the same structure as the response of /win.
  promoWin: 'win.response',
  cancel: 'cancel.response',
  tournamentWin: 'tournamentWin.response',
  generateNewToken: 'generateNewToken.response',
};

/** The shape of a response, and whether it is the spec's or a recorded answer. */
export interface KnownShape {
  readonly shape: Shape;
  readonly basis: 'spec' | 'recorded';
}

/** Returns the shape of an accepted response's `data`, or of a wallet method's whole body; null if it is not known. */
export function responseShape(operation: Operation, formId: string | undefined, answers: Answers): KnownShape | null {
  const shown = formId !== undefined && formOf(operation, formId).responseOpen === true ? null : operation.response;
  if (shown !== null) return { shape: withRoundIdType(operation, shown, answers), basis: 'spec' };
  const point = responsePoints[operation.name];
  const recorded = point === undefined ? undefined : valueOf('shape', point, answers)?.shape;
  return recorded === undefined ? null : { shape: recorded, basis: 'recorded' };
}

function withRoundIdType(operation: Operation, shape: Shape, answers: Answers): Shape {
  if (operation.name !== 'getGameRound' || shape.kind !== 'array' || shape.items.kind !== 'object') return shape;
  if (answerOf('roundId.type', answers) !== 'text') return shape;
  const { roundId, ...fields } = shape.items.fields;
  if (roundId === undefined) return shape;
  return { ...shape, items: { ...shape.items, fields: { ...fields, roundId: { kind: 'string', format: 'digits' } } } };
}
