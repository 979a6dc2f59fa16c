import { AppError } from '#shared/errors.ts';
import type { ProductionQuestion } from '#shared/ipc/index.ts';

/** Core's question before a bet of 1.50 EUR, and the refusal that contains it. */
export const askedAboutBet: ProductionQuestion = {
  environment: { id: 'live', name: 'Live', color: 'red', platform: 7, partnerId: 31 },
  url: 'https://casino.example/bet',
  call: {
    operation: 'bet',
    kind: 'takes',
    money: { amount: '1.50', currency: 'EUR' },
    unclear: null,
    minorUnits: false,
    rounds: null,
    players: null,
    moneyOf: null,
  },
  run: null,
};

export const unconfirmed = new AppError('refused', 'Confirm it.', {
  reason: 'production_unconfirmed',
  environmentId: 'live',
  question: askedAboutBet,
});
