import { describe, expect, it } from 'vitest';
import { clockOf, mostTicking } from './request-clock.ts';

const shown = { timed: true, variables: false, hashInputShown: true, view: 'form', length: 10, inUse: true } as const;
const hidden = { ...shown, hashInputShown: false };

describe('the clock of a request', () => {
  it('ticks while its hash input or its body is shown', () => {
    expect(clockOf(shown)).toBe('ticks');
    expect(clockOf({ ...hidden, view: 'envelope' })).toBe('ticks');
    expect(clockOf({ ...shown, length: mostTicking })).toBe('ticks');
  });

  it('stands still where nothing in sight depends on the second', () => {
    expect(clockOf(hidden)).toBe('still');
    expect(clockOf({ ...hidden, view: 'data' })).toBe('still');
    expect(clockOf({ ...shown, timed: false })).toBe('still');
    expect(clockOf({ ...hidden, length: 1_000_000 })).toBe('still');
  });

  it('ticks for the values of variables, which the editor says at their places', () => {
    expect(clockOf({ ...hidden, variables: true, view: 'data' })).toBe('ticks');
    expect(clockOf({ ...hidden, timed: false, variables: true, view: 'envelope' })).toBe('ticks');
    expect(clockOf({ ...hidden, variables: true })).toBe('still');
  });

  it('rests while nobody uses the page, unless nothing would tick', () => {
    expect(clockOf({ ...shown, inUse: false })).toBe('rests');
    expect(clockOf({ ...hidden, inUse: false })).toBe('still');
    expect(clockOf({ ...shown, inUse: false, length: mostTicking + 1 })).toBe('held');
  });

  it('holds what is too long to be hashed each second', () => {
    expect(clockOf({ ...shown, length: mostTicking + 1 })).toBe('held');
  });
});
