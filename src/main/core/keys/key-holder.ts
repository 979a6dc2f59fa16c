import type { KeyRelation, KeysFound, SecretStatus } from '#core/host/host.ts';
import type { AgentResult, AgentOperation, HeldInspection } from './agent-messages.ts';
import { findKeys, isKeyIn } from './find-keys.ts';
import { createKeptKeys, relationOf } from './kept-keys.ts';
import { keyError, missingMessage } from './key-faults.ts';
import type { Keychain } from './keychain.ts';
import { loginAnswer } from './login-answer.ts';
import type { KnownKeys } from './known-keys.ts';
import { createKeyOpeners, sealKey, type SealedKey } from './sealed-key.ts';
import { createSearching, type Searching } from './searching.ts';
import { copyOf, digestOf, hide } from './secret.ts';
import type { Secret } from './secret.ts';

/**
 * Does the work of the key agent, inside the agent. Requests about a held key get their reply without waiting. Holds keys and speaks to
 * the keychain. Failures are AppErrors made by `keyError`, redacted.
 */
export function createKeyHolder(deps: { keychain: Keychain; known: KnownKeys }) {
  const { known } = deps;
  const openers = createKeyOpeners();
  const kept = createKeptKeys(deps);
  const held = new Map<string, Secret>();
  let searching: Searching | null = null;

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

  function find({ accounts, bytes }: HeldInspection): KeysFound {
    return findKeys(
      accounts,
      bytes,
      accounts.map((account) => held.get(account) ?? null),
    );
  }

  function heldStatus(key: Secret): SecretStatus {
    return { state: 'present', storage: 'session', fingerprint: kept.sessionFingerprint(key), bytes: key.length };
  }

  function take(account: string, key: Secret): SecretStatus {
    drop(account);
    held.set(account, key);
    return heldStatus(key);
  }

  async function compare(account: string, sealed: SealedKey, expected: boolean): Promise<KeyRelation> {
    const own = held.get(account);
    const key = open(sealed);
    if (own === undefined) return kept.compare(account, key, expected);
    const relation = relationOf(own, key);
    known.forget(key);
    return relation;
  }

  function copy(from: string, to: string): Promise<SecretStatus> | SecretStatus {
    const own = held.get(from);
    if (own === undefined) return kept.copy(from, to);
    const key = copyOf(own);
    known.add(key);
    return take(to, key);
  }

  async function store(account: string, sealed: SealedKey): Promise<SecretStatus> {
    return kept.store(account, open(sealed));
  }

  return {
    handle(operation: AgentOperation): Promise<AgentResult> | AgentResult {
      switch (operation.op) {
        case 'opener':
          return openers.make();
        case 'hold':
          return take(operation.account, open(operation.key));
        case 'drop':
          return drop(operation.account);
        case 'digest':
          return digestOf(theHeld(operation.account), operation.parts);
        case 'sign':
          return { digest: digestOf(theHeld(operation.account), operation.parts), ...find(operation.inspection) };
        case 'answer':
          return loginAnswer(theHeld(operation.account), operation.question);
        case 'find':
          return find(operation.inspection);
        case 'contains':
          return isKeyIn(theHeld(operation.account), operation.bytes);
        case 'store':
          return store(operation.account, operation.key);
        case 'fetch':
          return kept.fetch(operation.account, operation.expected, operation.sealTo);
        case 'status': {
          const key = held.get(operation.account);
          return key === undefined ? kept.status(operation.account, operation.expected) : heldStatus(key);
        }
        case 'remove':
          return kept.remove(operation.account);
        case 'compare':
          return compare(operation.account, operation.key, operation.expected);
        case 'copy':
          return copy(operation.from, operation.to);
        case 'probe':
          return kept.open().then(() => null);
        case 'handOver':
          return held.get(operation.account)?.use((bytes) => sealKey(operation.sealTo, bytes)) ?? null;
        case 'search':
          searching = createSearching(
            operation.keys.map(({ name, key }) => ({ name, key: open(key) })),
            operation.subject,
          );
          return null;
        case 'searchOn':
          return searching?.next() ?? { steps: [], ended: true };
      }
    },
  };
}
