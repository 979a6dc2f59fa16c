import type { WrittenCase } from '../wallet-case.ts';

const idempotent =
  'The ID is looked up and then inserted, in two steps. A unique key and one transaction of the database end it.';
const lostUpdate = 'The balance is read, changed and written back. Let the database subtract, or lock the row before it is read.';

export const orderCases: readonly WrittenCase[] = [
  {
    id: 'order-01',
    group: 'order',
    name: 'The same bet ten times at once',
    why: 'A provider repeats a bet whose response was slow, often on another connection.',
    harm: 'The player pays several times for one round.',
    cause: idempotent,
    steps: [{ call: 'bet', amount: 'b', id: 'bet', times: 10, expect: 'once' }],
  },
  {
    id: 'order-02',
    group: 'order',
    name: 'Ten different bets at once',
    why: 'A table game places several bets together.',
    harm: 'Bets are confirmed and cost nothing, or are refused at random.',
    cause: lostUpdate,
    steps: [{ call: 'bet', amount: 'b', times: 10, expect: 'booked' }],
  },
  {
    id: 'order-03',
    group: 'order',
    name: 'Ten bets at once, and money for one',
    why: 'Somebody plays in many tabs at once, on purpose.',
    harm: 'Balances become negative, and the operator pays.',
    cause: 'The balance is checked and then reduced, in two steps.',
    steps: [{ call: 'bet', amount: 'most', times: 10, expect: 'either' }],
  },
  {
    id: 'order-04',
    group: 'order',
    name: 'The same win ten times at once',
    why: 'A provider repeats a win until it is confirmed, from several servers.',
    harm: 'Wins are paid several times.',
    cause: idempotent,
    steps: [
      { call: 'bet', amount: 'b', as: 'bet', expect: 'booked' },
      { call: 'win', amount: 'b', id: 'win', times: 10, expect: 'once' },
    ],
  },
  {
    id: 'order-05',
    group: 'order',
    name: 'A bet and its cancel at once',
    why: 'A provider gives up while the bet is still on its way.',
    harm: 'Half of it happens: the player pays for a round that was called off.',
    section: 'Endpoints, 12',
    waitsFor: ['cancel.request'],
    steps: [
      {
        together: [
          { call: 'bet', amount: 'b', as: 'bet' },
          { call: 'cancel', amount: 'b', id: 'bet' },
        ],
        expect: 'either',
      },
    ],
  },
  {
    id: 'order-06',
    group: 'order',
    name: 'A win and a cancel of one bet at once',
    why: 'A provider gives up while the win is still on its way.',
    harm: 'The player keeps the win and gets the stake back.',
    cause: 'The state of the bet is checked outside of the transaction that changes it.',
    waitsFor: ['cancel.request'],
    steps: [
      { call: 'bet', amount: 'b', as: 'bet', expect: 'booked' },
      {
        together: [
          { call: 'win', amount: '2b' },
          { call: 'cancel', amount: 'b', id: 'bet' },
        ],
        expect: 'notBoth',
      },
    ],
  },
  {
    id: 'order-07',
    group: 'order',
    name: 'Two players, ten bets each, mixed',
    why: 'Many players play at the same time.',
    harm: "A bet is taken from another player's purse.",
    cause: 'A variable is shared by requests.',
    needs: ['secondPlayer'],
    steps: [
      {
        together: [
          { call: 'bet', amount: 'b', times: 10 },
          { call: 'bet', amount: 'b', times: 10, player: 2 },
        ],
        expect: 'booked',
      },
    ],
  },
  {
    id: 'order-08',
    group: 'order',
    name: 'Ten different wins at once',
    why: 'A table game pays several bets together.',
    harm: 'Wins are confirmed and never paid.',
    cause: lostUpdate,
    steps: [
      { call: 'bet', amount: 'b', times: 10, lanes: 1, as: 'bet', expect: 'booked' },
      { call: 'win', amount: 'b', times: 10, expect: 'booked' },
    ],
  },
  {
    id: 'order-09',
    group: 'order',
    name: 'The balance while bets are booked',
    why: 'A game shows the balance while bets are on their way.',
    harm: 'A player sees money that comes back a moment later.',
    cause: 'The balance is reduced first and checked later, outside of one transaction.',
    steps: [
      {
        together: [
          { call: 'bet', amount: 'most', times: 6 },
          { call: 'playerInfo', times: 2 },
        ],
        expect: 'either',
        check: ['betweenStates'],
      },
    ],
  },
  {
    id: 'order-10',
    group: 'order',
    name: 'A new token during a bet',
    why: 'A player changes the game while a bet is on its way.',
    harm: 'A bet is taken, and the provider hears that it was not.',
    steps: [{ together: [{ call: 'bet', amount: 'b' }, { call: 'generateNewToken' }], expect: 'either' }],
  },
  {
    id: 'order-11',
    group: 'order',
    name: 'One reference ten times at once',
    why: 'A campaign is paid by several servers.',
    harm: 'A bonus is paid tenfold.',
    cause: 'The reference is looked up and then inserted, in two steps.',
    grade: 'required',
    section: 'Endpoints, 14',
    steps: [{ call: 'promoWin', amount: 'b', times: 10, with: { externalReferenceId: '"{ref}"' }, expect: 'once' }],
  },
  {
    id: 'order-12',
    group: 'order',
    name: 'What ten equal bets at once are told',
    why: 'The provider acts on whichever response it hears.',
    harm: 'A paid round is thrown away, because one response called it refused.',
    cause: 'The unique key holds, but its error is passed on as a refusal. Return the booking that is there.',
    steps: [{ call: 'bet', amount: 'b', id: 'bet', times: 10, expect: 'once', check: ['noRefusal'] }],
  },
  {
    id: 'order-13',
    group: 'order',
    name: '200 calls, ten at a time',
    why: 'An evening has many players.',
    harm: 'Under load, calls run into the time-outs of providers, and rounds are called off.',
    cause: 'All players wait for one lock, or each call opens its own connection to the database.',
    steps: [
      { call: 'bet', amount: 'u', times: 100, lanes: 10, as: 'bet', expect: 'booked', check: ['patience'] },
      { call: 'win', amount: 'u', times: 100, lanes: 10, expect: 'booked', check: ['patience'] },
    ],
  },
  {
    id: 'order-14',
    group: 'order',
    name: 'A win before the response to its bet',
    why: 'A win overtakes its bet.',
    harm: 'The win is lost.',
    section: 'Endpoints, 11',
    steps: [
      {
        together: [
          { call: 'bet', amount: 'b', as: 'bet' },
          { call: 'win', amount: 'b' },
        ],
        expect: 'either',
      },
    ],
  },
];
