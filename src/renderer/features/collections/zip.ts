/** One file of an archive; `/` divides its name into folders. */
export interface ZipEntry {
  readonly name: string;
  readonly text: string;
}

/** The date of every entry, 1 January 1980: the first that the format can say. An archive of the same files has the same bytes. */
const firstDate = 0x21;
/** Bit of an entry whose name is UTF-8. */
const inUtf8 = 0x0800;

/** Returns a ZIP archive, stored without compression, of at most 65,535 files. */
export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const list: Uint8Array[] = [];
  let at = 0;
  for (const entry of entries) {
    const name = encoder.encode(entry.name);
    const bytes = encoder.encode(entry.text);
    const facts = [
      20,
      2,
      inUtf8,
      2,
      0,
      2,
      0,
      2,
      firstDate,
      2,
      crcOf(bytes),
      4,
      bytes.length,
      4,
      bytes.length,
      4,
      name.length,
      2,
      0,
      2,
    ];
    const own = [fields([0x04034b50, 4, ...facts]), name, bytes];
    parts.push(...own);
    list.push(fields([0x02014b50, 4, 20, 2, ...facts, 0, 2, 0, 2, 0, 2, 0, 4, at, 4]), name);
    at += own.reduce((sum, part) => sum + part.length, 0);
  }
  const listLength = list.reduce((sum, part) => sum + part.length, 0);
  const count = entries.length;
  const end = fields([0x06054b50, 4, 0, 2, 0, 2, count, 2, count, 2, listLength, 4, at, 4, 0, 2]);
  return joined([...parts, ...list, end]);
}

/** Returns numbers in little-endian order, each followed by its number of bytes in the list. */
function fields(list: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (let index = 0; index < list.length; index += 2) {
    const [value = 0, size = 0] = list.slice(index, index + 2);
    for (let byte = 0; byte < size; byte++) bytes.push((value >>> (8 * byte)) & 0xff);
  }
  return Uint8Array.from(bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** CRC-32 as ZIP has it. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * 0xedb88320);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
