import { z } from '../../model/schema.ts';
import { WalletBalance } from '../../model/wallet-balance.ts';
import { SandboxPlayer, SandboxSamples } from '../sandbox.ts';

/**
 * The hash that the built-in provider expected, with its three-part input, where `<PRIVATE_KEY>` stands for the key. `data` is truncated
 * at 100,000 characters; `dataBytes` is its full length.
 */
export const ExpectedHash = z.strictObject({
  /** Lowercase hexadecimal; null if no hash can match. */
  hash: z.nullable(z.string()),
  /** Null if there is no `time` to hash. */
  input: z.nullable(
    z.strictObject({
      key: z.literal('<PRIVATE_KEY>'),
      time: z.string(),
      /** Null if the request has no data. */
      data: z.nullable(z.string()),
      dataBytes: z.int(),
    }),
  ),
  /** Origin of `data` in the input: decoded and encoded again, or the text as received. */
  dataIs: z.enum(['reencoded', 'received']),
});
export type ExpectedHash = z.infer<typeof ExpectedHash>;

/** The hash and data of the request. */
export const ReceivedHash = z.strictObject({
  /** Null if it is missing or not a string. */
  hash: z.nullable(z.string()),
  /** Source text of `data` in the body; null for none. */
  data: z.nullable(z.string()),
  dataBytes: z.int(),
});
export type ReceivedHash = z.infer<typeof ReceivedHash>;

/** The first position at which the hashed data differs from the received data. */
export const DataDifference = z.strictObject({
  /** Counted from 0 in the UTF-8 bytes of data. */
  byte: z.int(),
  /** The same position as a UTF-16 offset, at the start of a character. */
  offset: z.int(),
  /** A few characters from there; empty at the end. */
  expected: z.string(),
  received: z.string(),
  /** True if the received hash is right for the data as received, so that the difference is the reason. */
  isReason: z.boolean(),
});
export type DataDifference = z.infer<typeof DataDifference>;

/** The built-in provider's verdict on one request. `why` says what it expected. */
export const SandboxVerdict = z.strictObject({
  time: z.string(),
  path: z.string(),
  action: z.nullable(z.string()),
  verdict: z.strictObject({
    code: z.int(),
    message: z.string(),
    why: z.string(),
    /** `why` without the hash input, as in the response header `x-croupier-why`; empty if the code says everything. */
    reason: z.string(),
    /** True if the spec shows no code for this reason, so that `code` stands in. */
    standsIn: z.boolean(),
    /** The following four are present only for code 8. */
    expected: z.optional(ExpectedHash),
    received: z.optional(ReceivedHash),
    difference: z.optional(z.nullable(DataDifference)),
    /** A sentence about the mistake that the hash reveals; null for none. */
    mistake: z.optional(z.nullable(z.string())),
    /** Present only for a wallet method whose session token is valid. */
    balance: z.optional(WalletBalance),
  }),
  bodyText: z.string(),
  /** In the order received; null for the demo game's wallet calls, which use no connection. */
  headers: z.nullable(z.array(z.tuple([z.string(), z.string()]))),
});
export type SandboxVerdict = z.infer<typeof SandboxVerdict>;

/** A verdict in the provider's log of this session. */
export const LoggedVerdict = z.extend(SandboxVerdict, {
  /** Counted from 1. */
  number: z.int(),
  /** The judged call in the history; null if it is not certain, or for other programs' requests. */
  callId: z.nullable(z.int()),
});
export type LoggedVerdict = z.infer<typeof LoggedVerdict>;

export const VerdictPage = z.strictObject({
  /** Newest first. */
  entries: z.array(LoggedVerdict),
  /** Number of kept entries: at most the newest 1,000, with at most 16 MB of bodies. */
  total: z.int(),
  /** Number of older entries that were dropped. */
  dropped: z.int(),
});
export type VerdictPage = z.infer<typeof VerdictPage>;

export const SandboxStatus = z.strictObject({
  running: z.boolean(),
  environmentId: z.nullable(z.string()),
  baseUrl: z.nullable(z.string()),
  /** The page for its faults and its state; null unless this program runs it. Whoever knows the URL can use it. */
  controlUrl: z.nullable(z.string()),
  /** Says why it could not start; otherwise null. */
  message: z.nullable(z.string()),
  players: z.array(SandboxPlayer),
  /** For the player of the environment's defaults, or the first one; empty if the provider does not run. */
  samples: SandboxSamples,
});
export type SandboxStatus = z.infer<typeof SandboxStatus>;

export const sandboxOutputs = {
  'sandbox.status': SandboxStatus,
  'sandbox.log': VerdictPage,
};

export const sandboxEvents = {
  'sandbox.judged': LoggedVerdict,
};
