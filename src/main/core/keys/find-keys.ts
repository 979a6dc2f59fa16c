import { Buffer, isUtf8 } from 'node:buffer';
import type { KeysFound } from '#core/host/host.ts';
import { formsOf, roomForForms, type SecretForms } from '#core/masking/secret-forms.ts';
import { findSecret, secretPlaces } from '#core/masking/secret-places.ts';
import type { Secret } from './secret.ts';

/**
 * Returns whether the bytes, as UTF-8 text, hold the key in any form that redaction knows; a key of fewer than four bytes is in no
 * text.
 */
export function isKeyIn(key: Secret, bytes: Uint8Array): boolean {
  return placesOf(key, textOf(bytes)).length > 0;
}

/** Finds keys in a text; a null in `keys` is one that could not be read. */
export function findKeys(accounts: readonly string[], bytes: Uint8Array, keys: readonly (Secret | null)[]): KeysFound {
  const found: { account: string; places: number[] }[] = [];
  const unknown: string[] = [];
  const text = textOf(bytes);
  accounts.forEach((account, index) => {
    const key = keys[index] ?? null;
    const places = key === null ? [] : placesOf(key, text);
    if (key === null) unknown.push(account);
    else if (places.length > 0) found.push({ account, places });
  });
  return { found, unknown };
}

/** For the forms of a usual key: a new array would take as long as half of a look. */
const room = roomForForms(64);

/** Characters of a form that nearly no text holds. */
const beginning = 8;

/** Returns starts and ends in bytes. The forms of the key that it searches for are overwritten before this returns. */
function placesOf(key: Secret, { text, isUtf8 }: DecodedText): number[] {
  const first = withForms(key, beginning, (forms) => findSecret(forms, text));
  if (first === null) return [];
  return withForms(key, undefined, (forms) => secretPlaces(forms, text, first.start)).flatMap(({ start, end }) => {
    const from = isUtf8 ? Buffer.byteLength(text.slice(0, start)) : start;
    return [from, isUtf8 ? from + Buffer.byteLength(text.slice(start, end)) : end];
  });
}

function withForms<T>(key: Secret, most: number | undefined, work: (forms: SecretForms) => T): T {
  const forms = key.use((utf8) => formsOf(utf8, room, most));
  try {
    return work(forms);
  } finally {
    forms.fill(0);
  }
}

interface DecodedText {
  readonly text: string;
  readonly isUtf8: boolean;
}

/** Decodes UTF-8, or other bytes one by one, so that positions in the text are positions in the bytes. */
function textOf(bytes: Uint8Array): DecodedText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { text: buffer.toString(), isUtf8: true } : { text: buffer.toString('latin1'), isUtf8: false };
}
