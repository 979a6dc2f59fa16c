import { expect, it } from 'vitest';
import { readTags, tagsLine } from './tag-list.ts';

it('a line of tags is read with commas and spaces, each tag once, and what is no tag is named', () => {
  expect(readTags(' smoke, wallet smoke ,1.0')).toEqual({ tags: ['smoke', 'wallet', '1.0'], problem: null });
  expect(readTags('')).toEqual({ tags: [], problem: null });
  expect(readTags('smoke, wal!et')).toEqual({
    tags: ['smoke'],
    problem: 'wal!et is not a tag. Use letters, digits, _, . and -, at most 50.',
  });
  const many = Array.from({ length: 51 }, (_, at) => `t${at}`);
  expect(readTags(tagsLine(many))).toEqual({ tags: many.slice(0, 50), problem: 'A request has at most 50 tags.' });
});
