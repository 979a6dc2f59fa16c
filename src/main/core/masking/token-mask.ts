import { measureJson, mostValues } from '#shared/json/measure.ts';
import { parseJson, type JsonNode, type JsonResult } from '#shared/json/parse.ts';
import { inPieces } from '#shared/json/text-pieces.ts';
import { secretFormsIn, secretWords } from '#shared/secrets/secret-names.ts';
import { shownBeginning } from '#shared/provider/findings.ts';
import { markFor, maskUrlTokens, secretMark, urlTokens } from '#shared/provider/tokens.ts';
import { placesInJson } from './mask-places.ts';
import { unread } from '../untrusted/measure.ts';
import { createFormFinder, edited, type Edit } from './find-forms.ts';

/** Masks tokens in texts of recorded calls and leaves every other character as it was. */
export interface TokenMask {
  text(text: string): string;
  /** The masked parts of one text, which follow one another from 0 and end at the offsets in `ends`. */
  parts(text: string, ends: readonly number[]): string[];
  /** Returns the number of masked places so far. */
  masked(): number;
}

/** Length below which values are masked only as a token, and not searched anywhere else; a shorter text has nothing to mask. */
export const shortestValue = 4;
const words = new RegExp(secretWords, 'i');
/** For text that is not JSON: matches a name of a token or another secret, and its text, at one place. */
const pairs = new RegExp(
  `"(?<name>(?:[^"\\\\]|\\\\.){0,100}(?:${secretWords})(?:[^"\\\\]|\\\\.){0,100})"\\s*:\\s*"(?<value>(?:[^"\\\\]|\\\\.)+)"`,
  'diy',
);
/** More units than a name that it matches has. */
const longestName = 450;
/** The same in JSON that is a text of JSON: each quote has one backslash before it, three or seven. */
const innerPairs = new RegExp(
  `(?<!\\\\)(?<escape>\\\\{1,7})"(?<name>[^"\\\\]{0,100}(?:${secretWords})[^"\\\\]{0,100})\\k<escape>"\\s*:\\s*` +
    `\\k<escape>"(?<value>.+?)(?<!\\\\)\\k<escape>"`,
  'dgis',
);
/** In an address a letter may be encoded, in one inside of it twice. */
const mayName = new RegExp(`${secretWords}|\\\\u|%(?:25){0,2}[4-7][0-9a-f]`, 'i');
/** In a body that was typed wrong on purpose also in single quotes, behind a bare name, and as a form sends it. */
const loosePairs = [
  innerPairs,
  new RegExp(
    `(?:^|[{,\\s])(['"]?)(?<name>[\\w.$-]{0,100}(?:${secretWords})[\\w.$-]{0,100})\\1\\s*:\\s*(["'])(?<value>(?:(?!\\3)[^\\\\]|\\\\.)+)\\3`,
    'dgi',
  ),
  new RegExp(`(?:^|&)(?<name>[^=&\\s]{0,100}(?:${secretWords})[^=&\\s]{0,100})=(?<value>[^=&\\s]+)`, 'dgi'),
];

/** Finds the values of tokens in a text that is not JSON; each place once. */
function placesOf(text: string): Edit[] {
  const places = new Map<number, Edit>();
  for (const found of [pairsIn(text), ...loosePairs.map((pattern) => text.matchAll(pattern))]) {
    for (const { indices, groups } of found) {
      const [start, end] = indices?.groups?.['value'] ?? [0, 0];
      if (end > start) places.set(start, { start, end, text: markFor(groups?.['name'] ?? '') });
    }
  }
  return [...places.values()];
}

/**
 * Reads a text whose values are counted first: each takes up to 200 bytes. Fails with `refused`, because a text that is not read
 * cannot be masked.
 */
