import { encodeUtf8 } from '#shared/json/utf8.ts';
import { hexText, type HexRow, type HexText } from './hex-text.ts';

/**
 * Returns the hash input byte by byte. The key's bytes are `··`, because they are never here; while its length is not known
 * (`keyBytes` null) the rows begin with time.
 */
export function hashInputHex(
  keyBytes: number | null,
  time: string,
  dataJson: string | null,
  rowBytes: HexRow = 16,
): HexText<'key' | 'time'> {
  const key = keyBytes ?? 0;
  const timeBytes = encodeUtf8(time);
  const data = encodeUtf8(dataJson ?? '');
  const dataAt = key + timeBytes.length;
  const byteAt = (at: number) => (at < key ? null : ((at < dataAt ? timeBytes[at - key] : data[at - dataAt]) ?? 0));
  const ranges = [
    { kind: 'key', firstByte: 0, endByte: key },
    { kind: 'time', firstByte: key, endByte: dataAt },
  ] as const;
  return hexText(dataAt + data.length, byteAt, ranges, rowBytes);
}
