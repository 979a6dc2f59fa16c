import { Buffer, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { KeysFound, SecretStatus } from '#core/host/host.ts';
import { createRedaction } from '#core/masking/redaction.ts';
import { formsOf } from '#core/masking/secret-forms.ts';
import { secretPlaces } from '#core/masking/secret-places.ts';
import type { AgentAnswer, AgentOperation, FetchedKey, HeldLook } from './agent-messages.ts';
import { fingerprintOf, newFingerprintKey } from './fingerprint.ts';
import { faultOf, goneMessage, keyError, lockedMessage, missingMessage } from './key-faults.ts';
import type { Keychain } from './keychain.ts';
import { createKeyOpeners, sealKey, type SealedKey } from './sealed-key.ts';
import { hide } from './secret.ts';
import type { Secret } from './secret.ts';

/** Account of the fingerprint key; no environment's account has this form. */
const fingerprintAccount = 'fingerprint-key';

/** Does what the key agent is asked to, inside the agent. What concerns a held key is answered without waiting. */
export interface KeyHolder {
  handle(operation: AgentOperation): Promise<AgentAnswer> | AgentAnswer;
}

/** The keys that a process has at the moment, for texts that may hold one of them. */
export interface KnownKeys {
  readonly add: (key: Secret) => void;
  /** Overwrites the key. */
  readonly forget: (key: Secret) => void;
  /** Replaces every form of a key in a text. Nothing of a key is kept for it: it is made when there is something to say. */
  readonly redact: (text: string) => string;
}

/** Starts without a key. */
export function createKnownKeys(): KnownKeys {
  const known = new Set<Secret>();
  return {
    add: (key) => void known.add(key),
    forget(key) {
      known.delete(key);
      key.clear();
    },
    redact(text) {
      const redaction = createRedaction();
      for (const key of known) key.use((bytes) => redaction.protect(bytes));
      return redaction.redact(text);
    },
  };
}

/** Holds keys and speaks to the keychain. Failures are AppErrors made by `keyError`, redacted. */
export function createKeyHolder(deps: { keychain: Keychain; known: KnownKeys }): KeyHolder {
  const { keychain, known } = deps;
  const openers = createKeyOpeners();
  const held = new Map<string, Secret>();
  let fingerprintKey = hide(newFingerprintKey());
  let fingerprintKeyIsKept = false;

  function open(sealed: SealedKey): Secret {
    const key = hide(openers.open(sealed));
    known.add(key);
    return key;
  }

  function drop(account: string): null {
    const key = held.get(account);
    if (key !== undefined) known.forget(key);
    held.delete(account);
    return null;
  }

  function theHeld(account: string): Secret {
    const key = held.get(account);
    if (key === undefined) throw keyError('missing', missingMessage);
    return key;
  }

  function find({ accounts, bytes }: HeldLook): KeysFound {
    return findKeys(
      accounts,
      bytes,
      accounts.map((account) => held.get(account) ?? null),
    );
  }

  /** Lets `work` use the keychain's key, or null where there is none; `expected`: then it must be known that the keychain is open. */
  async function withKept<T>(account: string, expected: boolean, work: (key: Secret | null) => T | Promise<T>): Promise<T> {
    const key = await keychain.read(account);
    if (key === null) {
      if (expected) await openKeychain();
      return work(null);
    }
    known.add(key);
    try {
      return await work(key);
    } finally {
      known.forget(key);
    }
  }

  /**
   * Reads the key for fingerprints, making it where there is none. That it can be read or made is also the proof that the
   * keychain is open, which a missing private key does not tell: a locked keyring answers as if it were empty.
   */
  async function openKeychain(): Promise<void> {
    let kept = await keychain.read(fingerprintAccount);
    if (kept === null) {
      const made = hide(newFingerprintKey());
      await keychain.write(fingerprintAccount, made).finally(() => made.clear());
      // Read again rather than remembered: another process may have made one at the same time, and the last one counts.
      kept = await keychain.read(fingerprintAccount);
      if (kept === null) throw keyError('locked', lockedMessage);
    }
    fingerprintKey.clear();
    fingerprintKey = kept;
    fingerprintKeyIsKept = true;
  }

  async function keptFingerprint(key: Secret): Promise<string> {
    if (!fingerprintKeyIsKept) await openKeychain();
    return fingerprintOf(fingerprintKey, key, 'keychain');
  }

  async function keptStatus(key: Secret): Promise<SecretStatus> {
    return { state: 'present', storage: 'keychain', fingerprint: await keptFingerprint(key), bytes: key.length };
  }

  function heldStatus(key: Secret): SecretStatus {
    return {
      state: 'present',
      storage: 'session',
      fingerprint: fingerprintOf(fingerprintKey, key, 'session'),
      bytes: key.length,
    };
  }

  function hold(account: string, sealed: SealedKey): SecretStatus {
    const key = open(sealed);
    drop(account);
    held.set(account, key);
    return heldStatus(key);
  }

  async function store(account: string, sealed: SealedKey): Promise<SecretStatus> {
    const key = open(sealed);
    try {
      await keychain.write(account, key);
      // A keychain may cut a text (at a NUL, or at its own limit) and call it done.
      if (!(await withKept(account, false, (kept) => kept !== null && kept.equals(key)))) {
        await keychain.erase(account);
        throw keyError(
          'refused',
          'The keychain did not keep the key exactly as given, so it was removed. Look for a NUL character in it.',
        );
      }
      return await keptStatus(key);
    } finally {
      known.forget(key);
    }
  }

  function fetch(account: string, expected: boolean, sealTo: Uint8Array): Promise<FetchedKey | null> {
    return withKept(account, expected, async (key) => {
      if (key === null) return null;
      const fingerprint = await keptFingerprint(key);
      return { key: key.use((bytes) => sealKey(sealTo, bytes)), fingerprint };
    });
  }

  async function remove(account: string): Promise<null> {
    // A locked keyring says that there was nothing to erase, and keeps it.
    if (!(await keychain.erase(account))) await openKeychain();
    return null;
  }

  async function status(account: string, expected: boolean): Promise<SecretStatus> {
    const absent: SecretStatus = { state: 'absent', storage: null, fingerprint: null, bytes: null };
    try {
      return await withKept(account, expected, (key) => {
        if (key !== null) return keptStatus(key);
        return expected ? { ...absent, message: goneMessage } : absent;
      });
    } catch (error) {
      if (faultOf(error) !== 'locked') throw error;
      return { state: 'locked', storage: 'keychain', fingerprint: null, bytes: null, message: lockedMessage };
    }
  }

  return {
    handle(operation) {
      switch (operation.op) {
        case 'opener':
          return openers.make();
        case 'hold':
          return hold(operation.account, operation.key);
        case 'drop':
          return drop(operation.account);
        case 'digest':
          return digestOf(theHeld(operation.account), operation.parts);
        case 'sign':
          return { digest: digestOf(theHeld(operation.account), operation.parts), ...find(operation.look) };
        case 'find':
          return find(operation.look);
        case 'contains':
          return isKeyIn(theHeld(operation.account), operation.bytes);
        case 'store':
          return store(operation.account, operation.key);
        case 'fetch':
          return fetch(operation.account, operation.expected, operation.sealTo);
        case 'status': {
          const key = held.get(operation.account);
          return key === undefined ? status(operation.account, operation.expected) : heldStatus(key);
        }
        case 'remove':
          return remove(operation.account);
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

/** Finds keys in a text; a null in `keys` is one that could not be read. */
export function findKeys(accounts: readonly string[], bytes: Uint8Array, keys: readonly (Secret | null)[]): KeysFound {
  const found: { account: string; places: number[] }[] = [];
  const unknown: string[] = [];
  accounts.forEach((account, index) => {
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

/** Decodes UTF-8, or other bytes one by one, so that positions in the text are positions in the bytes. */
function textOf(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { text: buffer.toString('utf8'), isUtf8: true } : { text: buffer.toString('latin1'), isUtf8: false };
}
