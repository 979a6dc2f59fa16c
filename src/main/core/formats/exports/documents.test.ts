import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { HTTPSnippet } from '@readme/httpsnippet';
import { Ajv } from 'ajv';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call, Input, SandboxPlayer, SandboxVerdict } from '#shared/ipc/index.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { exportFormats, isProgram } from '#shared/model/formats.ts';
import { createTestApp, draftOf, type TestApp } from '#testing/app.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { marked, secretForms, strangeSpellings } from '#testing/secret-forms.ts';

const key = 'K3y/with "quotes" $HOME `id` & \\ é😀\'';
/** Stored after calls that hold it were sent: of one that is known, core asks before that and the history has none. */
const late = 'L4ter/with "quotes" $HOME `id` & \\ é😀\'';
const formats = exportFormats.map(({ name }) => name);
const programs = formats.filter(isProgram);

let test: TestApp;
let player: SandboxPlayer;
const verdicts: SandboxVerdict[] = [];
beforeEach(async () => {
  test = await createTestApp({ sandbox: { key } });
  test.app.subscribe((name, payload) => {
    if (name === 'sandbox.judged') verdicts.push(payload as SandboxVerdict);
  });
  player = (await test.client.call('sandbox.status', {})).players[0] as SandboxPlayer;
});
afterEach(async () => {
  expect(test.faults).toEqual([]);
  await test.close();
});

const send = (draft: Parameters<typeof draftOf>[1]) => test.send(draftOf('sandbox', draft));
const launch = () =>
  send({
    operation: 'getLauncherURL',
    text: JSON.stringify({
      gameMode: 'real',
      gameId: '1001',
      lang: 'en',
      externalToken: player.externalToken,
      playerId: 'zażółć 😀',
      country: 'DE',
      ip: '203.0.113.9',
      exitURL: `https://casino.example/?session=${player.externalToken}`,
    }),
  });
const create = (calls: readonly Call[], more: Omit<Input<'exports.create'>, 'callIds'>) =>
  exportWhole(test.client, { callIds: calls.map(({ id }) => id), ...more });
async function text(calls: readonly Call[], more: Omit<Input<'exports.create'>, 'callIds'>): Promise<string> {
  return (await create(calls, more)).files.map((file) => file.text).join('\n');
}

describe('a HAR', () => {
  const require = createRequire(import.meta.url);
  // Its schemas have words of their own, as `optional`.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object);
  for (const schema of Object.values(require('har-schema') as Record<string, object>)) ajv.addSchema(schema);

  it('is valid by the schema of HAR 1.2, whatever became of the calls', async () => {
    const gone = await test.environment({ baseUrl: 'https://127.0.0.1:1' });
    const binary = await startHttpsServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', location: 'https://a.example/' });
      response.end(Buffer.from([0xff, 0x00, 0xfe]));
    });
    const bytes = await test.environment({ baseUrl: binary.baseUrl, ca: binary.ca });
    const calls = [
      await launch(),
      await send({ operation: 'gameList', text: '{"currency":"EUR"}' }),
      await send({ operation: 'playerInfo', text: JSON.stringify({ externalToken: player.externalToken, big: 1 }) }),
      await test.send(draftOf(gone.id, { operation: 'gameList' })),
      await test.send(draftOf(bytes.id, { operation: 'gameList' })),
    ];
    await binary.close();
    for (const keepTokens of [false, true]) {
      const document = JSON.parse(await text(calls, { format: 'har', keepTokens })) as {
        log: { entries: { time: number; timings: Record<string, number>; response: { content: object; status: number } }[] };
      };
      expect(ajv.validate('har.json#', document), ajv.errorsText()).toBe(true);
      const { entries } = document.log;
      expect(entries.map(({ response }) => response.status)).toEqual([200, 200, 200, 0, 200]);
      expect(entries[4]?.response.content).toMatchObject({ size: 3, text: '/wD+', encoding: 'base64' });
      for (const { time, timings } of entries) {
        const phases = Object.entries(timings).filter(([name, ms]) => name !== 'ssl' && ms >= 0);
        expect(phases.reduce((sum, [, ms]) => sum + ms, 0)).toBeCloseTo(time, 2);
      }
    }
  });

  it('is read back by another tool, whose request the provider accepts', async () => {
    const call = await send({
      operation: 'getGameRound',
      text: '{"roundId": 9007199254740993, "logMonth": 0, "note": "zażółć \'😀"}',
    });
    const document = JSON.parse(await text([call], { format: 'har', keepTokens: true }));
    // As the very message, since its programs read and write the JSON again and lose digits on the way.
    const [message = ''] = new HTTPSnippet(document).convert('http', 'http1.1') as string[];
    const before = verdicts.length;
    const answer = await speakTls(call.url, message.replace(/^host: /im, 'Connection: close\r\nhost: '));
    expect(answer).toMatch(/^HTTP\/1.1 200 .*"code":0/s);
    expect(verdicts.slice(before).map(({ bodyText }) => bodyText)).toEqual([call.request.bodyText]);
  });
});

