import { describe, expect, it } from 'vitest';
import { findGap, gapById, specGaps } from './gaps.ts';
import { gapIds } from './model.ts';
import type { GapId } from './model.ts';

/**
 * Each place of the document that says of something that it is not shown, in the document's order, in few words, with the gaps that hold it.
 * Read by hand from version 1.1.0 of the document, which says so 24 times.
 */
const notShown: readonly { section: string; about: string; gaps: readonly GapId[] }[] = [
  { section: 'Request envelope', about: 'order of time per operation', gaps: ['time.order', 'time.order.roundReplayInfo'] },
  { section: 'Game entry', about: 'values of status', gaps: ['gameList.status'] },
  { section: 'Round record', about: 'values of action', gaps: ['getGameRound.action'] },
  { section: 'Round record', about: 'values of source', gaps: ['getGameRound.source'] },
  { section: 'Wallet transaction', about: 'unit and scale of amounts', gaps: ['amounts.unit'] },
  { section: 'States and transitions', about: 'states', gaps: ['states'] },
  { section: 'States and transitions', about: 'transitions', gaps: ['states.transitions'] },
  { section: 'Endpoints, 5', about: 'meaning of amount', gaps: ['freeRounds.amount'] },
  { section: 'Endpoints, 5', about: 'response for many players', gaps: ['freeRounds.multiResponse'] },
  { section: 'Endpoints, 6', about: 'response', gaps: ['freeRoundsByBet.response'] },
  {
    section: 'Endpoints, 7',
    about: 'action name, request, response',
    gaps: ['cancelFreeRounds.action', 'cancelFreeRounds.request', 'cancelFreeRounds.response'],
  },
  {
    section: 'Endpoints, 8',
    about: 'path or action name, request, response',
    gaps: ['currencyList.action', 'currencyList.request', 'currencyList.response'],
  },
  { section: 'Wallet methods', about: 'who hosts and who calls', gaps: ['wallet.host'] },
  { section: 'Endpoints, 11', about: 'response', gaps: ['win.response'] },
  { section: 'Endpoints, 12', about: 'request and response', gaps: ['cancel.request', 'cancel.response'] },
  { section: 'Endpoints, 13', about: 'response', gaps: ['tournamentWin.response'] },
  { section: 'Endpoints, 15', about: 'response', gaps: ['generateNewToken.response'] },
  { section: 'Authentication', about: 'lifetime and first issue of a token', gaps: ['token.lifetime', 'token.issue'] },
  { section: 'Authentication', about: 'tolerance of time', gaps: ['time.tolerance'] },
  { section: 'Events', about: 'events, callbacks, notifications', gaps: ['events'] },
  { section: 'Errors', about: 'complete list of codes', gaps: ['codes.complete'] },
  { section: 'Errors', about: 'HTTP status codes', gaps: ['http.status'] },
  { section: 'Limits', about: 'rate limits', gaps: ['rate.limits'] },
  { section: 'Versioning', about: 'selection of a version', gaps: ['version.selection'] },
];

describe('the open points', () => {
  it('hold every place where the document says that it does not show something', () => {
    expect(notShown).toHaveLength(24);
    for (const { section, about, gaps } of notShown) {
      for (const id of gaps) {
        expect(gapById(id).basis, about).toBe('notShown');
        expect(gapById(id).section, about).toBe(section);
      }
    }
  });

  it('claim of nothing else that the document says so', () => {
    const listed = new Set(notShown.flatMap((place) => place.gaps));
    expect(specGaps.filter((gap) => gap.basis === 'notShown' && !listed.has(gap.id))).toEqual([]);
  });

  it('are each there once, under the ids of the model', () => {
    expect(specGaps.map((gap) => gap.id)).toEqual([...gapIds]);
    expect(new Set(gapIds).size).toBe(gapIds.length);
  });

  it.each(specGaps.map((gap) => [gap.id, gap] as const))('%s is a question with a way to live without its answer', (_, gap) => {
    expect(gap.question).toMatch(/\?$/);
    expect(gap.title).toMatch(/^[A-Z/].*[^.]$/);
    expect(gap.meanwhile).toMatch(/^[A-Za-z].*\.$/);
    expect(gap.operations.length).toBeGreaterThan(0);
    expect(new Set(gap.operations).size).toBe(gap.operations.length);
    expect(gap.changes).toMatch(/^[A-Za-z/].*\.$/);
    if (gap.answer.kind === 'choice') {
      const values = gap.answer.options.map((option) => option.value);
      expect(values.length).toBeGreaterThan(1);
      expect(new Set(values).size).toBe(values.length);
    }
  });

  it('are found by id, and by nothing else', () => {
    expect(gapById('time.order').answer.kind).toBe('choice');
    for (const id of gapIds) expect(findGap(id)).toBe(gapById(id));
    expect(findGap('time')).toBeNull();
    expect(findGap('toString')).toBeNull();
  });
});
