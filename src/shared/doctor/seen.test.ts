import { expect, it } from 'vitest';
import { seenIn } from './seen.ts';

const right = { time: '20-11-2026 10:15:30', dataText: '{"a":"b"}', hash: 'ab'.repeat(32), missing: [] };

it.each([
  ['nothing', {}, null],
  ['the other order of the spec', { time: '2026-11-20 10:15:30' }, null],
  ['ISO', { time: '2026-11-20T10:15:30Z' }, 'time is in ISO format.'],
  ['ISO with an offset', { time: '2026-11-20T10:15:30.123+01:00' }, 'time is in ISO format.'],
  ['seconds', { time: '1795256130' }, 'time is in seconds since 1970.'],
  ['milliseconds', { time: '1795256130000' }, 'time is in milliseconds since 1970.'],
  ['slashes', { time: '20/11/2026 10:15:30' }, "time isn't in the spec's format."],
  ['a month that does not exist', { time: '20-15-2026 10:15:30' }, "time isn't a date."],
  ['a hidden time', { time: '', missing: ['time'] }, "time isn't in this text"],
  ['JSON in a string', { dataText: String.raw`"{\"a\":\"b\"}"` }, 'data is a string that holds JSON.'],
  ['a list in a string', { dataText: '"[1]"' }, 'data is a string that holds JSON.'],
  ['a text without JSON', { dataText: '"{a}"' }, null],
  ['hidden data', { dataText: null, missing: ['data'] }, "data isn't in this text"],
  ['a hidden field', { missing: ['data.externalToken'] }, "data.externalToken isn't in this text"],
  ['a hidden hash', { hash: '', missing: ['hash'] }, "hash isn't in this text"],
  ['upper case', { hash: 'AB'.repeat(32) }, 'The hash is uppercase;'],
  ['both cases', { hash: `A${'b'.repeat(63)}` }, 'The hash mixes uppercase and lowercase;'],
  ['a cut hash', { hash: 'abcdef012345…' }, 'The hash has 12 digits; SHA-256 has 64.'],
  ['a cut hash with dots', { hash: 'abcdef0123...' }, 'The hash has 10 digits; SHA-256 has 64.'],
  ['a lost zero', { hash: 'a'.repeat(63) }, 'The hash has 63 digits; SHA-256 has 64.'],
  ['MD5', { hash: 'a'.repeat(32) }, 'The hash has 32 digits, the length of MD5; SHA-256 has 64.'],
  ['SHA-512', { hash: 'a'.repeat(128) }, 'The hash has 128 digits, the length of SHA-512; SHA-256 has 64.'],
  ['base64', { hash: `${'A'.repeat(43)}=` }, 'The hash is base64.'],
  ['marks', { hash: Array(32).fill('AB').join('-') }, 'The hash has separators between its bytes.'],
  ['a prefix', { hash: `sha256=${'a'.repeat(64)}` }, "The hash isn't in the spec's format."],
])('says what a request shows by itself: %s', (_, changed, says) => {
  const seen = seenIn({ ...right, ...changed });
  expect(seen.map((one) => one.says.slice(0, says?.length))).toEqual(says === null ? [] : [says]);
});
