import { allOpenPoints } from './open-points.ts';
import { answerWords, recordedAnswer, valueOf } from './recorded-answers.ts';
import type { Serialization } from '../model/environment.ts';
import type { TimeOrder } from '../signing/time.ts';
import type { Answers, Field, OpenPointId, Operation } from './model.ts';

/** Returns the recorded answer to an open point as text; null if there is none or it is not valid. */
export function answerOf(id: OpenPointId, answers: Answers): string | null {
  const found = recordedAnswer(id, answers);
  return found.state === 'valid' ? found.text : null;
}

/**
 * Returns the `action` of a service operation: the spec's, or the recorded answer to its open point if the spec shows none.
 * Null for wallet methods, if no valid answer is recorded, and if the answer is a path instead of a name.
 */
export function actionOf(operation: Operation, answers: Answers): string | null {
  if (operation.endpoint === 'wallet') return null;
  if (operation.action !== null) return operation.action;
  return valueOf('action', operation.actionPoint, answers)?.action ?? null;
}

/** Returns the open point that holds the operation's action; null if the spec shows the action or there is none. */
export function actionPointOf(operation: Operation): OpenPointId | null {
  return operation.endpoint === 'service' && operation.action === null ? operation.actionPoint : null;
}

/** The route of an operation's requests: the path below the URL, the action of the envelope, and whether it is signed. */
export interface Route {
  readonly path: string;
  readonly action: string | null;
  readonly signed: boolean;
}

/** Returns the operation's route, completed by the recorded answers; null while its action or path is not known. */
export function routeOf(operation: Operation, answers: Answers): Route | null {
  if (operation.endpoint === 'wallet') return { path: operation.path, action: null, signed: false };
  const action = actionOf(operation, answers);
  if (action !== null) return { path: operation.path, action, signed: true };
  const point = actionPointOf(operation);
  const own = point === null ? null : valueOf('path', point, answers);
  return own === null ? null : { path: own.path, action: null, signed: own.signed };
}

/** Returns the order of `time`: the answer for this operation (`time.order.<name>`), otherwise the one for all (`time.order`), otherwise day first. */
export function timeOrderOf(operation: Operation, answers: Answers): TimeOrder {
  for (const id of [`time.order.${operation.name}`, 'time.order']) {
    const found = recordedAnswer(id, answers);
    if (found.state === 'valid' && (found.text === 'dmy' || found.text === 'ymd')) return found.text;
  }
  return 'dmy';
}

/**
 * Returns the serialization of `data` in an environment. A recorded answer to `hash.nonAscii` decides between `php` and `php-unicode`.
 * `verbatim` stays, and with the answer "as received" every form is right, so the setting stays too.
 */
export function serializationOf(environment: {
  readonly serialization: Serialization;
  readonly answers: Answers;
}): Serialization {
  if (environment.serialization === 'verbatim') return 'verbatim';
  const answer = answerOf('hash.nonAscii', environment.answers);
  return answer === 'php' || answer === 'php-unicode' ? answer : environment.serialization;
}

/** Returns the recorded values of an open point with the meaning of each; null if none are recorded. */
export function meaningsOf(
  id: 'codes.complete' | 'gameList.status' | 'getGameRound.action' | 'getGameRound.source',
  answers: Answers,
): ReadonlyMap<string, string> | null {
  return valueOf('values', id, answers)?.meanings ?? null;
}

/** Returns the recorded codes beside those of the spec, with the meaning of each; null if none are recorded. */
export function codesOf(answers: Answers): ReadonlyMap<number, string> | null {
  const meanings = meaningsOf('codes.complete', answers);
  return meanings === null ? null : new Map([...meanings].map(([code, meaning]) => [Number(code), meaning]));
}

/** Returns the field's notes, with the recorded unit and meaning. */
export function fieldNotes(operation: Operation, field: Field, answers: Answers): string {
  const notes = [field.notes];
  if (field.money === true) {
    const unit = answerOf('amounts.unit', answers);
    if (unit === 'whole') notes.push('Recorded answer: in whole units of the currency.');
    if (unit === 'minor') notes.push('Recorded answer: in minor units of the currency.');
  }
  notes.push(...shownNotes(operation, field.name, answers));
  return notes.filter((note) => note !== '').join(' ');
}

/** Returns the recorded answers about an operation as a whole, one sentence each, with the title of the open point. */
export function operationNotes(operation: Operation, answers: Answers): string[] {
  return shownNotes(operation, undefined, answers);
}

function shownNotes(operation: Operation, field: string | undefined, answers: Answers): string[] {
  return allOpenPoints.flatMap(({ id, title, operations, shownAt = [] }) => {
    const here = shownAt.some((at) => at.field === field && (at.operations ?? operations).includes(operation.name));
    const found = here ? recordedAnswer(id, answers) : null;
    if (found?.state !== 'valid') return [];
    const words = inSentence(answerWords(found.value));
    if (field === undefined) return [`${title}: ${words}.`];
    // The label of a choice is a sentence; a number, a zone or a name needs the title of its open point.
    return [found.value.kind === 'choice' ? `Recorded answer: ${words}.` : `Recorded answer, ${inSentence(title)}: ${words}.`];
  });
}

/** Lowercases the capital that begins a sentence; `ISO` and `HTTP` stay. */
function inSentence(words: string): string {
  return /^[A-Z](?:[a-z]| )/.test(words) ? `${words.charAt(0).toLowerCase()}${words.slice(1)}` : words;
}
