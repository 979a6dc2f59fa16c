import { execFileSync } from 'node:child_process';
import { fc } from '#testing/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { describeWithTool } from '#testing/external-tools.ts';
import { shownWord, splitShell } from './shell-words.ts';

function wordsOf(text: string): string[][] {
  return splitShell(text).map(({ words }) => words.map(({ parts }) => shownWord(parts)));
}

describe('splitShell', () => {
  it('knows the four kinds of quotes, and puts pieces together', () => {
    expect(wordsOf(`a 'b c' "d \\"e\\" $" $'f\\n\\x41\\101\\u00e9\\'' g\\ h i'j'"k"$'l' '' ""`)).toEqual([
      ['a', 'b c', 'd "e" $', "f\nAAé'", 'g h', 'ijkl', '', ''],
    ]);
    // As a browser writes a character beyond the basic plane.
    expect(wordsOf("$'\\ud83d\\ude00' $'\\xc5\\xbc\\xf0\\x9f\\x98\\x80' $'a\\0b'c")).toEqual([['😀', 'ż😀', 'ac']]);
  });

  it('knows where a command ends', () => {
    expect(wordsOf('a b # c\nd; e && f | g \\\n h\r\ni')).toEqual([['a', 'b'], ['d'], ['e'], ['f'], ['g', 'h'], ['i']]);
    const result = splitShell("curl x 2>/dev/null > 'out file' <in");
    expect(result).toMatchObject([{ redirections: ['2> /dev/null', '> out file', '< in'] }]);
  });

  it('names what only a shell can know', () => {
    const result = splitShell('"a $b" ${c} $(d (e)) `f` $1 {g,h} "{i,j}" ${k:-l}');
    expect(result).toMatchObject([
      {
        words: [
          {
            parts: [
              { kind: 'text', text: 'a ' },
              { kind: 'variable', name: 'b' },
            ],
          },
          { parts: [{ kind: 'variable', name: 'c' }] },
          { parts: [{ kind: 'computed' }] },
          { parts: [{ kind: 'computed' }] },
          { parts: [{ kind: 'computed' }] },
          { parts: [{ kind: 'text' }, { kind: 'computed' }] },
          { parts: [{ kind: 'text', text: '{i,j}' }] },
          { parts: [{ kind: 'computed' }] },
        ],
      },
    ]);
  });

  it('takes other white space for a part of a word, and a return for the end of a line', () => {
    expect(wordsOf('a\u00a0b\u2028 c\rd\r\ne\r')).toEqual([['a\u00a0b\u2028', 'c\rd'], ['e']]);
  });

  it('says where a quote is not closed', () => {
    for (const [text, offset] of [
      ["a 'b", 2],
      ['a "b', 2],
      ["$'b", 0],
      ['"a `b"', 3],
      ['a $(b', 2],
      ["$'\\", 0],
    ] as const) {
      expect(() => splitShell(text)).toThrow(
        expect.objectContaining({ details: { offset }, message: expect.stringContaining('never closed') }),
      );
    }
    expect(() => splitShell('a <<EOF\nb\n')).toThrow('no closing line EOF');
    expect(() => splitShell("$'\\xff'")).toThrow('UTF-8');
  });
});

describeWithTool('bash', 'against bash', (bash) => {
  /** The words that bash gives to a command, with NUL between them; many texts in one process. */
  function bashWords(texts: readonly string[]): string[][] {
    const script = texts.map((text) => `show ${text}\nprintf 'end of words\\0'`).join('\n');
    const out = execFileSync(bash, ['--norc', '-c', `set -f\nshow() { [ $# -eq 0 ] || printf '%s\\0' "$@"; }\n${script}`], {
      env: { LC_ALL: 'C.UTF-8' },
      maxBuffer: 1e8,
    }).toString('utf8');
    const found: string[][] = [[]];
    for (const word of out.split('\0').slice(0, -1)) {
      if (word === 'end of words') found.push([]);
      else found.at(-1)?.push(word);
    }
    return found;
  }

  const character = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...Array.from(`abcz019 "'\\/?{}[]:,.=-_@%+^*~!`)) },
    { weight: 1, arbitrary: fc.constantFrom('ż', '中', '😀', '\t', '\u00a0', '\u2028') },
  );
  const plainText = fc.string({ unit: character, maxLength: 12 });
  const single = plainText.map((text) => `'${text.replaceAll("'", '')}'`);
  const double = fc
    .array(
      fc.oneof(
        plainText.map((text) => text.replace(/["\\]/g, '')),
        fc.constantFrom('\\"', '\\\\', '\\$', '\\`', '\\n', '\\a', "\\'", '\\\n', '$ ', "'"),
      ),
      { maxLength: 6 },
    )
    .map((parts) => `"${parts.join('')}"`);
  const ansi = fc
    .array(
      fc.oneof(
        plainText.map((text) => text.replace(/['\\]/g, '')),
        fc.constantFrom(
          '\\n',
          '\\t',
          '\\\\',
          "\\'",
          '\\"',
          '\\?',
          '\\a',
          '\\b',
          '\\e',
          '\\E',
          '\\f',
          '\\r',
          '\\v',
          '\\q',
          '\\x41',
          '\\x7',
          '\\101',
          '\\7',
          '\\u00e9',
          '\\u17cx',
          '\\U0001f600',
          '\\xc5\\xbc',
          '\\cA',
        ),
      ),
      { maxLength: 6 },
    )
    .map((parts) => `$'${parts.join('')}'`);
  const bare = fc.string({
    unit: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...Array.from('abcXYZ019/:.,=-_@%+?*[]^!')) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('ż', '😀', '\\ ', '\\"', "\\'", '\\\\', '\\$', '\\a', '\\#', '\\\n', '#', '\\{'),
      },
    ),
    minLength: 1,
    maxLength: 10,
  });
  // A comment would swallow what stands behind it; it is tried above.
  const word = fc
    .array(fc.oneof(single, double, ansi, bare), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('').replace(/^#/, 'x#'));
  const command = fc
    .array(fc.tuple(word, fc.constantFrom(' ', '  ', '\t', ' \\\n ')), { minLength: 1, maxLength: 5 })
    .map((words) => words.map(([text, space]) => text + space).join(''));

  it('splits words as bash does', () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 20, maxLength: 60 }), (texts) => {
        const expected = bashWords(texts);
        texts.forEach((text, index) => {
          // Bytes that are no text are refused here; bash hands them on.
          let words: string[][];
          try {
            words = wordsOf(`show ${text}`);
          } catch (error) {
            if (String(error).includes('UTF-8')) return;
            throw error;
          }
          expect(words[0]?.slice(1), text).toEqual(expected[index]);
        });
      }),
      { numRuns: 40 },
    );
  });
});
