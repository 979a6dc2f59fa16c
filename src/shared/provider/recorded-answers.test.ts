import { describe, expect, it } from 'vitest';
import { allOpenPoints } from './open-points.ts';
import { answerProblem, answerWords, findPoint, recordedAnswer, unstatedFields, valueOf } from './recorded-answers.ts';
import type { OpenPointId } from './model.ts';

const recorded = (id: string, value: string) => recordedAnswer(id, { [id]: { value } });

/** For each type, texts that are taken. */
const valid: readonly (readonly [OpenPointId, string])[] = [
  ['amounts.unit', 'minor'],
  ['amounts.unit', ' whole '],
  ['codes.complete', '{"1": "Insufficient balance", "-7": ""}'],
  ['codes.complete', '{}'],
  ['gameList.status', '{"0": "off", "1": "on"}'],
  ['getGameRound.action', '{"free round": "a free round"}'],
  ['states', '{"round.open": "after the bet", "freeRound.granted": ""}'],
  ['states.transitions', '{"round.open > round.finished": "a win"}'],
  ['http.status', '{"0": 200, "*": 400}'],
  ['win.response', '{"transactionId": "string", "balance?": "amount: after the win"}'],
  ['win.response', '{"a": {"b": [{"c": "url"}]}, "...": "any"}'],
  ['currencyList.response', '["currency"]'],
  ['cancelFreeRounds.response', '"null"'],
  ['cancel.request', '{}'],
  ['generateNewToken.response', 'token'],
  ['generateNewToken.response', 'data.session'],
  ['generateNewToken.response', '{"data": {"session": "token"}}'],
  ['cancelFreeRounds.action', 'stopFreeRounds'],
  ['currencyList.action', 'listCurrencies'],
  ['currencyList.action', '/currencies signed'],
  ['currencyList.action', '/v1/currency-list.php plain'],
  ['time.zone', 'Europe/Berlin'],
  ['time.tolerance', '300 seconds'],
  ['time.tolerance', '1 minute'],
  ['rate.limits', '10 per second'],
  ['fields.required', '["freeRounds.betLevel"]'],
  ['fields.required', '[]'],
];

/** For each type, texts that are refused, with a part of the sentence that says what is expected. */
const invalid: readonly (readonly [OpenPointId, string, string])[] = [
  ['amounts.unit', 'bananas', 'whole (Whole units'],
  ['time.order', 'DMY', 'dmy (Day first'],
  ['codes.complete', '1, 2 and 3', '{"1": "meaning"'],
  ['codes.complete', '{"one": "x"}', 'whole number'],
  ['codes.complete', '{"1": 2}', 'a string in double quotes'],
  ['codes.complete', '{"1": "a", "1": "b"}', 'twice'],
  ['gameList.status', '{}', 'at least one'],
  ['states', '{"open": "x"}', 'round.open'],
  ['states.transitions', '{"round.open > game.on": ""}', 'same thing'],
  ['http.status', '{"0": 20}', '100 to 599'],
  ['http.status', '{}', 'at least one'],
  ['win.response', 'same as bet', 'not JSON'],
  ['win.response', '"string"', 'braces'],
  ['win.response', '{"balance": "money"}', 'The types are string, integer'],
  ['win.response', '{"a": "string", "a?": "string"}', 'twice'],
  ['win.response', '{"a": ["string", "number"]}', 'exactly one element'],
  ['win.response', '{"a": {"b": {"c": {"d": {"e": {"f": {"g": "string"}}}}}}}', 'too deep'],
  ['generateNewToken.response', 'the token', 'not JSON'],
  ['generateNewToken.response', '{"session": "string"}', 'type token'],
  ['generateNewToken.response', '[{"session": "token"}]', 'braces'],
  ['cancelFreeRounds.action', 'stop free rounds', 'letters and digits'],
  ['cancelFreeRounds.action', '/stop plain', 'letters and digits'],
  ['cancelFreeRounds.action', 'freeRounds', 'another operation'],
  ['currencyList.action', '/currencyList', 'signed or plain'],
  ['currencyList.action', '/a/../b plain', 'not a path'],
  ['currencyList.action', '/a?b=1 plain', 'not a path'],
  ['currencyList.action', '//other.example/x plain', 'not a path'],
  ['currencyList.action', 'https://other.example/x plain', 'not a path'],
  ['currencyList.action', '/serviceApi.php signed', 'action name'],
  ['time.zone', '+02:00', 'Europe/Berlin'],
  ['time.zone', 'Mars/Olympus', 'Europe/Berlin'],
  ['time.tolerance', '5', 'seconds, minutes'],
  ['time.tolerance', '0 seconds', 'above 0'],
  ['rate.limits', '10 a day', 'per second'],
  ['fields.required', '["gameList.currency"]', 'freeRounds.betLevel'],
  ['fields.required', 'all', 'JSON array'],
];

