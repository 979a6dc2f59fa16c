import { encodeUtf8 } from '#shared/json/utf8.ts';
import { hexText, type HexRow, type HexText } from './hex-text.ts';

/**
 * Returns the hash input byte by byte. The key's bytes are never here: one line says their number, and the rows begin behind them;
 * without that line while the length is not known (`keyBytes` null).
 */
export function hashInputHex(
  keyBytes: number | null,
  time: string,
  dataJson: string | null,
  rowBytes: HexRow = 16,
  hidesTokens = false,
): HexText<'key' | 'time'> {
  const key = keyBytes ?? 0;
  const timeBytes = encodeUtf8(time);
  const data = encodeUtf8(dataJson ?? '');
  const byteAt = (at: number) => (at < timeBytes.length ? timeBytes[at] : data[at - timeBytes.length]) ?? 0;
  const times = [{ kind: 'time', firstByte: 0, endByte: timeBytes.length }] as const;
  const rows = hexText(timeBytes.length + data.length, byteAt, times, { rowBytes, firstOffset: key, hidesTokens });
  if (key === 0) return rows;
  const words = `key, ${key.toLocaleString('en')} ${key === 1 ? 'byte' : 'bytes'}, hidden`;
  const line = `00000000  ${words}`;
  const after = line.length + 1;
  return {
    text: `${line}\n${rows.text}`,
    marks: [
      { kind: 'key', start: line.length - words.length, end: line.length },
      ...rows.marks.map(({ kind, start, end }) => ({ kind, start: start + after, end: end + after })),
    ],
    hidden: rows.hidden,
  };
}
