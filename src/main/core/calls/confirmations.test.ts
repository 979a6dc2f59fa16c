import { describe, expect, it } from 'vitest';
import { Environment } from '#shared/ipc/index.ts';
import type { Confirmed } from '#shared/ipc/index.ts';
import { effectOf } from '#shared/production/effect.ts';
import { createConfirmations, tenMinutesMs } from './confirmations.ts';

const live = Environment.parse({
  id: 'live',
  name: 'Live',
  production: true,
  baseUrl: 'https://casino.example',
  platform: 7,
  partnerId: 31,
});

function setUp() {
  let now = 1_000_000;
  const due: { at: number; work: () => void }[] = [];
  const changed: string[] = [];
  const confirmations = createConfirmations({
    now: () => now,
    later(work, milliseconds) {
      const one = { at: now + milliseconds, work };
      due.push(one);
      return () => void due.splice(due.indexOf(one), 1);
    },
    onChange: (id) => changed.push(id),
  });
  function ask(operation: 'gameList' | 'bet', given: Confirmed = false, environment = live): 'sent' | 'asked' {
    const { effect } = effectOf(operation, '{"amount":1,"currency":"EUR"}', {});
    try {
      confirmations.require(environment, () => ({ url: environment.baseUrl, call: effect, run: null }), given);
      return 'sent';
    } catch {
      return 'asked';
    }
  }
  return {
    confirmations,
    ask,
    changed,
    due,
    go(milliseconds: number) {
      now += milliseconds;
      for (const { work } of due.filter(({ at }) => at <= now)) work();
    },
    /** The clock without its timers: they may be late. */
    set: (milliseconds: number) => void (now += milliseconds),
  };
}

describe('production', () => {
  it('is read after one yes, which unlocks nothing that moves money', () => {
    const { ask } = setUp();
    expect(ask('gameList')).toBe('asked');
    expect(ask('gameList', true)).toBe('sent');
    expect(ask('gameList')).toBe('sent');
    expect(ask('bet')).toBe('asked');
    expect(ask('bet', true)).toBe('sent');
    expect(ask('bet')).toBe('asked');
  });

  it('lets everything through for ten minutes where the user says so, and says until when', () => {
    const { ask, confirmations, changed, go } = setUp();
    expect(ask('bet', 'tenMinutes')).toBe('sent');
    expect(confirmations.notAskingUntil(live)).toBe(1_000_000 + tenMinutesMs);
    expect(changed).toEqual(['live']);
    go(tenMinutesMs - 1);
    expect(ask('bet')).toBe('sent');
    go(1);
    expect(changed).toEqual(['live', 'live']);
    expect(confirmations.notAskingUntil(live)).toBeNull();
    expect(ask('bet')).toBe('asked');
  });

  it('counts ten minutes by the clock where the timer is late or the clock was set back', () => {
    const late = setUp();
    late.ask('bet', 'tenMinutes');
    late.set(tenMinutesMs);
    expect(late.ask('bet')).toBe('asked');
    const back = setUp();
    back.ask('bet', 'tenMinutes');
    back.set(-1);
    expect(back.ask('bet')).toBe('asked');
    expect(back.due).toEqual([]);
  });

  it('does not take a yes to a read for ten minutes of anything', () => {
    const { ask, confirmations } = setUp();
    expect(ask('gameList', 'tenMinutes')).toBe('sent');
    expect(confirmations.notAskingUntil(live)).toBeNull();
    expect(ask('bet')).toBe('asked');
  });

  it.each([
    ['base URL', { baseUrl: 'https://other.example' }],
    ['wallet URL', { walletUrl: 'https://wallet.example' }],
    ['platform', { platform: 8 }],
    ['partner', { partnerId: 32 }],
  ])('asks again where the environment has another %s, also once it is changed back', (_, change) => {
    const { ask, confirmations } = setUp();
    ask('bet', 'tenMinutes');
    confirmations.environmentsChanged(() => live);
    expect(ask('bet')).toBe('sent');
    confirmations.environmentsChanged(() => ({ ...live, ...change }));
    expect(ask('bet')).toBe('asked');
    expect(ask('gameList', false, { ...live, ...change })).toBe('asked');
    expect(ask('gameList')).toBe('sent');
  });

  it('ends ten minutes when the user says so, and when the environment is gone or marked otherwise', () => {
    const { ask, confirmations } = setUp();
    ask('bet', 'tenMinutes');
    expect(confirmations.ask('live')).toBe(true);
    expect(confirmations.ask('live')).toBe(false);
    expect(ask('bet')).toBe('asked');
    ask('bet', 'tenMinutes');
    confirmations.environmentsChanged(() => null);
    expect(ask('bet')).toBe('asked');
    ask('bet', 'tenMinutes');
    confirmations.environmentsChanged(() => ({ ...live, production: false }));
    expect(ask('bet')).toBe('asked');
    expect(ask('bet', false, { ...live, production: false })).toBe('sent');
  });
});
