import { characterName } from '../json/characters.ts';

/** What stands for the key wherever a hash input is shown. */
export const keyPlaceholder = '<PRIVATE_KEY>';

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
