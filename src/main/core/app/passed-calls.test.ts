import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { afterEach, expect, it } from 'vitest';
import { explainCall } from '#shared/explanation/explain-call.ts';
import { plainText } from '#shared/explanation/sentence.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';

let test: TestApp;
afterEach(() => test.close());

it('what a gateway passed is repeated, explained and exported as any call is', async () => {
  test = await createTestApp({ sandbox: true });
  const { client, send } = test;
  const { baseUrl, caFile } = await client.call('gateway.start', { environmentId: 'sandbox' });
  const pass = (body: string | Buffer) =>
    new Promise<void>((resolve, reject) => {
      const options = { method: 'POST', ca: readFileSync(caFile), agent: false, headers: { 'content-type': 'application/json' } };
      const asked = request(`${baseUrl}/serviceApi.php`, options, (response) => response.resume().on('end', () => resolve()));
      asked.on('error', reject).end(body);
    });
  const { request: own } = await send(draftOf('sandbox', { operation: 'gameList', text: '{"currency": "EUR"}' }));
  await pass(own.bodyText);
  await pass(own.bodyText.replace(own.hash ?? '', 'ab'.repeat(32)));
  await pass(Buffer.from('{"note":"\xff"}', 'latin1'));
  await client.call('gateway.stop', {});

  const again = await client.call('calls.repeat', { id: 2, ticket: 'again' });
  expect(again).toMatchObject({ code: 0, repeats: 2, operation: 'gameList' });
  expect(again.origin).toBeUndefined();

  const rejected = await client.call('calls.get', { id: 3 });
  const evidence = { call: rejected, environment: null, accepted: null, keys: null, finding: null, responseText: null };
  const explanation = explainCall(evidence);
  expect(rejected).toMatchObject({ code: 8, request: { hash: 'ab'.repeat(32), keyFingerprint: null } });
  expect([explanation?.title ?? [], ...(explanation?.facts ?? [])].map(plainText).join(' ')).not.toMatch(
    /Croupier (?:sent|hashed)/,
  );

  const [har] = (await exportWhole(client, { callIds: [4], format: 'har' })).files;
  const { log } = JSON.parse(har?.text ?? '') as { log: { entries: { request: { _raw: { text: string } } }[] } };
  expect(Buffer.from(log.entries[0]?.request._raw.text ?? '', 'base64').toString('latin1')).toMatch(
    /^POST .*\{"note":"\xff"\}$/s,
  );
});
