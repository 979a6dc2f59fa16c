import { timingSafeEqual } from 'node:crypto';

/** Stands for a secret wherever one would be printed. */
export const hiddenMark = '[hidden]';

/**
 * A private key as a value that prints, logs and serializes as `[hidden]`. Its bytes are reached only through `use`,
 * so that every place that touches them can be found by that word.
 */
export interface Secret {
  /** In UTF-8 bytes. */
  readonly length: number;
  /** Runs `work` over the UTF-8 bytes; it must not keep them. Throws nothing of its own. */
  use<T>(work: (bytes: Uint8Array) => T): T;
  equals(text: string): boolean;
  /** Overwrites the bytes; afterwards the secret is empty. The text it was made from is the engine's to collect. */
  clear(): void;
  /** `[hidden]`, as everywhere else it could be printed. */
  toString(): string;
}

/** Wraps the text of a key. */
export function hide(text: string): Secret {
  // Memory of its own: a small Buffer would otherwise share one with unrelated data.
  let bytes: Uint8Array = new TextEncoder().encode(text);
  const print = (): string => hiddenMark;
  const secret: Secret = {
    toString: print,
    get length() {
      return bytes.length;
    },
    use: (work) => work(bytes),
    equals(other) {
      const others = new TextEncoder().encode(other);
      const same = others.length === bytes.length && timingSafeEqual(others, bytes);
      others.fill(0);
      return same;
    },
    clear() {
      bytes.fill(0);
      bytes = new Uint8Array(0);
    },
  };
  return Object.freeze(
    Object.defineProperties(secret, {
      toString: { enumerable: false },
      toJSON: { value: print },
      [Symbol.toPrimitive]: { value: print },
      [Symbol.for('nodejs.util.inspect.custom')]: { value: print },
    }),
  );
}
