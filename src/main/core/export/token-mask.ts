import { parseJson, type JsonNode } from '#shared/json/parse.ts';
import { secretWords } from '#shared/secrets/secret-names.ts';
import { shownBeginning } from '#shared/provider/findings.ts';
import { maskUrlTokens, tokenMark, urlTokens } from '#shared/provider/tokens.ts';

/** A place in a text that is written differently; UTF-16 offsets. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Masks tokens in texts of recorded calls and leaves every other character as it was. */
export interface TokenMask {
  text(text: string): string;
  /** The masked parts of one text, which follow one another from 0 and end at the offsets in `ends`. */
  parts(text: string, ends: readonly number[]): string[];
  /** How many places were masked so far. */
  masked(): number;
}

/** Shorter values are masked where they stand as a token, and not looked for anywhere else; a shorter text has nothing to mask. */
export const shortestValue = 4;
/** Of this length a value is no part of a word by chance. */
const longEnough = 8;
/** For what is not JSON: a name that speaks of a token or another secret, and its text. */
const pairs = new RegExp(
  `"(?:[^"\\\\]|\\\\.){0,100}(?:${secretWords})(?:[^"\\\\]|\\\\.){0,100}"\\s*:\\s*"(?<value>(?:[^"\\\\]|\\\\.)+)"`,
  'dgi',
);
const memberNames = /"((?:[^"\\]|\\.)*)"\s*:/g;
const mayName = new RegExp(`${secretWords}|\\\\u`, 'i');
/** In a body that was typed wrong on purpose also in single quotes, behind a bare name, and as a form sends it. */
const loosePairs = [
  pairs,
  new RegExp(
    `(?:^|[{,\\s])(['"]?)[\\w.$-]{0,100}(?:${secretWords})[\\w.$-]{0,100}\\1\\s*:\\s*(["'])(?<value>(?:(?!\\2)[^\\\\]|\\\\.)+)\\2`,
    'dgi',
  ),
  new RegExp(`(?:^|&)[^=&\\s]{0,100}(?:${secretWords})[^=&\\s]{0,100}=(?<value>[^=&\\s]+)`, 'dgi'),
];

/** Where the values of tokens stand in a text that is not JSON; each place once. */
function placesOf(text: string): { readonly start: number; readonly end: number }[] {
  const places = new Map<number, number>();
  for (const pattern of loosePairs) {
    for (const { indices } of text.matchAll(pattern)) {
      const [start, end] = indices?.groups?.['value'] ?? [0, 0];
      if (end > start) places.set(start, end);
    }
  }
  return Array.from(places, ([start, end]) => ({ start, end }));
}

/** Changes nothing: for an export that keeps its tokens. */
export function keepTokens(): TokenMask {
  return { text: (text) => text, parts: (text, ends) => cut(text, ends, []), masked: () => 0 };
}

/**
 * A mask for everything that one export holds. A token is what stands under a name that `isToken` knows or in the query of an address under
 * such a name; its value is then masked wherever any of the texts repeats it, for a message may quote it.
 */
