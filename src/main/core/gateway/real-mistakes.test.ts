import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#testing/app.ts';
import { encodeWith } from '#testing/encoders/live-encoders.ts';
import { operationPayloads } from '#testing/encoders/payloads.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { phpJson } from '#shared/json/php.ts';
import type { PassedCall } from '#shared/ipc/index.ts';

/** `npm run test:long -- gateway` tries every way of each program; the suite three of each. */
const isWhole = process.env['CROUPIER_GATEWAY'] === 'whole';
const key = 'tEst#Key+9=/abcdef';
const time = '09-03-2026 17:05:08';
const payload = operationPayloads.find(({ name }) => name === 'telling')?.text ?? '';
const parsed = phpJson(payload, { unicode: false, assoc: false });
const dataText = parsed.ok ? parsed.json : '';
const agents = { php: 'GuzzleHttp/7', python3: 'python-requests/2.34.2', node: 'node' } as const;

let test: TestApp;
let baseUrl: string;
let agent: Agent;
const heard: PassedCall[] = [];
beforeAll(async () => {
  test = await createTestApp({ sandbox: { key } });
  const status = await test.client.call('gateway.start', { environmentId: 'sandbox' });
  baseUrl = status.baseUrl;
  agent = new Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(status.caFile) });
  test.client.on('gateway.passed', (passed) => !passed.searching && heard.push(passed));
});
afterAll(async () => {
  agent.destroy();
  await test.close();
});

const ask = (body: string, userAgent: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'user-agent': userAgent };
    const asked = request(`${baseUrl}/serviceApi.php`, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', resolve);
    });
    asked.on('error', reject).end(body);
  });

for (const tool of ['php', 'python3', 'node'] as const)
  describeWithTool(tool, `the mistakes of ${tool}`, () => {
    const all = Array.from(encodeWith(tool, [payload]), ([way, [bytes]]) => ({ way, bytes: bytes ?? Buffer.alloc(0) }));
    const wrong = all.filter(({ bytes }) => !bytes.equals(Buffer.from(dataText)));
    const step = isWhole ? 1 : Math.ceil(wrong.length / 3);

    it.each(wrong.filter((_, at) => at % step === 0))('$way', async ({ bytes }) => {
      const envelope = { action: 'getLauncherURL', platform: '1', partnerId: '42', time };
      const sent = hash('sha256', Buffer.concat([Buffer.from(key + time), bytes]));
      const body = `{"action":"getLauncherURL","platform":1,"partnerId":42,"time":"${time}","hash":"${sent}","data":${dataText}}`;
      await ask(body, agents[tool]);
      const { says, verdict } = await test.client.call('doctor.search', {
        environmentId: 'sandbox',
        ticket: 'a search',
        request: { ...envelope, dataText, hash: sent },
      });
      await expect.poll(() => heard.length).toBeGreaterThan(0);
      const [passed] = heard.splice(0);
      expect(passed).toMatchObject({ verdict: 'wrongHash', hashIsRight: false, code: 8 });
      expect(verdict).toBe('other');
      expect(passed?.why.slice(0, says.length)).toBe(says);
      expect(test.faults).toEqual([]);
    });
  });
