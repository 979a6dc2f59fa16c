import { expect, it } from 'vitest';
import { offeredProtocols, offeredSession } from './page-socket.ts';

it('takes the session out of what a page offers, and of nothing else', () => {
  const session = 'aZ-_'.repeat(10);
  expect(offeredSession(offeredProtocols(session).join(', '))).toBe(session);
  for (const header of [
    undefined,
    '',
    session,
    `croupier.session.${session}`,
    'croupier.line',
    `croupier.line, ${session}`,
    `croupier.line, croupier.session.${session}, croupier.session.${session}`,
  ])
    expect(offeredSession(header)).toBe('');
});
