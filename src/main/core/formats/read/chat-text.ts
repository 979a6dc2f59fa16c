/** A text as it was before a chat, a mail program or a wiki changed its characters. */
export interface Straightened {
  readonly text: string;
  /** Names of all that was replaced, such as `typographic quotes`; empty if the text is unchanged. */
  readonly replaced: readonly string[];
}

const double = '\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033';
const single = '\u2018\u2019\u201a\u201b\u2032';
const blank = '\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000';
const hidden = '\u00ad\u200b-\u200d\u2060\ufeff';
const dashes = '\u2010-\u2015\u2212';

/** Matches what no program writes beside the strings of JSON: a quote, a blank or a character that shows nothing. */
export const chatMark = new RegExp(`[${double}${blank}${hidden}]`);

const names = {
  quotes: 'typographic quotes',
  blanks: 'no-break or other wide spaces',
  hidden: 'invisible characters',
  dashes: 'long dashes',
  ellipsis: 'an ellipsis',
  backslash: 'a space after a backslash',
  prompt: 'a prompt',
  html: 'HTML entities',
} as const;
type Replaced = Set<keyof typeof names>;

function result(text: string, replaced: Replaced): Straightened {
  return { text, replaced: Array.from(replaced, (one) => names[one]) };
}

/** Names the layer around a text in which something was replaced; null if nothing was. */
export function copiedLayer({ replaced }: Straightened): string | null {
  return replaced.length === 0 ? null : `copied text (${replaced.join(', ')})`;
}

/** Returns whether the data within a text may have been changed, too: a prompt or a blank at the end of a line leaves it alone. */
export function mayChangeData({ replaced }: Straightened): boolean {
  return replaced.some((one) => one !== names.prompt && one !== names.backslash);
}

/**
 * Undoes in JSON what stands beside its strings and around them. What is in a string is data and stays; a string that a typographic quote
 * begins ends at a quote behind which JSON goes on.
 */
export function straightenJson(text: string): Straightened {
  const replaced: Replaced = new Set();
  return result(jsonStraight(text, replaced), replaced);
}

const jsonToken = new RegExp(
  String.raw`(?<plain>"(?:[^"\\]|\\[^])*"?)|(?<quote>[${double}])|(?<blanks>[${blank}]+)|[${hidden}]+`,
  'g',
);
/** The end of a string that a typographic quote begins: a quote that is not escaped, behind which JSON goes on. */
const jsonEnd = new RegExp(String.raw`(?<!\\)[${double}"](?=[\s${blank}${hidden}]{0,100}(?:[,:}\]]|$))`, 'g');
const escapedQuote = new RegExp(String.raw`\\[${double}]|(?<!\\)"`, 'g');

