/** One token of a script of JavaScript. */
export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'regex' | 'sign' | 'end';
  /** The value of a text, the pattern of a regular expression; otherwise the source. */
  readonly value: string;
  /** Of a regular expression. */
  readonly flags: string;
  readonly start: number;
  readonly end: number;
  /** It begins a line. */
  readonly first: boolean;
}

const signs = ['=>', '===', '!==', '==', '!=', '<=', '>=', '&&', '||', '...', '?.', '**', '++', '--'].sort(
  (one, other) => other.length - one.length,
);
const pattern = {
  space: /\s+/y,
  comment: /\/\/[^\n]*|\/\*[^]*?\*\//y,
  word: /[A-Za-z_$][\w$]*/y,
  number: /(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y,
  text: /"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\]|\\[^])*`/y,
  regex: /\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y,
};

/** Returns the tokens of a script, comments left out; null if it has more than a reader of tests can take apart. */
export function tokensOf(source: string): Token[] | null {
  const tokens: Token[] = [];
  let first = true;
  for (let at = 0; at < source.length;) {
    const match = (one: RegExp): RegExpExecArray | null => {
      one.lastIndex = at;
      return one.exec(source);
    };
    const skipped = match(pattern.space) ?? match(pattern.comment);
    if (skipped !== null) {
      if (skipped[0].includes('\n')) first = true;
      at += skipped[0].length;
      continue;
    }
    const token = readToken(match, tokens.at(-1));
    if (token === null || tokens.length >= mostTokens) return null;
    tokens.push({ ...token, start: at, end: at + token.length, first });
    first = false;
    at += token.length;
  }
  tokens.push({ kind: 'end', value: '', flags: '', start: source.length, end: source.length, first: true });
  return tokens;
}

const mostTokens = 20_000;

type Read = Pick<Token, 'kind' | 'value' | 'flags'> & { readonly length: number };

function readToken(match: (one: RegExp) => RegExpExecArray | null, before: Token | undefined): Read | null {
  const plain = (kind: Token['kind'], value: string): Read => ({ kind, value, flags: '', length: value.length });
  const word = match(pattern.word);
  if (word !== null) return plain('word', word[0]);
  const number = match(pattern.number);
  if (number !== null) return plain('number', number[0]);
  const text = match(pattern.text);
  if (text !== null) {
    const value = unquoted(text[0]);
    return value === null ? null : { kind: 'text', value, flags: '', length: text[0].length };
  }
  // Behind a value a slash divides.
  const regex = before === undefined || (before.kind === 'sign' && !/^[)\]}]$/.test(before.value)) ? match(pattern.regex) : null;
  if (regex !== null) return { kind: 'regex', value: regex[1] ?? '', flags: regex[2] ?? '', length: regex[0].length };
  const sign = match(anySign)?.[0] ?? '';
  return sign === '' ? null : plain('sign', sign);
}

const anySign = new RegExp(
  `${signs.map((sign) => sign.replace(/[|.?*+]/g, String.raw`\$&`)).join('|')}|[-+*/%<>=!&|^~?:;,.()[\\]{}]`,
  'y',
);
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0', '\n': '' };

/** Null for a template with values in it. */
function unquoted(source: string): string | null {
  if (source.startsWith('`') && source.includes('${')) return null;
  return source
    .slice(1, -1)
    .replace(
      /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([^]))/g,
      (_, braced?: string, four?: string, two?: string, one = '') => {
        const code = braced ?? four ?? two;
        if (code === undefined) return escapes[one] ?? one;
        const point = Number.parseInt(code, 16);
        return point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
      },
    );
}
