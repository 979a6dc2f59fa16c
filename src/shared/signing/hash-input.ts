import { characterName } from '../json/hidden-characters.ts';

/** Replaces the key wherever a hash input is shown. */
export const keyPlaceholder = '<PRIVATE_KEY>';

/** Returns a hash input as a text, with the placeholder in place of the key. */
export function hashInputText({ time, dataJson }: { readonly time: string; readonly dataJson: string | null }): string {
  return `${keyPlaceholder}${time}${dataJson ?? ''}`;
}

/** A character that is invisible or may be mistaken for another. Offsets are UTF-16. */
export interface NotableCharacter {
  readonly index: number;
  readonly length: number;
  /** `U+00A0 no-break space`, or only the code point if the character is visible. */
  readonly label: string;
  /** `invisible` has no shape of its own; `visible` is any other character beyond ASCII. */
  readonly kind: 'control' | 'invisible' | 'visible';
}

const notable = /[^\x20-\x7e]/;
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/u;

/** Returns every control, invisible and non-ASCII character of the text, in order, with its name. */
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

/** One line of a hex view: 16 bytes, their offset, and their printable ASCII. */
export interface HexRow {
  readonly offset: number;
  readonly hex: string;
  readonly text: string;
}

const rowBytes = 16;

/** Returns the number of rows in a hex view. */
export function hexRowCount(byteLength: number): number {
  return Math.ceil(byteLength / rowBytes);
}

/** Returns rows `from` (inclusive) to `to` (exclusive), so that a list can read only the rows it shows. */
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
