import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mostPages } from '#shared/page-socket.ts';

/** Access to the browser host: one-time tokens from the terminal, and the sessions they were exchanged for. */
export type Access = ReturnType<typeof createAccess>;

type Redeemed =
  | { readonly ok: true; readonly secret: string }
  /** `unknown`: wrong, used, too old or void. `full`: the most pages are open. */
  | { readonly ok: false; readonly why: 'unknown' | 'full' };

interface Session {
  readonly digest: Buffer;
  /** Number of its pages' lines. */
  lines: number;
  /** Moment by which its page must open a line. */
  readonly opensBy: number;
}

interface Issued {
  readonly digest: Buffer;
  readonly expires: number;
}

/** Failed tokens that void all open ones. Tokens are too long to guess, so this serves as an alarm. */
const failuresUntilVoid = 10;
const tokenLifetimeMs = 60_000;
/** Most milliseconds from a page's session to its line. */
const openingMs = 10_000;
const openTokenLimit = 16;

/** Creates the access. `now` returns milliseconds of a monotonic clock. `onVoid` is called when ten failed tokens void every open one. */
export function createAccess(options: { now: () => number; onVoid?: () => void }) {
  let issued: Issued[] = [];
  let failures = 0;
  /** Sessions, least recently used first. */
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

  /** Ends the oldest unused session if there is no room; false if all are in use. */
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
    /** Returns a new token, 32 random bytes as base64url: good once, for 60 seconds, and only for one session. */
    issue(): string {
      const token = randomBytes(32).toString('base64url');
      const now = options.now();
      failures = 0;
      const open = issued.filter(({ expires }) => now < expires).slice(1 - openTokenLimit);
      issued = [...open, { digest: digestOf(token), expires: now + tokenLifetimeMs }];
      return token;
    },
    /** Exchanges a token for a session's secret. If every session is in use, the token stays valid. */
    redeem(token: string): Redeemed {
      const digest = digestOf(token);
      // Compares every entry, even after a match, so that the time reveals nothing.
      const matches = issued.map((entry) => holds(entry, digest));
      const found = matches.indexOf(true);
      if (found === -1) return failed();
      if (!makeRoom()) return { ok: false, why: 'full' };
      issued = issued.filter((_, index) => index !== found);
      const secret = randomBytes(32).toString('base64url');
      sessions.push({ digest: digestOf(secret), lines: 0, opensBy: options.now() + openingMs });
      return { ok: true, secret };
    },
    /** Returns whether the secret belongs to a session of this host. */
    admits: (secret: string): boolean => find(secret) !== undefined,
    /** Marks a session as in use, so that no other replaces it, until the returned function is called. */
    hold(secret: string): () => void {
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

/** Hashes a secret. Only digests are kept, because they have one length and a memory dump of them opens no session. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
