import { decodeUtf8 } from './utf8.ts';

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
/** An escape takes six bytes for a character. */
const bytesOfEscape = 6;

/**
 * Returns the source texts of the members with these names at the top level of a JSON object, of each name in its order, with empty brackets
 * for an array or an object; null if the text is not an object, or ends before or after its closing bracket. One pass over the bytes without a
 * tree: values are skipped, not checked.
 */
export function topLevelMembers<Name extends string>(
  bytes: Uint8Array,
  names: readonly Name[],
): Readonly<Record<Name, readonly string[]>> | null {
  const found = Object.fromEntries(names.map((name) => [name, [] as string[]])) as Record<Name, string[]>;
  const longest = Math.max(...names.map(({ length }) => length)) * bytesOfEscape;
  const firsts = new Set([backslash, ...names.map((name) => name.charCodeAt(0))]);
  let at = afterSpace(bytes, 0);
  if (bytes[at] !== 0x7b) return null;
  at = afterSpace(bytes, at + 1);
  if (bytes[at] === 0x7d) return isEnd(bytes, at + 1) ? found : null;
  for (;;) {
    if (bytes[at] !== quote) return null;
    const nameEnd = afterString(bytes, at);
    if (nameEnd === -1) return null;
    const mayBe = firsts.has(bytes[at + 1] as number) && nameEnd - at - 2 <= longest;
    const name = mayBe ? valueOf(bytes, at, nameEnd) : null;
    at = afterSpace(bytes, nameEnd);
    if (bytes[at] !== colon) return null;
    const start = afterSpace(bytes, at + 1);
    const end = afterValue(bytes, start);
    if (end <= start) return null;
    if (typeof name === 'string' && Object.hasOwn(found, name)) {
      const text = bytes[start] === 0x7b ? '{}' : bytes[start] === 0x5b ? '[]' : textOf(bytes, start, end);
      if (text === null) return null;
      found[name as Name].push(text);
    }
    at = afterSpace(bytes, end);
    if (bytes[at] === 0x7d) return isEnd(bytes, at + 1) ? found : null;
    if (bytes[at] !== comma) return null;
    at = afterSpace(bytes, at + 1);
  }
}

function textOf(bytes: Uint8Array, start: number, end: number): string | null {
  const decoded = decodeUtf8(bytes.subarray(start, end));
  return decoded.ok ? decoded.text : null;
}

function valueOf(bytes: Uint8Array, start: number, end: number): unknown {
  try {
    return JSON.parse(textOf(bytes, start, end) ?? '');
  } catch {
    return null;
  }
}

function isEnd(bytes: Uint8Array, from: number): boolean {
  return afterSpace(bytes, from) === bytes.length;
}

function afterSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
  return at;
}

/** Returns the position after the string that begins at `from`; -1 if nothing closes it. */
function afterString(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === quote) return at + 1;
  }
  return -1;
}

/** Returns the position after the value that begins at `from`; -1 if it does not end. */
function afterValue(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = afterString(bytes, at);
      if (end === -1 || depth === 0) return end;
      at = end - 1;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth++;
    } else if (depth > 0) {
      if ((byte === 0x5d || byte === 0x7d) && --depth === 0) return at + 1;
    } else if (byte === comma || byte === 0x7d || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      return at;
    }
  }
  return -1;
}
