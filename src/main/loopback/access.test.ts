import { describe, expect, it } from 'vitest';
import { mostPages } from '#shared/page-socket.ts';
import { createAccess } from './access.ts';

function accessAt(start = 0) {
  let now = start;
  let voids = 0;
  const access = createAccess({ now: () => now, onVoid: () => (voids += 1) });
  /** The secret that a token gives; null where it gives none. */
  const redeem = (token: string): string | null => {
    const redeemed = access.redeem(token);
    return redeemed.ok ? redeemed.secret : null;
  };
  return { access, redeem, pass: (milliseconds: number) => (now += milliseconds), voids: () => voids };
}

describe('access', () => {
  it('exchanges a token once, for a secret that is admitted from then on', () => {
    const { access, redeem, pass } = accessAt();
    const token = access.issue();
    const secret = redeem(token);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(secret).not.toBe(token);
    expect(redeem(token)).toBeNull();
    pass(24 * 3_600_000);
    expect(access.admits(secret ?? '')).toBe(true);
    expect(access.admits(token)).toBe(false);
    expect(access.admits('')).toBe(false);
  });

  it('takes a token to the last millisecond of its minute and not after', () => {
    const early = accessAt();
    const token = early.access.issue();
    early.pass(59_999);
    expect(early.redeem(token)).not.toBeNull();
    const late = accessAt();
    const other = late.access.issue();
    late.pass(60_000);
    expect(late.redeem(other)).toBeNull();
  });

  it('opens one session for each of several tokens', () => {
    const { access, redeem } = accessAt();
    const tokens = [access.issue(), access.issue(), access.issue()];
    const secrets = tokens.map((token) => redeem(token));
    expect(new Set(secrets).size).toBe(3);
    expect(secrets.every((secret) => secret !== null && access.admits(secret))).toBe(true);
  });

  it('makes every open token void after ten wrong ones, keeps the sessions, and starts again with a new token', () => {
    const { access, redeem, voids } = accessAt();
    const secret = redeem(access.issue());
    const token = access.issue();
    for (let attempt = 0; attempt < 9; attempt += 1) expect(redeem(`guess-${attempt}`)).toBeNull();
    expect(voids()).toBe(0);
    expect(redeem('guess-9')).toBeNull();
    expect(voids()).toBe(1);
    expect(redeem(token)).toBeNull();
    expect(access.admits(secret ?? '')).toBe(true);
    expect(redeem(access.issue())).not.toBeNull();
  });

  it('keeps a bounded number of open tokens', () => {
    const { access, redeem } = accessAt();
    const tokens = Array.from({ length: 40 }, () => access.issue());
    expect(redeem(tokens[0] ?? '')).toBeNull();
    expect(redeem(tokens.at(-1) ?? '')).not.toBeNull();
  });

  it('ends no session that is in use for another one: of the others the oldest, and where all are in use none', () => {
    const { access, redeem, pass } = accessAt();
    const take = () => redeem(access.issue()) ?? '';
    const secrets = Array.from({ length: mostPages }, take);
    const [first = '', second = '', third = ''] = secrets;
    // Their pages are still on their way.
    const token = access.issue();
    expect(access.redeem(token)).toEqual({ ok: false, why: 'full' });
    const releases = secrets.map((secret) => access.hold(secret));
    pass(10_000);
    expect(access.redeem(token)).toEqual({ ok: false, why: 'full' });
    // A second page of the third one, and two that are left: the second first.
    access.hold(third);
    releases[2]?.();
    releases[1]?.();
    releases[1]?.();
    pass(1);
    releases[0]?.();
    expect(access.redeem(token)).toMatchObject({ ok: true });
    expect([first, second, third].map((secret) => access.admits(secret))).toEqual([true, false, true]);
    expect(take()).not.toBe('');
    expect([first, second, third].map((secret) => access.admits(secret))).toEqual([false, false, true]);
    expect(secrets.slice(3).every((secret) => access.admits(secret))).toBe(true);
    expect(take()).toBe('');
  });

  it('counts failed tokens from the last new one on, and says that open ones are void only where there are some', () => {
    const { access, redeem, voids } = accessAt();
    const fail = (times: number) => Array.from({ length: times }, (_, index) => redeem(`guess-${index}`));
    fail(20);
    expect(voids()).toBe(0);
    access.issue();
    fail(9);
    const token = access.issue();
    fail(9);
    expect(voids()).toBe(0);
    expect(redeem(token)).not.toBeNull();
    // One is still open, and nine have failed.
    fail(1);
    expect(voids()).toBe(1);
    fail(20);
    expect(voids()).toBe(1);
    expect(access.redeem('guess')).toEqual({ ok: false, why: 'unknown' });
  });

  it('needs nobody who is told of void tokens', () => {
    const access = createAccess({ now: () => 0 });
    const token = access.issue();
    for (let attempt = 0; attempt < 10; attempt += 1) expect(access.redeem('guess').ok).toBe(false);
    expect(access.redeem(token).ok).toBe(false);
  });

  it('keeps the last sixteen tokens of those that are not too old', () => {
    const { access, redeem, pass } = accessAt();
    const old = Array.from({ length: 16 }, () => access.issue());
    expect(redeem(old[0] ?? '')).not.toBeNull();
    const more = [access.issue(), access.issue()];
    expect(redeem(old[1] ?? '')).toBeNull();
    expect(redeem(old[2] ?? '')).not.toBeNull();
    pass(60_000);
    const fresh = Array.from({ length: 16 }, () => access.issue());
    expect(redeem(more[0] ?? '')).toBeNull();
    expect(fresh.every((token) => redeem(token) !== null)).toBe(true);
  });

  it('holds no session for a secret that nobody has, and makes room only where a page did not come', () => {
    const { access, redeem, pass } = accessAt();
    access.hold('nobody')();
    const secrets = Array.from({ length: mostPages }, () => redeem(access.issue()) ?? '');
    pass(9_999);
    expect(access.redeem(access.issue())).toEqual({ ok: false, why: 'full' });
    pass(1);
    expect(redeem(access.issue())).not.toBeNull();
    expect(secrets.map((secret) => access.admits(secret))).toEqual(secrets.map((_, index) => index !== 0));
  });

  it('does not take up a session again that made room', () => {
    const { access, redeem, pass } = accessAt();
    const secrets = Array.from({ length: mostPages }, () => redeem(access.issue()) ?? '');
    const release = access.hold(secrets[0] ?? '');
    pass(10_000);
    release();
    for (let index = 0; index < mostPages; index += 1) {
      const secret = redeem(access.issue()) ?? '';
      expect(secret).not.toBe('');
      access.hold(secret);
    }
    release();
    expect(secrets.some((secret) => access.admits(secret))).toBe(false);
    expect(redeem(access.issue())).toBeNull();
  });
});
