import { describe, expect, it } from 'vitest';
import { createGenerated } from './generated.ts';
import { createResolver } from './resolver.ts';
import { createScopes } from './scopes.ts';
import { sentValues } from './sent-values.ts';
import { substitute } from './substitute.ts';

describe('the values that were sent', () => {
  it('are read with every digit, in strings and outside of them', () => {
    const typed = '{"round": {{round}}, "amount": -{{amount}}, "a": [{"id": "bet-{{id}}/\\u00e9"}], "list": {{list}}}';
    const sent = '{ "round":9007199254740993,"amount":-0.10, "a":[{"id":"bet-\\"7\\"/é"}],"list":["p", 1.50]}';
    expect(sentValues(typed, sent)).toEqual({ round: '9007199254740993', amount: '0.10', id: '"7"', list: '["p", 1.50]' });
  });

  it('are those that were inserted', () => {
    const values = { x: 'say "é/"\n😀', y: '1e400', z: '' };
    const typed = '["{{x}}", {"a": {{y}}, "b": "<{{z}}>"}, "{{x}}"]';
    const generated = createGenerated({ environment: { timeZone: 'UTC', answers: {} }, now: 0, newId: () => 'id' });
    const filled = substitute(typed, createResolver(createScopes({ run: values }), generated), { kind: 'json', limit: 1_000 });
    expect(sentValues(typed, filled.ok ? filled.text : '')).toEqual(values);
  });

  it.each([
    ['two values of one name', '["{{x}}", "{{x}}"]', '["1", "2"]'],
    ['two in one string', '"{{x}}{{y}}"', '"12"'],
    ['a generated one', '["{{$uniqueId}}", "{{$now}}"]', '["a", "b"]'],
    ['the name of a field', '{"{{x}}": 1}', '{"a": 1}'],
    ['another text around it', '"a{{x}}"', '"b1"'],
    ['less than the text around it', '"aa{{x}}a"', '"aaa"'.replace('aaa', 'aa')],
    ['another kind of value', '{"a": "{{x}}"}', '{"a": 5}'],
    ['a field that was not sent', '{"a": "{{x}}"}', '{"b": "5"}'],
    ['a list of another length', '["{{x}}"]', '["1", "2"]'],
    ['no JSON', '{"a": "{{x}}"', '{"a": "5"}'],
  ])('are not guessed: %s', (_, typed, sent) => {
    expect(sentValues(typed, sent)).toEqual({});
  });
});
