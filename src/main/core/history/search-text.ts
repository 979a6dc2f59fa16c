/**
 * This file defines "holds the text" for the index, for the rows that are not indexed yet, and for the check of the index's
 * proposals: the index may propose too much, never too little.
 */

/** The text of one call that a search looks at, column by column. */
export type SearchTexts = readonly string[];

/** A prepared search. */
export type Needle = ReturnType<typeof anywhere>;

const ascii = /^\p{ASCII}*$/u;

/**
 * Folds a text: letters of either case become the same text, character by character. Half a surrogate pair and U+0000 become
 * U+FFFD, as in SQLite.
 */
export function fold(text: string): string {
  const whole = text.includes('\u0000') ? text.replaceAll('\u0000', '\ufffd') : text;
  if (ascii.test(whole)) return whole.toLowerCase();
  const formed = whole.toWellFormed();
  // They would become ASCII letters.
  const lower = /[\u0130\u212a]/.test(formed)
    ? formed.replace(/[^\u0130\u212a]+/g, (part) => part.toLowerCase())
    : formed.toLowerCase();
  return lower.replaceAll('ς', 'σ');
}

const jsonString = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;
const escape = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;
const escaped: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Resolves every escape of JSON strings, as lists and forms show them. */
function unescaped(text: string): string {
  return text.replace(jsonString, (part) => (part.includes('\\') ? unescapedPart(part) : part));
}

function unescapedPart(part: string): string {
  return part.replace(escape, (all: string, hex: string | undefined, character: string | undefined) =>
    hex === undefined ? (escaped[character ?? ''] ?? all) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Returns only the strings that have escapes, resolved, each with its neighbours: what the index needs beside the text itself. */
function unescapedStrings(text: string): string[] {
  if (!text.includes('\\')) return [];
  const found: string[] = [];
  for (const match of text.matchAll(jsonString)) {
    if (!match[0].includes('\\')) continue;
    const part = unescapedPart(match[0]);
    if (part === match[0]) continue;
    const end = match.index + match[0].length;
    found.push(text.slice(Math.max(0, match.index - 2), match.index) + part + text.slice(end, end + 2));
  }
  return found;
}

const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

const patternOf = (folded: string) => (ascii.test(folded) ? /[0-9a-z]+/g : new RegExp(word));

/** Returns the words of a folded text: runs of letters, digits and marks. */
function wordsOf(folded: string): string[] {
  return folded.match(patternOf(folded)) ?? [];
}

/** Returns the text of a call for the two indexes: folded for pieces of three characters, and each of its words once. */
export function indexed(texts: SearchTexts): { text: string; words: string } {
  const text = foldedText(texts);
  const words = new Set<string>();
  // One by one: a list of all words of a text of 20 MB takes half a gigabyte.
  for (const [found] of text.matchAll(patternOf(text))) words.add(found);
  return { text, words: [...words].join(' ') };
}

function foldedText(texts: SearchTexts): string {
  return fold(texts.flatMap((one) => [one, ...unescapedStrings(one)]).join('\n'));
}

const insideBefore = /[\p{L}\p{N}\p{M}\p{Co}]$/u;
const insideAfter = /^[\p{L}\p{N}\p{M}\p{Co}]/u;

/**
 * Returns whether a folded text has a word, or with `prefix` one that begins so: the same as a search in its words, without making
 * them.
 */
function hasWord(folded: string, wanted: string, prefix: boolean): boolean {
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    // Two units, because a character may take both.
    const begins = !insideBefore.test(folded.slice(Math.max(0, at - 2), at));
    if (begins && (prefix || !insideAfter.test(folded.slice(end, end + 2)))) return true;
  }
  return false;
}

/** Most pieces to look up, because more hardly narrow the result and each costs a list to read. */
const mostPieces = 16;

/** Prepares a search for the text as it is, anywhere. Without an expression if it is shorter than three characters. */
export function anywhere(text: string) {
  const wanted = fold(text);
  const characters = Array.from(wanted);
  const pieces = characters.slice(0, -2).map((_, at) => characters.slice(at, at + 3).join(''));
  // Only a number hides a character of such a text; the usual escapes are of others, so the search need not resolve them.
  const hiding = /^[ !#-.0-[\]-~]*$/.test(wanted) ? /\\u00[2-7]/ : /\\/;
  return {
    /** The index that the expression is for. */
    table: 'pieces',
    /** FTS5 expression for what the index must have for a matching call. Empty if the index cannot help. */
    expression: spread([...new Set(pieces)])
      .map(quoted)
      .join(' AND '),
    /** True if everything that fits the expression holds it, so that no row has to be read. */
    sure: false,
    holds: (texts: SearchTexts): boolean =>
      texts.some((one) => fold(one).includes(wanted) || (hiding.test(one) && fold(unescaped(one)).includes(wanted))),
  };
}

/** Returns at most as many as are useful, evenly from the whole. */
function spread(pieces: readonly string[]): string[] {
  if (pieces.length <= mostPieces) return [...pieces];
  return Array.from({ length: mostPieces }, (_, at) => pieces[Math.floor((at * pieces.length) / mostPieces)] ?? '');
}

/** Writes an entry of the index as FTS5 does. */
function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

interface Term {
  readonly parts: readonly string[];
  readonly prefix: boolean;
  /** The term as a text to search, if its words alone do not decide how they stand together. */
  readonly together: Needle | null;
}

/** Prepares a search for every word of the text, as `TextMatch` says. Null if the text has no word. */
export function words(text: string): Needle | null {
  const terms: Term[] = [];
  for (const [, exact, loose] of text.matchAll(/"([^"]*)"?|([^\s"]+)/g)) {
    const parts = wordsOf(fold(exact ?? loose ?? ''));
    const last = parts.at(-1);
    if (last === undefined) continue;
    terms.push({
      parts,
      prefix: exact === undefined && Array.from(last).length >= 3,
      together: parts.length > 1 ? anywhere((exact ?? loose ?? '').trim()) : null,
    });
  }
  if (terms.length === 0) return null;
  const all = terms.flatMap(({ parts, prefix }) =>
    parts.map((part, at) => quoted(part) + (prefix && at === parts.length - 1 ? '*' : '')),
  );
  return {
    table: 'words',
    expression: [...new Set(all)].join(' AND '),
    sure: terms.every(({ together }) => together === null),
    holds(texts) {
      const folded = foldedText(texts);
      return terms.every(
        ({ parts, prefix, together }) =>
          parts.every((part, at) => hasWord(folded, part, prefix && at === parts.length - 1)) &&
          (together === null || together.holds(texts)),
      );
    },
  };
}
