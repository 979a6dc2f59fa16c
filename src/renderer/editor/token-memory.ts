/** The parts of Monaco's register of tokenizers that are used here; Monaco does not export its types. */
export interface Tokenizers {
  get(languageId: string): Tokenizer | null;
  onDidChange(listener: (event: { readonly changedLanguages: readonly string[] }) => void): unknown;
}

interface Tokenizer {
  tokenizeEncoded(line: string, hasEOL: boolean, state: unknown): { tokens: Uint32Array; readonly endState: unknown };
}

/** Number of numbers in one piece of memory. A line of JSON takes some ten, and one tokenized line keeps the whole piece. */
const roomy = 8_192;

/**
 * Makes the tokens of many lines share a piece of memory. Monaco gives each line a buffer of its own: a long response has some
 * hundred thousand, and freeing them when it is closed held the page up for half a second. Call it before the first text is opened.
 */
export function packTokens(tokenizers: Tokenizers, languageId: string): void {
  const packed = new WeakSet<Tokenizer>();
  const pack = createPacker();
  tokenizers.onDidChange(({ changedLanguages }) => {
    const tokenizer = changedLanguages.includes(languageId) ? tokenizers.get(languageId) : null;
    if (tokenizer === null || packed.has(tokenizer)) return;
    packed.add(tokenizer);
    const tokenize = tokenizer.tokenizeEncoded.bind(tokenizer);
    tokenizer.tokenizeEncoded = (line, hasEOL, state) => {
      const result = tokenize(line, hasEOL, state);
      result.tokens = pack(result.tokens);
      return result;
    };
  });
}

function createPacker(): (tokens: Uint32Array) => Uint32Array {
  let piece = new Uint32Array(0);
  let used = 0;
  return (tokens) => {
    if (tokens.length > roomy / 8) return tokens;
    if (used + tokens.length > piece.length) {
      piece = new Uint32Array(roomy);
      used = 0;
    }
    const place = piece.subarray(used, used + tokens.length);
    place.set(tokens);
    used += tokens.length;
    return place;
  };
}
