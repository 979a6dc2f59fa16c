import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bidiControlsIn, bidiName, bidiParts, canReorder, withNamedControls } from './bidi.ts';
import { characterName } from './characters.ts';

const controls = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];
const kinds = (text: string) => bidiParts(text).map(({ kind, text: part }) => [kind, part]);

describe('bidirectional controls', () => {
  it('are the twelve of Unicode, each with its abbreviation and its name', () => {
    const all = Array.from({ length: 0x1_0000 }, (_, code) => code).filter((code) =>
      /\p{Bidi_Control}/u.test(String.fromCharCode(code)),
    );
    expect(all).toEqual(controls);
    const named = controls.map((code) => [bidiName(String.fromCodePoint(code)), characterName(code)]);
    expect(named).toEqual([
      ['ALM', 'U+061C Arabic letter mark (bidirectional control)'],
      ['LRM', 'U+200E left-to-right mark (bidirectional control)'],
      ['RLM', 'U+200F right-to-left mark (bidirectional control)'],
      ['LRE', 'U+202A left-to-right embedding (bidirectional control)'],
      ['RLE', 'U+202B right-to-left embedding (bidirectional control)'],
      ['PDF', 'U+202C pop directional formatting (bidirectional control)'],
      ['LRO', 'U+202D left-to-right override (bidirectional control)'],
      ['RLO', 'U+202E right-to-left override (bidirectional control)'],
      ['LRI', 'U+2066 left-to-right isolate (bidirectional control)'],
      ['RLI', 'U+2067 right-to-left isolate (bidirectional control)'],
      ['FSI', 'U+2068 first strong isolate (bidirectional control)'],
      ['PDI', 'U+2069 pop directional isolate (bidirectional control)'],
    ]);
    for (const code of controls) expect(canReorder(String.fromCodePoint(code))).toBe(true);
  });

  it('are written as their abbreviation where a text cannot be divided', () => {
    expect(withNamedControls('user\u202enimda\u2066 x\u2069')).toBe('user[RLO]nimda[LRI] x[PDI]');
    expect(withNamedControls('Zoë שלום')).toBe('Zoë שלום');
    expect(bidiControlsIn('a\u202eb\u2066c\u202e')).toEqual(['RLO', 'LRI']);
    expect(bidiControlsIn('Zoë שלום')).toEqual([]);
  });
});

describe('a text in parts', () => {
  it('has each control alone, and letters read from right to left with what stands between them', () => {
    expect(kinds('/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */')).toEqual([
      ['plain', '/*'],
      ['control', '\u202e'],
      ['plain', ' } '],
      ['control', '\u2066'],
      ['plain', 'if (isAdmin)'],
      ['control', '\u2069'],
      ['plain', ' '],
      ['control', '\u2066'],
      ['plain', ' begin admins only */'],
    ]);
    expect(kinds('game שלום, עולם: 60 bets')).toEqual([
      ['plain', 'game '],
      ['rightToLeft', 'שלום, עולם'],
      ['plain', ': 60 bets'],
    ]);
    expect(kinds('مرحبا\u202eabc')).toEqual([
      ['rightToLeft', 'مرحبا'],
      ['control', '\u202e'],
      ['plain', 'abc'],
    ]);
    expect(kinds('a\u{10840}\u{10841}b')).toEqual([
      ['plain', 'a'],
      ['rightToLeft', '\u{10840}\u{10841}'],
      ['plain', 'b'],
    ]);
    expect(kinds('plain, Zoë, 日本 😀')).toEqual([['plain', 'plain, Zoë, 日本 😀']]);
  });

  it('is the text again when it is joined, and no part that is plain can reorder anything', () => {
    const others = ['א', 'ب', '\u{10840}', '\ud802', '\udc40', ' ', ',', '7', '"', 'a', 'é', '日', '😀', '\n'];
    const character = fc.constantFrom(...controls.map((code) => String.fromCodePoint(code)), ...others);
    fc.assert(
      fc.property(fc.array(character), (characters) => {
        const text = characters.join('');
        const found = bidiParts(text);
        expect(found.map((part) => part.text).join('')).toBe(text);
        for (const part of found) if (part.kind === 'plain') expect(canReorder(part.text)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it('takes a long text in a moment', () => {
    const long = `${'א '.repeat(100_000)}x`;
    expect(bidiParts(long)).toHaveLength(2);
  });
});
