/** An element of DER: its tag, its content and all of it. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  readonly whole: Uint8Array;
}

/** Returns the elements of DER, one after the other, up to one that is cut or whose length is not said. */
export function derElements(der: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at + 2 <= der.length;) {
    const first = der[at + 1] ?? 0;
    const more = first > 0x80 && first <= 0x84 ? first - 0x80 : 0;
    if (first >= 0x80 && more === 0) break;
    const from = at + 2 + more;
    const length = more === 0 ? first : der.subarray(at + 2, from).reduce((sum, byte) => sum * 256 + byte, 0);
    if (from + length > der.length) break;
    elements.push({ tag: der[at] ?? 0, content: der.subarray(from, from + length), whole: der.subarray(at, from + length) });
    at = from + length;
  }
  return elements;
}

/** Returns the content of the element at a path of positions; empty if there is none. */
export function derContentAt(der: Uint8Array, ...path: readonly number[]): Uint8Array {
  return path.reduce((inner, at) => derElements(inner)[at]?.content ?? new Uint8Array(), der);
}
