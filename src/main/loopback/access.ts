import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Who may use the browser host: one-time tokens that the terminal shows, and the sessions they were exchanged for. */
export interface Access {
  /** A new token, 32 random bytes as base64url: good once, for 60 seconds, and only for one session. */
  issue(): string;
  /** Exchanges a token for a session's secret; null for one that is wrong, used, too old or void. */
  redeem(token: string): string | null;
  /** Whether the secret belongs to a session of this run. */
  admits(secret: string): boolean;
}

interface Issued {
  readonly digest: Buffer;
  readonly expires: number;
}

/** A token is long enough that nobody guesses one; the count of failures is there to be noticed, not to slow anybody down. */
const failuresUntilVoid = 10;
const tokenLifetimeMs = 60_000;
const sessionLimit = 32;
const openTokenLimit = 16;

/** `now` gives milliseconds of a clock that never goes back. `onVoid` is told when ten failed tokens made every open one void. */
export function createAccess(options: { now: () => number; onVoid?: () => void }): Access {
  let issued: Issued[] = [];
  let failures = 0;
  const sessions: Buffer[] = [];

  function holds(entry: Issued, digest: Buffer): boolean {
    return timingSafeEqual(entry.digest, digest) && options.now() < entry.expires;
  }

  function failed(): null {
    failures += 1;
    if (failures >= failuresUntilVoid && issued.length > 0) {
      issued = [];
      options.onVoid?.();
    }
    return null;
  }

  return {
    issue() {
      const token = randomBytes(32).toString('base64url');
      const now = options.now();
      failures = 0;
      const open = issued.filter(({ expires }) => now < expires).slice(1 - openTokenLimit);
      issued = [...open, { digest: digestOf(token), expires: now + tokenLifetimeMs }];
      return token;
    },
    redeem(token) {
      const digest = digestOf(token);
      // Every entry is compared, whether or not one already matched.
      const matches = issued.map((entry) => holds(entry, digest));
      const found = matches.indexOf(true);
      if (found === -1) return failed();
      issued = issued.filter((_, index) => index !== found);
      const secret = randomBytes(32).toString('base64url');
      sessions.push(digestOf(secret));
      if (sessions.length > sessionLimit) sessions.shift();
      return secret;
    },
    admits(secret) {
      const digest = digestOf(secret);
      return sessions.map((known) => timingSafeEqual(known, digest)).includes(true);
    },
  };
}

/** Only digests are kept: all have one length, and a dump of this process shows nothing that opens a session. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
