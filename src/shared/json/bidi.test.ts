import { describe, expect, it } from 'vitest';
import { bidiControlsIn, bidiName } from './bidi.ts';
import { characterName } from './hidden-characters.ts';

const controls = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];

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
  });

  it('of a text are named once each', () => {
    expect(bidiControlsIn('a\u202eb\u2066c\u202e')).toEqual(['RLO', 'LRI']);
    expect(bidiControlsIn('Zoë שלום')).toEqual([]);
  });
});
