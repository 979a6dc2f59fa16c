import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Choices } from '#sandbox/choices.ts';
import { startSandbox } from '#sandbox/server.ts';
import type { Environment, Payload, ProbeReport } from '#shared/ipc/index.ts';
import { ProbeReport as ProbeReportSchema } from '#shared/ipc/outputs/probes.ts';
import { createTestApp, temporaryFolder, testHost } from '#testing/app.ts';
import { describeWithTool } from '#testing/external-tools.ts';
import { startHttpsServer } from '#testing/https-server.ts';
import { startPhpProvider } from '#testing/php-provider.ts';
import { leaksIn } from '#testing/secret-forms.ts';
import { createProbes } from '../doctor/probes.ts';
import { openGround } from './ground.ts';
import { createSending } from './sending.ts';

const opened: (() => Promise<unknown>)[] = [];
const faultsSeen: unknown[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
  expect(faultsSeen.splice(0)).toEqual([]);
});

const providerKey = 'k/"provider"+key&1';

interface Opening {
  readonly choices?: Partial<Choices>;
  /** Changes of the environment. */
  readonly changes?: Partial<Environment>;
  readonly key?: string;
  /** True for another host than that of the provider's own environment, whose key is the right one. */
  readonly alone?: boolean;
  readonly onProgress?: (progress: Payload<'probes.progressed'>, cancel: () => boolean) => void;
}

/** Starts the built-in provider with these choices, over HTTPS, and prepares the plan against it, without pauses. */
async function open({
  choices = {},
  changes = {},
  key = providerKey,
  alone = false,
  onProgress = () => undefined,
}: Opening = {}) {
  const home = await temporaryFolder();
  opened.push(() => rm(home, { recursive: true, force: true }));
  const host = testHost({ startSandbox: (options) => startSandbox({ ...options, choices, explainMs: 0 }) });
  const ground = await openGround({ home, host, log: (error) => faultsSeen.push(error) });
  const sending = createSending(ground, { onDelivered: () => undefined, onVerdict: () => undefined });
  opened.push(async () => {
    await sending.calls.close();
    await Promise.all([sending.sandbox.close(), sending.connections.close(), sending.reading.close()]);
    ground.history.close();
    await ground.historyService.close();
    ground.database.close();
    ground.run.close();
    ground.environments.close();
  });
  await sending.sandbox.start({ port: 0, key: providerKey });
  const { baseUrl, ca, platform, partnerId } = ground.environments.get('sandbox');
  const url = alone ? baseUrl.replace('localhost', '127.0.0.1') : baseUrl;
  const draft = { name: 'Live', baseUrl: url, ca, platform, partnerId, production: false, ...changes };
  const environment = await ground.environments.create(draft);
  await ground.keys.useKey(environment.id, key);
  const pauses: number[] = [];
  const progress: Payload<'probes.progressed'>[] = [];
  const probes = createProbes({
    send: (request) => sending.calls.send(request),
    cancelCall: (ticket) => sending.calls.cancel(ticket),
    digest: (id, parts) => ground.keys.digest(id, parts),
    environment: (id) => ground.environments.get(id),
    environments: () => ground.environments.list().environments,
    hasKey: (id) => ground.keys.fingerprint(id) !== null,
    isSameKey: (one, other) => ground.keys.isSame(one, other),
    confirm: (one, calls, given) =>
      ground.confirmations.requireEach(one, () => ({ url: one.baseUrl, call: null, run: null, probes: { calls } }), given),
    now: Date.now,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    emit(step) {
      progress.push(step);
      onProgress(step, () => probes.cancel('plan'));
    },
  });
  const start = (more: { moved?: boolean; confirmed?: boolean } = {}) =>
    probes.start({ environmentId: environment.id, ticket: 'plan', moved: false, confirmed: false, ...more });
  return { probes, environment, start, pauses, progress, history: ground.history, keys: ground.keys };
}

