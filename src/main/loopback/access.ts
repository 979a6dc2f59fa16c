import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mostPages } from '#shared/line.ts';

/** Who may use the browser host: one-time tokens that the terminal shows, and the sessions they were exchanged for. */
export interface Access {
  /** Returns a new token, 32 random bytes as base64url: good once, for 60 seconds, and only for one session. */
  issue(): string;
  /** Exchanges a token for a session's secret. A token that finds every session in use is still good. */
  redeem(token: string): Redeemed;
  /** Returns whether the secret belongs to a session of this run. */
  admits(secret: string): boolean;
  /** Says that a page of this session lives, until what this gives is called: a session in use makes room for no other. */
  hold(secret: string): () => void;
}

export type Redeemed =
  | { readonly ok: true; readonly secret: string }
  /** `unknown`: wrong, used, too old or void. `full`: as many pages are open as may be. */
  | { readonly ok: false; readonly why: 'unknown' | 'full' };

interface Session {
  readonly digest: Buffer;
  /** Lines of its pages. */
  lines: number;
  /** Its page has a line from here on, or never comes. */
  readonly opensBy: number;
}

interface Issued {
  readonly digest: Buffer;
  readonly expires: number;
}

/** A token is long enough that nobody guesses one; the count of failures is there to be noticed, not to slow anybody down. */
const failuresUntilVoid = 10;
const tokenLifetimeMs = 60_000;
/** How long a page may take from its session to its line. */
const openingMs = 10_000;
const openTokenLimit = 16;

/** `now` gives milliseconds of a clock that never goes back. `onVoid` is told when ten failed tokens made every open one void. */
export function createAccess(options: { now: () => number; onVoid?: () => void }): Access {
  let issued: Issued[] = [];
  let failures = 0;
  /** The one of use the longest ago first. */
  let sessions: Session[] = [];

  function holds(entry: Issued, digest: Buffer): boolean {
    return timingSafeEqual(entry.digest, digest) && options.now() < entry.expires;
  }

  function find(secret: string): Session | undefined {
    const digest = digestOf(secret);
    return sessions[sessions.map((known) => timingSafeEqual(known.digest, digest)).indexOf(true)];
  }

  function used(session: Session): void {
    sessions = [...sessions.filter((other) => other !== session), session];
  }

  /** Ends the oldest session that nobody uses where there is no room; false where all are used. */
  function makeRoom(): boolean {
    if (sessions.length < mostPages) return true;
    const idle = sessions.find(({ lines, opensBy }) => lines === 0 && opensBy <= options.now());
    sessions = sessions.filter((session) => session !== idle);
    return idle !== undefined;
  }

  function failed(): Redeemed {
    failures += 1;
    if (failures >= failuresUntilVoid && issued.length > 0) {
      issued = [];
      options.onVoid?.();
    }
    return { ok: false, why: 'unknown' };
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
      if (!makeRoom()) return { ok: false, why: 'full' };
      issued = issued.filter((_, index) => index !== found);
      const secret = randomBytes(32).toString('base64url');
      sessions.push({ digest: digestOf(secret), lines: 0, opensBy: options.now() + openingMs });
      return { ok: true, secret };
    },
    admits: (secret) => find(secret) !== undefined,
    hold(secret) {
      const session = find(secret);
      if (session === undefined) return () => undefined;
      session.lines += 1;
      used(session);
      let holds = true;
      return () => {
        if (!holds) return;
        holds = false;
        session.lines -= 1;
        if (sessions.includes(session)) used(session);
      };
    },
  };
}

/** Only digests are kept: all have one length, and a dump of this process shows nothing that opens a session. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
