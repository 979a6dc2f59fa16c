/** A part of a hash input: text, which is hashed as UTF-8, or bytes that no text stands for. */
export type Part = string | Uint8Array;

export type Algorithm = 'sha256' | 'md5' | 'sha1' | 'sha512' | 'sha384' | 'sha224';

/** The digests, which the caller brings: this room is pure and holds no cryptography. Both return lowercase hexadecimal. */
export interface Digests {
  hash(algorithm: Algorithm, input: Part): string;
  hmac(algorithm: Algorithm, key: Part, input: Part): string;
}

/** The part of a hash that a mistake is about. Of one axis a hash has at most one mistake. */
export type Axis =
  | 'key'
  | 'time'
  | 'clock'
  | 'order'
  | 'members'
  | 'numbers'
  | 'slash'
  | 'unicode'
  | 'html'
  | 'layout'
  | 'wrap'
  | 'composition'
  | 'digest'
  | 'spelling';

/** Languages in which a fix can be shown. */
export const languages = ['php', 'node', 'python', 'java', 'csharp', 'go', 'ruby'] as const;
export type Language = (typeof languages)[number];

/** One known mistake. */
export interface Mistake {
  /** Stable, such as `slash.escaped`. */
  readonly id: string;
  readonly axis: Axis;
  /** The mistake in words, as a sentence about the backend: `Your backend escapes the slashes.` */
  readonly says: string;
  /** Those who make it, in one or two sentences; empty if nobody in particular does. */
  readonly who: string;
  /** 1: met everywhere, 5: met by nobody yet. */
  readonly rarity: 1 | 2 | 3 | 4 | 5;
  /** The languages whose usual code makes it, likeliest first. */
  readonly languages: readonly Language[];
}

/** The request whose hash is wrong. Texts are as the backend sent them. */
export interface Subject {
  /** `time` of the envelope. */
  readonly time: string;
  /** The text of `data`; null if the envelope has none. */
  readonly dataText: string | null;
  /** The text of `data` that the rule demands; null if it has no data, or PHP refuses to write it. */
  readonly ruleText: string | null;
  /** The form in which the rule writes `data`: the usual provider escapes characters beyond ASCII and keeps objects that are empty. */
  readonly form: { readonly unicode: 'escaped' | 'bare'; readonly objects: 'kept' | 'arrays' };
  readonly action: string;
  /** Texts of the numbers as they stand in the envelope; empty if it has none. */
  readonly platform: string;
  readonly partnerId: string;
  /** The hash as it was received, whatever its form. */
  readonly hash: string;
}

/**
 * Name of a key for people: null for the one that signs for the environment, `pair` for that environment's other one of two, and else the
 * name of the environment that it belongs to.
 */
export type KeyName = string | null | { readonly pair: 'new' | 'older' };

/** A key with its name. */
export interface NamedKey {
  readonly name: KeyName;
  readonly key: string;
}