/** Recorded answers, each with its value alone. */
function answers(report: ProbeReport): Record<string, string> {
  return Object.fromEntries(report.answers.map(({ point, value }) => [point, value]));
}

const texts = (report: ProbeReport) => report.findings.map(({ text }) => text).join('\n');
const faults = ({ findings }: ProbeReport) => findings.filter(({ kind }) => kind === 'fault').map(({ text }) => text);

const usual = {
  'checks.order': 'identity',
  'time.order': 'dmy',
  'time.order.roundReplayInfo': 'dmy',
  'hash.nonAscii': 'php',
  'hash.reencode': 'objects',
};
const received = { 'hash.nonAscii': 'received', 'hash.reencode': 'received' };

describe('the plan finds the mode of the built-in provider', () => {
  const dataModes: [string, Partial<Choices>, Record<string, string>][] = [
    ['encoded again', {}, {}],
    ['as received', { mode: 'received' }, received],
    ['bare', { nonAscii: 'bare' }, { 'hash.nonAscii': 'php-unicode' }],
    ['arrays', { decode: 'arrays' }, { 'hash.reencode': 'arrays' }],
    ['bare arrays', { nonAscii: 'bare', decode: 'arrays' }, { 'hash.nonAscii': 'php-unicode', 'hash.reencode': 'arrays' }],
  ];
  const timeModes: [string, Partial<Choices>, Record<string, string>][] = [
    ['any time', {}, {}],
    ['day first', { timeOrder: 'dmy' }, {}],
    ['year first', { timeOrder: 'ymd' }, { 'time.order': 'ymd', 'time.order.roundReplayInfo': 'ymd' }],
    ['as in the samples', { timeOrder: 'samples' }, { 'time.order.roundReplayInfo': 'ymd' }],
    ['a strict clock', { timeTolerance: 30 }, {}],
    [
      'a strict clock and the hash first',
      { timeTolerance: 30, timeOrder: 'ymd', first: 'hash' },
      {
        'time.order': 'ymd',
        'time.order.roundReplayInfo': 'ymd',
        'checks.order': 'hash',
      },
    ],
    ['the hash first', { first: 'hash' }, { 'checks.order': 'hash' }],
  ];
  const combined = dataModes.flatMap(([data, one, shown]) =>
    timeModes.map(([time, other, also]) => [`${data}, ${time}`, { ...one, ...other }, { ...usual, ...shown, ...also }] as const),
  );

  it.each(combined)('%s', async (_name, choices, expected) => {
    const { start } = await open({ choices });
    const report = await start();
    expect(report.state).toBe('done');
    expect(answers(report)).toEqual(expected);
    const wrongForm = choices.nonAscii === 'bare';
    expect(faults(report).length).toBe((choices.timeOrder === 'ymd' ? 1 : 0) + (wrongForm ? 1 : 0));
    expect(texts(report).includes('only hashes time')).toBe(
      choices.timeOrder === undefined && choices.timeTolerance === undefined,
    );
  });

  it.each([
    ['Asia/Tokyo', 'UTC+09:00', 'Asia/Tokyo'],
    ['Asia/Kolkata', 'UTC+05:30', 'Asia/Kolkata'],
    ['America/New_York', null, 'America/'],
  ])('another zone: %s', async (timeZone, offset, example) => {
    const { start } = await open({ choices: { timeZone, timeTolerance: 40, timeOrder: 'ymd', nonAscii: 'bare' } });
    const without = await start();
    expect(faults(without)[0]).toMatch(/^The key or the time is wrong/);
    expect(without.findings.find(({ kind }) => kind === 'fault')?.fix).toContain('shifted times');
    const report = await start({ moved: true });
    const [zone] = report.findings.filter(({ text }) => text.startsWith('The provider reads time at'));
    expect(zone?.text).toContain('It also wants the year first.');
    if (offset !== null) expect(zone?.text).toContain(`at ${offset}. This environment writes it at UTC+00:00 (UTC).`);
    expect(zone?.fix).toContain(example);
    expect(answers(report)).toMatchObject({ 'time.order': 'ymd', 'hash.nonAscii': 'php-unicode' });
    expect(texts(report)).toContain('time may be ahead by at least 30 seconds, less than 1 minute');
  });

  it('another zone that its tolerance does not tell exactly, and does not claim to', async () => {
    const { start } = await open({ choices: { timeZone: 'Europe/Istanbul', timeTolerance: 5_400 } });
    const report = await start({ moved: true });
    expect(faults(report)).toEqual([
      'The provider accepts the time at UTC+02:00, but not at UTC+00:00 (UTC), which this environment uses. Its time zone is close to UTC+02:00.',
    ]);
    expect(texts(report)).toContain('time may be ahead by at least 1 hour, less than 3 hours, and behind by at least 15 minutes');
  });

  it.each([
    [10, 'at least 5 seconds, less than 30 seconds'],
    [120, 'at least 1 minute, less than 5 minutes'],
    [100_000, '1 day and more'],
  ])('a tolerance of %i seconds', async (timeTolerance, range) => {
    const { start } = await open({ choices: { timeTolerance } });
    const report = await start({ moved: true });
    expect(texts(report)).toContain(`time may be ahead by ${range}, and behind by ${range}.`);
    expect(texts(report).includes('reads time at UTC+00:00, the current offset of UTC')).toBe(timeTolerance < 300);
    expect(faults(report)).toEqual([]);
  });
});

