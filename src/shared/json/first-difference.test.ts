import { describe, expect, it } from 'vitest';
import { firstDifference } from './first-difference.ts';
import { encodeUtf8 } from './utf8.ts';

describe('firstDifference', () => {
  it.each([
    ['{"u":"a/b"}', String.raw`{"u":"a\/b"}`, 7, '2f', '/', '5c', '\\'],
    ['é', 'è', 1, 'a9', 'é U+00E9', 'a8', 'è U+00E8'],
    ['a\u00a0b', 'a b', 1, 'c2', 'U+00A0 no-break space', '20', 'space'],
    ['x😀', 'x😁', 4, '80', '😀 U+1F600', '81', '😁 U+1F601'],
    ['abc', 'ab', 2, '63', 'c', null, 'the end'],
    ['', '\ufeff', 0, null, 'the end', 'ef', 'U+FEFF byte order mark'],
    ['a\r\nb', 'a\nb', 1, '0d', 'U+000D carriage return', '0a', 'U+000A line feed'],
    ['a\ud800b', 'a\ud800c', 4, '62', 'b', '63', 'c'],
    ['e\u0301', 'e\u0300', 2, '81', 'U+0301', '80', 'U+0300'],
  ])('%j against %j', (left, right, byteOffset, leftByte, leftCharacter, rightByte, rightCharacter) => {
    const found = firstDifference(left, right);
    expect(found).toMatchObject({
      byteOffset,
      left: { byte: leftByte, character: leftCharacter },
      right: { byte: rightByte, character: rightCharacter },
    });
    const [ours, theirs] = [encodeUtf8(left), encodeUtf8(right)];
    expect(ours.subarray(0, byteOffset)).toEqual(theirs.subarray(0, byteOffset));
    expect(ours[byteOffset]).not.toBe(theirs[byteOffset]);
  });

  it('finds nothing where the bytes are the same, as those of unpaired surrogates are', () => {
    expect(firstDifference('a', 'a')).toBeNull();
    expect(firstDifference('a\ud800', 'a\udfff')).toBeNull();
    expect(firstDifference('\ud83d\ude00', '\ud83d')).not.toBeNull();
  });

  it('counts lines and characters, and shows what stands around', () => {
    const found = firstDifference('{\n  "😀": 1\n}', '{\n  "😀": 2\n}');
    expect(found).toMatchObject({ line: 2, column: 8, before: '{\n  "😀": ', beforeCut: false, charOffset: 10 });
    const long = firstDifference(`${'😀'.repeat(40)}a${'b'.repeat(40)}`, `${'😀'.repeat(40)}`);
    expect(long).toMatchObject({ before: '😀'.repeat(12), beforeCut: true, column: 41, line: 1 });
    expect(long?.left).toMatchObject({ after: `a${'b'.repeat(23)}`, cut: true });
    expect(long?.right).toMatchObject({ after: '', cut: false });
  });
});
