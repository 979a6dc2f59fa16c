import { describe, expect, it } from 'vitest';
import { createAccess } from './access.ts';

function accessAt(start = 0) {
  let now = start;
  let voids = 0;
  const access = createAccess({ now: () => now, onVoid: () => (voids += 1) });
  return { access, pass: (milliseconds: number) => (now += milliseconds), voids: () => voids };
}

describe('access', () => {
  it('exchanges a token once, for a secret that is admitted from then on', () => {
    const { access, pass } = accessAt();
    const token = access.issue();
    const secret = access.redeem(token);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(secret).not.toBe(token);
    expect(access.redeem(token)).toBeNull();
    pass(24 * 3_600_000);
    expect(access.admits(secret ?? '')).toBe(true);
    expect(access.admits(token)).toBe(false);
    expect(access.admits('')).toBe(false);
  });

  it('takes a token to the last millisecond of its minute and not after', () => {
    const early = accessAt();
    const token = early.access.issue();
    early.pass(59_999);
    expect(early.access.redeem(token)).not.toBeNull();
    const late = accessAt();
    const other = late.access.issue();
    late.pass(60_000);
    expect(late.access.redeem(other)).toBeNull();
  });

  it('opens one session for each of several tokens', () => {
    const { access } = accessAt();
    const tokens = [access.issue(), access.issue(), access.issue()];
    const secrets = tokens.map((token) => access.redeem(token));
    expect(new Set(secrets).size).toBe(3);
    expect(secrets.every((secret) => secret !== null && access.admits(secret))).toBe(true);
  });

  it('makes every open token void after ten wrong ones, keeps the sessions, and starts again with a new token', () => {
    const { access, voids } = accessAt();
    const secret = access.redeem(access.issue());
    const token = access.issue();
    for (let attempt = 0; attempt < 9; attempt += 1) expect(access.redeem(`guess-${attempt}`)).toBeNull();
    expect(voids()).toBe(0);
    expect(access.redeem('guess-9')).toBeNull();
    expect(voids()).toBe(1);
    expect(access.redeem(token)).toBeNull();
    expect(access.admits(secret ?? '')).toBe(true);
    expect(access.redeem(access.issue())).not.toBeNull();
  });

  it('keeps a bounded number of open tokens and of sessions', () => {
    const { access } = accessAt();
    const tokens = Array.from({ length: 40 }, () => access.issue());
    expect(access.redeem(tokens[0] ?? '')).toBeNull();
    const secrets = Array.from({ length: 40 }, () => access.redeem(access.issue()) ?? '');
    expect(access.admits(secrets[0] ?? '')).toBe(false);
    expect(access.admits(secrets.at(-1) ?? '')).toBe(true);
  });
});
