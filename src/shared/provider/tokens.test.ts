import { expect, it } from 'vitest';
import { launchParameters } from './operations-launch.ts';
import { operations } from './operations.ts';
import type { Shape } from './model.ts';
import { isTokenName, maskUrlTokens, urlTokens } from './tokens.ts';

it('masks whatever parameter speaks of a token', () => {
  expect(maskUrlTokens('https://a.example/?x=1&externalToken=abc%20d&y=2#t')).toBe(
    'https://a.example/?x=1&externalToken=[token]&y=2#t',
  );
  expect(maskUrlTokens('see https://a.example/?replayToken=abc and ?TOKEN=x')).toBe(
    'see https://a.example/?replayToken=[token] and ?TOKEN=[token]',
  );
  // An address in the query of another one.
  expect(maskUrlTokens('https://a.example/?to=https://b.example/?token=abc&x=?token=d')).toBe(
    'https://a.example/?to=https://b.example/?token=[token]&x=?token=[token]',
  );
  // As a page reads it that keeps its parameters in the fragment, and as a browser reads a name.
  expect(maskUrlTokens('https://a.example/#externalToken=abc&x=1')).toBe('https://a.example/#externalToken=[token]&x=1');
  expect(maskUrlTokens('https://a.example/?x=1&external%54oken=abc')).toBe('https://a.example/?x=1&external%54oken=[token]');
  expect(maskUrlTokens('https://a.example/token/abc?lang=en')).toBe('https://a.example/token/abc?lang=en');
});

it('looks at a long text once', () => {
  // With as many beginnings as characters, each looked at to the end, this would take minutes.
  const long = '?token'.repeat(100_000);
  expect(maskUrlTokens(long)).toBe(long);
  expect(urlTokens(`${long}=x`).map(({ value }) => value)).toEqual(['x', 'x']);
});

it('the tokens of an address are known as they stand there and decoded', () => {
  expect(urlTokens('https://a.example/?externalToken=abc%2Bd+e&y=2&replayToken=%zz&token=').map(({ value }) => value)).toEqual([
    'abc%2Bd+e',
    'abc+d e',
    '%zz',
  ]);
  expect(urlTokens('https://a.example/?lang=en')).toEqual([]);
});

it('every described field, parameter and member that holds a token is known by its name, and no other', () => {
  const names = new Set([
    ...operations.flatMap(({ forms }) => forms.flatMap(({ fields }) => fields.map(({ name }) => name))),
    ...operations.flatMap(({ response }) => (response === null ? [] : namesIn(response))),
    ...launchParameters.map(({ name }) => name),
  ]);
  expect([...names].filter((name) => isTokenName(name)).sort()).toEqual(['externalToken', 'replayToken', 'token']);
  expect(names.size).toBeGreaterThan(30);
});

it('a name of the provider’s own is known once it was recorded', () => {
  const answers = { 'generateNewToken.response': { value: 'data.session' } };
  expect(isTokenName('session')).toBe(false);
  expect(isTokenName('session', answers)).toBe(true);
  expect(isTokenName('data', answers)).toBe(false);
  expect(isTokenName('newToken', answers)).toBe(true);
});

function namesIn(shape: Shape): string[] {
  if (shape.kind === 'object') return Object.entries(shape.fields).flatMap(([name, field]) => [name, ...namesIn(field)]);
  if (shape.kind === 'array') return namesIn(shape.items);
  return 'query' in shape ? [...(shape.query ?? [])] : [];
}

it('says of a password and its like that they are secrets, and of tokens that they are tokens', () => {
  expect(maskUrlTokens('https://a.example/?password=a&externalToken=b#apiKey=c&bearerToken=d')).toBe(
    'https://a.example/?password=[secret]&externalToken=[token]#apiKey=[secret]&bearerToken=[token]',
  );
});
