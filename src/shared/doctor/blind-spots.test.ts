import { expect, test } from 'vitest';
import { someSubject } from '#testing/some-subject.ts';
import { blindSpotsOf } from './blind-spots.ts';
import { createDataTexts } from './data-texts.ts';

const blindSpots = (dataText: string | null) => blindSpotsOf(createDataTexts(someSubject({ dataText })));

test('two integers show next to nothing', () => {
  expect(blindSpots('{"roundId":1001,"logMonth":1}')).toEqual([
    "This request cannot show how your backend writes slashes, characters beyond ASCII such as é, <, > and &, = and ', +, whole amounts such as 1.0 and whole numbers beyond 2^53: data has none of them.",
    'This request cannot show whether your backend keeps 0, empty texts, null and empty objects and lists: data has none of them.',
  ]);
});

test('each value takes away what it shows', () => {
  const [written, kept, sorted] = blindSpots('{"a":"https://x.example/?b=1","amount":1,"z":0,"zz":""}');
  expect(written).toBe(
    'This request cannot show how your backend writes characters beyond ASCII such as é, <, > and &, + and whole numbers beyond 2^53: data has none of them.',
  );
  expect(kept).toBe(
    'This request cannot show whether your backend keeps null and empty objects and lists: data has none of them.',
  );
  expect(sorted).toBe('This request cannot show whether your backend sorts the members: they are in order already.');
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