function readText(text: string): JsonResult {
  if (text.length > mostValues && /^\s*[[{]/.test(text)) {
    const { values } = measureJson(Buffer.from(text, 'utf8'));
    const [has, most] = [values, mostValues].map((count) => count.toLocaleString('en'));
    if (values > mostValues)
      throw unread(`Tokens cannot be masked: a text has about ${has} values; Croupier reads at most ${most}.`);
  }
  return parseJson(text);
}

/** Changes nothing: for an export that keeps its tokens. */
export function keepTokens(): TokenMask {
  return { text: (text) => text, parts: (text, ends) => cut(text, ends, []), masked: () => 0 };
}

/**
 * A mask for everything that one export holds. A token is what stands under a name that `isToken` knows or in the query of an address under
 * such a name; its value is then masked wherever any of the texts repeats it, for a message may quote it. It and its verbs fail with `refused` for a text
 * with more values than are read.
 */
export function createTokenMask(texts: readonly string[], isToken: (name: string) => boolean): TokenMask {
  const learner = createTokenLearner(isToken);
  for (const text of texts) learner.learn(text);
  return learner.mask();
}

/** Learns the tokens of all texts first, which come one by one, so that each is masked in every one of them. */
export function createTokenLearner(isToken: (name: string) => boolean) {
  const values = new Map<string, string>();
  const mayHold = (text: string) => mayHoldToken(text, isToken);

  /** Fails with `refused` for a text with more values than are read. */
  function learn(text: string): void {
    for (const form of secretFormsIn(text)) values.set(form, secretMark);
    if (!mayHold(text)) return;
    for (const { value, mark } of urlTokens(text)) values.set(value, mark);
    const parsed = readText(text);
    if (!parsed.ok) {
      for (const { start, end, text: mark } of placesOf(text)) values.set(unquoted(text.slice(start, end)), mark);
      return;
    }
    visit(parsed.root, isToken, (node, named) => {
      if (named !== null) {
        values.set(node.kind === 'number' ? node.text : node.value, named);
        // A message may quote it as it is written here.
        if (node.kind === 'string') values.set(text.slice(node.start + 1, node.end - 1), named);
      } else if (node.kind === 'string') {
        for (const { value, mark } of urlTokens(node.value)) values.set(value, mark);
        // A text inside the text that is JSON again.
        for (const found of [pairsIn(node.value), node.value.matchAll(innerPairs)])
          for (const { groups } of found)
            values.set(unquoted(groups?.['value'] ?? '', groups?.['escape']), markFor(groups?.['name'] ?? ''));
      }
    });
  }

  return {
    learn,
    /** Returns the mask of everything learnt so far; it fails as `learn` does. */
    mask: (): TokenMask => maskOf(values, isToken),
  };
}

/** Reading a text takes long, and most lists of games hold no token: a name or an address of one is there, or an escape that may hide it. */
function mayHoldToken(text: string, isToken: (name: string) => boolean): boolean {
  if (mayName.test(text)) return true;
  const seen = new Set<string>();
  for (const [start, end] of namesBeforeColons(text)) {
    const name = text.slice(start, end);
    if (seen.has(name)) continue;
    seen.add(name);
    if (isToken(unquoted(name))) return true;
  }
  return false;
}

/**
 * Yields where the texts between two quotes are that a colon follows, also of a text that is not JSON. No regular expression: each of a million escaped
 * quotes would begin another search.
 */
function* namesBeforeColons(text: string): Generator<[start: number, end: number], void> {
  const colon = /\s*:/y;
  for (let at = text.indexOf('"'); at !== -1;) {
    let end = at + 1;
    for (let unit = text.charCodeAt(end); end < text.length && unit !== 0x22; unit = text.charCodeAt(end))
      end += unit === 0x5c ? 2 : 1;
    if (end >= text.length) return;
    colon.lastIndex = end + 1;
    if (colon.test(text)) yield [at + 1, end];
    at = end;
  }
}

/** Yields what `pairs` matches, one after the other: any quote may begin a name, also an escaped one, but only before a colon is one tried. */
function* pairsIn(text: string): Generator<RegExpExecArray, void> {
  let from = 0;
  for (const [start, end] of namesBeforeColons(text)) {
    let at = Math.max(from, start - 1, end - longestName);
    if (at >= end || !words.test(text.slice(at, end))) continue;
    for (at = text.indexOf('"', at); at < end; at = text.indexOf('"', at + 1)) {
      pairs.lastIndex = at;
      const found = pairs.exec(text);
      if (found === null) continue;
      from = pairs.lastIndex;
      yield found;
      break;
    }
  }
}

/** Calls `found` for every text and every number of the tree; `named`: the mark of the outermost secret's name that it stands under, or null. */
function visit(root: JsonNode, isToken: (name: string) => boolean, found: (node: Scalar, named: string | null) => void): void {
  const pending: [JsonNode, string | null][] = [[root, null]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, named] = next;
    if (node.kind === 'object')
      for (const { key, value } of node.members) pending.push([value, named ?? (isToken(key) ? markFor(key) : null)]);
    else if (node.kind === 'array') for (const item of node.items) pending.push([item, named]);
    else if ((node.kind === 'string' && node.value !== '') || node.kind === 'number') found(node, named);
  }
}

function maskOf(values: ReadonlyMap<string, string>, isToken: (name: string) => boolean): TokenMask {
  const forms = [
    ...new Map(
      [...values].flatMap(([value, mark]) =>
        value.length < shortestValue ? [] : formsOf(value).map((form) => [form, mark] as const),
      ),
    ),
  ].sort(([one], [other]) => other.length - one.length);
  const find = createFormFinder(forms);
  let count = 0;

  function editsOf(text: string): Edit[] {
    const edits: Edit[] = [];
    const parsed = mayHoldToken(text, isToken) ? readText(text) : null;
    if (parsed?.ok === true) {
      visit(parsed.root, isToken, (node, named) => {
        const { start, end } = node;
        if (named !== null) edits.push({ start, end, text: JSON.stringify(named) });
        else if (node.kind === 'string') {
          const masked = maskUrlTokens(node.value);
          // Written again as a whole, so repetitions elsewhere in the URL are masked in it here.
          if (masked !== node.value) edits.push({ start, end, text: JSON.stringify(edited(masked, repeated(masked, []))) });
        }
      });
    } else if (parsed !== null) {
      edits.push(...placesOf(text));
    }
    edits.sort((one, other) => one.start - other.start);
    return [...edits, ...repeated(text, edits)].sort((one, other) => one.start - other.start);
  }

  /** Finds repetitions of tokens outside `taken`, which is in order. */
  function repeated(text: string, taken: readonly Edit[]): Edit[] {
    const found = find(text, taken);
    return /^\s*[[{]/.test(text) ? quotedWhereBare(text, found) : found;
  }

  function parts(text: string, ends: readonly number[]): string[] {
    const edits = editsOf(text);
    count += edits.length;
    return cut(text, ends, edits);
  }

  return {
    // URLs in text that is not JSON are masked as well.
    text: (text) => {
      const masked = parts(text, [text.length])[0] ?? '';
      const clean = maskUrlTokens(masked);
      if (clean !== masked) count++;
      return clean;
    },
    parts,
    masked: () => count,
  };
}

type Scalar = Extract<JsonNode, { kind: 'string' | 'number' }>;

/** A secret that a number repeats becomes a string, so that the text stays JSON. */
function quotedWhereBare(text: string, found: readonly Edit[]): Edit[] {
  const inOrder = found.toSorted((one, other) => one.start - other.start);
  const edits: Edit[] = [];
  for (const { start, end, text: mark, bare } of placesInJson((at) => text.charCodeAt(at), text.length, inOrder))
    if (start >= (edits.at(-1)?.end ?? 0)) edits.push({ start, end, text: bare ? JSON.stringify(mark) : mark });
  return edits;
}

function cut(text: string, ends: readonly number[], edits: readonly Edit[]): string[] {
  let [at, next] = [0, 0];
  return ends.map((end) => {
    let part = '';
    for (; next < edits.length; next++) {
      const edit = edits[next] ?? { start: end, end, text: '' };
      if (edit.start >= end) break;
      if (edit.start < at) continue;
      part += text.slice(at, edit.start) + edit.text;
      at = edit.end;
    }
    // A token that reaches over the end was written whole; what follows it begins later.
    if (at < end) part += text.slice(at, end);
    at = Math.max(at, end);
    return part;
  });
}

function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const whole = [value, json, inPieces(json, (piece) => piece.replaceAll('/', '\\/')), encodeURIComponent(value.toWellFormed())];
  // A sentence has the beginning of a long value.
  return [...whole, ...whole.filter(({ length }) => length > shownBeginning).map((form) => form.slice(0, shownBeginning))];
}

/** Reads the inside of a text of JSON; `escape` is what stands before each of its quotes. */
function unquoted(inner: string, escape = ''): string {
  try {
    const text = String(JSON.parse(`"${inner}"`));
    return escape === '' ? text : unquoted(text, escape.slice(Math.ceil(escape.length / 2)));
  } catch {
    return inner;
  }
}

/** Masks the values of secrets' names in a text of any kind, where nothing else is known of it. */
export function maskNamedSecrets(text: string): string {
  if (!mayName.test(text)) return text;
  let end = 0;
  const places = placesOf(text).toSorted((one, other) => one.start - other.start);
  return edited(
    text,
    places.filter((place) => place.start >= end && ((end = place.end), true)),
  );
}