describe('the text of an answer', () => {
  it.each(valid)('%s takes %s', (id, text) => {
    expect(answerProblem(id, text)).toBeNull();
    const found = recorded(id, text);
    expect(found.state).toBe('valid');
    if (found.state === 'valid') expect(answerWords(found.value)).not.toBe('');
  });

  it.each(invalid)('%s refuses %s and says what is expected', (id, text, expected) => {
    expect(answerProblem(id, text)).toContain(expected);
    expect(recorded(id, text)).toMatchObject({ state: 'invalid', text });
    expect(valueOf('choice', id, { [id]: { value: text } })).toBeNull();
  });

  it('has both a text that is taken and one that is refused for each type', () => {
    const kinds = (ids: readonly OpenPointId[]) => new Set(ids.map((id) => findPoint(id)?.answer.kind));
    const all = new Set(allOpenPoints.map(({ answer }) => answer.kind));
    expect(kinds(valid.map(([id]) => id))).toEqual(all);
    expect(kinds(invalid.map(([id]) => id))).toEqual(all);
  });

  it('is never taken by a point whatever it is, where a sentence stands for it', () => {
    for (const { id } of allOpenPoints) expect(answerProblem(id, 'They said: it depends.'), id).not.toBeNull();
  });
});

it('a shape is said in words', () => {
  const words = (id: string, text: string) => {
    const found = recorded(id, text);
    return found.state === 'valid' ? answerWords(found.value) : found.state;
  };
  expect(words('currencyList.response', '["currency"]')).toBe('an array of string (currency)');
  expect(words('freeRounds.multiResponse', '[{"referenceId": "string"}]')).toBe('an array of objects, fields referenceId');
  expect(words('generateNewToken.response', 'data.session')).toBe('fields data.session and others');
  expect(words('cancel.request', '{}')).toBe('no fields');
});

describe('recordedAnswer', () => {
  it('reads own entries alone', () => {
    expect(recordedAnswer('rate.limits', Object.create({ 'rate.limits': { value: '10 per second' } }))).toEqual({
      state: 'none',
    });
    expect(recorded('rate.limits', '   ')).toEqual({ state: 'none' });
  });

  it('keeps an answer to a point that the spec does not have, and says so', () => {
    expect(recorded('no.such.point', 'x')).toMatchObject({
      state: 'invalid',
      message: 'The spec has no open point "no.such.point".',
    });
  });

  it('reads a changed text again', () => {
    const answers = { 'amounts.unit': { value: 'minor' } };
    expect(recordedAnswer('amounts.unit', answers).state).toBe('valid');
    answers['amounts.unit'] = { value: 'bananas' };
    expect(recordedAnswer('amounts.unit', answers).state).toBe('invalid');
  });
});

describe('findPoint', () => {
  it('finds the order of time of one operation, and no more', () => {
    expect(findPoint('time.order.gameList')?.operations).toEqual(['gameList']);
    expect(answerProblem('time.order.gameList', 'ymd')).toBeNull();
    expect(answerProblem('time.order.gameList', 'year first')).toContain('ymd');
    expect(findPoint('time.order.bet')).toBeNull();
    expect(findPoint('time.order.nothing')).toBeNull();
  });
});

it('the fields whose need is open are of operations that the point names', () => {
  const names = new Set(unstatedFields.map((field) => field.split('.')[0]));
  expect(names).toEqual(new Set(findPoint('fields.required')?.operations));
});
