import { pointerStep } from '../json/pointer.ts';
import { notMinorUnits, tooPrecise } from './amounts.ts';
import { answerOf, meaningsOf } from './wire-form.ts';
import { shown } from './findings.ts';
import { isObject } from './response-shapes.ts';
import type { FindingList } from './findings.ts';
import type { Answers, Operation, Shape } from './model.ts';

/** Compares the values of an accepted response with the recorded answers: status, action, source, decimals of amounts, tableM. */
export function validateRecordedValues(
  list: FindingList,
  operation: Operation,
  shape: Shape,
  value: unknown,
  path: string,
  answers: Answers,
): void {
  if (operation.name === 'gameList' && isObject(value)) {
    validateMeanings(list, value['slots'], 'status', `${path}/slots`, 'gameList.status', answers);
  }
  if (operation.name === 'getGameRound') {
    validateMeanings(list, value, 'action', path, 'getGameRound.action', answers);
    validateMeanings(list, value, 'source', path, 'getGameRound.source', answers);
  }
  if (operation.name === 'roundReplayInfo' && isObject(value))
    validateTableM(list, value['replayLink'], `${path}/replayLink`, answers);
  if (answerOf('amounts.precision', answers) !== null || answerOf('amounts.unit', answers) === 'minor') {
    validateAmounts(list, shape, value, { path, group: path }, null, answers);
  }
}

function validateMeanings(
  list: FindingList,
  entries: unknown,
  field: string,
  path: string,
  id: 'gameList.status' | 'getGameRound.action' | 'getGameRound.source',
  answers: Answers,
): void {
  const meanings = meaningsOf(id, answers);
  if (meanings === null || !Array.isArray(entries)) return;
  for (const [index, entry] of entries.entries()) {
    const value: unknown = isObject(entry) ? entry[field] : undefined;
    if ((typeof value !== 'number' && typeof value !== 'string') || meanings.has(String(value))) continue;
    list.add('not-recorded', `${path}/*/${field}`, () => ({
      severity: 'warning',
      path: `${path}/${index}/${field}`,
      message: `${field} is ${shown(String(value))}, which is not among the recorded values.`,
    }));
  }
}

function validateTableM(list: FindingList, link: unknown, path: string, answers: Answers): void {
  if (typeof link !== 'string' || answerOf('replay.tableM', answers) !== 'month') return;
  const value = /[?&]tableM=([^&#]*)/.exec(link)?.[1];
  if (value === undefined || /^\d{4}_(?:0[1-9]|1[0-2])$/.test(value)) return;
  list.add('table-m', path, () => ({
    severity: 'warning',
    path,
    message: `tableM is "${shown(value)}"; according to the recorded answer, it is the month of the round, written yyyy_mm.`,
  }));
}

interface Place {
  readonly path: string;
  /** The path without positions in arrays. */
  readonly group: string;
}

function validateAmounts(
  list: FindingList,
  shape: Shape,
  value: unknown,
  at: Place,
  currency: string | null,
  answers: Answers,
): void {
  if (shape.kind === 'object' && isObject(value)) {
    const named = value['currency'] ?? value['currencyName'];
    const own = typeof named === 'string' ? named : currency;
    for (const [name, field] of Object.entries(shape.fields)) {
      const step = pointerStep(name);
      if (Object.hasOwn(value, name)) {
        validateAmounts(list, field, value[name], { path: at.path + step, group: at.group + step }, own, answers);
      }
    }
  } else if (Array.isArray(value) && (shape.kind === 'array' || (shape.kind === 'numbers' && shape.money === true))) {
    const items: Shape = shape.kind === 'array' ? shape.items : { kind: 'number', money: true };
    for (const [index, item] of value.entries()) {
      validateAmounts(list, items, item, { path: `${at.path}/${index}`, group: `${at.group}/*` }, currency, answers);
    }
  } else if (shape.kind === 'number' && shape.money === true && typeof value === 'number') {
    const problem = tooPrecise(String(value), currency, answers) ?? notMinorUnits(String(value), answers);
    if (problem === null) return;
    const name = at.group.split('/').findLast((step) => step !== '*' && step !== '') ?? 'The amount';
    list.add('amount', at.group, () => ({ severity: 'warning', path: at.path, message: `${name} ${problem}.` }));
  }
}
