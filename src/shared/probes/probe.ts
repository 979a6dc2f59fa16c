import type { ClockRange } from '../calls/server-clock.ts';
import type { ProbeId, ProbeOperation } from '../ipc/outputs/probes.ts';
import type { TimeOrder } from '../signing/time.ts';

/** `time` of a probe: a word that is not a time, or the moment of sending in UTC, moved by so many seconds and written in an order. */
export type ProbeTime = { readonly word: string } | { readonly order: TimeOrder; readonly moved: number };

/** One call of the plan. Nothing but gameList, getGameRound and roundReplayInfo is ever called: they only read. */
export interface Probe {
  readonly id: ProbeId;
  readonly operation: ProbeOperation;
  /** Payload, sent byte for byte. */
  readonly text: string;
  /** Text that is hashed in place of the sent `data`; null for the sent one. */
  readonly hashed: string | null;
  readonly time: ProbeTime;
  /** ID of the environment whose key hashes; null for the probed one's. */
  readonly keyOf: string | null;
  /** `both`: platform and hash are wrong. A wrong hash is all zeros. */
  readonly wrong: 'nothing' | 'hash' | 'both';
}

/** The response to a probe. */
export interface ProbeResponse {
  readonly callId: number;
  readonly code: number;
  /** The server's clock by this call; null if its response does not show it. */
  readonly clock: ClockRange | null;
}

export interface SeenProbe {
  readonly probe: Probe;
  readonly response: ProbeResponse;
}

/** The part of an environment that decides the plan. */
export interface ProbeGround {
  /** Extra envelope fields of gameList, as JSON text. */
  readonly listText: string;
  /** The order in which the environment writes `time`. */
  readonly orders: Readonly<Record<ProbeOperation, TimeOrder>>;
  /** Seconds by which the environment's zone is ahead of UTC now. */
  readonly zoneSeconds: number;
  /** Other environments at the same base URL, with another key: no other host gets a hash that was made with one. */
  readonly otherKeys: readonly { readonly id: string; readonly name: string }[];
  /** True to send moved times, too. */
  readonly moved: boolean;
}

/** The code of a wrong hash (spec, Errors). */
export const wrongHashCode = 8;
/** The code of a wrong platform or partnerId (spec, Errors). */
export const wrongIdentityCode = 9;

/** Returns a text that is equal for two probes if the same negative control holds for both. */
export function bodyOf({ operation, text, time }: Probe): string {
  return JSON.stringify([operation, text, time]);
}

export function otherOrder(order: TimeOrder): TimeOrder {
  return order === 'dmy' ? 'ymd' : 'dmy';
}

/**
 * A round that cannot exist: the largest number that every language reads exactly, so that no reading of it can change the hash
 * input.
 */
const round = '{"roundId":9007199254740991,"logMonth":0';

/** Payloads of getGameRound and roundReplayInfo, and the texts that providers may hash for them. */
export const payloads = {
  plain: `${round}}`,
  /** Not ASCII, a bare slash, and blanks: each way of encoding again changes it in another way. */
  forms: {
    sent: '{"roundId": 9007199254740991, "logMonth": 0, "probe": "é/"}',
    escaped: `${round},"probe":"\\u00e9/"}`,
    bare: `${round},"probe":"é/"}`,
    slashes: `${round},"probe":"\\u00e9\\/"}`,
    bareSlashes: `${round},"probe":"é\\/"}`,
  },
  object: { sent: `${round},"probe":{}}`, arrays: `${round},"probe":[]}` },
  number: { sent: `${round},"probe":1.0}`, short: `${round},"probe":1}` },
} as const;
