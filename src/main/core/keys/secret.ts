import { createHash, timingSafeEqual } from 'node:crypto';
import { createPad } from './outside-memory.ts';

/** Replaces a secret wherever one would be printed. */
const hiddenMark = '[hidden]';

/**
 * A private key as a value that prints, logs and serializes as `[hidden]`. Its bytes are reached only through `use`,
 * so that every place that touches them can be found by that word.
 */
export interface Secret {
  /** In UTF-8 bytes. */
  readonly length: number;
  /** Runs `work` over the UTF-8 bytes, which are there for no longer: it must not keep them, nor use this secret again. */
  use<T>(work: (bytes: Uint8Array) => T): T;
  equals(other: Secret): boolean;
  /** Overwrites what there is; afterwards the secret is empty. The text it was made from is the engine's to collect. */
  clear(): void;
  /** `[hidden]`, as everywhere else it could be printed. */
  toString(): string;
}

/**
 * Wraps a key: its text, or its UTF-8 bytes, which are overwritten. Between uses this process has the key only combined with random
 * bytes that are outside its memory (`createPad`), so that a dump of one moment is of no use except in the microseconds of a use.
 */
export function hide(key: string | Uint8Array): Secret {
  let length = typeof key === 'string' ? Buffer.byteLength(key) : key.length;
  // Made of a buffer: up to 64 bytes of a plain Uint8Array are on V8's heap, and a collection that moves them leaves copies behind.
  let clear = new Uint8Array(new ArrayBuffer(length));
  let masked = new Uint8Array(new ArrayBuffer(length));
  const pad = createPad(length);
  if (typeof key === 'string') new TextEncoder().encodeInto(key, clear);
  else {
    clear.set(key);
    key.fill(0);
  }
  pad.readInto(masked);
  mix(masked, clear);
  clear.fill(0);

  const print = (): string => hiddenMark;
  const secret: Secret = {
    toString: print,
    get length() {
      return length;
    },
    use(work) {
      try {
        if (length > 0) pad.readInto(clear);
        mix(clear, masked);
        return work(clear);
      } finally {
        clear.fill(0);
      }
    },
    equals: (other) => secret.use((own) => other.use((its) => own.length === its.length && timingSafeEqual(own, its))),
    clear() {
      pad.forget();
      masked.fill(0);
      length = 0;
      clear = new Uint8Array(0);
      masked = new Uint8Array(0);
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

/** Copies a key; each of the two is cleared by itself. */
export function copyOf(key: Secret): Secret {
  return key.use((bytes) => {
    const copy = new Uint8Array(new ArrayBuffer(bytes.length));
    copy.set(bytes);
    return hide(copy);
  });
}

/** Exclusive or, into the first. */
function mix(into: Uint8Array, bytes: Uint8Array): void {
  for (let at = 0; at < into.length; at++) into[at] = (into[at] ?? 0) ^ (bytes[at] ?? 0);
}

/** Returns the lowercase hexadecimal SHA-256 of the key's bytes followed by the parts. */
export function digestOf(key: Secret, parts: readonly Uint8Array[]): string {
  return key.use((bytes) => {
    const hash = createHash('sha256').update(bytes);
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
  });
}
