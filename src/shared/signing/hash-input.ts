import { characterName } from '../json/characters.ts';
import { utf8Length } from '../json/utf8.ts';

/** What stands for the key wherever a hash input is shown. */
export const keyPlaceholder = '<PRIVATE_KEY>';

/** One part of the hash input (Authentication, 4). Offsets in bytes are null while the key's length is not known. */
export interface HashInputSegment {
  readonly kind: 'key' | 'time' | 'data';
  readonly byteOffset: number | null;
  readonly byteLength: number | null;
  /** UTF-16 offsets in the shown text, where the key is `keyPlaceholder`. */
  readonly start: number;
  readonly end: number;
}

/** The hash input as it is shown: one text, its parts, and how many bytes are hashed. */
export interface HashInput {
  readonly text: string;
  readonly segments: readonly HashInputSegment[];
  /** All bytes that are hashed; null while the key's length is not known. */
  readonly byteLength: number | null;
  /** Those after the key, which are always known. */
  readonly byteLengthAfterKey: number;
}

/** The parts of `key + time + data` in order; `data` is absent where there is none (gameList). `keyBytes` is the key's length, if known. */
export function hashInputSegments(time: string, dataJson: string | null, keyBytes: number | null = null): HashInputSegment[] {
  const timeBytes = utf8Length(time);
  const timeStart = keyPlaceholder.length;
  const segments: HashInputSegment[] = [
    { kind: 'key', byteOffset: 0, byteLength: keyBytes, start: 0, end: timeStart },
    { kind: 'time', byteOffset: keyBytes, byteLength: timeBytes, start: timeStart, end: timeStart + time.length },
  ];
  if (dataJson !== null) {
    const byteOffset = keyBytes === null ? null : keyBytes + timeBytes;
    const start = timeStart + time.length;
    segments.push({ kind: 'data', byteOffset, byteLength: utf8Length(dataJson), start, end: start + dataJson.length });
  }
  return segments;
}

/** The whole hash input with the key's place taken by `keyPlaceholder`. */
export function describeHashInput(time: string, dataJson: string | null, keyBytes: number | null = null): HashInput {
  const segments = hashInputSegments(time, dataJson, keyBytes);
  let byteLengthAfterKey = 0;
  for (const segment of segments) if (segment.kind !== 'key') byteLengthAfterKey += segment.byteLength ?? 0;
  return {
    text: keyPlaceholder + time + (dataJson ?? ''),
    segments,
    byteLength: keyBytes === null ? null : keyBytes + byteLengthAfterKey,
    byteLengthAfterKey,
  };
}

/** A character that a person cannot see or may take for another. Offsets are UTF-16. */
export interface NotableCharacter {
  readonly index: number;
  readonly length: number;
  /** `U+00A0 no-break space`, or the code point alone where the character can be seen. */
  readonly label: string;
  /** `invisible` has no shape of its own; `visible` is any other character beyond ASCII. */
  readonly kind: 'control' | 'invisible' | 'visible';
}

const notable = /[^\x20-\x7e]/;
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/u;

/** Every control, invisible and non-ASCII character of the text, in order, with its name. */
export function describeInvisible(text: string): NotableCharacter[] {
  const found: NotableCharacter[] = [];
  if (!notable.test(text)) return found;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x20 && unit <= 0x7e) continue;
    const codePoint = text.codePointAt(index) as number;
    const length = codePoint > 0xffff ? 2 : 1;
    found.push({ index, length, label: characterName(codePoint), kind: kindOf(codePoint) });
    index += length - 1;
  }
  return found;
}

function kindOf(codePoint: number): NotableCharacter['kind'] {
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) return 'control';
  return invisible.test(String.fromCodePoint(codePoint)) ? 'invisible' : 'visible';
}

/** One line of a hex view: 16 bytes, their offset, and what of them is printable ASCII. */
export interface HexRow {
  readonly offset: number;
  readonly hex: string;
  readonly text: string;
}

const rowBytes = 16;

/** How many rows the hex view of so many bytes has. */
export function hexRowCount(byteLength: number): number {
  return Math.ceil(byteLength / rowBytes);
}

/** Rows `from` to before `to` of the hex view, so that a list can ask for what it shows. */
export function hexRows(bytes: Uint8Array, from = 0, to = hexRowCount(bytes.length)): HexRow[] {
  const rows: HexRow[] = [];
  for (let offset = from * rowBytes; offset < Math.min(to * rowBytes, bytes.length); offset += rowBytes) {
    let hex = '';
    let text = '';
    for (const byte of bytes.subarray(offset, offset + rowBytes)) {
      hex += (hex === '' ? '' : ' ') + byte.toString(16).padStart(2, '0');
      text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
    }
    rows.push({ offset, hex, text });
  }
  return rows;
}
