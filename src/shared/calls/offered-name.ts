import { fileOfRequest, pathIn } from '../collections/file-names.ts';
import type { OperationName } from '../model/operations.ts';
import { longestSubjectBody, subjectOf } from '../provider/subject.ts';
import { subjectText } from './subject-words.ts';

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

/** Returns the name, or with the first number behind it that no file of the folder has. `paths`: those of the collection. */
export function freeRequestName(paths: Iterable<string>, folder: string, name: string): string {
  const taken = new Set(Array.from(paths, (path) => path.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(pathIn(folder, fileOfRequest(free)).toLowerCase())) return free;
  }
}
