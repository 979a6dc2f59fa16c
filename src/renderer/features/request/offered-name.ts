import { subjectText } from '#shared/calls/subject-words.ts';
import type { OperationName } from '#shared/provider/index.ts';
import { longestSubjectBody, subjectOf } from '#shared/provider/subject.ts';

/** Most characters of a name that is offered. */
const longestOffer = 60;

/** Returns a name for the file of a request: its operation and what identifies it, in characters that every system takes. */
export function offeredName(operation: OperationName, text: string): string {
  const subject = text.length > longestSubjectBody ? [] : subjectOf(text).filter(({ field }) => offered.has(field));
  const words = `${operation} ${subjectText(subject)}`.replaceAll(/[^\p{L}\p{N}.,_+-]+/gu, ' ').slice(0, longestOffer);
  return words.toWellFormed().replace(/[ .]+$/, '');
}

/** Fields that a name is made of: an ID of one call names none. */
const offered: ReadonlySet<string> = new Set([
  'gameMode',
  'playerId',
  'gameId',
  'amount',
  'betAmount',
  'currency',
  'numberOfFreeRounds',
]);
