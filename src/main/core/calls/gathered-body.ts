import { Buffer } from 'node:buffer';

/** The body of a response as it comes: each part is copied when it arrives, so that no step at the end copies all of it. */
export interface GatheredBody {
  add(chunk: Buffer): void;
  /** Everything that came, in memory of its own size. */
  take(): Buffer;
}

const firstBytes = 65_536;

/** `length`: the length in the headers; null without one. `most`: no more is ever added. */
export function gatherBody(length: number | null, most: number): GatheredBody {
  let bytes: Buffer | null = null;
  let size = 0;

  function withRoom(more: number): Buffer {
    const needed = size + more;
    if (bytes !== null && needed <= bytes.length) return bytes;
    const wanted = bytes === null ? Math.max(length ?? firstBytes, needed) : Math.max(2 * bytes.length, needed);
    // Memory that was not written to is not taken yet: a length that is a lie costs nothing.
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(wanted, most)));
    bytes?.copy(larger, 0, 0, size);
    bytes = larger;
    return larger;
  }

  return {
    add(chunk) {
      chunk.copy(withRoom(chunk.length), size);
      size += chunk.length;
    },
    take() {
      if (bytes === null) return Buffer.alloc(0);
      if (size === bytes.length) return bytes;
      const exact = Buffer.allocUnsafeSlow(size);
      bytes.copy(exact, 0, 0, size);
      return exact;
    },
  };
}
