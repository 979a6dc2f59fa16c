import { Buffer } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** A row of a page, without its table: values in the order of its columns, which are fewer if some were added since. */
export interface PageRow {
  readonly rowid: number;
  readonly values: readonly PageValue[];
}

export type PageValue = null | number | bigint | string | Buffer;

/** Types of a row's values. */
export interface RowShape {
  readonly rowid: number;
  readonly kinds: readonly ValueKind[];
}

export type ValueKind = 'null' | 'number' | 'text' | 'blob';

/** Position of a row. */
export interface RowPlace {
  readonly page: number;
  /** Its place among those of the page. */
  readonly cell: number;
}

/**
 * The pages of an SQLite file (sqlite.org/fileformat2.html), read without its trees: of a file that was truncated or overwritten in parts, those rows too
 * that no way leads to any more. Nothing of it is believed: what cannot be right gives nothing.
 */
export interface Pages {
  /** Number of pages present, and number stated by the file; null if it states none. */
  readonly present: number;
  readonly stated: number | null;
  /** Yields the positions of all rows of ordinary tables, page by page. Free pages, which may hold removed rows, give none. */
  places(): Generator<RowPlace>;
  /** Returns null if the position does not hold a row. */
  shape(place: RowPlace): RowShape | null;
  /** Returns null if it cannot be read whole: it may continue in pages that are missing. */
  row(place: RowPlace): PageRow | null;
  close(): void;
}

const tableLeaf = 0x0d;
/** Kinds of pages in the map of a file with auto-vacuum. */
const kinds = { root: 1, free: 2, inTree: 5 } as const;

