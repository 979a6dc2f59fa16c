import { createECDH, createHmac, type ECDH } from 'node:crypto';

// On the desktop Node's cryptography is BoringSSL's: this curve and HMAC are what every one of them has.
const curve = 'prime256v1';

/** A key on its way to an agent, of use only to the agent with the opener `to`. */
export interface SealedKey {
  readonly to: Uint8Array;
  readonly from: Uint8Array;
  readonly bytes: Uint8Array;
}

/**
 * Seals a key, its text or its UTF-8 bytes, which are left as they are. A message leaves copies in the process that it reaches, in
 * buffers of the channel and as a text, which nobody there can overwrite; a key that arrives sealed leaves none. The line is the
 * system's and others cannot change its messages, so nothing is signed.
 */
export function sealKey(sealTo: Uint8Array, key: string | Uint8Array): SealedKey {
  const own = createECDH(curve);
  const from = own.generateKeys();
  const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : ownCopy(key);
  mixWithStream(bytes, own, sealTo);
  return { to: sealTo, from: new Uint8Array(from), bytes };
}

/** The agent's end: each opener opens one key, so that nothing opens that message afterwards. Starts without an opener. */
export function createKeyOpeners() {
  const openers = new Map<string, ECDH>();
  return {
    /** Makes the public part to which a key is sealed. */
    make(): Uint8Array {
      const own = createECDH(curve);
      const sealTo = own.generateKeys();
      openers.set(sealTo.toString('hex'), own);
      return new Uint8Array(sealTo);
    },
    /** The key's UTF-8 bytes, which the caller overwrites. Throws for one that is sealed to none of the openers. */
    open(sealed: SealedKey): Uint8Array {
      const name = Buffer.from(sealed.to).toString('hex');
      const own = openers.get(name);
      if (own === undefined) throw new Error('a key arrived that is not encrypted for this process');
      openers.delete(name);
      const bytes = ownCopy(sealed.bytes);
      mixWithStream(bytes, own, sealed.from);
      return bytes;
    },
  };
}

/** Copies bytes outside V8's heap, where a collection may leave a copy behind. */
function ownCopy(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new ArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function mixWithStream(bytes: Uint8Array, own: ECDH, other: Uint8Array): void {
  const shared = own.computeSecret(other);
  for (let at = 0; at < bytes.length; at += 32) {
    const stream = createHmac('sha256', shared).update(`croupier key ${at}`).digest();
    for (let place = at; place < Math.min(at + 32, bytes.length); place++)
      bytes[place] = (bytes[place] ?? 0) ^ (stream[place - at] ?? 0);
    stream.fill(0);
  }
  shared.fill(0);
}
