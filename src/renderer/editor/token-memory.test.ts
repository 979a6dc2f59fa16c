import { describe, expect, it } from 'vitest';
import { packTokens, type Tokenizers } from './token-memory.ts';

/** Creates a register with a tokenizer that returns as many numbers as the line has characters. */
function setUp() {
  const listeners: ((event: { changedLanguages: string[] }) => void)[] = [];
  const make = () => ({
    tokenizeEncoded: (line: string, _hasEOL: boolean, state: unknown) => ({
      tokens: Uint32Array.from(line, (_, at) => at + 1),
      endState: state,
    }),
  });
  const known = { json: make(), other: make() };
  const tokenizers: Tokenizers = {
    get: (languageId) => (languageId === 'json' || languageId === 'other' ? known[languageId] : null),
    onDidChange: (listener) => listeners.push(listener),
  };
  const register = (...changedLanguages: string[]) => {
    for (const listener of listeners) listener({ changedLanguages });
  };
  return { known, tokenizers, register };
}

describe('the tokens of lines', () => {
  it('share a piece of memory and are what they were', () => {
    const { known, tokenizers, register } = setUp();
    packTokens(tokenizers, 'json');
    register('json');
    const state = {};
    const lines = ['abc', '', 'abcdef', 'a'].map((line) => known.json.tokenizeEncoded(line, true, state));
    expect(lines.map(({ tokens }) => [...tokens])).toEqual([[1, 2, 3], [], [1, 2, 3, 4, 5, 6], [1]]);
    expect(lines.every(({ endState }) => endState === state)).toBe(true);
    expect(new Set(lines.map(({ tokens }) => tokens.buffer)).size).toBe(1);
  });

  it('are nobody else’s: a line that is written over leaves the others', () => {
    const { known, tokenizers, register } = setUp();
    packTokens(tokenizers, 'json');
    register('json');
    const [first, second] = ['abc', 'abc'].map((line) => known.json.tokenizeEncoded(line, true, null).tokens);
    first?.fill(9);
    expect([...(second ?? [])]).toEqual([1, 2, 3]);
  });

  it('go on in another piece where one is full; a very long line keeps its own', () => {
    const { known, tokenizers, register } = setUp();
    packTokens(tokenizers, 'json');
    register('json');
    const buffers = new Set<unknown>();
    for (let at = 0; at < 2_000; at += 1) {
      const { tokens } = known.json.tokenizeEncoded('abcdefgh', true, null);
      expect(tokens).toEqual(Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
      buffers.add(tokens.buffer);
    }
    expect(buffers.size).toBe(2);
    const long = known.json.tokenizeEncoded('x'.repeat(5_000), true, null).tokens;
    expect([long.length, long.at(-1), long.byteLength]).toEqual([5_000, 5_000, long.buffer.byteLength]);
  });

  it('of another language stay as they are, and a tokenizer is wrapped once', () => {
    const { known, tokenizers, register } = setUp();
    const { other } = known;
    const before = other.tokenizeEncoded;
    packTokens(tokenizers, 'json');
    register('other');
    expect(other.tokenizeEncoded).toBe(before);
    register('json', 'other');
    const wrapped = known.json.tokenizeEncoded;
    register('json');
    expect(known.json.tokenizeEncoded).toBe(wrapped);
  });
});