function jsonStraight(text: string, replaced: Replaced): string {
  const endOf = createSearch(text);
  return rewritten(text, jsonToken, (found, end) => {
    const { plain, quote, blanks } = found.groups ?? {};
    if (plain !== undefined) return null;
    if (quote === undefined) {
      replaced.add(blanks === undefined ? 'hidden' : 'blanks');
      return { instead: blanks === undefined ? '' : ' '.repeat(blanks.length), end };
    }
    const close = endOf(jsonEnd, end);
    if (close === null) return null;
    replaced.add('quotes');
    // A quote in it was escaped, or would end the string now.
    return { instead: `"${text.slice(end, close).replaceAll(escapedQuote, String.raw`\"`)}"`, end: close + 1 };
  });
}

interface Instead {
  readonly instead: string;
  /** Offset behind what it replaces. */
  readonly end: number;
}

/** Goes over what a pattern finds, from left to right; null leaves it as it is. */
function rewritten(text: string, pattern: RegExp, instead: (found: RegExpExecArray, end: number) => Instead | null): string {
  let out = '';
  let at = 0;
  for (;;) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return out + text.slice(at);
    const end = found.index + found[0].length;
    const other = instead(found, end) ?? { instead: found[0], end };
    out += text.slice(at, found.index) + other.instead;
    at = other.end;
  }
}

/** Creates a search from an offset on, ever further on: what was not found once is not searched again. */
function createSearch(text: string): (pattern: RegExp, from: number) => number | null {
  const missing = new Set<RegExp>();
  return (pattern, from) => {
    if (missing.has(pattern)) return null;
    pattern.lastIndex = from;
    const found = pattern.exec(text);
    if (found === null) missing.add(pattern);
    return found?.index ?? null;
  };
}

const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", nbsp: ' ', sol: '/' };

/** Undoes the character references of HTML that programs write; others stay. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(
    /&(?:(quot|amp|lt|gt|apos|nbsp|sol)|#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6}));/g,
    (whole, name?: string, digits?: string, hex?: string) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = digits === undefined ? Number.parseInt(hex ?? '', 16) : Number(digits);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

const htmlQuote = /&(?:quot|apos|#34|#39|#x22|#x27);/i;
const suspicious = new RegExp(String.raw`[${double}${single}${blank}${hidden}${dashes}\u2026]|\\[ \t]+\r?$|^[ \t]*[$%>] `, 'm');

/** Tokens of a command, one after the other; quoted words first, so that what is in them is read as their content. */
const shellToken = new RegExp(
  [
    String.raw`(?<comment>(?<=^|[\s;&|])#[^\n]*)`,
    String.raw`(?<ansi>\$'(?:[^'\\]|\\[^])*'?)`,
    String.raw`'(?<one>[^']*)'`,
    String.raw`"(?<two>(?:[^"\\]|\\[^])*)"`,
    String.raw`\\(?<backslash>[ \t${blank}${hidden}]+)(?=\r?\n|$)`,
    String.raw`(?<escaped>\\[^])`,
    `(?<quote>[${single}${double}])`,
    `(?<dash>(?<=^|[\\s${blank}])-?[${dashes}]{1,2}(?<name>[A-Za-z][\\w-]*))`,
    `(?<blanks>[${blank}]+)`,
    `(?<none>[${hidden}]+)`,
    String.raw`(?<ellipsis>\u2026)`,
  ].join('|'),
  'gu',
);

type QuoteKind = "'" | '"';
const jsonStart = new RegExp(String.raw`[\s${blank}${hidden}]{0,100}[{[]`, 'y');
/** The end of a word that a typographic quote begins: a quote of its kind at the end of a word, which is not escaped; of JSON, behind its bracket. */
const wordEnd = (quotes: string, isJson: boolean) =>
  new RegExp(
    String.raw`(?<!\\)${isJson ? String.raw`(?<=[}\]][\s${blank}${hidden}]{0,100})` : ''}[${quotes}](?=[\s\\;|&)<>${blank}${hidden}]|$)`,
    'g',
  );
const wordEnds: Readonly<Record<QuoteKind, { readonly json: RegExp; readonly text: RegExp }>> = {
  "'": { json: wordEnd(`${single}'`, true), text: wordEnd(`${single}'`, false) },
  '"': { json: wordEnd(`${double}"`, true), text: wordEnd(`${double}"`, false) },
};

/**
 * Undoes in commands for a shell what a chat made of them, and writes those for Windows's prompt for a shell. What is quoted is data and stays, apart
 * from the quotes of JSON themselves.
 */
export function straightenCommand(given: string): Straightened {
  const replaced: Replaced = new Set();
  let text = isForPrompt(given) ? fromPrompt(given) : given;
  // A page is escaped as a whole, so that no quote is left.
  if (!text.includes('"') && htmlQuote.test(text)) {
    replaced.add('html');
    text = unescapeHtml(text);
  }
  if (!suspicious.test(text) && !htmlQuote.test(text)) return result(text, replaced);
  text = withoutPrompts(text, replaced);
  const endOf = createSearch(text);
  const straight = rewritten(text, shellToken, (found, end) => {
    const { one, two, backslash, quote, dash, name = '', blanks, none, ellipsis } = found.groups ?? {};
    const instead = (what: keyof typeof names, text: string, behind = end): Instead => {
      replaced.add(what);
      return { instead: text, end: behind };
    };
    if (one !== undefined) return { instead: `'${contentOf(one, replaced)}'`, end };
    if (two !== undefined) return { instead: inDouble(two, replaced), end };
    if (backslash !== undefined) return instead('backslash', '\\');
    if (dash !== undefined) return instead('dashes', `${/^[a-z][a-z\d-]{2}/.test(name) ? '--' : '-'}${name}`);
    if (blanks !== undefined) return instead('blanks', ' '.repeat(blanks.length));
    if (none !== undefined) return instead('hidden', '');
    if (ellipsis !== undefined) return instead('ellipsis', '...');
    if (quote === undefined) return null;
    const kind: QuoteKind = single.includes(quote) ? "'" : '"';
    jsonStart.lastIndex = end;
    const close = endOf(wordEnds[kind][jsonStart.test(text) ? 'json' : 'text'], end);
    if (close === null) return null;
    const content = text.slice(end, close);
    const word =
      kind === "'" ? `'${contentOf(content, replaced).replaceAll("'", String.raw`'\''`)}'` : asDouble(content, replaced);
    return instead('quotes', word, close + 1);
  });
  return result(straight, replaced);
}

/** Leaves out the prompt in front of a command, and that of bash in front of a continued line. Columns stay. */
function withoutPrompts(text: string, replaced: Replaced): string {
  return text
    .replaceAll(/^([ \t]*)[$%>] (?=curl\b)/gm, (_, before: string) => left(before))
    .replaceAll(promptOfMore, (_, before: string) => left(before));
  function left(before: string): string {
    replaced.add('prompt');
    return `${before}  `;
  }
}
const promptOfMore = new RegExp(String.raw`(\\[ \t${blank}]*\r?\n[ \t]*)> (?=[-'"${dashes}${single}${double}]|https?:)`, 'g');

/** Returns what stands in quotes: of JSON what it was, of a URL without what shows nothing, and everything else as it is. */
function contentOf(content: string, replaced: Replaced): string {
  if (/^\s*[{[]/.test(content)) {
    const isEscaped = !content.includes('"') && htmlQuote.test(content);
    if (isEscaped) replaced.add('html');
    return jsonStraight(isEscaped ? unescapeHtml(content) : content, replaced);
  }
  const plain = /^\s*https?:/.test(content) ? content.replaceAll(inUrl, '') : content;
  if (plain !== content) replaced.add('hidden');
  return plain;
}
const inUrl = new RegExp(`[${hidden}${blank}]+`, 'g');

/** Returns a word in plain double quotes, with the quotes of JSON in it made plain if they are not. */
function inDouble(content: string, replaced: Replaced): string {
  return oddInDouble.test(content) ? asDouble(content, replaced) : `"${contentOf(content, replaced)}"`;
}
const oddInDouble = new RegExp(String.raw`^\s*[{[][\s${blank}${hidden}]*\\?[${double}]`);

/** Writes the content of a word in double quotes, which has a backslash before each quote. */
function asDouble(content: string, replaced: Replaced): string {
  const bare = content.replaceAll(new RegExp(String.raw`\\([\\"${double}])`, 'g'), (_, one: string) =>
    one === '\\' ? '\\' : '"',
  );
  return `"${contentOf(bare, replaced).replaceAll(/"|\\(?![$`])/g, String.raw`\$&`)}"`;
}

