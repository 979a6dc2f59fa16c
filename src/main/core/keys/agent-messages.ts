import type { KeysFound, LoginQuestion, SecretStatus } from '#core/host/host.ts';
import type { KeyName, Subject } from '#shared/doctor/model.ts';
import type { SearchNews } from '#shared/doctor/turn.ts';
import type { KeyFault } from './key-faults.ts';
import type { SealedKey } from './sealed-key.ts';

/**
 * Requests to a key agent. The one for `store`, `fetch`, `status`, `remove` or `probe` gets keys of the keychain as texts, which
 * nobody can overwrite, so it is ended soon; so is the one for `search`. The one for the others holds keys and never has such a text.
 * Either may be asked for `compare` and `copy`, about the keys that it has. A key goes from agent to agent, and from the parent to an
 * agent, sealed.
 */
export type AgentOperation =
  /** Returns the opener that one key for this agent is to be sealed to. */
  | { readonly op: 'opener' }
  /** Holds a key until its end, or `drop`. */
  | { readonly op: 'hold'; readonly account: string; readonly key: SealedKey }
  | { readonly op: 'drop'; readonly account: string }
  /** The holder knows only what it holds. */
  | { readonly op: 'digest'; readonly account: string; readonly parts: readonly Uint8Array[] }
  /** A digest and `find` in one message: signing a call and searching it cost one round trip. */
  | { readonly op: 'sign'; readonly account: string; readonly parts: readonly Uint8Array[]; readonly inspection: HeldInspection }
  | { readonly op: 'find'; readonly inspection: HeldInspection }
  /** Returns the value of Proxy-Authorization for a held login. */
  | { readonly op: 'answer'; readonly account: string; readonly question: LoginQuestion }
  /** Returns whether the bytes, as UTF-8 text, hold a held key in any form that redaction knows. */
  | { readonly op: 'contains'; readonly account: string; readonly bytes: Uint8Array }
  | { readonly op: 'store'; readonly account: string; readonly key: SealedKey }
  /**
   * Returns the keychain's key, sealed to another agent's opener. `expected`: the index says that there is one, so an empty reply
   * means locked.
   */
  | { readonly op: 'fetch'; readonly account: string; readonly expected: boolean; readonly sealTo: Uint8Array }
  /** Returns the status of a held key, or else of the keychain's. `expected`: as for `fetch`. */
  | { readonly op: 'status'; readonly account: string; readonly expected: boolean }
  | { readonly op: 'remove'; readonly account: string }
  /** Compares a key with the held one of the account, or else with the keychain's. `expected`: as for `fetch`. */
  | { readonly op: 'compare'; readonly account: string; readonly key: SealedKey; readonly expected: boolean }
  /** Gives the held key of `from`, or else the keychain's, to `to` as well. Returns the status of `to`. */
  | { readonly op: 'copy'; readonly from: string; readonly to: string }
  | { readonly op: 'probe' }
  /** Returns a held key, sealed to the opener of the agent that searches; null if it is not held. */
  | { readonly op: 'handOver'; readonly account: string; readonly sealTo: Uint8Array }
  /** Begins a search with these keys; `searchOn` goes on with it. For an agent of its own, which ends with the search. */
  | { readonly op: 'search'; readonly keys: readonly SealedName[]; readonly subject: Subject }
  | { readonly op: 'searchOn' };

export type AgentRequest = { readonly id: number } & AgentOperation;

/** A text, UTF-8, and the accounts whose keys to find in it. */
export interface HeldInspection {
  readonly accounts: readonly string[];
  readonly bytes: Uint8Array;
}

/** A key on its way to the agent that searches; `name` as for `SearchedKey`. */
export interface SealedName {
  readonly name: KeyName;
  readonly key: SealedKey;
}

/** A key of the keychain on its way to the agent that will hold it. */
export interface FetchedKey {
  readonly key: SealedKey;
  readonly fingerprint: string;
}

/**
 * Result of a request: a status (hold, store, status, copy), same, other or none (compare), a digest in lowercase hexadecimal, a header's value (answer), positions in a text (find; sign with the
 * digest), a boolean (contains), bytes (opener), a sealed key or null (fetch, handOver), news (searchOn),
 * null (the others).
 */
export type AgentResult =
  | SecretStatus
  | KeysFound
  | ({ readonly digest: string } & KeysFound)
  | FetchedKey
  | SealedKey
  | SearchNews
  | Uint8Array
  | string
  | boolean
  | null;

/** The reply with this ID answers no request: the agent listens. */
export const readyId = 0;

/** A result, or why there is none. */
export type AgentReply =
  | { readonly id: number; readonly ok: true; readonly value: AgentResult }
  | { readonly id: number; readonly ok: false; readonly fault: KeyFault; readonly message: string };

/**
 * A running key agent as its parent sees it. Messages are structured-cloned, so a child process with `advanced` serialization and
 * Electron's utility process both fit; each host wraps its own kind.
 */
export interface AgentProcess {
  post(request: AgentRequest): void;
  onReply(listener: (reply: AgentReply) => void): void;
  /** Called once, also if it could not be started at all. */
  onExit(listener: () => void): void;
  /** Ends it at once, whatever its threads are doing (SIGKILL, not SIGTERM). */
  kill(): void;
}