describe('what is wrong is named', () => {
  it('another key, which no other time makes right', async () => {
    const { start } = await open({ key: 'another key', alone: true });
    const report = await start();
    expect(faults(report)).toEqual([expect.stringMatching(/^The key or the time is wrong: .* day and year swapped\.$/)]);
    // A time that is rejected itself would get code 8 as well, so the order of the checks is told by code 9 alone.
    expect(answers(report)).toEqual({ 'checks.order': 'identity' });
    const hashFirst = await open({ choices: { first: 'hash' }, key: 'another key', alone: true });
    expect(answers(await hashFirst.start())).toEqual({});
  });

  it('the key of another environment at the same base URL, and sends no hash of it to another host', async () => {
    const { start, probes, environment } = await open({ key: 'another key' });
    const plan = probes.plan(environment.id);
    expect(plan.probes.find(({ id }) => id === 'otherKey')).toMatchObject({ calls: 1 });
    const report = await start();
    expect(faults(report)).toEqual(['The key is wrong: gameList passes with the key of sandbox and the same time.']);
    expect(leaksIn(JSON.stringify(report), providerKey)).toEqual([]);
    const elsewhere = await open({ key: 'another key', changes: { baseUrl: 'https://127.0.0.1:1' } });
    const other = elsewhere.probes.plan(elsewhere.environment.id);
    expect(other.probes.map(({ id }) => id)).not.toContain('otherKey');
  });

  it('platform or partnerId, whichever is checked first', async () => {
    const before = await (await open({ changes: { platform: 9 } })).start();
    expect(faults(before)).toEqual([
      expect.stringContaining('rejects platform 9 or partnerId 42 with code 9 before it checks the hash'),
    ]);
    expect(before.steps.map(({ id, code }) => [id, code])).toEqual([['wrongHash', 9]]);
    const after = await (await open({ choices: { first: 'hash' }, changes: { partnerId: 9 } })).start();
    expect(faults(after)).toEqual([expect.stringContaining('platform 1 or partnerId 9 is wrong.')]);
    // The rest is found all the same.
    expect(answers(after)).toEqual({ ...usual, 'checks.order': 'hash' });
  });

  it('a serialization that the provider does not read', async () => {
    const { start } = await open({ changes: { serialization: 'php-unicode' } });
    expect(faults(await start())).toEqual([expect.stringContaining('writes it differently (php-unicode)')]);
    const told = await open({
      choices: { nonAscii: 'bare' },
      changes: { answers: { 'hash.nonAscii': { value: 'php-unicode', note: '' } } },
    });
    const report = await told.start();
    expect(faults(report)).toEqual([]);
    expect(report.answers.find(({ point }) => point === 'hash.nonAscii')).toMatchObject({ before: 'php-unicode' });
  });
});

