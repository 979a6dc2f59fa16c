import { expect, it } from 'vitest';
import { fc } from '#testing/fast-check.ts';
import { conflictVersions } from './conflict-versions.ts';

it('takes both versions apart, with the text around them in both and the base in neither', () => {
  const text = [
    'operation: bet',
    '<<<<<<< HEAD',
    "tags: ['a']",
    '||||||| 1a2b3c4',
    'tags: []',
    '=======',
    "tags: ['b']",
    '>>>>>>> feature/x',
    'notes: both',
    '<<<<<<< HEAD',
    '=======',
    'form: new',
    '>>>>>>> feature/x',
    '',
  ].join('\r\n');
  expect(conflictVersions(text)).toEqual({
    left: { label: 'Ours, HEAD', text: "operation: bet\r\ntags: ['a']\r\nnotes: both\r\n" },
    right: { label: 'Theirs, feature/x', text: "operation: bet\r\ntags: ['b']\r\nnotes: both\r\nform: new\r\n" },
  });
});

it.each([
  ['no marks', 'operation: bet\n'],
  ['only a beginning', '<<<<<<< HEAD\noperation: bet\n'],
  ['a conflict that never ends', '<<<<<<< HEAD\na\n=======\nb\n'],
  ['marks in the middle of a line', 'a <<<<<<< HEAD\n=======\n>>>>>>> b\n'],
])('finds no conflict in %s', (_, text) => {
  expect(conflictVersions(text)).toBeNull();
});

it('loses no line of either version', () => {
  const line = fc.string().map((text) => `x${text.replace(/[\r\n]/g, '')}\n`);
  const lines = fc.array(line, { maxLength: 5 }).map((all) => all.join(''));
  fc.assert(
    fc.property(lines, lines, lines, lines, (before, ours, theirs, after) => {
      const text = `${before}<<<<<<< a\n${ours}=======\n${theirs}>>>>>>> b\n${after}`;
      const found = conflictVersions(text);
      expect(found?.left.text).toBe(`${before}${ours}${after}`);
      expect(found?.right.text).toBe(`${before}${theirs}${after}`);
    }),
  );
});

it('takes millions of lines and of marks apart', () => {
  const lines = '\n'.repeat(2_000_000);
  const conflict = '<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n';
  expect(conflictVersions(`${lines}${conflict}`)).toMatchObject({
    left: { text: `${lines}1\n` },
    right: { text: `${lines}2\n` },
  });
  expect(conflictVersions(conflict.repeat(100_000))?.right.text).toBe('2\n'.repeat(100_000));
  expect(conflictVersions('<<<<<<< a\n'.repeat(100_000))).toBeNull();
});