export function createTokenMask(texts: readonly string[], isToken: (name: string) => boolean): TokenMask {
  const values = new Set<string>();
  for (const text of texts) learn(text);
  const forms = [...new Set([...values].filter((value) => value.length >= shortestValue).flatMap(formsOf))].sort(
    (one, other) => other.length - one.length,
  );
  let count = 0;

  /** Reading a text takes long, and most lists of games hold no token: a name or an address of one is there, or an escape that may hide it. */
  function mayHold(text: string): boolean {
    if (mayName.test(text)) return true;
    const seen = new Set<string>();
    for (const [, name = ''] of text.matchAll(memberNames)) {
      if (seen.has(name)) continue;
      seen.add(name);
      if (isToken(unquoted(name))) return true;
    }
    return false;
  }

  function learn(text: string): void {
    if (!mayHold(text)) return;
    for (const token of urlTokens(text)) values.add(token);
    const parsed = parseJson(text);
    if (!parsed.ok) {
      for (const { start, end } of placesOf(text)) values.add(unquoted(text.slice(start, end)));
      return;
    }
    visit(parsed.root, (node, named) => {
      if (named) {
        values.add(node.kind === 'number' ? node.text : node.value);
        // A message may quote it as it is written here.
        if (node.kind === 'string') values.add(text.slice(node.start + 1, node.end - 1));
      } else if (node.kind === 'string') {
        for (const token of urlTokens(node.value)) values.add(token);
        // A text inside the text that is JSON again.
        for (const { groups } of node.value.matchAll(pairs)) values.add(unquoted(groups?.['value'] ?? ''));
      }
    });
  }

  /** Calls `found` for every text and every number of the tree; `named`: it stands, at any depth, under a token's name. */
  function visit(root: JsonNode, found: (node: Scalar, named: boolean) => void): void {
    const pending: [JsonNode, boolean][] = [[root, false]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, named] = next;
      if (node.kind === 'object') for (const { key, value } of node.members) pending.push([value, named || isToken(key)]);
      else if (node.kind === 'array') for (const item of node.items) pending.push([item, named]);
      else if ((node.kind === 'string' && node.value !== '') || node.kind === 'number') found(node, named);
    }
  }

  function editsOf(text: string): Edit[] {
    const edits: Edit[] = [];
    const parsed = parseJson(text);
    if (parsed.ok) {
      visit(parsed.root, (node, named) => {
        const { start, end } = node;
        if (named) edits.push({ start, end, text: JSON.stringify(tokenMark) });
        else if (node.kind === 'string') {
          const masked = maskUrlTokens(node.value);
          // Written anew as a whole, so what the address repeats in another place is masked in it here.
          if (masked !== node.value) edits.push({ start, end, text: JSON.stringify(applied(masked, repeated(masked, []))) });
        }
      });
    } else {
      for (const place of placesOf(text)) edits.push({ ...place, text: tokenMark });
    }
    edits.sort((one, other) => one.start - other.start);
    return [...edits, ...repeated(text, edits)].sort((one, other) => one.start - other.start);
  }

  /** Where the text repeats a token outside `taken`, which is in order. */
  function repeated(text: string, taken: readonly Edit[]): Edit[] {
    const found: Edit[] = [];
    for (const form of forms) {
      for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1)) {
        const end = start + form.length;
        if (form.length < longEnough && isInsideWord(text, start, end)) continue;
        const overlaps = (edit: Edit) => start < edit.end && edit.start < end;
        if (!taken.some(overlaps) && !found.some(overlaps)) found.push({ start, end, text: tokenMark });
      }
    }
    return found;
  }

  function parts(text: string, ends: readonly number[]): string[] {
    const edits = editsOf(text);
    count += edits.length;
    return cut(text, ends, edits);
  }

  return {
    // Addresses in what is not JSON are masked as well.
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

function isInsideWord(text: string, start: number, end: number): boolean {
  const before = /\w/.test(text.charAt(start - 1)) && !/%[0-9a-f]{2}$/i.test(text.slice(Math.max(0, start - 3), start));
  return (before && /\w/.test(text.charAt(start))) || (/\w/.test(text.charAt(end)) && /\w/.test(text.charAt(end - 1)));
}

function applied(text: string, edits: readonly Edit[]): string {
  const inOrder = [...edits].sort((one, other) => one.start - other.start);
  return cut(text, [text.length], inOrder)[0] ?? '';
}

function cut(text: string, ends: readonly number[], edits: readonly Edit[]): string[] {
  let at = 0;
  return ends.map((end) => {
    let part = '';
    for (const edit of edits) {
      if (edit.start < at || edit.start >= end) continue;
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
  const whole = [value, json, json.replaceAll('/', '\\/'), encodeURIComponent(value)];
  // A sentence has the beginning of a long value.
  return [...whole, ...whole.filter(({ length }) => length > shownBeginning).map((form) => form.slice(0, shownBeginning))];
}

function unquoted(inner: string): string {
  try {
    return String(JSON.parse(`"${inner}"`));
  } catch {
    return inner;
  }
}
