import { expect, it } from 'vitest';
import { subjectOf } from '../provider/subject.ts';
import { subjectText } from './subject-words.ts';

it.each([
  [
    { playerId: 'player-2', gameId: '1042', amount: 1.5, currency: 'EUR', transactionId: '81' },
    'player-2 · game 1042 · 1.5 EUR · trx 81',
  ],
  [{ data: { gameMode: 'real', gameId: '1042', playerId: 'Zoë-7' } }, 'real · Zoë-7 · game 1042'],
  [{ currency: 'EUR' }, 'EUR'],
  [{ token: 't', newGameId: '1002' }, 'to game 1002'],
  [{ data: { roundId: 7, logMonth: 0 } }, 'round 7 · logMonth 0'],
  [{ data: { roundId: 7, logMonth: 1 } }, 'round 7 · logMonth 1'],
  [{ data: { roundId: 7, logMonth: 12 } }, 'round 7 · logMonth 12'],
  [
    {
      data: {
        playerIds: ['a', 'b'],
        externalReferenceIds: ['r-1', 'r-2'],
        numberOfFreeRounds: 10,
        betLevel: 2,
        gameIds: ['1', '2'],
      },
    },
    '2 players · 2 games · 10 rounds · level 2 · ref r-1 +1',
  ],
  [
    { data: { playerIds: ['a'], externalReferenceIds: ['r'], numberOfFreeRounds: 1, betAmount: 2, gameIds: ['1'] } },
    'a · game 1 · 2 · 1 round · ref r',
  ],
  [{ playerId: 'a', externalReferenceId: 'r', amount: 0 }, 'a · 0 · ref r'],
  [{ action: 'x' }, ''],
])('writes %j as %s', (body, text) => {
  expect(subjectText(subjectOf(JSON.stringify(body)))).toBe(text);
});
