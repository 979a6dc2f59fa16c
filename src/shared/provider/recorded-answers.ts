import { readAnswerText } from './recorded-answer-text.ts';
import { shapeFieldNames } from './recorded-answer-shape.ts';
import { findOpenPoint, openPointById } from './open-points.ts';
import { serviceNames } from '../model/operations.ts';
import { operations } from './operations.ts';
import type { Read } from './recorded-answer-shape.ts';
import type { AnswerValue } from './recorded-answer-text.ts';
import type { Answers, OpenPointId, Shape, OpenPoint } from './model.ts';

/** Returns the day of a moment as a recorded answer names it: in UTC, as 2026-01-31. `moment` is in milliseconds since the epoch. */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** An environment's recorded answer to an open point. An invalid answer is kept and shown but not used. */
export type Recorded =
  | { readonly state: 'none' }
  | { readonly state: 'valid'; readonly text: string; readonly value: AnswerValue }
  | { readonly state: 'invalid'; readonly text: string; readonly message: string };

/** Fields that the spec neither requires nor makes optional, as `operation.field`, in the spec's order. */
export const unstatedFields: readonly string[] = [
  ...new Set(
    operations.flatMap(({ name, forms }) =>
      forms.flatMap(({ fields }) =>
        fields.filter(({ required }) => required === 'unstated').map((field) => `${name}.${field.name}`),
      ),
    ),
  ),
];

/** Returns the open point under which an answer with this ID is recorded, also `time.order.<operation>`; null for an unknown ID. */
export function findPoint(id: string): OpenPoint | null {
  const point = findOpenPoint(id);
  if (point !== null) return point;
  const name = serviceNames.find((candidate) => id === `time.order.${candidate}`);
  return name === undefined ? null : { ...openPointById('time.order'), operations: [name] };
}

/** Reads the text of an answer to a point. */
function readPointAnswer(point: OpenPoint, text: string): Read<AnswerValue> {
  return readAnswerText(point.answer, text.trim(), unstatedFields);
}

/** Returns why an answer cannot be recorded, or null if it can. */
export function answerProblem(id: string, text: string): string | null {
  const point = findPoint(id);
  if (point === null) return `The spec has no open point ${JSON.stringify(id)}.`;
  if (text.trim() === '') return 'The answer is empty.';
  const read = readPointAnswer(point, text);
  return read.ok ? null : read.message;
}

// An environment keeps its object until its file changes, and a run reads the same answers at each call.
const seen = new WeakMap<Answers, Map<string, Recorded>>();
const none: Recorded = { state: 'none' };

/** Returns the recorded answer to an open point. */
export function recordedAnswer(id: string, answers: Answers): Recorded {
  if (!Object.hasOwn(answers, id)) return none;
  let read = seen.get(answers);
  if (read === undefined) seen.set(answers, (read = new Map()));
  const text = answers[id]?.value ?? '';
  const known = read.get(id);
  // A draft of answers may change.
  if (known !== undefined && known.state !== 'none' && known.text === text.trim()) return known;
  const fresh = readRecorded(id, text.trim());
  read.set(id, fresh);
  return fresh;
}

function readRecorded(id: string, text: string): Recorded {
  if (text === '') return none;
  const point = findPoint(id);
  if (point === null) return { state: 'invalid', text, message: `The spec has no open point ${JSON.stringify(id)}.` };
  const read = readPointAnswer(point, text);
  return read.ok ? { state: 'valid', text, value: read.value } : { state: 'invalid', text, message: read.message };
}

/** Returns the valid answer of a kind to a point; null if there is none. */
export function valueOf<K extends AnswerValue['kind']>(
  kind: K,
  id: OpenPointId,
  answers: Answers,
): Extract<AnswerValue, { kind: K }> | null {
  const found = recordedAnswer(id, answers);
  if (found.state !== 'valid' || found.value.kind !== kind) return null;
  return found.value as Extract<AnswerValue, { kind: K }>;
}

/** Describes a valid answer, to follow "Recorded answer:". */
export function answerWords(value: AnswerValue): string {
  switch (value.kind) {
    case 'choice':
      return value.label;
    case 'values': {
      const parts = [...value.meanings].map(([name, meaning]) => (meaning === '' ? name : `${name} (${meaning})`));
      return parts.length === 0 ? 'none' : parts.join(', ');
    }
    case 'statuses':
      return [...value.statuses]
        .map(([code, status]) => `${code === '*' ? 'any other code' : `code ${code}`}: HTTP ${status}`)
        .join(', ');
    case 'shape': {
      return shapeWords(value.shape);
    }
    case 'action':
      return `action ${value.action}`;
    case 'path':
      return `path ${value.path}, ${value.signed ? 'signed' : 'plain JSON'}`;
    case 'zone':
      return value.zone;
    case 'quantity':
      return `${value.amount} ${value.unit}`;
    case 'optionalFields':
      return value.names.size === 0 ? 'none may be left out' : `${[...value.names].join(', ')} may be left out`;
  }
}

function shapeWords(shape: Shape): string {
  if (shape.kind === 'array') return `an array of ${shape.items.kind === 'object' ? 'objects, ' : ''}${shapeWords(shape.items)}`;
  if (shape.kind !== 'object')
    return 'format' in shape && shape.format !== undefined ? `${shape.kind} (${shape.format})` : shape.kind;
  const names = shapeFieldNames(shape);
  const rest = shape.rest === true ? ' and others' : '';
  return names.length === 0 ? 'no fields' : `fields ${names.join(', ')}${rest}`;
}
