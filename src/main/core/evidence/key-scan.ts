import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** What is known of a key without knowing it. */
export interface KeyMark {
  /** Its length in UTF-8 bytes. */
  readonly bytes: number;
  /** Lowercase hexadecimal SHA-256 of the key alone. */
  readonly digest: string;
}

/** A key this short could be met by chance, and is no key. */
const shortest = 6;
/** How long the scan keeps the program from other work, in milliseconds. */
const stretchMs = 15;

/**
 * Whether one of the texts holds a key, found by digest, since nobody outside the key's own process knows it: as it is, percent-encoded, with
 * JSON's or HTML's escapes, in hexadecimal, in base64 and base64url at any place of a longer encoded text. Takes about a second for each
 * megabyte, and lets others work meanwhile.
 */
export async function holdsKey(texts: Iterable<string>, mark: KeyMark): Promise<boolean> {
  if (mark.bytes < shortest) return false;
  const wanted = Buffer.from(mark.digest, 'hex');
  let since = performance.now();
  for (const text of new Set(texts)) {
    for (const bytes of readings(text, mark.bytes)) {
      for (let at = 0; at + mark.bytes <= bytes.length; at += 1) {
        if (hash('sha256', bytes.subarray(at, at + mark.bytes), 'buffer').equals(wanted)) return true;
        if (at % 1_024 !== 0 || performance.now() - since < stretchMs) continue;
        await setImmediate();
        since = performance.now();
      }
    }
  }
  return false;
}

/** Everything that the text may be read as and that is long enough for the key; what equals an earlier reading is left out. */
function readings(text: string, keyBytes: number): Buffer[] {
  const plain = [text, percentDecoded(text), percentDecoded(text.replaceAll('+', ' ')), jsonDecoded(text), htmlDecoded(text)];
  const found = [...new Set(plain)].map((reading) => Buffer.from(reading, 'utf8'));
  for (const run of text.match(/[0-9a-f]{12,}/gi) ?? []) {
    if (run.length < keyBytes * 2) continue;
    // Of an odd run the pairs may begin one later.
    for (const start of [0, 1]) found.push(Buffer.from(run.slice(start), 'hex'));
  }
  for (const run of text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []) {
    if (run.length < Math.floor((keyBytes * 4) / 3)) continue;
    for (const start of [0, 1, 2, 3]) found.push(Buffer.from(run.slice(start), 'base64'));
  }
  return found.filter(({ length }) => length >= keyBytes);
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function jsonDecoded(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(["\\/])/g, '$1');
}

function htmlDecoded(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, hex: string) => String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10_ffff)))
    .replace(/&#(\d{1,7});/g, (_, digits: string) => String.fromCodePoint(Math.min(Number(digits), 0x10_ffff)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
