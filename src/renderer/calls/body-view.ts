import { formatBeginning, isJson, type LaidOut } from '#shared/json/format.ts';
import { excessOf, responseSubject, unreadAdvice } from '#shared/json/measure.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';

/** The text of a response's bytes, and whether it is UTF-8 and JSON; read once. */
export interface BodyText {
  /** The bytes as text, with U+FFFD for each malformed one. */
  readonly text: string;
  /** Byte offset of the first malformed sequence; null if the bytes are UTF-8. */
  readonly malformedAt: number | null;
  readonly isJson: boolean;
  /** The reason if it is too deep or too full to be read as JSON; null if it is read, and if it is not JSON. */
  readonly unread: string | null;
}

/** Number of characters from which the editor would hold the page up. */
export const mostLaidOut = 1_000_000;

/** Reads the bytes as text. A byte order mark stays, as it was sent. */
export function readBody(bytes: Uint8Array): BodyText {
  const { text, firstFault } = decodeUtf8Leniently(bytes);
  const unread = excessOf(bytes, responseSubject, unreadAdvice);
  return { text, malformedAt: firstFault?.byteOffset ?? null, isJson: unread === null && isJson(text), unread };
}

/** Lays out the text, or its beginning, with every digit and escape as received. Text that is not read as JSON stays as it is. */
export function layOutBody({ text, isJson: laysOut }: BodyText, most = mostLaidOut): LaidOut {
  if (laysOut) return formatBeginning(text, most);
  return { text: text.slice(0, most), whole: text.length <= most };
}
