import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RunReport } from '#shared/collections/run-report.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import type { Environment, EnvironmentDraft } from '#shared/ipc/index.ts';
import { exportWhole } from '#shared/ipc/read-export.ts';
import { validatePayload, contextOf, knownGames, operationByName } from '#shared/provider/index.ts';
import { createTestApp, draftOf } from '#testing/app.ts';
import { createRequestGenerator } from '#testing/generated-calls.ts';
import { startHttpsServer, type Received } from '#testing/https-server.ts';
import { chooseSeed, seededRandom } from '#testing/seeded-random.ts';

const seed = chooseSeed();

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

/** Opens a provider that responds to each request with `answer`, its environment, and runs of a few files against it. */
async function open(answer: (data: string) => string, draft: Partial<EnvironmentDraft> = {}) {
  const server = await startHttpsServer(({ body }: Received, response) => {
    response.end(answer(body.toString('utf8')));
  });
  opened.push(server);
  const test = await createTestApp();
  opened.push(test);
  const { client } = test;
  const environment = await test.environment(server, draft);

  /** Runs the files one after the other, by their names, and returns the report. */
  async function run(files: Readonly<Record<string, string>>) {
    const directory = await mkdtemp(join(tmpdir(), 'croupier-findings-'));
    opened.push({ close: () => rm(directory, { recursive: true, force: true }) });
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, `${name}.yaml`), text);
    const ended = new Promise<void>((done) => {
      client.on('runs.progressed', ({ state }) => (state === 'running' ? undefined : done()));
    });
    const { runId } = await client.call('runs.start', { directory, environmentId: environment.id });
    await ended;
    const exported = async (as: 'json' | 'junit' | 'html') => (await client.call('runs.export', { runId, as })).text;
    const report = RunReport.parse(JSON.parse(await exported('json')));
    const requests = report.iterations.flatMap((iteration) => iteration.requests);
    return { report, requests, exported };
  }

  /** Returns the form's findings about a call's request, from the history's record of it. */
  async function formSays(callId: number | null | undefined, of: Environment = environment) {
    const { draft, sentAt } = await client.call('calls.get', { id: callId ?? 0 });
    const [newest] = (await client.call('catalogue.snapshots', { environmentId: of.id })).snapshots;
    const games =
      newest === undefined
        ? null
        : knownGames(newest.currency, (await client.call('catalogue.games', { snapshotId: newest.id })).games);
    const context = contextOf(of, draft.overrides, sentAt, games);
    return validatePayload(operationByName(draft.operation), draft.form, draft.text, context).map(
      ({ start: _start, end: _end, ...finding }) => finding,
    );
  }

  return { ...test, environment, run, formSays };
}

const accepted = () => '{"code":0,"message":"ok","data":null}';
const freeRounds = (fields: Readonly<Record<string, unknown>> = {}) =>
  `operation: freeRounds\nform: single\ndata: |\n  ${JSON.stringify({
    playerId: 'player-1',
    externalReferenceId: 'ref-1',
    freeRoundValidity: '{{$now+7d}}',
    numberOfFreeRounds: 1,
    betLevel: 0,
    gameIds: ['1'],
    ...fields,
  })}\nexpect:\n  - code: "0"\n`;
/** Writes JSON in ASCII, which YAML reads as it is. */
const quoted = (value: unknown) =>
  JSON.stringify(value).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const aboutRequest = (one: Pick<ReportedRequest, 'findings'> | undefined) =>
  one?.findings.filter(({ about }) => about === 'request').map(({ about: _about, ...finding }) => finding);

