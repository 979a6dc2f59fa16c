import { describe, expect, it } from 'vitest';
import { formOf, operationByName } from '#shared/provider/index.ts';
import { itemsOf, numberJson, readForm, stringsJson } from './form-model.ts';

const rounds = formOf(operationByName('getGameRound'), '').fields;
const many = formOf(operationByName('freeRounds'), 'multi').fields;

describe('readForm', () => {
  it('keeps numbers as they were typed and names what is not in the spec', () => {
    const model = readForm('{"roundId": 9007199254740993, "extra": [1,  2]}', rounds);
    expect(model.kind).toBe('fields');
    if (model.kind !== 'fields') return;
    expect(model.values.get('roundId')).toEqual({ kind: 'number', json: '9007199254740993' });
    expect(model.values.get('logMonth')).toEqual({ kind: 'absent' });
    expect(model.unknown).toEqual([{ name: 'extra', json: '[1,  2]' }]);
  });

  it('reads a value of another type as it stands', () => {
    const model = readForm('{"roundId": "12", "logMonth": null}', rounds);
    if (model.kind !== 'fields') throw new Error(model.kind);
    expect(model.values.get('roundId')).toEqual({ kind: 'other', json: '"12"', what: 'a string' });
    expect(model.values.get('logMonth')).toEqual({ kind: 'other', json: 'null', what: 'null' });
  });

  it('lists strings, and leaves a list that a line each cannot show to the editor', () => {
    const model = readForm('{"playerIds": ["a", "Zo\\u00eb"], "gameIds": ["a\\nb"], "externalReferenceIds": [1]}', many);
    if (model.kind !== 'fields') throw new Error(model.kind);
    expect(model.values.get('playerIds')).toMatchObject({ kind: 'strings', items: ['a', 'Zoë'] });
    expect(model.values.get('gameIds')?.kind).toBe('other');
    expect(model.values.get('externalReferenceIds')?.kind).toBe('other');
  });

  it('takes the last of two members of one name', () => {
    const model = readForm('{"roundId": 1, "roundId": 2}', rounds);
    if (model.kind !== 'fields') throw new Error(model.kind);
    expect(model.values.get('roundId')).toEqual({ kind: 'number', json: '2' });
  });

  it('says what else a text is', () => {
    expect(readForm('  \n', rounds)).toEqual({ kind: 'empty' });
    expect(readForm('[1]', rounds)).toEqual({ kind: 'notObject', what: 'a list' });
    expect(readForm('['.repeat(900_000), rounds)).toMatchObject({
      kind: 'tooLarge',
      message: expect.stringMatching(/^The payload has more than 20,000 values/) as string,
    });
    expect(readForm('{\n  "roundId": ,\n}', rounds)).toMatchObject({ kind: 'notJson', line: 2, column: 14 });
  });
});

describe('what is typed', () => {
  it('becomes a number only where it is one, with every digit', () => {
    expect(numberJson(' 9007199254740993 ')).toBe('9007199254740993');
    expect(numberJson('1.50')).toBe('1.50');
    expect(numberJson('-0.0e+5')).toBe('-0.0e+5');
    for (const wrong of ['', '-', '1.', '.5', '01', '1,5', '0x1', 'NaN', '1 2']) expect(numberJson(wrong)).toBeNull();
  });

  it('becomes a list from lines, or from commas in one line', () => {
    expect(itemsOf('a\r\n b \n\nc')).toEqual(['a', 'b', 'c']);
    expect(itemsOf('a, b;c\td')).toEqual(['a', 'b', 'c', 'd']);
    expect(itemsOf('a, b\nc')).toEqual(['a, b', 'c']);
  });

  it('is written on one line while it is short', () => {
    expect(stringsJson(['a', 'b"'])).toBe('["a", "b\\""]');
    expect(JSON.parse(stringsJson(Array.from({ length: 30 }, (_, at) => `player-${at}`)))).toHaveLength(30);
    expect(stringsJson(Array.from({ length: 30 }, (_, at) => `player-${at}`)).split('\n')).toHaveLength(32);
  });
});
