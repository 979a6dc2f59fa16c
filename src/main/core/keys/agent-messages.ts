import type { KeyLook, KeysFound, SecretStatus } from '#core/host.ts';
import type { KeyFault } from './key-faults.ts';

/** What the key agent is asked to do. A key travels in `set` alone, and only towards the agent. */
export type AgentOperation =
  | { readonly op: 'set'; readonly account: string; readonly key: string; readonly storage: 'keychain' | 'session' }
  | { readonly op: 'remove'; readonly account: string }
  /** Forgets a key of this run; the keychain is not asked. */
  | { readonly op: 'drop'; readonly account: string }
  | { readonly op: 'status'; readonly account: string; readonly expected: boolean }
  | { readonly op: 'digest'; readonly account: string; readonly version: string; readonly parts: readonly Uint8Array[] }
  /** A digest and `find` in one message: signing a call and looking at it cost one way there and back. */
  | {
      readonly op: 'sign';
      readonly account: string;
      readonly version: string;
      readonly parts: readonly Uint8Array[];
      readonly look: KeyLook;
    }
  | { readonly op: 'find'; readonly look: KeyLook }
  /** Whether the bytes, as UTF-8 text, hold the key in any form that redaction knows. `expected`: as for `status`. */
  | { readonly op: 'contains'; readonly account: string; readonly expected: boolean; readonly bytes: Uint8Array }
  | { readonly op: 'probe' };

export type AgentRequest = { readonly id: number } & AgentOperation;

/**
 * What comes back: a status (set, status), a digest in lowercase hexadecimal, places in a text (find; sign with the digest), yes or no
 * (contains), a sentence or null (probe), null (remove, drop).
 */
export type AgentAnswer = SecretStatus | KeysFound | ({ readonly digest: string } & KeysFound) | string | boolean | null;

/** An answer, or why there is none. */
export type AgentReply =
  | { readonly id: number; readonly ok: true; readonly value: AgentAnswer }
  | { readonly id: number; readonly ok: false; readonly fault: KeyFault; readonly message: string };

/**
 * A running key agent as its parent sees it. Messages are structured-cloned, so a child process with `advanced` serialization
 * and Electron's utility process both fit; each host wraps its own kind.
 */
export interface AgentProcess {
  post(request: AgentRequest): void;
  onReply(listener: (reply: AgentReply) => void): void;
  /** Called once, also when it could not be started at all. */
  onExit(listener: () => void): void;
  /** Ends it at once, whatever its threads are doing (SIGKILL, not SIGTERM). */
  kill(): void;
}
