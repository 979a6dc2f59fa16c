import { expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { Reply } from './index.ts';

it.each([
  undefined,
  null,
  'text',
  {},
  { ok: 1 },
  { ok: false },
  { ok: false, error: 'no' },
  { ok: false, error: { code: 'unheard_of', message: 'x' } },
  { ok: false, error: { code: 'storage' } },
])('takes %j for a fault of the program, not for a reply', async (reply) => {
  const client = createClient({
    call: () => Promise.resolve(reply as Reply),
    subscribe: () => () => undefined,
    body: () => Promise.reject(new Error('unused')),
    picture: () => Promise.reject(new Error('unused')),
  });
  await expect(client.call('app.info', {})).rejects.toThrow(
    new TypeError('The reply to app.info is neither a value nor an error.'),
  );
});
