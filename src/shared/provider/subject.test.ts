import { expect, it } from 'vitest';
import { isSecretName } from '../secrets/secret-names.ts';
import { subjectFields, subjectOf } from './subject.ts';

const written = (body: string) => subjectOf(body).map(({ field, value, more }) => [field, value, more]);

it('reads what tells a wallet call from others, in one order and every digit as sent', () => {
  const body =
    '{"externalToken":"tok-1","transactionId":"80","amount":99999.00,"currency":"EUR","gameId":"1042","playerId":"Zo\\u00eb"}';
  expect(written(body)).toEqual([
    ['playerId', 'Zoë', 0],
    ['gameId', '1042', 0],
    ['amount', '99999.00', 0],
    ['currency', 'EUR', 0],
    ['transactionId', '80', 0],
  ]);
});

it('reads data and the envelope of a service call', () => {
  expect(written('{"action":"gameList","platform":1,"time":"x","currency":"EUR","hash":"h"}')).toEqual([['currency', 'EUR', 0]]);
  expect(written('{"action":"a","data":{"roundId":9007199254740993,"logMonth":0},"hash":"h"}')).toEqual([
    ['roundId', '9007199254740993', 0],
    ['logMonth', '0', 0],
  ]);
});

it('reads the first value of a list, and how many more there are', () => {
  expect(written('{"data":{"playerIds":["a","b",3],"externalReferenceIds":[],"gameIds":["7"]}}')).toEqual([
    ['playerIds', 'a', 2],
    ['gameIds', '7', 0],
  ]);
});

it('takes no secret, by its name or by its look', () => {
  expect(subjectFields.filter(isSecretName)).toEqual([]);
  expect(written('{"token":"tok","externalToken":"tok","playerId":"Bearer abcdefghijklmnop"}')).toEqual([]);
});

it.each(['', 'no JSON', '[]', '{"data":"x"}', '{"playerId":null,"amount":{},"gameId":""}', '{"playerId":"a"'])(
  'finds nothing in %j',
  (body) => {
    expect(subjectOf(body)).toEqual([]);
  },
);

it('keeps the beginning of a long value', () => {
  const [field] = subjectOf(JSON.stringify({ playerId: `${'x'.repeat(119)}😀` }));
  expect(field?.value).toBe(`${'x'.repeat(119)}\ufffd…`);
});