describe('a code that says less than it seems to', () => {
  const twice = 'code occurs twice: 8 and 0. Some JSON parsers take the first, others the last.';
  const full = 'The response beyond code and message was not read: it has about';
  const many = `[${'{},'.repeat(600_000)}0]`;
  it.each<[name: string, answer: string, code: number | null, state: string, doubt: string]>([
    ['two codes', '{"code":8,"code":0,"message":"ok","data":null}', null, 'failed', twice],
    ['the same code twice', '{"code":0,"code":0,"message":"ok","data":null}', 0, 'passed', 'code occurs twice, both times 0.'],
    ['code 0 behind more than is read', `{"data":${many},"code":0,"message":"ok"}`, 0, 'passed', full],
    ['code 8 before more than is read', `{"code":8,"message":"hash not valid","data":${many}}`, 8, 'failed', full],
    ['two codes around more than is read', `{"code":8,"data":${many},"code":0}`, null, 'failed', twice],
  ])('%s: list, run, JUnit and HAR say so', async (_, answer, code, state, doubt) => {
    const { run, client } = await open(() => answer);
    const { requests, exported } = await run({ a: 'operation: getGameRound\ndata: |\n  {"roundId": 1, "logMonth": 0}\n' });
    const [call] = (await client.call('calls.list', { limit: 1 })).calls;
    const [request] = requests;
    expect([call?.code, request?.code, request?.state]).toEqual([code, code, state]);
    expect(call?.doubt).toContain(doubt);
    const [finding] = request?.findings.filter(({ about, severity }) => about === 'response' && severity !== 'note') ?? [];
    expect(finding?.message).toContain(doubt);
    expect(await exported('junit')).toContain(doubt);
    expect(await exported('html')).toContain(doubt);
    expect(JSON.stringify(await exportWhole(client, { format: 'har', callIds: [call?.id ?? 0] }))).toContain(doubt);
    if (code === null) expect(request?.checks).toMatchObject([{ check: 'code is 0', passed: false, message: doubt }]);
  });
});