/** Returns whether a command is written for the command prompt of Windows, as browsers copy it. */
function isForPrompt(text: string): boolean {
  return /\^["{\\]|\^\r?\n/.test(text);
}

/** Stands for the end of a continued line, which bash has too: so lines keep their numbers. */
const continued = '\u0000';

/**
 * Writes a command of Windows's prompt for bash: carets escape the next character there, and a program splits its words by the rules of
 * Microsoft's C runtime, where a backslash escapes only a quote.
 */
function fromPrompt(text: string): string {
  const plain = text
    .replaceAll(continued, ' ')
    .replaceAll(/\^(\r?\n|[^])/g, (_, next: string) => (next.endsWith('\n') ? continued : next));
  let words = '';
  let quoted = false;
  for (let at = 0; at < plain.length; at++) {
    const character = plain.charAt(at);
    if (character === '\\') {
      const [run] = /^\\{1,1000}/.exec(plain.slice(at, at + 1_000)) as RegExpExecArray;
      at += run.length - 1;
      const isBeforeQuote = plain.charAt(at + 1) === '"';
      words += quotedForBash('\\'.repeat(isBeforeQuote ? Math.floor(run.length / 2) : run.length));
      if (isBeforeQuote && run.length % 2 === 1) {
        words += `'"'`;
        at++;
      }
    } else if (character === continued) words += quoted ? ' ' : '\\\n';
    else if (character === '"') quoted = !quoted;
    else if (quoted || !/\s/.test(character)) words += /[\w:/.-]/.test(character) ? character : quotedForBash(character);
    else words += character;
  }
  return words;
}

function quotedForBash(text: string): string {
  return text === '' ? '' : text === "'" ? `"'"` : `'${text}'`;
}
