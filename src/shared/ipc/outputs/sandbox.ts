import { z } from '../../model/schema.ts';
import { SandboxPlayer, SandboxSamples } from '../sandbox.ts';

/**
 * What a hash should have been. The digest is shown and the key is not: what is hashed stands in its three parts, the key's place taken
 * by `<PRIVATE_KEY>`. Texts of data are cut after 100,000 characters; `dataBytes` says how long they are.
 */
export const ExpectedHash = z.strictObject({
  /** Lowercase hexadecimal; null where no hash can match. */
  hash: z.nullable(z.string()),
  /** Null where there is no `time` to hash. */
  input: z.nullable(
    z.strictObject({
      key: z.literal('<PRIVATE_KEY>'),
      time: z.string(),
      /** Null where the request has no data. */
      data: z.nullable(z.string()),
      dataBytes: z.int(),
    }),
  ),
  /** What `data` of the input is: decoded and encoded again, or the text as it was received. */
  dataIs: z.enum(['reencoded', 'received']),
});
export type ExpectedHash = z.infer<typeof ExpectedHash>;

/** What came with the request. */
export const ReceivedHash = z.strictObject({
  /** Null where it is missing or not a text. */
  hash: z.nullable(z.string()),
  /** The text of `data` as it stands in the body; null where there is none. */
  data: z.nullable(z.string()),
  dataBytes: z.int(),
});
export type ReceivedHash = z.infer<typeof ReceivedHash>;

/** The first place at which the data that was hashed is not the data that was received. */
export const DataDifference = z.strictObject({
  /** Counted from 0 in the UTF-8 bytes of data. */
  byte: z.int(),
  /** The same place as a UTF-16 offset, at the start of a character. */
  offset: z.int(),
  /** A few characters from there on; empty at the end. */
  expected: z.string(),
  received: z.string(),
  /** True where the hash that came is right for the data as received: then this is why it was refused. */
  isReason: z.boolean(),
});
export type DataDifference = z.infer<typeof DataDifference>;

/** One request that the built-in provider judged. `why` says in words what it expected. */
export const SandboxVerdict = z.strictObject({
  time: z.string(),
  path: z.string(),
  action: z.nullable(z.string()),
  verdict: z.strictObject({
    code: z.int(),
    message: z.string(),
    why: z.string(),
    /** `why` without what was hashed: what the response's header `x-croupier-why` says; empty where the code says it all. */
    reason: z.string(),
    /** The spec shows no code for this reason: `code` stands in its place. */
    standsIn: z.boolean(),
    /** These four are there for code 8 alone. */
    expected: z.optional(ExpectedHash),
    received: z.optional(ReceivedHash),
    difference: z.optional(z.nullable(DataDifference)),
    /** The mistake that the hash gives away, as a sentence; null where it tells none. */
    mistake: z.optional(z.nullable(z.string())),
  }),
  bodyText: z.string(),
  /** In the order they came; null for what the demo game asked of the wallet without a connection. */
  headers: z.nullable(z.array(z.tuple([z.string(), z.string()]))),
});
export type SandboxVerdict = z.infer<typeof SandboxVerdict>;

/** A verdict as the provider's log of this run has it. */
export const LoggedVerdict = z.extend(SandboxVerdict, {
  /** Counted from 1. */
  number: z.int(),
  /** The call of the history that was judged; null where that is not certain, as for what other programs sent. */
  callId: z.nullable(z.int()),
});
export type LoggedVerdict = z.infer<typeof LoggedVerdict>;

export const VerdictPage = z.strictObject({
  /** Newest first. */
  entries: z.array(LoggedVerdict),
  /** How many are kept: at most the newest 1,000, with at most 16 MB of bodies. */
  total: z.int(),
  /** How many older ones were let go. */
  dropped: z.int(),
});
export type VerdictPage = z.infer<typeof VerdictPage>;

export const SandboxStatus = z.strictObject({
  running: z.boolean(),
  environmentId: z.nullable(z.string()),
  baseUrl: z.nullable(z.string()),
  /** Said where it could not start. */
  message: z.nullable(z.string()),
  players: z.array(SandboxPlayer),
  /** For the player of the environment's defaults, or the first one; empty where no provider runs. */
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
