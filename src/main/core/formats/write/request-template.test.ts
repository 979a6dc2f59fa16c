import { expect, it } from 'vitest';
import type { CollectionRequest } from '#shared/collections/model.ts';
import { requestTemplate, templateContext } from './request-template.ts';

it('data is written as it is hashed, with each variable in its place', () => {
  const data = '{"roundId": {{round}}, "logMonth": {{month}}, "rate": -{{rate}}, "note": "{{note}}/é", "more": 700000000000000}';
  const request = { operation: 'getGameRound', data, overrides: {} } as CollectionRequest;
  const { body } = requestTemplate(request, 'a.yaml', templateContext({ unread: [] } as never, null));
  const written = String.raw`{"roundId":{{round}},"logMonth":{{month}},"rate":-{{rate}},"note":"{{note}}/\u00e9","more":700000000000000}`;
  expect(body).toContain(`"data": ${written},\n`);
});
