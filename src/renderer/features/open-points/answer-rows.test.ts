import { describe, expect, it } from 'vitest';
import { answerProblem } from '#shared/provider/index.ts';
import { fieldRows, fieldText, valueRows, valueText } from './answer-rows.ts';

describe('rows of values', () => {
  it.each([['{"0": "off", "10": "on", "2": ""}'], ['{"free round": "a \\"free\\" round"}'], ['{"0": 200, "*": 400}']])(
    '%s comes back as it was, in its order',
    (text) => {
      const rows = valueRows(text) ?? [];
      expect(valueText(rows, text.includes('*') ? 'number' : 'text')).toBe(text);
    },
  );

  it('of an empty text are none, and rows with nothing in them write nothing', () => {
    expect(valueRows('')).toEqual([]);
    expect(valueText([{ name: ' ', meaning: '' }], 'text')).toBe('');
  });

  it('of a text that is none of a table are null', () => {
    for (const text of ['off and on', '[1]', '{"a": {"b": 1}}']) expect(valueRows(text)).toBeNull();
  });

  it('that are unfinished write a text that is refused, with the reason', () => {
    const text = valueText([{ name: '', meaning: 'on' }], 'text');
    expect(answerProblem('gameList.status', text)).toContain('whole number');
    expect(answerProblem('http.status', valueText([{ name: '0', meaning: 'two' }], 'number'))).toContain('100 to 599');
  });
});

describe('rows of fields', () => {
  it.each([
    ['{"transactionId": "string", "balance?": "amount: after the win"}'],
    ['{"data": {"session": "token", "player": {"id": "string"}}, "code": "integer"}'],
    ['[{"playerId": "string", "referenceId?": "string"}]'],
    ['["currency"]'],
    ['{"rounds": [{"id": "integer"}], "names": ["string"], "grid": [["number"]]}'],
    ['{"id": "string", "...": "any"}'],
  ])('%s comes back as it was', (text) => {
    const read = fieldRows(text);
    expect(read).not.toBeNull();
    if (read !== null) expect(fieldText(read)).toBe(text);
  });

  it('of the name of a token alone say that there may be further fields', () => {
    expect(fieldRows('data.session')).toEqual({
      rows: [{ name: 'data.session', type: 'token', optional: false, meaning: '' }],
      rest: true,
    });
  });

  it('are null where a table cannot hold the shape', () => {
    for (const text of ['like /bet', '{"a?": {"b": "string"}}', '{"a.b": "string"}', '"null"', '{"a": {}}', '{"a": [1, 2]}']) {
      expect(fieldRows(text), text).toBeNull();
    }
  });

  it('that contradict each other write a text that is refused, with the reason', () => {
    const row = (name: string) => ({ name, type: 'string', optional: false, meaning: '' });
    const twice = fieldText({ rows: [row('a'), row('a.b')], rest: false });
    expect(answerProblem('win.response', twice)).toContain('a occurs twice');
    expect(answerProblem('win.response', fieldText({ rows: [row('')], rest: false }))).toBe('The answer is empty.');
    const unnamed = fieldText({ rows: [{ ...row(''), meaning: 'x' }], rest: false });
    expect(answerProblem('win.response', unnamed)).toContain('1 to 100 characters');
  });
});
