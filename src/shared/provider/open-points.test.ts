import { describe, expect, it } from 'vitest';
import { findOpenPoint, openPointById, allOpenPoints } from './open-points.ts';
import { openPointIds } from './model.ts';
import type { OpenPointId } from './model.ts';

/**
 * Each place of the document that says of something that it is not shown, in the document's order, in few words, with the open points that hold it.
 * Read by hand from version 1.1.0 of the document, which says so 24 times.
 */
const notShown: readonly { section: string; about: string; points: readonly OpenPointId[] }[] = [
  { section: 'Request envelope', about: 'order of time per operation', points: ['time.order', 'time.order.roundReplayInfo'] },
  { section: 'Game entry', about: 'values of status', points: ['gameList.status'] },
  { section: 'Round record', about: 'values of action', points: ['getGameRound.action'] },
  { section: 'Round record', about: 'values of source', points: ['getGameRound.source'] },
  { section: 'Wallet transaction', about: 'unit and scale of amounts', points: ['amounts.unit'] },
  { section: 'States and transitions', about: 'states', points: ['states'] },
  { section: 'States and transitions', about: 'transitions', points: ['states.transitions'] },
  { section: 'Endpoints, 5', about: 'meaning of amount', points: ['freeRounds.amount'] },
  { section: 'Endpoints, 5', about: 'response for many players', points: ['freeRounds.multiResponse'] },
  { section: 'Endpoints, 6', about: 'response', points: ['freeRoundsByBet.response'] },
  {
    section: 'Endpoints, 7',
    about: 'action name, request, response',
    points: ['cancelFreeRounds.action', 'cancelFreeRounds.request', 'cancelFreeRounds.response'],
  },
  {
    section: 'Endpoints, 8',
    about: 'path or action name, request, response',
    points: ['currencyList.action', 'currencyList.request', 'currencyList.response'],
  },
  { section: 'Wallet methods', about: 'who hosts and who calls', points: ['wallet.host'] },
  { section: 'Endpoints, 11', about: 'response', points: ['win.response'] },
  { section: 'Endpoints, 12', about: 'request and response', points: ['cancel.request', 'cancel.response'] },
  { section: 'Endpoints, 13', about: 'response', points: ['tournamentWin.response'] },
  { section: 'Endpoints, 15', about: 'response', points: ['generateNewToken.response'] },
  { section: 'Authentication', about: 'lifetime and first issue of a token', points: ['token.lifetime', 'token.issue'] },
  { section: 'Authentication', about: 'tolerance of time', points: ['time.tolerance'] },
  { section: 'Events', about: 'events, callbacks, notifications', points: ['events'] },
  { section: 'Errors', about: 'complete list of codes', points: ['codes.complete'] },
  { section: 'Errors', about: 'HTTP status codes', points: ['http.status'] },
  { section: 'Limits', about: 'rate limits', points: ['rate.limits'] },
  { section: 'Versioning', about: 'selection of a version', points: ['version.selection'] },
];

describe('the open points', () => {
  it('hold every place where the document says that it does not show something', () => {
    expect(notShown).toHaveLength(24);
    for (const { section, about, points } of notShown) {
      for (const id of points) {
        expect(openPointById(id).basis, about).toBe('notShown');
        expect(openPointById(id).section, about).toBe(section);
      }
    }
  });

  it('claim of nothing else that the document says so', () => {
    const listed = new Set(notShown.flatMap((place) => place.points));
    expect(allOpenPoints.filter((point) => point.basis === 'notShown' && !listed.has(point.id))).toEqual([]);
  });

  it('are each there once, under the ids of the model', () => {
    expect(allOpenPoints.map((point) => point.id)).toEqual([...openPointIds]);
    expect(new Set(openPointIds).size).toBe(openPointIds.length);
  });

  it.each(allOpenPoints.map((point) => [point.id, point] as const))(
    '%s is a question with a way to live without its answer',
    (_, point) => {
      expect(point.question).toMatch(/\?$/);
      expect(point.title).toMatch(/^[A-Z/].*[^.]$/);
      expect(point.meanwhile).toMatch(/^[A-Za-z].*\.$/);
      expect(point.operations.length).toBeGreaterThan(0);
      expect(new Set(point.operations).size).toBe(point.operations.length);
      expect(point.changes).toMatch(/^[A-Za-z/].*\.$/);
      if (point.answer.kind === 'choice') {
        const values = point.answer.options.map((option) => option.value);
        expect(values.length).toBeGreaterThan(1);
        expect(new Set(values).size).toBe(values.length);
      }
    },
  );

  it('are found by id, and by nothing else', () => {
    expect(openPointById('time.order').answer.kind).toBe('choice');
    for (const id of openPointIds) expect(findOpenPoint(id)).toBe(openPointById(id));
    expect(findOpenPoint('time')).toBeNull();
    expect(findOpenPoint('toString')).toBeNull();
  });
});
