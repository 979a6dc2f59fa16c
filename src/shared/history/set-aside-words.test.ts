import { expect, it } from 'vitest';
import { setAsideText } from './set-aside-words.ts';

const aside = { path: '/h/a', at: 1, reason: 'is damaged', gone: false };
const read = (calls: number, partial: number, about: number | null) => ({
  ...aside,
  recovered: { path: '/h/a.recovered.jsonl', calls, partial, about },
});

it('says how many calls of how many could be read', () => {
  const begin = 'An earlier history is damaged and was set aside as /h/a.';
  const end = 'They are in /h/a.recovered.jsonl, one per line.';
  expect(setAsideText({ ...aside, recovered: null })).toBe(begin);
  expect(setAsideText(read(0, 0, null))).toBe(`${begin} Croupier could read none of its calls.`);
  expect(setAsideText(read(1, 0, null))).toBe(`${begin} Croupier could read 1 call. It is in /h/a.recovered.jsonl.`);
  expect(setAsideText(read(1, 1, 3))).toBe(
    `${begin} Croupier could read 1 of about 3 calls, only in part. It is in /h/a.recovered.jsonl.`,
  );
  expect(setAsideText(read(40, 0, 40))).toBe(`${begin} Croupier could read 40 calls. ${end}`);
  expect(setAsideText({ ...read(2, 0, null), gone: true })).toBe(
    `An earlier history is damaged and was set aside as /h/a, since removed. Croupier could read 2 calls. ${end}`,
  );
  expect(setAsideText(read(1_203, 17, 2_400))).toBe(
    `${begin} Croupier could read 1,203 of about 2,400 calls, 17 of them only in part. ${end}`,
  );
});
