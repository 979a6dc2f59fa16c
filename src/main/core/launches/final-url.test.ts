import { expect, it } from 'vitest';
import { compareLaunchUrl } from '#shared/provider/launcher-url.ts';
import { changedParameters } from './opening.ts';

const asked = {
  partnerId: '2',
  platform: '1',
  gameId: '7',
  gameMode: 'real',
  lang: 'en',
  externalToken: 'secret-token',
  exitURL: 'https://c.example/',
};
const query = (change: Partial<Record<keyof typeof asked, string>>, ...without: string[]) => {
  const all = Object.entries({ ...asked, ...change }).filter(([name]) => !without.includes(name));
  return `https://cdn.example/play?${new URLSearchParams(all).toString()}`;
};
const requested = (name: string) => asked[name as keyof typeof asked] ?? null;
const launched = (url: string) => ({ source: 'launcher' as const, parameters: [...compareLaunchUrl(url, requested).parameters] });
const launch = launched(query({}));
const changed = (url: string, of: Parameters<typeof changedParameters>[1] = launch) =>
  changedParameters(url, of, asked.externalToken);

it.each<[string, string, { name: string; asked: string; got: string | null }[]]>([
  ['the same ones', query({}), []],
  ['another partner', query({ partnerId: '99' }), [{ name: 'partnerId', asked: '2', got: '99' }]],
  ['another platform', query({ platform: '3' }), [{ name: 'platform', asked: '1', got: '3' }]],
  [
    'another exit',
    query({ exitURL: 'https://evil.example/' }),
    [{ name: 'exitURL', asked: 'https://c.example/', got: 'https://evil.example/' }],
  ],
  ['another token', query({ externalToken: 'other' }), [{ name: 'externalToken', asked: '[token]', got: '[another token]' }]],
  ['one less', query({}, 'platform'), [{ name: 'platform', asked: '1', got: null }]],
  // The page that states them has rules of its own.
  ['another game', query({ gameId: '8' }), []],
  ['none at all', 'https://cdn.example/play?session=1', []],
])('a page whose URL has %s', (_, url, expected) => expect(changed(url)).toEqual(expected));

it('a page whose URL keeps what the launcher URL has wrong is not told twice', () => {
  const wrong = launched(query({ partnerId: '99' }));
  expect(changed(query({ partnerId: '99' }), wrong)).toEqual([]);
  expect(changed(query({ partnerId: '98' }), wrong)).toEqual([{ name: 'partnerId', asked: '2', got: '98' }]);
});