/** Writes a message to a TLS socket as it is, and returns everything that comes until the end. */
async function speakTls(url: string, message: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const ca = await readFile(join(test.home, 'sandbox', 'ca.pem'));
  const socket = connect({ host: hostname, port: Number(port), servername: hostname, ca });
  socket.end(message);
  return await readText(socket);
}

describe('tokens', () => {
  it.each(formats)('are in no %s unless they were asked for', async (format) => {
    const calls = [
      await launch(),
      await send({ operation: 'playerInfo', text: JSON.stringify({ externalToken: player.externalToken }) }),
    ];
    for (const form of isProgram(format) ? (['as-sent', 'resigning'] as const) : (['as-sent'] as const)) {
      const { files, masked } = await create(calls, { format, form });
      const written = files.map((file) => file.text).join('\n');
      expect(written).not.toContain(player.externalToken);
      expect(written).toContain('[token]');
      expect(written).toMatch(/tokens? (?:is|are) masked|"tokensMasked":\s*true/i);
      expect(masked).toBeGreaterThan(0);
      const kept = await create(calls, { format, form, keepTokens: true });
      expect(kept.files.map((file) => file.text).join('\n')).toContain(player.externalToken);
      expect(kept.masked).toBe(0);
    }
  });

  it.each(programs)('that are masked in %s are told with the option that keeps them', async (format) => {
    const call = await launch();
    expect(await text([call], { format })).toMatch(/no longer matches its hash.*--keep-tokens/);
    expect(await text([call], { format, form: 'resigning' })).toMatch(/the hash will be valid, but not the token.*--keep-tokens/);
    const none = await send({ operation: 'gameList', text: '{"currency":"EUR"}' });
    expect(await text([none], { format })).not.toContain('masked');
  });

  it.each([
    [`{ 'externalToken' : 'tök-1', amount: 1.10 }`, `{ 'externalToken' : '[token]', amount: 1.10 }`],
    ['{externalToken: "tök-1", x: "tök-1"}', '{externalToken: "[token]", x: "[token]"}'],
    ['externalToken=tok-1&amount=1.10', 'externalToken=[token]&amount=1.10'],
    ['a=1&token=tok-1', 'a=1&token=[token]'],
    ['<p>Invalid token: please wait</p>', '<p>Invalid token: please wait</p>'],
  ])('are found in a wallet body that is typed as %s', async (typed, masked) => {
    const written = await text([await send({ operation: 'bet', text: typed })], { format: 'jsonl' });
    expect((JSON.parse(written) as { request: { bodyText: string } }).request.bodyText).toBe(masked);
    expect(written).not.toMatch(/t[öo]k-1/);
  });

  it('are found in what is not JSON, under a recorded name, and where a message repeats one', async () => {
    const { environments } = await test.client.call('environments.list', {});
    const environment = environments.find(({ id }) => id === 'sandbox');
    if (environment === undefined) throw new Error('No sandbox');
    const answers = { 'generateNewToken.response': { value: 'data.session', note: '' } };
    await test.client.call('environments.save', { environment: { ...environment, serialization: 'verbatim', answers } });
    const broken = await send({ operation: 'playerInfo', text: '{"externalToken": "tök/en-1", "x": }' });
    const named = await send({
      operation: 'getGameRound',
      text: '{"roundId":1,"session":"tök/en-2","s":"see tök\\/en-1 and t%C3%B6k%2Fen-2"}',
    });
    const written = await text([broken, named], { format: 'jsonl' });
    expect(written).not.toMatch(/en-[12]/);
    const [first, second] = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { request: { bodyText: string } });
    expect(first?.request.bodyText).toBe('{"externalToken": "[token]", "x": }');
    expect(second?.request.bodyText).toContain('{"roundId":1,"session":"[token]","s":"see [token] and [token]"}');
  });
});

