import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, SandboxPlayer } from '#shared/ipc/index.ts';
import { compareCalls } from '#shared/calls/compare-calls.ts';
import { differenceSentence, hashInputLines } from '#shared/calls/comparison-words.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';
import { startHttpsServer, type TestServer } from '#testing/https-server.ts';
import { memoryAddress } from '../database/read-only.ts';
import { supportWriter } from '../formats/write/support-pack.ts';
import { keepTokens } from '../masking/token-mask.ts';
import { openPack, type OpenPack } from './packs.ts';
import { supportPackText } from '#testing/support-pack.ts';
import { readPack, sha256 } from './read-pack.ts';

let test: TestApp;
let server: TestServer;
const calls: Call[] = [];
let page = '';
let json = '';
let kept = '';
beforeAll(async () => {
  test = await createTestApp({ sandbox: true });
  const [player] = (await test.client.call('sandbox.status', {})).players as [SandboxPlayer];
  server = await startHttpsServer((_, response) => void response.end(Buffer.from([0xff, 0x00, 0xfe])));
  const bytes = await test.environment({ baseUrl: server.baseUrl, ca: server.ca });
  const gone = await test.environment({ baseUrl: 'https://127.0.0.1:1' });
  const text = '{"roundId": 9007199254740993, "logMonth":0, "note": "é😀"}';
  const launch = {
    gameMode: 'real',
    gameId: '1001',
    externalToken: player.externalToken,
    exitURL: `https://casino.example/?session=${player.externalToken}`,
  };
  for (const draft of [
    draftOf('sandbox', { operation: 'gameList', text: '{"currency":"EUR"}' }),
    draftOf('sandbox', { operation: 'getGameRound', text, overrides: { hash: 'wrong' } }),
    draftOf('sandbox', { operation: 'getLauncherURL', text: JSON.stringify(launch) }),
    draftOf('sandbox', { operation: 'playerInfo', text: JSON.stringify({ externalToken: player.externalToken }) }),
    draftOf(bytes.id, { operation: 'gameList' }),
    draftOf(gone.id, { operation: 'gameList' }),
  ])
    calls.push(await test.send(draft));
  const elsewhere = { baseUrl: 'https://127.0.0.1:2', timeoutMs: 500 };
  const draft = draftOf(gone.id, { operation: 'gameList' });
  test.app.useInstead('elsewhere', elsewhere);
  calls.push(await test.client.call('calls.send', { draft, ticket: 'elsewhere' }));
  const packed = async (keepTokens: boolean) => {
    const request = { callIds: calls.map(({ id }) => id), format: 'support', keepTokens } as const;
    return (await exportWhole(test.client, request)).files.map((file) => file.text);
  };
  [page = '', json = ''] = await packed(false);
  kept = (await packed(true))[1] ?? '';
});
afterAll(async () => {
  await test.close();
  await server.close();
});

const open = async (text: string, beside: string | null = page) =>
  openPack((address) => readPack({ bytes: Buffer.from(text), address }), beside === null ? null : sha256(Buffer.from(beside)), {
    worker: null,
    onFault: () => undefined,
  });
const read = (bytes: Buffer) => readPack({ bytes, address: memoryAddress('read') });
/** Writes the list of a changed pack again, as somebody who means harm would. */
function sealed(text: string): string {
  const at = text.lastIndexOf(',\n  "sha256": ');
  const digest = createHash('sha256').update(text.slice(0, at)).digest('hex');
  return text.slice(0, at) + text.slice(at).replace(/"json": "[0-9a-f]+"/, `"json": "${digest}"`);
}
async function withPack(text: string, work: (pack: OpenPack) => void | Promise<void>): Promise<void> {
  const pack = await open(text);
  try {
    await work(pack);
  } finally {
    await pack.close();
  }
}

