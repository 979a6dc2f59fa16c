import { describe, expect, it } from 'vitest';
import { keysOf, readShortcuts, sharedKeys } from './shortcuts.ts';

describe('readShortcuts', () => {
  it('takes chords of commands, and an empty list', () => {
    const text = '{"send":["Mod+Alt+S"],"palette":[]}';
    expect(readShortcuts(text)).toEqual({ send: ['Mod+Alt+S'], palette: [] });
  });

  it('leaves out what it does not know', () => {
    const text = '{"send":["Mod+Nonsense"],"noCommand":["Mod+J"],"save":"Mod+J","help":[7],"closeTab":["Mod+J"]}';
    expect(readShortcuts(text)).toEqual({ closeTab: ['Mod+J'] });
  });

  it.each([undefined, '', '{', '[]', 'null', '7'])('takes nothing of %j', (text) => {
    expect(readShortcuts(text)).toEqual({});
  });
});

describe('keysOf', () => {
  it('gives the chosen keys, else the usual ones', () => {
    expect(keysOf('palette', {})).toEqual(['Mod+K']);
    expect(keysOf('palette', { palette: ['Mod+Alt+K'] })).toEqual(['Mod+Alt+K']);
    expect(keysOf('palette', { palette: [] })).toEqual([]);
    expect(keysOf('newFromStarter', {})).toEqual([]);
  });
});

describe('sharedKeys', () => {
  it('names the other commands with a key of this one', () => {
    const changed = { copyHashInput: ['Mod+Period'] } as const;
    expect(sharedKeys('copyHashInput', changed)).toEqual(new Map([['Mod+Period', ['copyAnswer']]]));
    expect(sharedKeys('copyAnswer', changed)).toEqual(new Map([['Mod+Period', ['copyHashInput']]]));
    expect(sharedKeys('send', changed)).toEqual(new Map());
  });
});
