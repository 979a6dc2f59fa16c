import { characterName } from '../json/hidden-characters.ts';

/** Warnings about a key that never quote it, and the key without surrounding characters; null if it has none. */
export interface KeyInspection {
  readonly warnings: string[];
  readonly trimmed: string | null;
}

const edges = /^[\s\u200b\u2060\ufeff]+|[\s\u200b\u2060\ufeff]+$/gu;
const quotes: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['\u201c', '\u201d'],
  ['\u2018', '\u2019'],
];

/** Inspects a private key as entered. Changes nothing, because the user decides, and quotes it in no warning. */
export function inspectKey(key: string): KeyInspection {
  const trimmed = trimKey(key);
  if (trimmed === '') return { warnings: ['The key is blank'], trimmed: null };

  const warnings: string[] = [];
  if (key.startsWith('\ufeff')) warnings.push('The key begins with a byte order mark (U+FEFF)');
  if (/[\r\n\u2028\u2029\u0085]/.test(key)) {
    const inside = /[\r\n\u2028\u2029\u0085]/.test(trimmed);
    warnings.push(inside ? 'The key contains a line break' : 'The key begins or ends with a line break');
  }
  if (/^[^\S\r\n\u2028\u2029\ufeff]/u.test(key.replace(/^[\ufeff\r\n]+/, '')))
    warnings.push('The key begins with a space or tab');
  if (/[^\S\r\n\u2028\u2029\ufeff]$/u.test(key.replace(/[\ufeff\r\n]+$/, ''))) warnings.push('The key ends with a space or tab');
  if (unquote(key.replace(edges, '')) !== null) warnings.push('The key is in quotes, which count as part of it');

  const inner = trimmed.replace(/[\r\n\u2028\u2029\u0085]/g, '');
  if (/\s/u.test(inner.replace(/\ufeff/g, ''))) warnings.push('The key contains a space or tab');
  const hidden = hiddenCharacters(key.startsWith('\ufeff') ? key.slice(1) : key);
  if (hidden.length > 0) warnings.push(`The key contains invisible characters: ${hidden.join(', ')}`);
  if (/[\u0080-\uffff]/.test(inner.replace(/[\p{C}\p{Z}]/gu, ''))) {
    warnings.push('The key contains non-ASCII characters, which are hashed as UTF-8');
  }
  return { warnings, trimmed: trimmed === key ? null : trimmed };
}

/** Shortest key to search for, in UTF-8 bytes; a shorter one occurs in many texts by chance. */
export const shortestKeyFound = 4;
/** Shortest key to mask in responses, in UTF-8 bytes; a shorter one occurs in words and numbers by chance, and masking would damage them. */
export const shortestKeyMasked = 8;

/** Says what Croupier does not do for a short key, given in UTF-8 bytes, without a full stop; null for a long or unknown key. */
export function shortKeyWarning(bytes: number | null): string | null {
  if (bytes === null || bytes === 0 || bytes >= shortestKeyMasked) return null;
  return bytes < shortestKeyFound
    ? `The key has fewer than ${shortestKeyFound} bytes: Croupier doesn't ask about texts that contain it, and doesn't mask it`
    : `The key has fewer than ${shortestKeyMasked} bytes: Croupier doesn't mask it in responses`;
}

function trimKey(key: string): string {
  let trimmed = key;
  for (;;) {
    const next = trimmed.replace(edges, '');
    const inner = unquote(next) ?? next;
    if (inner === trimmed) return trimmed;
    trimmed = inner;
  }
}

function unquote(text: string): string | null {
  const surrounded = text.length >= 2 && quotes.some(([open, close]) => text.startsWith(open) && text.endsWith(close));
  return surrounded ? text.slice(1, -1) : null;
}

function hiddenCharacters(key: string): string[] {
  const found = new Set<string>();
  for (const character of key) {
    if (/[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(character) && !/[\r\n\t]/.test(character)) {
      found.add(characterName(character.codePointAt(0) as number));
    }
  }
  return [...found];
}
