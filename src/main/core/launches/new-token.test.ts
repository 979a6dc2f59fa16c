import { expect, it } from 'vitest';
import { parseJson } from '#shared/json/parse.ts';
import { readNewToken } from './new-token.ts';
import type { Call } from '#shared/ipc/index.ts';

const accepted = { code: 0, failure: null, findings: [] as Call['findings'] } as Call;

function read(value: string | null, body = '{"token":"decoy","data":{"session":"new"}}') {
  const parsed = parseJson(body);
  const answers = value === null ? {} : { 'generateNewToken.response': { value, note: '' } };
  return readNewToken(accepted, parsed.ok ? parsed.root : null, { kind: 'provider', answers });
}

it('takes the token from the recorded field, by its name alone or among all fields', () => {
  expect(read('data.session')).toMatchObject({ token: 'new', message: null });
  expect(read('{"token": "string", "data": {"session": "token"}}')).toMatchObject({ token: 'new', message: null });
  expect(read('data.other')).toMatchObject({ token: null, message: 'The response has no text in data.other.' });
});

it('guesses no field, and does not use an answer that is not valid', () => {
  expect(read(null)).toMatchObject({ token: null, fields: ['token', 'data.session'] });
  const invalid = read('They said it is a secret.');
  expect(invalid.token).toBeNull();
  expect(invalid.message).toMatch(/invalid and isn't used\. This is not JSON/);
});