describe('the private key', () => {
  // What no other test can know: the spellings of a format that somebody adds.
  it.each(formats)('would be written by %s in a form that is looked for', async (format) => {
    const call = await send({ operation: 'bet', text: `{"note": "${marked(late)}` });
    const written = await text([call], { format, keepTokens: true });
    expect(strangeSpellings(written, late), 'Add them to src/testing/secret-forms.ts.').toEqual([]);
  });

  it.each([...secretForms(late)])('is refused in every format: %s', async (_, form) => {
    const call = await send({ operation: 'getGameRound', text: JSON.stringify({ roundId: 1, logMonth: 0, note: `<${form}>` }) });
    await test.app.useKey('sandbox', late);
    for (const format of formats) {
      for (const keepTokens of [true, false]) {
        const exporting = create([call], { format, keepTokens });
        await expect(exporting, format).rejects.toMatchObject({ code: 'refused', details: { environmentId: 'sandbox' } });
        await expect(exporting).rejects.toThrow(/environment's private key.*Replace that key/);
      }
    }
    for (const format of programs) {
      await expect(create([call], { format, form: 'resigning' }), format).rejects.toMatchObject({ code: 'refused' });
    }
  });

  it('is refused in an answer, also in one that is not a text, and where it is another environment’s', async () => {
    const answers = [
      Buffer.from(`{"code":0,"message":"${key.slice(0, 4)}"}`),
      Buffer.concat([Buffer.from([0xff]), Buffer.from(key)]),
    ];
    const server = await startHttpsServer((_, response) => void response.end(answers.shift()));
    const environment = await test.environment(server, {}, 'of-this-environment');
    const fine = await test.send(draftOf(environment.id, { operation: 'gameList' }));
    const binary = await test.send(draftOf(environment.id, { operation: 'gameList' }));
    await server.close();
    for (const format of ['har', 'jsonl', 'support'] as const) {
      await expect(create([fine], { format })).resolves.toMatchObject({ masked: 0 });
      await expect(create([fine, binary], { format })).rejects.toMatchObject({ code: 'refused' });
    }
    // A program holds no responses.
    await expect(create([fine, binary], { format: 'php' })).resolves.toBeTruthy();
  });

  it('that was removed is not looked for, as nobody knows it', async () => {
    const call = await send({ operation: 'getGameRound', text: JSON.stringify({ roundId: 1, note: late }) });
    await test.app.useKey('sandbox', late);
    await test.client.call('keys.remove', { environmentId: 'sandbox' });
    await expect(create([call], { format: 'jsonl' })).resolves.toBeTruthy();
  });
});

describe('a support pack', () => {
  it('has the hash input without the key, and length and digest of each segment', async () => {
    const call = await send({
      operation: 'getGameRound',
      text: '{"roundId": 9007199254740993, "note": "<script>alert(1)</script> é"}',
      overrides: { hash: 'wrong' },
    });
    const { files } = await create([call], { format: 'support' });
    expect(files.map(({ name, mediaType }) => [name, mediaType])).toEqual([
      [`croupier-getGameRound-${call.id}-support.html`, 'text/html'],
      [`croupier-getGameRound-${call.id}-support.json`, 'application/json'],
    ]);
    const [html = '', json = ''] = files.map((file) => file.text);
    const { time = '', dataJson = null } = call.request.hashInput ?? {};
    const sha = (part: string) => createHash('sha256').update(part).digest('hex');
    const pack = JSON.parse(json) as { program: string; runtime: string; calls: object[] };
    const upToList = json.slice(0, json.lastIndexOf(',\n  "sha256"'));
    expect(pack).toHaveProperty('sha256', { page: sha(html), json: sha(upToList) });
    expect(pack).toMatchObject({ program: 'Croupier 0.0.0', runtime: expect.stringMatching(/^Node \d+/) });
    expect(pack.calls).toEqual([
      expect.objectContaining({
        id: call.id,
        outcome: { state: 'answered', status: 200, code: 8, message: call.message, failure: null },
        overrides: { hash: 'wrong' },
        hashInput: {
          text: `<PRIVATE_KEY>${time}${dataJson ?? ''}`,
          time,
          data: { offset: call.request.hashInput?.dataOffset, length: Buffer.byteLength(dataJson ?? '') },
          segments: [
            { name: 'time', bytes: time.length, sha256: sha(time) },
            { name: 'data', bytes: Buffer.byteLength(dataJson ?? ''), sha256: sha(dataJson ?? '') },
          ],
          hash: call.request.hash,
        },
        timings: call.timings,
        clockOffsetMs: call.clockOffsetMs,
      }),
    ]);
    for (const written of [html, json]) {
      expect(written).not.toContain(sha(key));
      expect(written).toContain(sha(dataJson ?? ''));
    }
    expect(html).toContain('&lt;PRIVATE_KEY&gt;');
    expect(html).not.toMatch(/<script|(?:src|href)=/);
    expect(html).toContain("default-src 'none'");
    expect(html).toContain('<td>Clock difference</td>');
  });
});

it('a program’s comments stay comments, whatever the environment is called', async () => {
  const { environments } = await test.client.call('environments.list', {});
  const environment = environments.find(({ id }) => id === 'sandbox');
  if (environment === undefined) throw new Error('No sandbox');
  await test.client.call('environments.save', { environment: { ...environment, name: 'a\nexit 1\r\u2028exit 1 ?> <b>' } });
  const call = await send({ operation: 'gameList', text: '{"currency":"EUR"}' });
  for (const format of programs) {
    const written = await text([call], { format });
    expect(written).toContain('exit 1 ? > <b>');
    expect(written.split(/[\n\r\u2028]/).filter((line) => line.startsWith('exit'))).toEqual([]);
  }
});

it('calls are exported once each and in the order in which they were sent', async () => {
  const [first, second] = [await launch(), await send({ operation: 'gameList', text: '{"currency":"EUR"}' })];
  const { files } = await create([second, first, second], { format: 'jsonl' });
  expect(files[0]?.name).toBe('croupier-2-calls.jsonl');
  const ids = files[0]?.text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id);
  expect(ids).toEqual([first.id, second.id]);
});