describe('a plan', () => {
  it('only reads, waits a second between two calls, and is in the history with each hash input in the report', async () => {
    const { start, pauses, progress, history, probes, environment } = await open({
      choices: { nonAscii: 'bare', decode: 'arrays' },
    });
    const report = await start();
    expect(ProbeReportSchema.parse(report)).toEqual(report);
    expect(leaksIn(JSON.stringify(report), providerKey)).toEqual([]);
    expect(new Set(report.steps.map(({ operation }) => operation))).toEqual(
      new Set(['gameList', 'getGameRound', 'roundReplayInfo']),
    );
    expect(pauses).toEqual(report.steps.slice(1).map(() => 1_000));
    expect(progress.map(({ step }) => step.callId)).toEqual(report.steps.map(({ callId }) => callId));
    const { calls, callsMoved } = probes.plan(environment.id);
    expect(report.steps.length).toBeLessThanOrEqual(calls);
    expect(calls).toBeLessThan(callsMoved);
    for (const { callId, code, hashed, operation } of report.steps) {
      const { call, body } = history.sent(callId);
      expect(call).toMatchObject({ operation, code, environmentId: environment.id });
      expect(JSON.parse(body.toString())).toMatchObject({ time: hashed.time });
    }
    const arrays = report.steps.find(({ id }) => id === 'arrays');
    expect(arrays?.hashed.data).toContain('"probe":[]');
    expect(history.sent(arrays?.callId ?? 0).body.toString()).toContain('"probe":{}');
    // Each yes about a hash has a call with the same body and a wrong hash that got 8.
    const passed = report.steps.filter(({ code, wrongHash }) => code !== 8 && !wrongHash);
    expect(passed.every(({ answer }) => answer === 'yes')).toBe(true);
    expect(report.answers.every(({ note }) => /^Probed on \d{4}-\d\d-\d\d, calls? \d+/.test(note))).toBe(true);
  });

  it('asks before production each time, also if reading was confirmed, and sends nothing before', async () => {
    const { start, history, probes, environment } = await open({ changes: { production: true } });
    const { calls } = probes.plan(environment.id);
    const refused = { code: 'refused', details: { reason: 'production_unconfirmed', question: { probes: { calls } } } };
    await expect(start()).rejects.toMatchObject(refused);
    expect(history.count()).toBe(0);
    expect((await start({ confirmed: true })).state).toBe('done');
    const sent = history.count();
    await expect(start()).rejects.toMatchObject(refused);
    expect(history.count()).toBe(sent);
  });

  it('needs a key before it asks or sends', async () => {
    const { start, history, keys, environment } = await open({ changes: { production: true } });
    await keys.removeKey(environment.id);
    await expect(start()).rejects.toMatchObject({ code: 'key_missing' });
    expect(history.count()).toBe(0);
  });

  it('is refused for an environment that is not there, and while another one runs', async () => {
    const { start, history, probes } = await open();
    await expect(probes.start({ environmentId: 'nobody', ticket: 'one', moved: false, confirmed: false })).rejects.toMatchObject({
      code: 'not_found',
    });
    const [one, other] = [start(), start()];
    await expect(other).rejects.toMatchObject({ code: 'conflict' });
    await one;
    expect(history.count()).toBeGreaterThan(10);
  });

  it('ends when it is cancelled, with what was seen', async () => {
    const { start, probes } = await open({ onProgress: ({ step }, cancel) => step.id === 'bothWrong' && cancel() });
    const report = await start();
    expect(report.state).toBe('cancelled');
    expect(report.steps.map(({ id }) => id)).toEqual(['wrongHash', 'right', 'bothWrong']);
    expect(report.answers).toEqual([]);
    expect(probes.cancel('plan')).toBe(false);
  });

  it('does not wait for its next call when it is cancelled', async () => {
    const { client, close } = await createTestApp({ sandbox: true });
    opened.push(close);
    client.on('probes.progressed', ({ ticket }) => void client.call('probes.cancel', { ticket }));
    const report = await client.call('probes.start', { environmentId: 'sandbox', ticket: 'plan' });
    expect([report.state, report.steps.length]).toEqual(['cancelled', 1]);
  });
});

