import { expect, it } from 'vitest';
import { keptRule, keptText } from './kept-words.ts';
import { previewText, waitingText } from './retention-words.ts';

const at = new Date(2026, 10, 23, 12).getTime();
const days = { maxAgeDays: 30, maxCalls: null, maxBytes: null };
const none = { calls: 0, bytes: 0, from: null, to: null };

it('says what limits remove and leave', () => {
  expect(previewText({ ...none, left: 1, pinned: 0 }, days)).toBe('These limits remove nothing now: 1 call stays.');
  expect(previewText({ ...none, left: 1, pinned: 0 }, { ...days, maxAgeDays: null })).toBe(
    'Without a limit, Croupier removes no calls.',
  );
  const much = { calls: 4_000, bytes: 12_500_000, from: at - 86_400_000, to: at, left: 2_000, pinned: 3 };
  expect(previewText(much, days)).toBe(
    'These limits remove 4,000 calls, 12.5 MB, sent from 2026-11-22 to 2026-11-23. 2,000 calls stay, including 3 pinned. There is no undo.',
  );
});

it('says why a removal waits, without a word that it goes on', () => {
  const waiting = { calls: 1, bytes: 10, from: at, to: at, at: at + 365 * 86_400_000, seenAt: at };
  expect(waitingText({ ...waiting, why: 'clock' })).toBe(
    "This computer's clock jumped from 2026-11-23 to 2027-11-23 since the limits were last applied. The limits would now remove 1 call, 10 B, sent on 2026-11-23. " +
      'Croupier removes nothing until you choose.',
  );
  expect(waitingText({ ...waiting, why: 'much' })).toMatch(
    /^The limits would remove far more than you have sent since .*: 1 call, 10 B/,
  );
});

it('says how much is kept beside the calls, and since when', () => {
  expect(keptText({ kind: 'evidence', count: 0, bytes: 0, since: null })).toBe('none');
  expect(keptText({ kind: 'evidence', count: 1_200, bytes: 3_400_000, since: at })).toBe('1,200, 3.4 MB, since 2026-11-23');
  const reports = { kind: 'runReports', count: 100, bytes: 500_000_000, since: at } as const;
  expect(keptText(reports)).toBe('100, 500.0 MB, since 2026-11-23');
  // In the unit of the size beside it.
  expect(keptRule(reports)).toContain('up to 500 MB');
  expect(keptText({ kind: 'gameLists', count: 2, bytes: null, since: at })).toBe('2, since 2026-11-23');
});
