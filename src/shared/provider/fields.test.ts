import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { fieldValueJson, setField } from './fields.ts';
import { operationByName } from './operations.ts';
import type { Field } from './model.ts';

const launch = operationByName('getLauncherURL');
const freeRounds = operationByName('freeRounds');
const round = operationByName('getGameRound');

function field(name: string): Field {
  const fields = [...freeRounds.forms, ...round.forms].flatMap((form) => form.fields);
  const found = fields.find((candidate) => candidate.name === name);
  if (found === undefined) throw new AppError('internal', name);
  return found;
}

function refusal(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new AppError('internal', 'Nothing was refused.');
}

describe('fieldValueJson', () => {
  it('keeps text exactly as given', () => {
    for (const text of ['', ' a ', '"quoted"', '42', 'null', 'Zoë\n\u2028', 'a/b']) {
      expect(JSON.parse(fieldValueJson(field('playerId'), text))).toBe(text);
    }
  });

  it('keeps every digit of a number', () => {
    expect(fieldValueJson(field('roundId'), '9007199254740993')).toBe('9007199254740993');
    expect(fieldValueJson(field('betLevel'), '-1')).toBe('-1');
    expect(fieldValueJson(field('amount'), '1.50')).toBe('1.50');
    expect(fieldValueJson(field('amount'), '1e3')).toBe('1e3');
  });

  it('takes a JSON list for a list', () => {
    expect(fieldValueJson(field('playerIds'), ' ["a", "b"] ')).toBe('["a", "b"]');
    expect(fieldValueJson(field('playerIds'), '[]')).toBe('[]');
  });

  it.each([
    ['betLevel', '1.0'],
    ['betLevel', ''],
    ['betLevel', 'one'],
    ['roundId', '007'],
    ['roundId', '1e5'],
    ['amount', '1,5'],
    ['amount', 'NaN'],
    ['amount', '.5'],
    ['playerIds', 'a'],
    ['playerIds', '[1]'],
    ['playerIds', '["a"'],
  ])('refuses %s=%s and names the field', (name, value) => {
    const error = refusal(() => fieldValueJson(field(name), value));
    expect(error.code).toBe('invalid_input');
    expect(error.message.startsWith(`${name} can't be "`)).toBe(true);
    expect(error.details).toEqual({ field: name });
  });
});

describe('setField', () => {
  it('changes one value and leaves every other byte alone', () => {
    const text = '{ "gameMode" : "fun",\n\t"gameId":"1042" }';
    expect(setField(launch, 'main', text, 'gameId', '7')).toBe('{ "gameMode" : "fun",\n\t"gameId":"7" }');
  });

  it('adds a field that is not there, also to nothing', () => {
    expect(JSON.parse(setField(round, 'main', '', 'roundId', '5'))).toEqual({ roundId: 5 });
    expect(JSON.parse(setField(round, 'main', '{"roundId":5}', 'logMonth', '1'))).toEqual({ roundId: 5, logMonth: 1 });
  });

  it('refuses a field that the form has not, and lists those it has', () => {
    const error = refusal(() => setField(freeRounds, 'single', '{}', 'amount', '1'));
    expect(error.code).toBe('invalid_input');
    expect(error.message).toContain('betLevel');
    expect(error.details).toEqual({ field: 'amount' });
  });

  it('refuses a text that is not an object', () => {
    expect(refusal(() => setField(round, 'main', '[1]', 'roundId', '5')).code).toBe('invalid_input');
    expect(refusal(() => setField(round, 'main', '{"roundId":', 'roundId', '5')).code).toBe('invalid_input');
  });

  it('takes any name where the spec shows no fields: JSON as JSON, else text', () => {
    const cancel = operationByName('cancelFreeRounds');
    let text = setField(cancel, 'open', '{}', 'reference', 'r-1');
    text = setField(cancel, 'open', text, 'count', '9007199254740993');
    text = setField(cancel, 'open', text, 'ids', '["a"]');
    expect(text.replace(/\s/g, '')).toBe('{"reference":"r-1","count":9007199254740993,"ids":["a"]}');
  });
});
