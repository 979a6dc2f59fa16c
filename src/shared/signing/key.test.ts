import { describe, expect, it } from 'vitest';
import { inspectKey, shortKeyWarning } from './key.ts';

describe('inspectKey', () => {
  it('has nothing to say about an ordinary key', () => {
    for (const key of ['test-private-key', 'a1/+=._~', '"half', "it's"])
      expect(inspectKey(key)).toEqual({ warnings: [], trimmed: null });
  });

  it.each<[string, string[], string | null]>([
    ['', ['The key is blank'], null],
    [' \n', ['The key is blank'], null],
    ['abc\n', ['The key begins or ends with a line break'], 'abc'],
    ['abc\r\n', ['The key begins or ends with a line break'], 'abc'],
    ['a\nb', ['The key contains a line break'], null],
    [' abc\t', ['The key begins with a space or tab', 'The key ends with a space or tab'], 'abc'],
    ['abc\u00a0', ['The key ends with a space or tab'], 'abc'],
    ['"abc"', ['The key is in quotes, which count as part of it'], 'abc'],
    ["'abc'", ['The key is in quotes, which count as part of it'], 'abc'],
    ['“abc”', ['The key is in quotes, which count as part of it'], 'abc'],
    ['`abc`', ['The key is in quotes, which count as part of it'], 'abc'],
    ['‘abc’', ['The key is in quotes, which count as part of it'], 'abc'],
    [
      ' "abc" ',
      [
        'The key begins with a space or tab',
        'The key ends with a space or tab',
        'The key is in quotes, which count as part of it',
      ],
      'abc',
    ],
    [`"'abc'"`, ['The key is in quotes, which count as part of it'], 'abc'],
    ['"', [], null],
    ['""', ['The key is blank'], null],
    ['abc\u2028', ['The key begins or ends with a line break'], 'abc'],
    ['abc\u0085d', ['The key contains a line break', 'The key contains invisible characters: U+0085 next line'], null],
    ['\n abc', ['The key begins or ends with a line break', 'The key begins with a space or tab'], 'abc'],
    ['abc \n', ['The key begins or ends with a line break', 'The key ends with a space or tab'], 'abc'],
    ['a\ufeffb', ['The key contains invisible characters: U+FEFF byte order mark'], null],
    [
      '\ufeffa\ufeffb',
      ['The key begins with a byte order mark (U+FEFF)', 'The key contains invisible characters: U+FEFF byte order mark'],
      'a\ufeffb',
    ],
    [
      'a\u200b\u00adb\u200b',
      ['The key contains invisible characters: U+200B zero width space, U+00AD soft hyphen'],
      'a\u200b\u00adb',
    ],
    ['\u200babc', ['The key contains invisible characters: U+200B zero width space'], 'abc'],
    ['\ufeffabc', ['The key begins with a byte order mark (U+FEFF)'], 'abc'],
    ['a b', ['The key contains a space or tab'], null],
    ['a\u200bb', ['The key contains invisible characters: U+200B zero width space'], null],
    ['a\u0001b', ['The key contains invisible characters: U+0001 control character'], null],
    ['aéb', ['The key contains non-ASCII characters, which are hashed as UTF-8'], null],
    [
      '\ufeff"abc"\r\n',
      [
        'The key begins with a byte order mark (U+FEFF)',
        'The key begins or ends with a line break',
        'The key is in quotes, which count as part of it',
      ],
      'abc',
    ],
  ])('warns about %j', (key, warnings, trimmed) => {
    expect(inspectKey(key)).toEqual({ warnings, trimmed });
  });

  it('never puts the key into a warning', () => {
    for (const frame of [' ?', '"?"', '?\n', '\ufeff?', '?\u200b', '?é', '? ?']) {
      const { warnings } = inspectKey(frame.replaceAll('?', 'Xq7Zk2'));
      expect(warnings).not.toHaveLength(0);
      expect(warnings.join(' ')).not.toContain('Xq7Zk2');
    }
  });
});

it('says of a short key what is not done for it, and nothing of any other', () => {
  const found = "The key has fewer than 4 bytes: Croupier doesn't ask about texts that contain it, and doesn't mask it";
  const masked = "The key has fewer than 8 bytes: Croupier doesn't mask it in responses";
  expect([1, 3].map(shortKeyWarning)).toEqual([found, found]);
  expect([4, 7].map(shortKeyWarning)).toEqual([masked, masked]);
  expect([null, 0, 8, 64].map(shortKeyWarning)).toEqual([null, null, null, null]);
});