describe('what a run finds in a request', () => {
  it('is what the form finds in it at the time of the call, and no failure', async () => {
    const { run, formSays } = await open(accepted, {
      serialization: 'verbatim',
      timeZone: 'Asia/Tokyo',
      answers: { 'hash.nonAscii': { value: 'php', note: '' }, 'time.zone': { value: 'UTC', note: '' } },
    });
    const { report, requests, exported } = await run({
      a: freeRounds(),
      b: freeRounds({ freeRoundValidity: '01-01-2020 00:00:00', playerId: 'Zoë' }),
      c: 'operation: playerInfo\ndata: |\n  {"externalToken": 5}\nexpect:\n  - path: /code\n    equals: 0\n',
    });
    expect(requests.map(({ state }) => state)).toEqual(['passed', 'passed', 'passed']);
    for (const one of requests) expect(aboutRequest(one)).toEqual(await formSays(one.callId));
    expect(aboutRequest(requests[1])?.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'time-zone ',
      'non-ascii /playerId',
      'in-the-past /freeRoundValidity',
    ]);
    expect(report.totals).toMatchObject({ requests: 3, passed: 3, withFindings: 3 });
    for (const as of ['json', 'junit', 'html'] as const) {
      const text = await exported(as);
      expect(text, as).toContain('freeRoundValidity is in the past in UTC');
      expect(text, as).toContain('externalToken must be a string in double quotes; this is the number');
    }
    expect(await exported('html')).toContain('3 of 3 requests have findings');
  });

  it('is what the form finds in generated requests of all operations, as they were sent', async () => {
    const answers = { 'hash.nonAscii': { value: 'php', note: '' }, 'cancelFreeRounds.action': { value: 'cancelFree', note: '' } };
    const { run, formSays, client, environment } = await open(accepted, { serialization: 'verbatim', answers });
    const generate = createRequestGenerator(seededRandom(seed));
    const files = Array.from({ length: 120 }, (_, at) => {
      const { operation, form, text, overrides } = generate(at, environment).draft;
      // Braces of a variable are left to the tests of variables.
      const lines = [`operation: ${operation}`, `form: ${form}`, `data: ${quoted(text.replaceAll('{{', '{'))}`];
      const set = Object.entries(overrides).map(([name, value]) => `  ${name}: ${quoted(value)}`);
      return [`${at}`.padStart(3, '0'), [...lines, ...(set.length === 0 ? [] : ['overrides:', ...set]), ''].join('\n')] as const;
    });
    const { requests } = await run(Object.fromEntries(files));
    const called = requests.filter(({ callId }) => callId !== null);
    expect(called.length, `seed ${seed}`).toBeGreaterThan(60);
    for (const one of called) {
      const about = `seed ${seed}, ${one.path}: ${String(files[Number(one.path)]?.[1])}`;
      expect(aboutRequest(one), about).toEqual(await formSays(one.callId));
      const { findings } = await client.call('calls.get', { id: one.callId ?? 0 });
      expect(one.findings.filter((finding) => finding.about === 'response').length, about).toBe(findings.length);
    }
    expect(called.filter(({ findings }) => findings.length > 0).length).toBeGreaterThan(20);
  });

  it('compares a betLevel with the game list that the environment has when the request leaves', async () => {
    const list = '{"code":0,"message":"ok","data":{"slots":[{"id":1,"gameName":"Book","bets":[1,2],"thumbnail":"","status":1}]}}';
    const { run, formSays } = await open((body) => (body.includes('gameList') ? list : accepted()));
    const { requests } = await run({
      a: freeRounds({ betLevel: 5 }),
      b: 'operation: gameList\ndata: |\n  {"currency": "EUR"}\n',
      c: freeRounds({ betLevel: 5 }),
      d: freeRounds({ betLevel: 5 }).replace('expect:', 'overrides:\n  platform: "7"\nexpect:'),
    });
    const rules = requests.map((one) =>
      aboutRequest(one)
        ?.map(({ rule }) => rule)
        .filter((rule) => rule === 'bet-level'),
    );
    expect(rules).toEqual([[], [], ['bet-level'], []]);
    expect(aboutRequest(requests[2])).toEqual(await formSays(requests[2]?.callId));
  });

  it('compares it with the list that is newest then: of an earlier call, or of another answer in the run', async () => {
    const list = (bets: string) =>
      `{"code":0,"message":"ok","data":{"slots":[{"id":1,"gameName":"Book","bets":[${bets}],"thumbnail":"","status":1}]}}`;
    let bets = '1,2,3';
    const { run, send, environment } = await open((body) => (body.includes('gameList') ? list(bets) : accepted()));
    await send(draftOf(environment.id, { operation: 'gameList', form: 'main', text: '{"currency":"EUR"}' }));
    bets = '1,2,3,4,5,6,7';
    const { requests } = await run({
      a: freeRounds({ betLevel: 5 }),
      b: freeRounds({ betLevel: 1 }),
      c: 'operation: gameList\ndata: |\n  {"currency": "EUR"}\n',
      d: freeRounds({ betLevel: 5 }),
      e: freeRounds({ betLevel: 50 }),
    });
    expect(requests.map((one) => aboutRequest(one)?.some(({ rule }) => rule === 'bet-level'))).toEqual([
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it('is nothing where no call was made', async () => {
    const { run } = await open(accepted);
    const { requests, report } = await run({ a: freeRounds({ playerId: '{{nobody}}', freeRoundValidity: 'x' }) });
    expect(requests[0]).toMatchObject({ state: 'error', callId: null, findings: [] });
    expect(report.totals.withFindings).toBe(0);
  });

  it('repeats no token in a report, however long and however it is written', async () => {
    const token = `${'sécret/'.repeat(20)}end`;
    const { run } = await open(accepted, { serialization: 'php' });
    const { requests, exported } = await run({
      a: `operation: getLauncherURL\ndata: |\n  ${JSON.stringify({ gameMode: 'real', gameId: '1', lang: 'en', externalToken: token, playerId: 'p', country: token, ip: '192.0.2.1', exitURL: '' })}\n`,
    });
    expect(aboutRequest(requests[0])?.map(({ rule }) => rule)).toEqual(['non-ascii', 'exact-length', 'non-ascii']);
    for (const as of ['json', 'junit', 'html'] as const) expect(await exported(as), as).not.toMatch(/s(é|\\+u00e9)cret/);
  });
});

describe('what a run finds in a response', () => {
  it('is what the call has in the history', async () => {
    const { run, client } = await open(() => '{"code":0,"message":"ok","data":{"referenceId":"other","extra":1},"more":2}');
    const { requests, report, exported } = await run({ a: freeRounds() });
    const call = await client.call('calls.get', { id: requests[0]?.callId ?? 0 });
    expect(call.findings).not.toEqual([]);
    expect(requests[0]?.findings.filter(({ about }) => about === 'response')).toEqual(
      call.findings.map(({ rule, severity, path, message }) => ({ rule, severity, path, message, about: 'response' })),
    );
    expect(report.totals).toMatchObject({ passed: 1, withFindings: 1 });
    for (const as of ['json', 'junit', 'html'] as const) expect(await exported(as), as).toContain('referenceId');
  });
});