describe('a plan stops', () => {
  const refusal = '{"code":8,"message":"hash not valid","data":null}';
  const json = { 'content-type': 'application/json' };
  it.each([
    ['at 429', 429, json, refusal, 'HTTP status 429'],
    ['at 403 without a code', 403, json, '{"error":"forbidden"}', 'HTTP status 403'],
    ['at an HTML page', 200, { 'content-type': 'text/html' }, '<p>no</p>', 'The response is an HTML page'],
    ['at a response without a code', 200, json, '{}', 'The response has no code'],
  ])('%s', async (_name, status, headers, body, says) => {
    let count = 0;
    const server = await startHttpsServer((_received, response) => {
      count += 1;
      if (count < 2) response.writeHead(200, json).end(refusal);
      else response.writeHead(status, headers).end(body);
    });
    opened.push(() => server.close());
    const report = await (await open({ changes: { baseUrl: server.baseUrl, ca: server.ca } })).start();
    expect(report.state).toBe('stopped');
    expect(report.message).toContain(says);
    expect([report.steps.length, count]).toEqual([1, 2]);
    expect(report.answers).toEqual([]);
  });

  it('not at 403 with a code, which is how the provider answers', async () => {
    const server = await startHttpsServer((_received, response) => void response.writeHead(403, json).end(refusal));
    opened.push(() => server.close());
    const report = await (await open({ changes: { baseUrl: server.baseUrl, ca: server.ca } })).start();
    expect(report.state).toBe('done');
    expect(report.steps.length).toBeGreaterThan(1);
  });

  it('at the number of calls that it named, whatever comes', async () => {
    let count = 0;
    // Each time of another zone gets a code of its own, so that each needs a negative control.
    const server = await startHttpsServer(({ body }, response) => {
      count += 1;
      const { platform } = JSON.parse(body.toString()) as { platform: number };
      response.writeHead(200, json).end(count <= 2 || platform > 9 ? refusal : `{"code":${count + 100}}`);
    });
    opened.push(() => server.close());
    const { start, probes, environment } = await open({ changes: { baseUrl: server.baseUrl, ca: server.ca } });
    const report = await start({ moved: true });
    expect(report.message).toContain("in a way that the plan doesn't expect");
    expect(report.steps.length).toBe(probes.plan(environment.id).callsMoved);
    expect(report.answers).toEqual([]);
  });

  it('where nobody responds, and says why', async () => {
    const report = await (await open({ changes: { baseUrl: 'https://127.0.0.1:1' } })).start();
    expect(report).toMatchObject({ state: 'stopped', message: expect.stringContaining('127.0.0.1'), steps: [], findings: [] });
  });
});

describeWithTool('php', 'a provider written in PHP', (php) => {
  it('is found out, although it has a code of its own for a time that it cannot read', async () => {
    const provider = await startPhpProvider(php, { key: providerKey, platform: 7, partnerId: 31 });
    opened.push(() => provider.close());
    const { start } = await open({
      changes: { baseUrl: provider.baseUrl, ca: provider.ca, platform: 7, partnerId: 31, serialization: 'php-unicode' },
    });
    const report = await start({ moved: true });
    expect(report.state).toBe('done');
    expect(answers(report)).toEqual(usual);
    expect(faults(report)).toEqual([expect.stringContaining('the provider rejects data with é')]);
    expect(texts(report)).toContain('it hashes 1.0 as 1.');
    expect(texts(report)).toContain('time may be ahead by 1 day and more');
  });
});