/** Null where the file is too small to hold anything. `log`: the write-ahead log beside it. */
export function openPages(path: string, log = `${path}-wal`): Pages | null {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  const header = Buffer.alloc(100);
  readSync(file, header, 0, 100, 0);
  const sound = header.toString('latin1', 0, 15) === 'SQLite format 3';
  // The very first page may be the broken one.
  const pageSize = sound ? pageSizeOf(header.readUInt16BE(16)) : likelyPageSize(file, size);
  if (pageSize === null || size < pageSize) {
    closeSync(file);
    return null;
  }
  const usable = pageSize - (sound ? (header[20] ?? 0) : 0);
  const logged = framesOf(log, pageSize);
  const hasMap = sound ? header.readUInt32BE(52) !== 0 : true;
  const present = Math.max(Math.ceil(size / pageSize), ...(logged === null ? [] : [logged.pages]));
  const recent = new Map<number, Buffer>();

  /** Returns a page; of the last one of a truncated file, the part that exists. */
  function page(number: number): Buffer | null {
    const known = recent.get(number);
    if (known !== undefined) return known;
    if (number < 1 || number > present) return null;
    const whole = Buffer.allocUnsafe(pageSize ?? 0);
    const at = logged?.at.get(number);
    const [from, start] = at === undefined ? [file, (number - 1) * whole.length] : [logged?.file ?? 0, at];
    const bytes = whole.subarray(0, readSync(from, whole, 0, whole.length, start));
    if (recent.size >= 64) recent.delete(recent.keys().next().value ?? 0);
    recent.set(number, bytes);
    return bytes;
  }

  /** Returns the kind of a page in the map; null if there is no map or the kind is invalid. */
  function kindOf(number: number): number | null {
    if (!hasMap || number < 3) return null;
    const perMap = Math.floor(usable / 5);
    const map = 2 + Math.floor((number - 2) / (perMap + 1)) * (perMap + 1);
    if (map === number) return kinds.free;
    const kind = page(map)?.[5 * (number - map - 1)] ?? 0;
    return kind >= 1 && kind <= 5 ? kind : null;
  }

  function cellsOf(number: number): { bytes: Buffer; at: number; count: number } | null {
    const bytes = page(number);
    const at = number === 1 ? 100 : 0;
    if (bytes?.[at] !== tableLeaf) return null;
    if (bytes.length < at + 8) return null;
    const count = bytes.readUInt16BE(at + 3);
    return at + 8 + 2 * count <= Math.min(usable, bytes.length) ? { bytes, at: at + 8, count } : null;
  }

  /** Reads a cell; null without a row. `read` fails with a RangeError if it is not a row. */
  function cellAt<T>(
    place: RowPlace,
    read: (bytes: Buffer, length: number, rowid: { value: number; end: number }) => T,
  ): T | null {
    const cells = cellsOf(place.page);
    if (cells === null || place.cell >= cells.count) return null;
    try {
      const start = cells.bytes.readUInt16BE(cells.at + 2 * place.cell);
      const length = varint(cells.bytes, start);
      return read(cells.bytes.subarray(0, usable), length.value, varint(cells.bytes, length.end));
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  return {
    present,
    stated: sound ? Math.max(header.readUInt32BE(28), logged?.pages ?? 0) : null,
    *places() {
      for (let number = 1; number <= present; number++) {
        const kind = kindOf(number);
        if (kind !== null && kind !== kinds.root && kind !== kinds.inTree) continue;
        const cells = cellsOf(number);
        for (let cell = 0; cell < (cells?.count ?? 0); cell++) yield { page: number, cell };
      }
    },
    shape: (place) =>
      cellAt(place, (bytes, length, { value: rowid, end }) => ({
        rowid,
        kinds: typesOf(bytes.subarray(end), length).types.map(kindOfValue),
      })),
    row: (place) =>
      cellAt(place, (bytes, length, { value: rowid, end }) => {
        const payload = payloadOf(bytes, end, length, usable, page);
        return payload === null ? null : { rowid, values: valuesOf(payload) };
      }),
    close() {
      closeSync(file);
      if (logged !== null) closeSync(logged.file);
    },
  };
}

function pageSizeOf(stated: number): number | null {
  const size = stated === 1 ? 65_536 : stated;
  return size >= 512 && (size & (size - 1)) === 0 ? size : null;
}

/** Sizes of a history's pages: those of this version and of the earlier ones. */
const [pageBytes, earlierPageBytes] = [2_048, 8_192];
const mostSamples = 1_024;

/** Returns the size of pages of which more look like rows of a table, at places in all parts of the file. */
function likelyPageSize(file: number, size: number): number {
  const block = Buffer.alloc(earlierPageBytes);
  const step = Math.max(1, Math.ceil(size / block.length / mostSamples)) * block.length;
  let [small, large] = [0, 0];
  for (let at = 0; readSync(file, block, 0, block.length, at) === block.length; at += step) {
    if (looksLikeRows(block)) large += 1;
    for (let from = 0; from < block.length; from += pageBytes)
      if (looksLikeRows(block.subarray(from, from + pageBytes))) small += 1;
  }
  return small > large ? pageBytes : earlierPageBytes;
}

function looksLikeRows(page: Buffer): boolean {
  const count = page.readUInt16BE(3);
  const first = 8 + 2 * count;
  if (page[0] !== tableLeaf || count === 0 || first > page.length) return false;
  const starts = Array.from({ length: count }, (_, at) => page.readUInt16BE(8 + 2 * at));
  return starts.every((start) => start >= first && start < page.length);
}

/**
 * Returns the last committed state of each page in a write-ahead log, and the number of pages of the file with it; null without a
 * log.
 */
function framesOf(path: string, pageSize: number): { file: number; at: ReadonlyMap<number, number>; pages: number } | null {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= 32) return null;
  const file = openSync(path, 'r');
  const header = Buffer.alloc(32);
  readSync(file, header, 0, 32, 0);
  const at = new Map<number, number>();
  const open = new Map<number, number>();
  let pages = 0;
  if (header.readUInt32BE(8) === pageSize) {
    const frame = Buffer.alloc(24);
    // Frames of before the log was begun again have other salts.
    for (let offset = 32; readSync(file, frame, 0, 24, offset) === 24; offset += 24 + pageSize) {
      if (frame.compare(header, 16, 24, 8, 16) !== 0) break;
      open.set(frame.readUInt32BE(0), offset + 24);
      const committed = frame.readUInt32BE(4);
      if (committed === 0) continue;
      for (const [page, place] of open) at.set(page, place);
      open.clear();
      pages = committed;
    }
  }
  if (pages > 0) return { file, at, pages };
  closeSync(file);
  return null;
}

/** Returns a cell's payload with its parts in other pages; null if one of those is missing. */
function payloadOf(
  page: Buffer,
  start: number,
  length: number,
  usable: number,
  read: (number: number) => Buffer | null,
): Buffer | null {
  if (length > mostPayload) return null;
  const most = usable - 35;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const wanted = least + ((length - least) % (usable - 4));
  const local = length <= most ? length : wanted <= most ? wanted : least;
  if (start + local > page.length) return null;
  const parts = [page.subarray(start, start + local)];
  let next = local < length ? page.readUInt32BE(start + local) : 0;
  for (let left = length - local; left > 0;) {
    const more = next === 0 ? null : read(next);
    if (more === null) return null;
    if (more.length < 4) return null;
    next = more.readUInt32BE(0);
    const wantedPart = Math.min(left, usable - 4);
    const part = more.subarray(4, 4 + wantedPart);
    if (part.length < wantedPart) return null;
    parts.push(part);
    left -= part.length;
  }
  // A chain that goes on was overwritten.
  if (next !== 0) return null;
  return parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts);
}

