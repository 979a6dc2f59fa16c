import { describe, expect, it } from 'vitest';
import { editorDescription } from './screen-reader.ts';

describe('editorDescription', () => {
  it('names the key that frees Tab only where Tab writes, and F8 only where there is a problem', () => {
    expect(editorDescription({ readOnly: false }, false)).toBe('Tab indents; Ctrl+M makes Tab move on.');
    expect(editorDescription({ readOnly: false, problems: true }, true)).toBe(
      'Tab indents; Control+Shift+M makes Tab move on. F8 goes to the next problem.',
    );
    expect(editorDescription({ readOnly: true }, false)).toBe('Read-only. Tab moves on.');
  });

  it('says how to read the text where the editor does not give it', () => {
    expect(editorDescription({ readOnly: true, plainText: 'Alt+F2' }, false)).toBe(
      'Read-only. Tab moves on. Alt+F2 opens the text in a plain field.',
    );
  });
});
