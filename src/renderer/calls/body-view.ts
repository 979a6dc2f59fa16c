import { formatJson, isJson } from '#shared/json/format.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';

/** What an answer's bytes are, read once. */
export interface BodyText {
  /** The bytes as text, with U+FFFD for each malformed one. */
  readonly text: string;
  /** Byte offset of the first malformed sequence; null where the bytes are UTF-8. */
  readonly malformedAt: number | null;
  readonly isJson: boolean;
}

/** Reads the bytes as text. A byte order mark stays, as it was sent. */
export function readBody(bytes: Uint8Array): BodyText {
  const { text, firstFault } = decodeUtf8Leniently(bytes);
  return { text, malformedAt: firstFault?.byteOffset ?? null, isJson: isJson(text) };
}

/** The text laid out with every digit and escape as received; as it is where it is not JSON. */
export function layOutBody(body: BodyText): string {
  return body.isJson ? formatJson(body.text) : body.text;
}
