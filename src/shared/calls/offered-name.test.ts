import { expect, it } from 'vitest';
import { refusedName } from '#shared/collections/file-names.ts';
import { offeredName } from './offered-name.ts';

it.each([
  ['{"playerId":"p/2: é","amount":1.50,"currency":"EUR","transactionId":"trx-1"}', 'bet p 2 é 1.50 EUR'],
  ['{"gameMode":"fun","gameId":"1042"}', 'bet fun game 1042'],
  ['{"playerId":"{{player}}","amount":{{amount}}}', 'bet'],
  ['{"playerId":"a..."}', 'bet a'],
  ['no JSON', 'bet'],
  [`{"playerId":"${'x'.repeat(100)}"}`, `bet ${'x'.repeat(56)}`],
])('the name that is offered for a file has what identifies the request: %s', (text, name) => {
  expect(offeredName('bet', text)).toBe(name);
  expect(refusedName(name, 'request')).toBeNull();
});
