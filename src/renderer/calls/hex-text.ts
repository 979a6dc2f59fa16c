import { hiddenPlaces } from '#renderer/ui/hidden-tokens.ts';

/** Bytes as rows of hexadecimal, with marks on some of them. */
export interface HexText<Kind extends string> {
  readonly text: string;
  /** Positions of the bytes of the ranges in the text, in UTF-16 offsets: once in each column of each row. */
  readonly marks: readonly { readonly start: number; readonly end: number; readonly kind: Kind | 'token' }[];
  /** Number of bytes that are not shown. */
  readonly hidden: number;
}

/** Bytes that are drawn in their own way; the end is exclusive. */
export interface ByteRange<Kind extends string> {
  readonly kind: Kind;
  readonly firstByte: number;
  readonly endByte: number;
}

/** Number of bytes in a row: eight if sixteen do not fit. */
export type HexRow = 8 | 16;

const HEX_COLUMN = 10;
const MAX_BYTES = 32_768;

/**
 * Returns rows of offset, hexadecimal and printable ASCII; `firstOffset` is the offset that is written before the first byte, and tokens are marked
 * if `hidesTokens`.
 */
export function hexText<Kind extends string>(
  total: number,
  byteAt: (at: number) => number,
  ranges: readonly ByteRange<Kind>[],
  {
    rowBytes = 16,
    firstOffset = 0,
    hidesTokens = false,
  }: { readonly rowBytes?: HexRow; readonly firstOffset?: number; readonly hidesTokens?: boolean } = {},
): HexText<Kind> {
  const textColumn = HEX_COLUMN + rowBytes * 3 + 1;
  const shown = Math.min(total, MAX_BYTES);
  const drawn: ByteRange<Kind | 'token'>[] = [...ranges];
  if (hidesTokens) {
    // A character for each byte, so that places in it are those of bytes.
    const text = Array.from({ length: shown }, (_, at) => String.fromCharCode(byteAt(at))).join('');
    for (const { start, end } of hiddenPlaces(text)) drawn.push({ kind: 'token', firstByte: start, endByte: end });
  }
  const lines: string[] = [];
  const marks: HexText<Kind>['marks'][number][] = [];
  let offset = 0;
  for (let row = 0; row < shown; row += rowBytes) {
    let hex = '';
    let ascii = '';
    const end = Math.min(row + rowBytes, shown);
    for (let at = row; at < end; at += 1) {
      const byte = byteAt(at);
      hex += `${byte.toString(16).padStart(2, '0')} `;
      ascii += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
    }
    const line = `${(firstOffset + row).toString(16).padStart(8, '0')}  ${hex.padEnd(rowBytes * 3)} ${ascii}`;
    for (const { kind, firstByte, endByte } of drawn) {
      const first = Math.max(firstByte, row) - row;
      const last = Math.min(endByte, end) - row;
      if (first >= last) continue;
      marks.push({ start: offset + HEX_COLUMN + first * 3, end: offset + HEX_COLUMN + last * 3 - 1, kind });
      marks.push({ start: offset + textColumn + first, end: offset + textColumn + last, kind });
    }
    lines.push(line);
    offset += line.length + 1;
  }
  return { text: lines.join('\n'), marks, hidden: total - shown };
}
