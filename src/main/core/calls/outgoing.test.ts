import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Environment, Overrides } from '#shared/ipc/index.ts';
import type { OperationName } from '#shared/provider/index.ts';
import { draftOf } from '#testing/app.ts';
import { prepareCall, signRequest } from './outgoing.ts';

const key = 'the-key';
const now = Date.UTC(2026, 10, 20, 10, 15, 30);
const environment = Environment.parse({ id: 'e', name: 'e', baseUrl: 'https://provider.example', platform: 7, partnerId: 42 });

async function digest(parts: readonly Uint8Array[]): Promise<string> {
  const hash = createHash('sha256').update(key);
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

async function sign(operation: OperationName, text: string, overrides: Partial<Overrides> = {}, in_ = environment) {
  return signRequest(prepareCall(draftOf('e', { operation, text, overrides: Overrides.parse(overrides) }), in_, now), digest);
}

function sha256(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

describe('a signed request', () => {
  it.each([
    ['bigint', '{"roundId": 9007199254740993, "logMonth": 0}'],
    ['non-ASCII', '{"roundId": 1, "logMonth": 0, "note": "Zażółć 😀 a/b"}'],
    ['a hash-like text in data', `{"roundId": 1, "note": "${'0'.repeat(64)}"}`],
    ['large', `{"playerIds": [${Array.from({ length: 2_000 }, (_, n) => `"player-${n}"`).join(',')}]}`],
  ])('hashes the very bytes that it sends: %s', async (_, text) => {
    for (const serialization of ['php', 'php-unicode', 'verbatim'] as const) {
      const { body, hash, hashInput } = await sign('getGameRound', text, {}, { ...environment, serialization });
      if (hashInput === null) throw new Error('not signed');
      const data = body.subarray(hashInput.dataOffset, hashInput.dataOffset + hashInput.dataLength);
      expect(hash).toBe(sha256(key, '20-11-2026 10:15:30', data));
      // The slice is the value of `data` in the body, and the hash is in its field.
      expect(body.toString('utf8', 0, hashInput.dataOffset)).toMatch(/"data":$/);
      expect(body.toString('utf8', hashInput.dataOffset + hashInput.dataLength)).toBe(`,"hash":"${hash}"}`);
      if (serialization === 'verbatim') expect(data.toString()).toBe(text);
    }
  });

  it('without data hashes key and time', async () => {
    const { body, hash, hashInput } = await sign('gameList', '{"currency": "EUR"}');
    expect(hash).toBe(sha256(key, '20-11-2026 10:15:30'));
    expect(hashInput).toMatchObject({ hasData: false, dataLength: 0 });
    expect(JSON.parse(body.toString())).toEqual({
      action: 'gameList',
      platform: 7,
      partnerId: 42,
      time: '20-11-2026 10:15:30',
      hash,
      currency: 'EUR',
    });
  });

  it('with the override `wrong` differs from the right hash in one digit', async () => {
    const right = await sign('getGameRound', '{"roundId":1,"logMonth":0}');
    const wrong = await sign('getGameRound', '{"roundId":1,"logMonth":0}', { hash: 'wrong' });
    const differing = Array.from(right.hash ?? '').filter((digit, index) => digit !== wrong.hash?.[index]);
    expect(differing).toHaveLength(1);
    expect(wrong.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(wrong.body.toString()).toContain(`"hash":"${wrong.hash}"`);
    expect(wrong.body.length).toBe(right.body.length);
  });

  it('sends any other hash as it is, quotes and all, without touching the key', async () => {
    const never = () => Promise.reject(new Error('the key was used'));
    const given = 'no "hash" – at all';
    const draft = draftOf('e', { operation: 'getGameRound', text: '{}', overrides: { hash: given } });
    const { body, hash, usedKey } = await signRequest(prepareCall(draft, environment, now), never);
    expect(hash).toBe(given);
    expect(usedKey).toBe(false);
    expect((JSON.parse(body.toString()) as { hash: string }).hash).toBe(given);
  });

  it('without a hash has none', async () => {
    const { body, hash } = await sign('getGameRound', '{"roundId":1}', { omit: ['hash'] });
    expect(hash).toBeNull();
    expect(body.toString()).not.toContain('hash');
    expect(() => JSON.parse(body.toString()) as unknown).not.toThrow();
  });

  it('hashes the time that is overridden, and the one that is left out of the body', async () => {
    const custom = await sign('gameList', '', { time: '01-01-2000 00:00:00 ü' });
    expect(custom.hash).toBe(sha256(key, '01-01-2000 00:00:00 ü'));
    const omitted = await sign('gameList', '', { omit: ['time'] });
    expect(omitted.hash).toBe(sha256(key, '20-11-2026 10:15:30'));
    expect(omitted.body.toString()).not.toContain('time');
  });
});

describe('a wallet method', () => {
  it('is sent as it is, without an envelope and without a key', async () => {
    const { body, hash, hashInput, usedKey } = await sign('bet', '{"externalToken": "t", "amount": 1.50}');
    expect(body.toString()).toBe('{"externalToken": "t", "amount": 1.50}');
    expect({ hash, hashInput, usedKey }).toEqual({ hash: null, hashInput: null, usedKey: false });
  });
});

describe('a request that cannot be prepared', () => {
  it('names the line and the column', async () => {
    await expect(sign('getGameRound', '{\n  "roundId": 01\n}')).rejects.toMatchObject({
      code: 'invalid_input',
      details: { line: 2 },
    });
  });

  it('is refused where the action is not known', async () => {
    await expect(sign('currencyList', '{}')).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
