import { expect, it } from 'vitest';
import { seenIn } from './seen.ts';

const right = { time: '20-11-2026 10:15:30', dataText: '{"a":"b"}', hash: 'ab'.repeat(32), missing: [] };

it.each([
  ['nothing', {}, null],
  ['the other order of the spec', { time: '2026-11-20 10:15:30' }, null],
  ['ISO', { time: '2026-11-20T10:15:30Z' }, 'time is in ISO form.'],
  ['ISO with an offset', { time: '2026-11-20T10:15:30.123+01:00' }, 'time is in ISO form.'],
  ['seconds', { time: '1795256130' }, 'time is in seconds since 1970.'],
  ['milliseconds', { time: '1795256130000' }, 'time is in milliseconds since 1970.'],
  ['slashes', { time: '20/11/2026 10:15:30' }, "time has another form than the spec's."],
  ['a month that does not exist', { time: '20-15-2026 10:15:30' }, 'time is not a date.'],
  ['a hidden time', { time: '', missing: ['time'] }, 'time is not in this text'],
  ['JSON in a string', { dataText: String.raw`"{\"a\":\"b\"}"` }, 'data is a string that holds JSON.'],
  ['a list in a string', { dataText: '"[1]"' }, 'data is a string that holds JSON.'],
  ['a text without JSON', { dataText: '"{a}"' }, null],
  ['hidden data', { dataText: null, missing: ['data'] }, 'data is not in this text'],
  ['a hidden field', { missing: ['data.externalToken'] }, 'data.externalToken is not in this text'],
  ['a hidden hash', { hash: '', missing: ['hash'] }, 'hash is not in this text'],
  ['upper case', { hash: 'AB'.repeat(32) }, 'The hash is in upper case;'],
  ['both cases', { hash: `A${'b'.repeat(63)}` }, 'The hash mixes upper and lower case;'],
  ['a cut hash', { hash: 'abcdef012345…' }, 'The hash has 12 digits; a SHA-256 has 64.'],
  ['a cut hash with dots', { hash: 'abcdef0123...' }, 'The hash has 10 digits; a SHA-256 has 64.'],
  ['a lost zero', { hash: 'a'.repeat(63) }, 'The hash has 63 digits; a SHA-256 has 64.'],
  ['MD5', { hash: 'a'.repeat(32) }, 'The hash has 32 digits, as many as MD5 makes; a SHA-256 has 64.'],
  ['SHA-512', { hash: 'a'.repeat(128) }, 'The hash has 128 digits, as many as SHA-512 makes; a SHA-256 has 64.'],
  ['base64', { hash: `${'A'.repeat(43)}=` }, 'The hash is base64.'],
  ['marks', { hash: Array(32).fill('AB').join('-') }, 'The hash has a mark between its bytes.'],
  ['a prefix', { hash: `sha256=${'a'.repeat(64)}` }, 'The hash is not written as the spec wants it.'],
])('says what a request shows by itself: %s', (_, changed, says) => {
  const seen = seenIn({ ...right, ...changed });
  expect(seen.map((one) => one.says.slice(0, says?.length))).toEqual(says === null ? [] : [says]);
});