/** Longer than any row of ours: then the length itself is broken. */
const mostPayload = 268_435_456;

/**
 * Returns the types of a record's values, which are at its beginning, and the offset of the values. Fails with a RangeError if it
 * is not a record.
 */
function typesOf(record: Buffer, length: number): { types: number[]; at: number } {
  const header = varint(record, 0);
  const types: number[] = [];
  let end = header.value;
  for (let place = header.end; place < header.value;) {
    const type = varint(record, place);
    place = type.end;
    end += lengthOf(type.value);
    types.push(type.value);
  }
  if (end !== length) throw new RangeError('no record');
  return { types, at: header.value };
}

/** Fails as `typesOf` does. */
function valuesOf(payload: Buffer): PageValue[] {
  const { types, at } = typesOf(payload, payload.length);
  let place = at;
  return types.map((type) => {
    const value = valueOf(payload, type, place);
    place += lengthOf(type);
    return value;
  });
}

function kindOfValue(type: number): ValueKind {
  if (type >= 12) return type % 2 === 0 ? 'blob' : 'text';
  return type === 0 ? 'null' : 'number';
}

const integerLengths = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  const length = integerLengths[type];
  if (length === undefined) throw new RangeError('no record');
  return length;
}

function valueOf(payload: Buffer, type: number, at: number): PageValue {
  const length = lengthOf(type);
  if (type === 0) return null;
  if (type === 7) return payload.readDoubleBE(at);
  if (type === 8 || type === 9) return type - 8;
  if (type === 6) {
    const value = payload.readBigInt64BE(at);
    return BigInt.asIntN(53, value) === value ? Number(value) : value;
  }
  if (type < 6) return payload.readIntBE(at, length);
  // A copy, so that its page is not kept for it.
  return type % 2 === 0 ? Buffer.from(payload.subarray(at, at + length)) : payload.toString('utf8', at, at + length);
}

/** Up to nine bytes, seven bits of each, the highest first; numbers beyond 2⁵³ are none of ours. */
function varint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let place = start; place < start + 8; place++) {
    const byte = bytes[place];
    if (byte === undefined) break;
    value = value * 128 + (byte & 0x7f);
    if (value > Number.MAX_SAFE_INTEGER) break;
    if (byte < 0x80) return { value, end: place + 1 };
  }
  throw new RangeError('no number');
}