describe('a pack', () => {
  it('with its tokens holds the calls as the history has them', async () => {
    const pack = await open(kept, null);
    for (const call of calls) {
      const { environmentId: _id, draft, run: _run, request, ...rest } = pack.get(call.id);
      const { environmentId: _theirs, draft: sent, run: _session, request: recorded, ...expected } = call;
      expect(rest).toEqual(expected);
      expect(request).toEqual({ ...recorded, keyFingerprint: null });
      expect(draft.overrides).toEqual(sent.overrides);
      expect(pack.body(call.id)).toEqual(await test.app.body(call.id));
    }
    expect(pack.facts).toMatchObject({ calls: 7, maskedCalls: 0, maskedParts: [], tokensMasked: false, page: 'absent' });
    await pack.close();
  });

  it('says of a call that its URL and its limit were given for it alone', async () => {
    expect(page).toContain('This call used https://127.0.0.1:2/serviceApi.php instead of the URL of ');
    await withPack(json, (pack) => {
      expect(pack.get(calls[6]?.id ?? 0).instead).toEqual({ baseUrl: true, timeoutMs: 500 });
      expect(pack.get(calls[5]?.id ?? 0)).not.toHaveProperty('instead');
    });
  });

  it('says what is masked, part by part, and where data stands in the masked body', async () => {
    await withPack(json, (pack) => {
      expect(pack.facts).toMatchObject({ maskedCalls: 2, tokensMasked: true, page: 'same', program: 'Croupier 0.0.0' });
      const launch = pack.get(calls[2]?.id ?? 0);
      expect(launch.maskedParts).toEqual(expect.arrayContaining(['request body', 'hash input']));
      const { hashInput, bodyText } = launch.request;
      expect(hashInput?.dataJson).toContain('"externalToken":"[token]"');
      expect(bodyText).toContain(`"data":${hashInput?.dataJson ?? '?'}`);
      expect(launch.requestBytes).toBe(calls[2]?.requestBytes);
      expect(pack.get(calls[0]?.id ?? 0)).not.toHaveProperty('maskedParts');
      for (const missing of [() => pack.get(999_999), () => pack.body(999_999)])
        expect(missing).toThrow('There is no call 999999 in the support pack.');
    });
  });

  it('is searched and filtered as the history is', async () => {
    await withPack(json, async (pack) => {
      const list = async (text: string, filter = {}) =>
        (await pack.list({ limit: 50, match: 'anywhere', text, filter })).calls.map(({ id }) => id - (calls[0]?.id ?? 0));
      expect(await list('')).toEqual([6, 5, 4, 3, 2, 1, 0]);
      expect(await list('9007199254740993')).toEqual([1]);
      expect(await list('[token]')).toEqual([3, 2]);
      expect(await list('nowhere')).toEqual([]);
      expect(await list('', { operations: ['gameList'], outcomes: ['unanswered'] })).toEqual([6, 5]);
      expect((await pack.list({ limit: 2, match: 'anywhere', before: calls[3]?.id, filter: {} })).calls).toHaveLength(2);
    });
  });

  it('never takes two masked texts that read the same for the same', async () => {
    await withPack(json, (pack) => {
      const launch = pack.get(calls[2]?.id ?? 0);
      const other = { ...launch, request: { ...launch.request, hash: '0'.repeat(64) } };
      const comparison = compareCalls(launch, other);
      expect(comparison).toMatchObject({ masked: true, hashInput: { key: { verdict: 'cannot be compared' } } });
      const same = compareCalls(launch, launch);
      expect(differenceSentence(same, 'They')).toBe(
        'They were sent with the same time and the same data, except for masked parts.',
      );
      expect(hashInputLines(same)).toContain('  data  equal, except for masked parts');
    });
  });
});

describe('the writer of a pack', () => {
  const facts = { madeAt: new Date(0).toISOString(), program: 'Croupier', runtime: 'Node', tokensMasked: false };
  /** Writes a pack of one call as often as wanted, each time with another number. */
  function written(many: number, change: Partial<Call>, answer: string): string {
    const writer = supportWriter('x', 'x', facts, keepTokens());
    const call = { ...(calls[0] as Call), ...change };
    const texts = [writer.head()[1]];
    for (let at = 0; at < many; at++)
      texts.push(
        writer.call(
          { call: { ...call, id: at + 1 }, body: Buffer.from(answer), raw: Buffer.alloc(0), sentRaw: Buffer.alloc(0) },
          at,
        )[1],
      );
    return [...texts, writer.tail()[1]].join('');
  }

  it('refuses as many bytes as would not open again', async () => {
    const answer = 'é'.repeat(2_500_000);
    await withPack(written(4, {}, answer), (pack) => expect(pack.facts.calls).toBe(4));
    const refusal = { code: 'refused', message: expect.stringContaining('more than 20,971,520 bytes') as string };
    expect(() => written(5, {}, answer)).toThrow(expect.objectContaining(refusal));
  });

  it('with one text that fills it opens', async () => {
    const answer = 'x'.repeat(20_900_000);
    await withPack(written(1, {}, answer), (pack) => expect(pack.facts.calls).toBe(1));
  });

  it('with as many headers as there is room for opens', async () => {
    const { response } = calls[0] as Call;
    const headers = (many: number) => Array.from({ length: many }, (): [string, string] => ['', '']);
    const change = (many: number) => ({ response: response === null ? null : { ...response, headers: headers(many) } });
    await withPack(written(1, change(70_000), ''), (pack) => expect(pack.facts.calls).toBe(1));
    expect(() => written(6, change(70_000), '')).toThrow('more than 20,971,520 bytes');
  });
});

