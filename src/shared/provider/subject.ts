import { parseJson, type JsonNode } from '../json/parse.ts';
import { secretPart } from '../secrets/secret-names.ts';

/** A field of a request that tells the call from others. A list of values has its first one here, and the number of the others. */
export interface SubjectField {
  readonly field: string;
  /** As sent: every digit of a number, a text without its quotes and escapes. */
  readonly value: string;
  readonly more: number;
}

/**
 * The fields that tell requests apart, in the order in which a person reads them (Endpoints 1 to 6, 10 to 15). None of them is a token
 * or another secret. They are found by name in any operation, since the spec does not show the request of some.
 */
export const subjectFields = [
  'gameMode',
  'playerId',
  'playerIds',
  'gameId',
  'gameIds',
  'newGameId',
  'amount',
  'betAmount',
  'currency',
  'numberOfFreeRounds',
  'betLevel',
  'roundId',
  'logMonth',
  'transactionId',
  'externalReferenceId',
  'externalReferenceIds',
] as const;

/** Number of bytes of a body up to which it is read for its subject: three times the longest grant (Endpoints 5). */
export const longestSubjectBody = 65_536;

/** Number of characters of a value that is kept; the longest documented ID has 100. */
const longestValue = 120;

/** Place of each field in the order. */
const places: ReadonlyMap<string, number> = new Map(subjectFields.map((field, place) => [field, place]));

/** Returns the fields of a request's body that tell it from others, from its `data` and its top level; none if it is not JSON. */
export function subjectOf(body: string): SubjectField[] {
  const parsed = parseJson(body);
  if (!parsed.ok || parsed.root.kind !== 'object') return [];
  const found: SubjectField[] = [];
  for (const { key, value } of parsed.root.members) {
    if (key === 'data' && value.kind === 'object') for (const inner of value.members) keep(found, inner.key, inner.value);
    else keep(found, key, value);
  }
  // Those that are not there leave holes.
  return found.filter(() => true);
}

function keep(found: SubjectField[], field: string, node: JsonNode): void {
  const place = places.get(field);
  if (place === undefined) return;
  const values = node.kind === 'array' ? node.items.flatMap(textOf) : textOf(node);
  const [first] = values;
  if (first === undefined || secretPart(field, first) !== null) return;
  const value = first.length <= longestValue ? first : `${first.slice(0, longestValue).toWellFormed()}…`;
  found[place] = { field, value, more: values.length - 1 };
}

function textOf(node: JsonNode): string[] {
  if (node.kind === 'number') return [node.text];
  return node.kind === 'string' && node.value !== '' ? [node.value] : [];
}
