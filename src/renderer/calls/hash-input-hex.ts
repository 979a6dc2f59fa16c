import { encodeUtf8 } from '#shared/json/utf8.ts';

/** The hash input byte by byte. */
export interface HashInputHex {
  readonly text: string;
  /** Where the key's and time's bytes stand in the text, in UTF-16 offsets. */
  readonly marks: readonly { readonly start: number; readonly end: number; readonly kind: 'key' | 'time' }[];
  /** Bytes that are hashed and not shown. */
  readonly hidden: number;
}

const ROW = 16;
const HEX_COLUMN = 10;
const TEXT_COLUMN = HEX_COLUMN + ROW * 3 + 1;
const MAX_BYTES = 32_768;

/**
 * Sixteen bytes a row: offset, hexadecimal, printable ASCII. The key's bytes stand as `··`, since they are never here;
 * while its length is not known (`keyBytes` null) the rows begin with time.
 */
export function hashInputHex(keyBytes: number | null, time: string, dataJson: string | null): HashInputHex {
  const key = keyBytes ?? 0;
  const timeBytes = encodeUtf8(time);
  const data = encodeUtf8(dataJson ?? '');
  const total = key + timeBytes.length + data.length;
  const shown = Math.min(total, MAX_BYTES);
  const byteAt = (at: number) =>
    at < key + timeBytes.length ? (timeBytes[at - key] ?? 0) : (data[at - key - timeBytes.length] ?? 0);
  const lines: string[] = [];
  const marks: HashInputHex['marks'][number][] = [];
  let offset = 0;
  for (let row = 0; row < shown; row += ROW) {
    let hex = '';
    let ascii = '';
    const end = Math.min(row + ROW, shown);
    for (let at = row; at < end; at += 1) {
      const byte = at < key ? null : byteAt(at);
      hex += byte === null ? '·· ' : `${byte.toString(16).padStart(2, '0')} `;
      ascii += byte !== null && byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
    }
    const line = `${row.toString(16).padStart(8, '0')}  ${hex.padEnd(ROW * 3)} ${ascii}`;
    for (const [kind, from, to] of [
      ['key', 0, key],
      ['time', key, key + timeBytes.length],
    ] as const) {
      const first = Math.max(from, row) - row;
      const last = Math.min(to, end) - row;
      if (first >= last) continue;
      marks.push({ start: offset + HEX_COLUMN + first * 3, end: offset + HEX_COLUMN + last * 3 - 1, kind });
      marks.push({ start: offset + TEXT_COLUMN + first, end: offset + TEXT_COLUMN + last, kind });
    }
    lines.push(line);
    offset += line.length + 1;
  }
  return { text: lines.join('\n'), marks, hidden: total - shown };
}