describe('a pack that is not as it was written', () => {
  const wrong = (text: string, items: string) => text.replace(/"calls": \[[^]*\],/, `"calls": [${items}],`);
  const changes: [string, (text: string) => string, string][] = [
    ['changed', (text) => text.replace('9007199254740993', '9007199254740992'), 'differs from the SHA-256'],
    ['cut off', (text) => text.slice(0, -20), 'It is not JSON'],
    ['without its list', (text) => `${text.slice(0, text.lastIndexOf(',\n  "sha256"'))}\n}\n`, 'sha256'],
    ['indented anew', (text) => JSON.stringify(JSON.parse(text)), 'differs from the SHA-256'],
    [
      'with a name twice',
      (text) => sealed(text.replace('"repeats": null', '"repeats": 1,\n      "repeats": null')),
      'not written as',
    ],
    ['with another member', (text) => sealed(text.replace('"runtime"', '"__proto__": {},\n  "runtime"')), 'has the wrong format'],
    ['with a call twice', (text) => sealed(text.replace(/"id": \d+/g, '"id": 1')), 'twice or out of order'],
    ['with a place outside', (text) => sealed(text.replace(/"offset": \d+/, '"offset": 999999')), 'an invalid position of data'],
    ['with an unknown operation', (text) => sealed(text.replace('"gameList"', '"rm -rf"')), 'calls.0.operation'],
    ['of another version', (text) => sealed(text.replace('"version": 1', '"version": 2')), 'Another version'],
    ['older', () => '{"madeAt":"","tokensMasked":true,"calls":[]}', 'An older version'],
    ['with 149,000 wrong calls', (text) => wrong(text, `{${'},{'.repeat(149_000)}}`), 'has the wrong format at calls.0'],
    [
      'with 280,000 wrong headers',
      (text) => sealed(text.replace('"headers": [', `"headers": [${'0,'.repeat(280_000)}`)),
      'has the wrong format',
    ],
    ['other JSON', () => '[]', 'It is other JSON'],
    ['a page', () => '<!doctype html>', 'open the JSON beside it'],
    ['deep', () => '['.repeat(5_000), 'nested'],
    ['long', () => ' '.repeat(21_000_000), 'at most'],
  ];
  it.each(changes)('%s: is refused with a sentence', async (_, change, says) => {
    const text = change(json);
    expect(text).not.toBe(json);
    await expect(open(text)).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining(says) as string });
  });

  it('of whatever texts puts no long ones into the lists', async () => {
    const named = (count: number) => sealed(supportPackText(count, new Date(0)).replace(/"Stage"/g, () => `"${(many += 1)}"`));
    let many = 0;
    await expect(open(named(1_001))).rejects.toMatchObject({ code: 'refused' });
    const listed = (await open(named(1_000))).facts.environments;
    expect(listed).toHaveLength(1_000);
    const long = 'x'.repeat(5_000);
    for (const [from, to] of [
      ['"Stage"', `"${long}"`],
      ['"request body"', `"${long}"`],
      ['"OK"', `"${long}"`],
      ['https://wallet.example/bet', `https://${long}`],
      ['"application/json"', `"${'x'.repeat(4_000_000)}"`],
      ['"failure": null', `"failure": {"kind":"dns","phase":"dns","message":"${long.repeat(5)}","hint":""}`],
    ] as const) {
      const text = JSON.stringify(JSON.parse(supportPackText(1, new Date(0)).replace(from, to)), null, 2);
      await expect(open(sealed(`${text}\n`)), from).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it('is refused if its bytes are no text, and named', () => {
    const wrong = 'This is not a Croupier support pack.';
    expect(() => read(Buffer.from([0x7b, 0xff]))).toThrow(`${wrong} It isn't valid UTF-8 at line 1, column 2. Save it as UTF-8.`);
    expect(() => read(Buffer.from('PK\x03\x04'))).toThrow(`${wrong} It is a ZIP archive. Unpack it and use the file inside.`);
  });

  it('is opened if a program has written it in UTF-16', () => {
    expect(read(Buffer.from(`\uFEFF${json}`, 'utf16le'))).toEqual(read(Buffer.from(json)));
  });

  it('is opened and named if only the page differs', async () => {
    const pack = await open(json, `${page} `);
    expect(pack.facts.page).toBe('different');
    await pack.close();
  });
});
