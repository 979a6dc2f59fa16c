import { describe, expect, it } from 'vitest';
import { Environment } from '../model/environment.ts';
import { prepareRequest } from '../request/envelope.ts';
import { validatePayload } from './validate-payload.ts';
import { operationByName } from './operations.ts';
import { mostPayloadCharacters, mostPayloadValues, payloadExcess } from './payload-limits.ts';

const environment = Environment.parse({ id: 'e', name: 'e', baseUrl: 'https://a.example', platform: 1, partnerId: 2 });
const data = (length: number) => `"${'a,[{'.repeat(length / 4)}`.slice(0, length - 1) + '"';
const list = (values: number) => `[${'1,'.repeat(values - 2)}1]`;

function prepared(text: string, operation: 'bet' | 'getGameRound') {
  return prepareRequest({ environmentId: 'e', operation, form: '', text, overrides: {} }, environment, 0);
}

describe('a payload', () => {
  it('is sent up to its limits, whatever its strings hold', () => {
    for (const text of [data(mostPayloadCharacters), list(mostPayloadValues), `["\\\\",${list(mostPayloadValues - 2)}]`]) {
      expect(payloadExcess(text)).toBeNull();
      expect(prepared(text, 'bet').ok).toBe(true);
      expect(prepared(text, 'getGameRound').ok).toBe(true);
    }
  });

  it.each([
    [
      'characters',
      data(mostPayloadCharacters + 1),
      /^The payload has 1,000,001 characters; Croupier sends at most 1,000,000\. Shorten it\.$/,
    ],
    ['values', list(mostPayloadValues + 1), /^The payload has more than 20,000 values, counted by commas and brackets;/],
    ['brackets', '['.repeat(900_000), /^The payload has more than 20,000 values/],
  ])('with more %s is not read, not signed and not sent', (_, text, words) => {
    for (const operation of ['bet', 'getGameRound'] as const) {
      const result = prepared(text, operation);
      expect(result.ok ? '' : result.error.message).toMatch(words);
      const findings = validatePayload(operationByName(operation), '', text, null);
      expect(findings.map(({ severity, message }) => [severity, words.test(message)])).toEqual([['error', true]]);
    }
  });
});
