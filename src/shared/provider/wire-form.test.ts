import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { actionPointOf, actionOf, answerOf, fieldNotes, serializationOf, timeOrderOf } from './wire-form.ts';
import { formOf, operationByName, operations } from './operations.ts';

const answer = (id: string, value: string) => ({ [id]: { value } });

describe('actionOf', () => {
  it("is the spec's where the spec shows it", () => {
    expect(actionOf(operationByName('gameList'), {})).toBe('gameList');
    expect(actionOf(operationByName('gameList'), answer('gameList.action', 'other'))).toBe('gameList');
  });

  it('is the recorded one for the two operations without a name, and null until then', () => {
    const cancel = operationByName('cancelFreeRounds');
    const list = operationByName('currencyList');
    expect(actionOf(cancel, {})).toBeNull();
    expect(actionOf(cancel, answer('cancelFreeRounds.action', ' revokeFreeRounds '))).toBe('revokeFreeRounds');
    expect(actionOf(cancel, answer('cancelFreeRounds.action', '  '))).toBeNull();
    expect(actionOf(cancel, answer('currencyList.action', 'currencies'))).toBeNull();
    expect(actionOf(list, answer('currencyList.action', 'currencies'))).toBe('currencies');
  });

  it("never comes from another operation's open point", () => {
    const open = operations.flatMap((operation) => actionPointOf(operation) ?? []);
    expect(open).toEqual(['cancelFreeRounds.action', 'currencyList.action']);
    expect(new Set(open).size).toBe(
      operations.filter(({ endpoint, action }) => endpoint === 'service' && action === null).length,
    );
    for (const operation of operations) {
      const point = actionPointOf(operation);
      const others = Object.fromEntries(open.filter((id) => id !== point).map((id) => [id, { value: 'another' }]));
      expect(actionOf(operation, others), operation.name).toBe(operation.action);
    }
  });

  it('does not take a path for a name', () => {
    expect(actionOf(operationByName('currencyList'), answer('currencyList.action', '/currencyList'))).toBeNull();
  });

  it('is null for every wallet method', () => {
    for (const operation of operations.filter((candidate) => candidate.endpoint === 'wallet')) {
      expect(actionOf(operation, {})).toBeNull();
    }
  });
});

describe('timeOrderOf', () => {
  const replay = operationByName('roundReplayInfo');
  const games = operationByName('gameList');

  it('is day first until an answer is recorded', () => {
    for (const operation of operations) expect(timeOrderOf(operation, {})).toBe('dmy');
  });

  it('follows the answer for all, and the one for an operation before that', () => {
    expect(timeOrderOf(replay, answer('time.order', 'ymd'))).toBe('ymd');
    expect(timeOrderOf(games, answer('time.order.roundReplayInfo', 'ymd'))).toBe('dmy');
    expect(timeOrderOf(replay, answer('time.order.roundReplayInfo', 'ymd'))).toBe('ymd');
    expect(timeOrderOf(replay, { ...answer('time.order', 'ymd'), ...answer('time.order.roundReplayInfo', 'dmy') })).toBe('dmy');
    expect(timeOrderOf(games, answer('time.order.gameList', 'ymd'))).toBe('ymd');
  });

  it('ignores an answer that is none of the two', () => {
    expect(timeOrderOf(games, answer('time.order', 'year first'))).toBe('dmy');
  });
});

describe('serializationOf', () => {
  it("is the environment's until an answer is recorded", () => {
    for (const serialization of ['php', 'php-unicode', 'verbatim'] as const) {
      expect(serializationOf({ serialization, answers: {} })).toBe(serialization);
    }
  });

  it('is the recorded one of the two PHP forms', () => {
    expect(serializationOf({ serialization: 'php', answers: answer('hash.nonAscii', 'php-unicode') })).toBe('php-unicode');
    expect(serializationOf({ serialization: 'php-unicode', answers: answer('hash.nonAscii', 'php') })).toBe('php');
  });

  it('stays verbatim, and stays what it is where the text is hashed as received', () => {
    expect(serializationOf({ serialization: 'verbatim', answers: answer('hash.nonAscii', 'php') })).toBe('verbatim');
    expect(serializationOf({ serialization: 'php', answers: answer('hash.nonAscii', 'received') })).toBe('php');
    expect(serializationOf({ serialization: 'php-unicode', answers: answer('hash.nonAscii', 'nonsense') })).toBe('php-unicode');
  });
});

describe('answerOf', () => {
  it('reads own entries alone, and choices alone where there are choices', () => {
    expect(answerOf('amounts.unit', answer('amounts.unit', 'minor'))).toBe('minor');
    expect(answerOf('amounts.unit', answer('amounts.unit', 'cents'))).toBeNull();
    expect(answerOf('rate.limits', answer('rate.limits', '10 per second'))).toBe('10 per second');
    expect(answerOf('rate.limits', Object.create(answer('rate.limits', 'inherited')))).toBeNull();
  });
});

describe('fieldNotes', () => {
  const freeRounds = operationByName('freeRounds');
  const field = (formId: string, name: string) => {
    const found = formOf(freeRounds, formId).fields.find((candidate) => candidate.name === name);
    if (found === undefined) throw new AppError('internal', name);
    return found;
  };

  it('adds what was recorded of the unit and of the meaning', () => {
    const amount = field('multiAmount', 'amount');
    expect(fieldNotes(freeRounds, amount, {})).toBe(amount.notes);
    const recorded = { ...answer('amounts.unit', 'minor'), ...answer('freeRounds.amount', 'betPerRound') };
    expect(fieldNotes(freeRounds, amount, recorded)).toBe(
      `${amount.notes} Recorded answer: in minor units of the currency. Recorded answer: the bet of each free round.`,
    );
    expect(fieldNotes(freeRounds, field('multi', 'betLevel'), answer('freeRounds.betLevel', '1'))).toContain(
      'the first bet is 1',
    );
    expect(fieldNotes(freeRounds, field('multi', 'gameIds'), recorded)).toBe(field('multi', 'gameIds').notes);
  });
});
