import { gapById } from './gaps.ts';
import type { Serialization } from '../ipc/environments.ts';
import type { TimeOrder } from '../signing/time.ts';
import type { Answers, Field, GapId, Operation } from './model.ts';

/** The recorded answer to a gap; null where there is none, or none of the gap's choices. */
export function answerOf(id: GapId, answers: Answers): string | null {
  const value = recorded(id, answers);
  if (value === null) return null;
  const { answer } = gapById(id);
  if (answer.kind !== 'choice') return value;
  return answer.options.some((option) => option.value === value) ? value : null;
}

function recorded(id: string, answers: Answers): string | null {
  const value = Object.hasOwn(answers, id) ? answers[id]?.value.trim() : undefined;
  return value === undefined || value === '' ? null : value;
}

/**
 * The `action` of a service operation: the spec's, or the recorded answer to its own open point where the spec shows none.
 * Null for wallet methods, where nothing is recorded, and where the answer is a path instead of a name.
 */
export function actionOf(operation: Operation, answers: Answers): string | null {
  if (operation.endpoint === 'wallet') return null;
  if (operation.action !== null) return operation.action;
  const value = answerOf(operation.actionGap, answers);
  return value === null || value.includes('/') ? null : value;
}

/** Returns the open point that holds the operation's action; null where the spec shows the action or there is none. */
export function actionGapOf(operation: Operation): GapId | null {
  return operation.endpoint === 'service' && operation.action === null ? operation.actionGap : null;
}

/** The order of `time`: the answer for this operation (`time.order.<name>`), else the one for all (`time.order`), else day first. */
export function timeOrderOf(operation: Operation, answers: Answers): TimeOrder {
  for (const id of [`time.order.${operation.name}`, 'time.order']) {
    const value = recorded(id, answers);
    if (value === 'dmy' || value === 'ymd') return value;
  }
  return 'dmy';
}

/**
 * How `data` is written for an environment. A recorded answer to `hash.nonAscii` decides between `php` and `php-unicode`;
 * `verbatim` is a choice of its own and stays, and with the answer "as received" every form is right, so the setting stays.
 */
export function serializationOf(environment: {
  readonly serialization: Serialization;
  readonly answers: Answers;
}): Serialization {
  if (environment.serialization === 'verbatim') return 'verbatim';
  const answer = answerOf('hash.nonAscii', environment.answers);
  return answer === 'php' || answer === 'php-unicode' ? answer : environment.serialization;
}

/** The field's notes, completed by what was recorded about its unit and its meaning. */
export function fieldNotes(operation: Operation, field: Field, answers: Answers): string {
  const notes = [field.notes];
  if (field.money === true) {
    const unit = answerOf('amounts.unit', answers);
    if (unit === 'whole') notes.push('Recorded answer: in whole units of the currency.');
    if (unit === 'minor') notes.push('Recorded answer: in minor units of the currency.');
  }
  if (operation.name === 'freeRounds' && field.name === 'amount') addChoice(notes, 'freeRounds.amount', answers);
  if (operation.name === 'freeRounds' && field.name === 'betLevel') addChoice(notes, 'freeRounds.betLevel', answers);
  return notes.join(' ');
}

function addChoice(notes: string[], id: GapId, answers: Answers): void {
  const value = answerOf(id, answers);
  const { answer } = gapById(id);
  if (value === null || answer.kind !== 'choice') return;
  const label = answer.options.find((option) => option.value === value)?.label;
  if (label !== undefined) notes.push(`Recorded answer: ${label.charAt(0).toLowerCase()}${label.slice(1)}.`);
}
