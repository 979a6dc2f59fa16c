import { answerOf } from './wire-form.ts';
import { countCharacters, counted, shown } from './findings.ts';
import { fieldSpot, itemSpot, report } from './payload-findings.ts';
import type { JsonArray, JsonNode } from '../json/parse.ts';
import type { FindingList } from './findings.ts';
import type { Answers } from './model.ts';

/** Most characters that the values of playerIds or externalReferenceIds may have in one request (spec, Limits). */
export const combinedLimit = 20_000;

/** Counts as the limit does: the characters of all values, without quotes, commas and escapes. */
export function combinedLength(values: readonly string[]): number {
  let length = 0;
  for (const value of values) length += countCharacters(value);
  return length;
}

/**
 * Checks the lists that share a limit: each value unique, as many references as players, at most 20,000 characters.
 * Each list is counted alone unless an answer to `freeRounds.combinedLength` says otherwise.
 */
export function validateCombined(
  findings: FindingList,
  names: readonly string[],
  nodeOf: (name: string) => JsonNode | null,
  answers: Answers,
): void {
  const lists: { name: string; node: JsonArray; length: number }[] = [];
  for (const name of names) {
    const node = nodeOf(name);
    if (node?.kind !== 'array') continue;
    validateUnique(findings, name, node);
    const length = combinedLength(node.items.map((item) => (item.kind === 'string' ? item.value : '')));
    lists.push({ name, node, length });
  }
  validateCounts(findings, lists, answers);
  validateLimit(findings, lists, answers);
}

function validateUnique(findings: FindingList, name: string, node: JsonArray): void {
  const places = new Map<string, number>();
  for (const [index, item] of node.items.entries()) {
    if (item.kind !== 'string') continue;
    const first = places.get(item.value);
    if (first === undefined) {
      places.set(item.value, index);
      continue;
    }
    const message = `Each value of ${name} must be unique; "${shown(item.value)}" is at positions ${first} and ${index}.`;
    report(findings, 'warning', 'unique', itemSpot(name, index, item), message);
  }
}

function validateCounts(findings: FindingList, lists: readonly { name: string; node: JsonArray }[], answers: Answers): void {
  const answer = answerOf('freeRounds.references', answers);
  if (answer === 'any') return;
  const [first, second] = lists;
  if (first === undefined || second === undefined || first.node.items.length === second.node.items.length) return;
  const message =
    `${first.name} has ${counted(first.node.items.length)} values and ${second.name} has ` +
    `${counted(second.node.items.length)}: ${answer === null ? "one reference per player is customary, but the spec doesn't say so" : 'the recorded answer is one reference per player'}.`;
  report(findings, answer === null ? 'note' : 'warning', 'same-count', fieldSpot(second.name, second.node), message);
}

function validateLimit(
  findings: FindingList,
  lists: readonly { name: string; node: JsonArray; length: number }[],
  answers: Answers,
): void {
  const answer = answerOf('freeRounds.combinedLength', answers);
  const together = answer === 'together';
  const sum = lists.reduce((total, list) => total + list.length, 0);
  let over = false;
  for (const { name, node, length } of lists) {
    if (length <= combinedLimit) continue;
    over = true;
    const message =
      `The values of ${name} have ${counted(length)} characters in total; at most ${counted(combinedLimit)} are allowed. ` +
      'Split the players across several requests.';
    report(findings, 'warning', 'combined-length', fieldSpot(name, node), message);
  }
  const last = lists.at(-1);
  if (over || last === undefined || sum <= combinedLimit || answer === 'each') return;
  const names = lists.map((list) => list.name).join(' and ');
  const message = together
    ? `The values of ${names} have ${counted(sum)} characters in total; at most ${counted(combinedLimit)} are allowed. Split the players across several requests.`
    : `The values of ${names} have ${counted(sum)} characters in total. Each list alone is within ${counted(combinedLimit)}; the spec doesn't show whether the limit covers both.`;
  report(findings, together ? 'warning' : 'note', 'combined-length', fieldSpot(last.name, last.node), message);
}
