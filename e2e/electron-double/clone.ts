/**
 * Creates a structured clone as text, for messages between the page and main, which the debugging protocol carries as strings. Runs
 * in both, in the page from its source text: no imports, nothing from outside the function.
 */
export function createClone() {
  type Packed = unknown;
  const failure = () => new Error('An object could not be cloned.');

  function pack(value: unknown, seen = new Map<object, number>()): Packed {
    if (value === undefined) return { u: 1 };
    if (typeof value === 'bigint') return { b: String(value) };
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return { n: Object.is(value, -0) ? '-0' : String(value) };
    if (typeof value === 'function' || typeof value === 'symbol') throw failure();
    if (typeof value !== 'object' || value === null) return value;
    const known = seen.get(value);
    if (known !== undefined) return { r: known };
    seen.set(value, seen.size);
    if (Array.isArray(value)) return { a: Array.from(value, (item) => pack(item, seen)) };
    if (value instanceof Date) return { d: value.getTime() };
    if (value instanceof RegExp) return { x: [value.source, value.flags] };
    if (value instanceof Map) return { m: [...value].map(([key, item]) => [pack(key, seen), pack(item, seen)]) };
    if (value instanceof Set) return { s: [...value].map((item) => pack(item, seen)) };
    if (value instanceof Error) return { e: [value.name, value.message] };
    if (value instanceof ArrayBuffer) return { y: [...new Uint8Array(value)] };
    if (ArrayBuffer.isView(value)) return { y: [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)] };
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw failure();
    return { o: Object.entries(value).map(([key, item]) => [key, pack(item, seen)]) };
  }

  function unpack(packed: Packed, seen: unknown[] = []): unknown {
    if (typeof packed !== 'object' || packed === null) return packed;
    const [[tag, content]] = Object.entries(packed) as [[string, never]];
    const keep = <T>(value: T): T => {
      seen.push(value);
      return value;
    };
    switch (tag) {
      case 'u':
        return undefined;
      case 'b':
        return BigInt(content);
      case 'n':
        return Number(content);
      case 'r':
        return seen[content];
      case 'd':
        return keep(new Date(content));
      case 'x':
        return keep(new RegExp(content[0], content[1]));
      case 'e':
        return keep(Object.assign(new Error(content[1]), { name: content[0] }));
      case 'y':
        return keep(Uint8Array.from(content));
      case 'a': {
        const list: unknown[] = keep([]);
        for (const item of content as Packed[]) list.push(unpack(item, seen));
        return list;
      }
      case 's': {
        const set = keep(new Set<unknown>());
        for (const item of content as Packed[]) set.add(unpack(item, seen));
        return set;
      }
      case 'm': {
        const map = keep(new Map<unknown, unknown>());
        for (const [key, item] of content as [Packed, Packed][]) map.set(unpack(key, seen), unpack(item, seen));
        return map;
      }
      default: {
        const object: Record<string, unknown> = keep({});
        for (const [key, item] of content as [string, Packed][])
          Object.defineProperty(object, key, { value: unpack(item, seen), enumerable: true, writable: true, configurable: true });
        return object;
      }
    }
  }

  return {
    write: (value: unknown): string => JSON.stringify(pack(value)),
    read: (text: string): unknown => unpack(JSON.parse(text)),
  };
}
