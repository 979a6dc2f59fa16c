import { byteText } from '../model/byte-text.ts';
import type { Serialization } from '../model/environment.ts';
import { parseWith, syntaxErrorAt, type JsonSyntaxError } from '../json/parse.ts';
import { phpJson, phpRules } from '../json/php.ts';
import { decodeUtf8Leniently, encodeUtf8 } from '../json/utf8.ts';

export type SerializedData = { ok: true; dataJson: string } | { ok: false; error: JsonSyntaxError };

/** Returns the one text of `data` that is hashed and sent. `verbatim` never refuses; the others refuse what PHP's decoder refuses. */
export function serializeData(text: string, serialization: Serialization): SerializedData {
  if (serialization === 'verbatim') return { ok: true, dataJson: text };
  const result = phpJson(text, { unicode: serialization === 'php-unicode', assoc: false });
  return result.ok ? { ok: true, dataJson: result.json } : result;
}

/** `text` is null if the bytes are not UTF-8, which only `verbatim` accepts. */
export type SerializedBytes = { ok: true; bytes: Uint8Array; text: string | null } | { ok: false; error: JsonSyntaxError };

/** Serializes a text that arrives as bytes, from a file or a pipe, without repairing a byte order mark or malformed UTF-8. */
export function serializeBytes(bytes: Uint8Array, serialization: Serialization): SerializedBytes {
  const { text, firstFault } = decodeUtf8Leniently(bytes);
  if (serialization === 'verbatim') return { ok: true, bytes, text: firstFault === null ? text : null };
  if (firstFault !== null) {
    const parsed = parseWith(text, phpRules);
    if (!parsed.ok && parsed.error.offset < firstFault.charOffset) return parsed;
    const byte = (bytes[firstFault.byteOffset] as number).toString(16).toUpperCase().padStart(2, '0');
    const message = `Malformed UTF-8: unexpected 0x${byte} at ${byteText(firstFault.byteOffset)}. Save the text as UTF-8`;
    return { ok: false, error: syntaxErrorAt(text, firstFault.charOffset, message) };
  }
  const result = serializeData(text, serialization);
  return result.ok ? { ok: true, bytes: encodeUtf8(result.dataJson), text: result.dataJson } : result;
}
