import { Buffer, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { KeyLook, KeysFound, SecretStatus } from '#core/host.ts';
import type { Redaction } from '#core/redaction.ts';
import { formsOf, secretPlaces } from '#core/secret-places.ts';
import type { AgentAnswer, AgentOperation } from './agent-messages.ts';
import { fingerprintOf, newFingerprintKey } from './fingerprint.ts';
import { faultOf, goneMessage, keyError, lockedMessage, missingMessage } from './key-faults.ts';
import type { Keychain } from './keychain.ts';
import { hide } from './secret.ts';
import type { Secret } from './secret.ts';

/** Where the key for fingerprints lies; no environment's account looks like this. */
const fingerprintAccount = 'fingerprint-key';

interface Held {
  readonly key: Secret;
  readonly forget: () => void;
}

/** Does what the key agent is asked to, inside the agent. A digest of a key already held is answered without waiting. */
export interface KeyHolder {
  handle(operation: AgentOperation): Promise<AgentAnswer> | AgentAnswer;
}

/**
 * Holds keys of this run (`session`) and, once read, those of the keychain until the caller's version of one changes.
 * Failures are AppErrors made by `keyError`, redacted.
 */
export function createKeyHolder(deps: { keychain: Keychain; redaction: Redaction }): KeyHolder {
  const { keychain, redaction } = deps;
  const session = new Map<string, Held & { fingerprint: string }>();
  const read = new Map<string, Held & { version: string }>();
  let fingerprintKey = hide(newFingerprintKey());
  let fingerprintKeyIsKept = false;

  function hold(text: string): Held {
    const key = hide(text);
    const unprotect = redaction.protect(text);
    return {
      key,
      forget() {
        key.clear();
        unprotect();
      },
    };
  }

  function drop(from: Map<string, Held>, account: string): void {
    from.get(account)?.forget();
    from.delete(account);
  }

  /**
   * Reads the key for fingerprints, making it where there is none. That it can be read or made is also the proof that the
   * keychain is open, which a missing private key does not tell: a locked keyring answers as if it were empty.
   */
  async function openKeychain(): Promise<void> {
    let kept = await keychain.read(fingerprintAccount);
    if (kept === null) {
      await keychain.write(fingerprintAccount, newFingerprintKey());
      // Read again rather than remembered: another process may have made one at the same time, and the last one counts.
      kept = await keychain.read(fingerprintAccount);
      if (kept === null) throw keyError('locked', lockedMessage);
    }
    if (!fingerprintKey.equals(kept)) fingerprintKey = hide(kept);
    fingerprintKeyIsKept = true;
  }

  async function keptStatus(key: Secret): Promise<SecretStatus> {
    if (!fingerprintKeyIsKept) await openKeychain();
    return {
      state: 'present',
      storage: 'keychain',
      fingerprint: fingerprintOf(fingerprintKey, key, 'keychain'),
      bytes: key.length,
    };
  }

  async function set(account: string, text: string, storage: 'keychain' | 'session'): Promise<SecretStatus> {
    const held = hold(text);
    if (storage === 'session') {
      const fingerprint = fingerprintOf(fingerprintKey, held.key, fingerprintKeyIsKept ? 'keychain' : 'session');
      drop(session, account);
      session.set(account, { ...held, fingerprint });
      return { state: 'present', storage, fingerprint, bytes: held.key.length };
    }
    try {
      await keychain.write(account, text);
      const kept = await keychain.read(account);
      // A keychain may cut a text (at a NUL, or at its own limit) and call it done.
      if (kept === null || !held.key.equals(kept)) {
        await keychain.erase(account);
        throw keyError(
          'refused',
          'The keychain did not keep the key exactly as given, so it was removed. Look for a NUL character in it.',
        );
      }
      drop(session, account);
      drop(read, account);
      return await keptStatus(held.key);
    } finally {
      held.forget();
    }
  }

  async function remove(account: string): Promise<null> {
    drop(session, account);
    drop(read, account);
    // A locked keyring says that there was nothing to erase, and keeps it.
    if (!(await keychain.erase(account))) await openKeychain();
    return null;
  }

  async function status(account: string, expected: boolean): Promise<SecretStatus> {
    const own = session.get(account);
    if (own !== undefined) return { state: 'present', storage: 'session', fingerprint: own.fingerprint, bytes: own.key.length };
    const text = await keychain.read(account);
    if (text !== null) {
      if (read.get(account)?.key.equals(text) === false) drop(read, account);
      const held = hold(text);
      try {
        return await keptStatus(held.key);
      } finally {
        held.forget();
      }
    }
    // A keyring that was locked since takes the key away here too.
    drop(read, account);
    const absent: SecretStatus = { state: 'absent', storage: null, fingerprint: null, bytes: null };
    if (!expected) return absent;
    try {
      await openKeychain();
      return { ...absent, message: goneMessage };
    } catch (error) {
      if (faultOf(error) !== 'locked') throw error;
      return { state: 'locked', storage: 'keychain', fingerprint: null, bytes: null, message: lockedMessage };
    }
  }

  function heldFor(account: string, version: string): Secret | null {
    const own = session.get(account);
    if (own !== undefined) return own.key;
    const cached = read.get(account);
    return cached?.version === version ? cached.key : null;
  }

  /** A key of the keychain, held from now on. Fails where there is none now. */
  async function readKey(account: string, version: string): Promise<Secret> {
    const text = await keychain.read(account);
    // Set, or read by an earlier digest, while this one waited for its turn.
    const now = heldFor(account, version);
    if (now !== null) return now;
    drop(read, account);
    if (text === null) {
      await openKeychain();
      throw keyError('missing', missingMessage);
    }
    const held = hold(text);
    read.set(account, { ...held, version });
    return held.key;
  }

  /** The keys to look for, read where they were not yet; null for one that cannot be read now. */
  async function readAll({ accounts }: KeyLook): Promise<(Secret | null)[]> {
    const keys: (Secret | null)[] = [];
    for (const { account, version } of accounts) {
      try {
        keys.push(heldFor(account, version) ?? (await readKey(account, version)));
      } catch (error) {
        if (faultOf(error) === null) throw error;
        keys.push(null);
      }
    }
    return keys;
  }

  /** Without waiting where every key is held already. */
  function find(look: KeyLook): Promise<KeysFound> | KeysFound {
    const held = look.accounts.map(({ account, version }) => heldFor(account, version));
    return held.includes(null) ? readAll(look).then((keys) => findKeys(look, keys)) : findKeys(look, held);
  }

  async function contains(account: string, expected: boolean, bytes: Uint8Array): Promise<boolean> {
    const own = session.get(account);
    if (own !== undefined) return isKeyIn(own.key, bytes);
    const text = await keychain.read(account);
    if (text === null) {
      // A locked keyring answers as if it were empty; then nobody can tell.
      if (expected) await openKeychain();
      return false;
    }
    const held = hold(text);
    try {
      return isKeyIn(held.key, bytes);
    } finally {
      held.forget();
    }
  }

  return {
    handle(operation) {
      switch (operation.op) {
        case 'digest': {
          const key = heldFor(operation.account, operation.version);
          if (key !== null) return digestOf(key, operation.parts);
          return readKey(operation.account, operation.version).then((read) => digestOf(read, operation.parts));
        }
        case 'sign': {
          const { account, version, parts, look } = operation;
          const key = heldFor(account, version);
          if (key === null)
            return readKey(account, version).then(async (read) => ({ digest: digestOf(read, parts), ...(await find(look)) }));
          const found = find(look);
          const digest = digestOf(key, parts);
          return found instanceof Promise ? found.then((places) => ({ digest, ...places })) : { digest, ...found };
        }
        case 'find':
          return find(operation.look);
        case 'set':
          return set(operation.account, operation.key, operation.storage);
        case 'remove':
          return remove(operation.account);
        case 'drop':
          drop(session, operation.account);
          return Promise.resolve(null);
        case 'status':
          return status(operation.account, operation.expected);
        case 'contains':
          return contains(operation.account, operation.expected, operation.bytes);
        case 'probe':
          return openKeychain().then(() => null);
      }
    },
  };
}

/** Lowercase hexadecimal SHA-256 of the key's bytes followed by the parts. */
export function digestOf(key: Secret, parts: readonly Uint8Array[]): string {
  return key.use((bytes) => {
    const hash = createHash('sha256').update(bytes);
    for (const part of parts) hash.update(part);
    return hash.digest('hex');
  });
}

/** Whether the bytes, as UTF-8 text, hold the key in any form that redaction knows; a key of fewer than four bytes is in no text. */
export function isKeyIn(key: Secret, bytes: Uint8Array): boolean {
  return placesOf(key, bytes).length > 0;
}

/** Where the keys of a look stand; null among `keys` for one that nobody could read. */
export function findKeys({ accounts, bytes }: KeyLook, keys: readonly (Secret | null)[]): KeysFound {
  const found: { account: string; places: number[] }[] = [];
  const unknown: string[] = [];
  accounts.forEach(({ account }, index) => {
    const key = keys[index] ?? null;
    const places = key === null ? [] : placesOf(key, bytes);
    if (key === null) unknown.push(account);
    else if (places.length > 0) found.push({ account, places });
  });
  return { found, unknown };
}

/** Starts and ends in bytes. What is made of the key to look for it is overwritten before this returns. */
function placesOf(key: Secret, bytes: Uint8Array): number[] {
  const forms = key.use(formsOf);
  try {
    const { text, isUtf8 } = textOf(bytes);
    return secretPlaces(forms, text).flatMap(({ start, end }) => {
      const from = isUtf8 ? Buffer.byteLength(text.slice(0, start)) : start;
      return [from, isUtf8 ? from + Buffer.byteLength(text.slice(start, end)) : end];
    });
  } finally {
    forms.fill(0);
  }
}

/** What is not UTF-8 is looked at byte by byte: a place in it is then one in the bytes, too. */
function textOf(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { text: buffer.toString('utf8'), isUtf8: true } : { text: buffer.toString('latin1'), isUtf8: false };
}
