import { expect, it } from 'vitest';
import { fc } from '#testing/fast-check.ts';
import { commandText, commandWords } from './command-words.ts';

it('splits at spaces, keeps quoted words together, and leaves backslashes alone', () => {
  expect(commandWords(String.raw`  "C:\Program Files\node.exe"  C:\t.mjs --a='x "y"' "" 'a|b'`)).toEqual([
    String.raw`C:\Program Files\node.exe`,
    String.raw`C:\t.mjs`,
    '--a=x "y"',
    '',
    'a|b',
  ]);
});

it('writes every command so that it reads it again', () => {
  const word = fc.string({ unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(fc.array(word), (given) => {
      const words = ['node', ...given];
      expect(commandWords(commandText(words))).toEqual(words);
    }),
  );
});

it.each([
  ['cat tokens | head -1', 'runs without a shell, so | would'],
  ['echo $TOKEN', 'so $ would'],
  ['node "x', 'A " in the token command is never closed'],
  ['  ', 'names no program'],
  ['"" x', 'names no program'],
  ['./token.sh', './token.sh is not an absolute path'],
  ['node\nx', 'control character'],
  [`node${' x'.repeat(100)}`, 'more than 100 words'],
])('refuses %s', (text, message) => {
  expect(() => commandWords(text)).toThrow(message);
});
