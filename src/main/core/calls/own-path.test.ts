import { afterEach, expect, it } from 'vitest';
import { createTestApp, draftOf } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

/** Sends a currency list that is recorded under a path of its own; returns what the server got and the call. */
async function sendTo(path: string, text: string, answer: string, shape?: string) {
  const received: { url: string; body: string }[] = [];
  const server = await startHttpsServer(({ body, request }, response) => {
    received.push({ url: request.url ?? '', body: body.toString() });
    response.end(answer);
  });
  opened.push(server);
  const test = await createTestApp();
  opened.push(test);
  const answers = {
    'currencyList.action': { value: path },
    ...(shape === undefined ? {} : { 'currencyList.response': { value: shape } }),
  };
  const { id } = await test.environment(server, { answers });
  const call = await test.send(draftOf(id, { operation: 'currencyList', text }));
  const again = await test.client.call('calls.repeat', { id: call.id, ticket: 'again', confirmed: false });
  return { received, call, again };
}

it('a currency list under its own path leaves as plain JSON, byte for byte, and its response has the recorded shape', async () => {
  const { received, call, again } = await sendTo('/v1/currencies plain', '{ "region": 1.0 }', '["EUR", "XYZ"]', '["currency"]');
  expect(received).toEqual([
    { url: '/v1/currencies', body: '{ "region": 1.0 }' },
    { url: '/v1/currencies', body: '{ "region": 1.0 }' },
  ]);
  expect(call).toMatchObject({ state: 'answered', code: null, request: { hashInput: null, hash: null } });
  expect(call.findings.map(({ rule }) => rule)).toEqual(['currency']);
  expect(again.repeats).toBe(call.id);
});

it('a currency list under its own path is signed as the others, without an action', async () => {
  const { received, call } = await sendTo('/currencies signed', '', '{"code":0,"message":"ok","data":["EUR"]}');
  expect(received[0]?.url).toBe('/currencies');
  expect(Object.keys(JSON.parse(received[0]?.body ?? '') as object)).toEqual(['platform', 'partnerId', 'time', 'hash']);
  expect(call).toMatchObject({ code: 0, request: { hashInput: { dataJson: null } } });
});
