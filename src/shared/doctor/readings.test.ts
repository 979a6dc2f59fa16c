import { expect, it } from 'vitest';
import { differenceWords, firstChoice, otherReadings } from './readings.ts';

const one = {
  action: 'gameList',
  platform: '7',
  partnerId: '11',
  time: '22-11-2026 10:40:02',
  dataText: null,
  hash: 'ab',
  code: null,
};

it('begins with the request that was rejected, if its hash is there', () => {
  expect(firstChoice([one, { ...one, code: 8 }])).toBe(1);
  expect(firstChoice([one, { ...one, code: 8, hash: null }])).toBe(0);
});

it('takes equal hashes with other data for readings of one request', () => {
  const other = { ...one, dataText: '{}' };
  expect(otherReadings([one, other, { ...other, hash: 'cd' }, one], 0)).toEqual([1]);
  expect(
    otherReadings(
      [
        { ...one, hash: null },
        { ...other, hash: null },
      ],
      0,
    ),
  ).toEqual([]);
});

it('tells what two requests share', () => {
  expect(differenceWords(one, { ...one, time: 'later', hash: 'cd' })).toBe(
    'Different: time, hash. Equal: action, platform, partnerId.',
  );
  expect(differenceWords(one, { ...one, hash: 'cd' })).toContain(
    'so the key, the order of the parts or the hash function differs',
  );
  expect(differenceWords(one, one)).toBe('They are equal.');
});
