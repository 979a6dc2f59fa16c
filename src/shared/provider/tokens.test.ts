import { expect, it } from 'vitest';
import { launchParameters } from './operations-launch.ts';
import { operations } from './operations.ts';
import type { Shape } from './model.ts';
import { isTokenName, marksIn, maskedText, maskUrlTokens, tokenPlaces, urlTokens } from './tokens.ts';

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

it.each([
  [
    'https://a.example/?url=https%3A%2F%2Fgame%2F%3Ftoken%3Dabc%26lang%3Den&x=1',
    'https://a.example/?url=https%3A%2F%2Fgame%2F%3Ftoken%3D[token]%26lang%3Den&x=1',
  ],
  // An address in an address in an address.
  [
    `see ?to=${encodeURIComponent(`https://b.example/?to=${encodeURIComponent('https://c.example/#password=a c')}&y=1`)}&z=2`,
    'see ?to=https%3A%2F%2Fb.example%2F%3Fto%3Dhttps%253A%252F%252Fc.example%252F%2523password%253D[secret]%26y%3D1&z=2',
  ],
  // In a path, with its name encoded, and with an equals sign that is not.
  ['https://a.example/go/https%3a%2f%2fg%2f%3f%74oken%3da%20bc', 'https://a.example/go/https%3a%2f%2fg%2f%3f%74oken%3d[token]'],
  ['https://a.example/?u=https%3A%2F%2Fg%2F%3Ftoken=abc&x=%zz', 'https://a.example/?u=https%3A%2F%2Fg%2F%3Ftoken=[token]&x=%zz'],
  // A value that is encoded itself is masked as a whole.
  ['?externalToken=a%26b%2526c&x=1', '?externalToken=[token]&x=1'],
  ['?u=%3Ftoken%3D%C3%A9%2520%26x', '?u=%3Ftoken%3D[token]%26x'],
  ['100% of 50%25, x=%3D', '100% of 50%25, x=%3D'],
])('masks a token in an encoded address inside of another one: %s', (url, masked) => {
  expect(maskUrlTokens(url)).toBe(masked);
});

it('knows the token of an encoded address in every form that it stands in', () => {
  const inner = `https://b.example/?to=${encodeURIComponent('https://c.example/?token=a/b')}`;
  const known = urlTokens(`?to=${encodeURIComponent(inner)}`).map(({ value }) => value);
  expect(known).toEqual(['a%25252Fb', 'a%252Fb', 'a%2Fb', 'a/b'].slice(-known.length));
  expect(known).toContain('a/b');
});

it('looks at a long text once', () => {
  // With as many beginnings as characters, each looked at to the end, this would take minutes.
  const long = '?token'.repeat(100_000);
  expect(maskUrlTokens(long)).toBe(long);
  expect(urlTokens(`${long}=x`).map(({ value }) => value)).toEqual(['x', 'x']);
  const encoded = '%3Ftoken%2526'.repeat(100_000);
  expect(maskUrlTokens(encoded) === encoded).toBe(true);
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
  const answers = { 'generateNewToken.response': { value: 'data.pass' } };
  expect(isTokenName('pass')).toBe(false);
  expect(isTokenName('pass', answers)).toBe(true);
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

it.each([
  ['{"externalToken":"TOK-1-abc","a":1}', 'TOK-1-abc'],
  ['<PRIVATE_KEY>20-11-2026 10:15:30{"externalToken":"TOK-1-abc"}', 'TOK-1-abc'],
  [String.raw`{"data":"{\"token\":\"TOK-1-abc\",\"x\":\"y\"}"}`, 'TOK-1-abc'],
  ['{"sessionToken": "TOK-1-a', 'TOK-1-a'],
  ['{"token": 12345678}', '12345678'],
  ["{token: 'TOK-1-abc'}", 'TOK-1-abc'],
  ['https://a.example/?token=TOK-1-abc&x=1', 'TOK-1-abc'],
  ['name: x\nexternalToken: TOK-1-abc\n', 'TOK-1-abc'],
  ['X-Player-Session: TOK-1-abc', 'TOK-1-abc'],
  ['a message about known-1 alone', 'known-1'],
  ['session token: pool, line 3 of players.csv', null],
  ['{"token":"{{externalToken}}","token2":"[token]","gameId":"1042"}', null],
  ['', null],
])('finds where a token stands in %j', (text, found) => {
  const places = tokenPlaces(text, ['known-1']).map(({ start, end }) => text.slice(start, end));
  expect(places).toEqual(found === null ? [] : [found]);
});

it('says what is masked', () => {
  expect(maskedText(marksIn(['a']))).toBe('Nothing is masked.');
  expect(maskedText(marksIn(['[token]', 'x[hidden] [token]']))).toBe('Tokens are masked in 3 places.');
  expect(maskedText(marksIn(['[secret]']))).toBe('Secrets are masked in 1 place.');
  expect(maskedText(marksIn(['[secret] [token]']))).toBe('Tokens are masked in 1 place, other secrets in 1 place.');
});
