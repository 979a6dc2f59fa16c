import { expect, it } from 'vitest';
import { documentedMessage, providerCodes } from './codes.ts';

it('the codes are the four of the spec, with their messages as worded there', () => {
  expect(providerCodes.map(({ code, message }) => [code, message])).toEqual([
    [0, 'ok'],
    [8, 'hash not valid'],
    [9, 'platform not valid (partnerid or platform values are wrong'],
    [404, 'Invalid Token'],
  ]);
  expect([documentedMessage(404), documentedMessage(17)]).toEqual(['Invalid Token', '']);
});
