import { expect, test } from 'vitest';
import { someSubject } from '#testing/some-subject.ts';
import { blindSpotsOf } from './blind-spots.ts';
import { createDataTexts } from './data-texts.ts';

const blindSpots = (dataText: string | null) => blindSpotsOf(createDataTexts(someSubject({ dataText })));

test('two integers show next to nothing', () => {
  expect(blindSpots('{"roundId":1001,"logMonth":1}')).toEqual([
    "How your backend writes slashes, non-ASCII characters such as é, <, > and &, = and ', +, whole amounts such as 1.0 and integers beyond 2^53: data has none of them.",
    'Whether your backend keeps 0, empty strings, null and empty objects and arrays: data has none of them.',
  ]);
});

test('each value takes away what it shows', () => {
  const [written, kept, sorted] = blindSpots('{"a":"https://x.example/?b=1","amount":1,"z":0,"zz":""}');
  expect(written).toBe(
    'How your backend writes non-ASCII characters such as é, <, > and &, + and integers beyond 2^53: data has none of them.',
  );
  expect(kept).toBe('Whether your backend keeps null and empty objects and arrays: data has none of them.');
  expect(sorted).toBe("Whether your backend sorts the fields: they're already in order.");
});

test('a telling request hides nothing, and one without data says nothing of data', () => {
  expect(
    blindSpots(
      '{"b":"https://x.example/?b=1&c=+\' <>","a":"\\u00e9","amount":1,"n":9007199254740993,"z":0,"e":"","u":null,"o":{}}',
    ),
  ).toEqual([]);
  expect(blindSpots(null)).toEqual([]);
  expect(blindSpots('{')).toEqual([]);
});
