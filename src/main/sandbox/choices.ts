/** Choices of the built-in provider where the spec is silent about signing. docs/sandbox.md says what each of them means. */
export interface Choices {
  /** Hashed form of `data`: decoded and encoded again, or its text as received. */
  readonly mode: 'reencode' | 'received';
  /** Decoded form of objects in mode `reencode`: `arrays` are PHP's associative ones, so that `{}` becomes `[]`. */
  readonly decode: 'objects' | 'arrays';
  /** Form of non-ASCII characters in mode `reencode`: `\u` escapes, or the characters themselves. */
  readonly nonAscii: 'escaped' | 'bare';
  /** Accepted orders of day and year in `time`; `samples`: year first in roundReplayInfo alone, as the spec's samples have it. */
  readonly timeOrder: 'any' | 'dmy' | 'ymd' | 'samples';
  /** IANA name of the zone in which `time` is read, if `timeTolerance` is not null. */
  readonly timeZone: string;
  /** Seconds by which `time` may differ from the provider's clock; null for any. */
  readonly timeTolerance: number | null;
  /** First check: platform and partnerId (code 9), or time and hash (code 8). */
  readonly first: 'identity' | 'hash';
}

export const usualChoices: Choices = {
  mode: 'reencode',
  decode: 'objects',
  nonAscii: 'escaped',
  timeOrder: 'any',
  timeZone: 'UTC',
  timeTolerance: null,
  first: 'identity',
};
