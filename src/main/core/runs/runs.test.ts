import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { RunReport } from '#shared/collections/run-report.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import { totalsOf } from '#shared/collections/run-totals.ts';
import type { Input, Output, Payload, FinishedRequest } from '#shared/ipc/index.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '#testing/app.ts';
import { startHttpsServer, type Received } from '#testing/https-server.ts';
import { requestForm, settingsForm } from '../collections/collection-file.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const item of opened.splice(0).reverse()) await item.close();
});

type Progress = Payload<'runs.progressed'>;
type Start = Omit<Input<'runs.start'>, 'directory' | 'collectionId'>;

async function open(options: TestAppOptions = {}) {
  const test = await createTestApp(options);
  opened.push(test);
  const progress: Progress[] = [];
  const waiting = new Set<() => void>();
  test.client.on('runs.progressed', (payload) => {
    progress.push(payload);
    for (const look of waiting) look();
  });
  /** Waits until an event fits. */
  const saw = (fits: (payload: Progress) => boolean) =>
    new Promise<Progress>((resolve) => {
      const look = () => {
        const found = progress.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const ended = (runId: string) => saw((payload) => payload.runId === runId && payload.state !== 'running');
  const start = (directory: string, input: Start) => test.client.call('runs.start', { directory, ...input });
  /** Runs to the end and gives the report with its requests in one list. */
  async function run(directory: string, input: Start) {
    const { runId, planned } = await start(directory, input);
    const last = await ended(runId);
    const report = await reportOf(test, runId);
    const requests = report.iterations.flatMap((iteration) => iteration.requests);
    expect(requests).toHaveLength(planned);
    expect(last).toMatchObject({ planned, underWay: 0, waiting: 0, totals: report.totals });
    expect(report.totals).toEqual(totalsOf(requests));
    for (const one of progress) expect(one.totals.requests + one.underWay + one.waiting).toBe(one.planned);
    return { runId, report, requests, last };
  }
  return { ...test, progress, saw, ended, start, run };
}

/** The whole report. Every request of it is in one of the parts that the page reads, once. */
async function reportOf({ client }: Pick<TestApp, 'client'>, runId: string): Promise<RunReport> {
  const { text } = await client.call('runs.export', { runId, as: 'json' });
  const report = RunReport.parse(JSON.parse(text));
  const parts: FinishedRequest[] = [];
  for (let from: number | null = 0; from !== null;) {
    const part: Output<'runs.requests'> = await client.call('runs.requests', { runId, from, limit: 2 });
    expect(part.requests.length).toBeLessThanOrEqual(2);
    parts.push(...part.requests);
    from = part.next;
  }
  parts.sort((one, other) => one.iteration - other.iteration || one.index - other.index);
  const whole = report.iterations.flatMap(({ number, row, requests }) =>
    requests.map((request) => ({ iteration: number, row, request })),
  );
  expect(parts.map(({ index: _index, ...one }) => one)).toEqual(whole);
  return report;
}

/** A collection of files in a folder of its own. */
async function collection(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'croupier-runs-'));
  opened.push({ close: () => rm(directory, { recursive: true, force: true }) });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return directory;
}

async function listen(answer: (received: Received, response: ServerResponse) => void) {
  const server = await startHttpsServer(answer);
  opened.push(server);
  return server;
}

const accepted = '{"code":0,"message":"ok","data":null}';
const states = (requests: readonly ReportedRequest[]) => requests.map(({ path, state }) => `${path} ${state}`);
const round = (data: string, more = '') => `operation: getGameRound\ndata: |\n  ${data}\n${more}`;

/** Puts a request's own `roundId` into the response, as `code 0`. */
const echo = ({ body }: Received, response: ServerResponse) => {
  const { data } = JSON.parse(body.toString('utf8')) as { data: unknown };
  response.end(JSON.stringify({ code: 0, message: 'ok', data }));
};

describe('a run', () => {
  it('goes through the files in their order, hands values on, and is in the history', async () => {
    const server = await listen(echo);
    const { environment, run, client } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'collection.yaml': 'order: [z, b.yaml]\nvariables:\n  month: "0"\n',
      'a.yaml': round('{"roundId": {{id}}, "logMonth": {{month}}}', 'expect:\n  - path: /data/roundId\n    equals: "{{id}}"\n'),
      'b.yaml': round('{"roundId": 9007199254740993, "logMonth": 0}', 'take:\n  id: /data/roundId\n'),
      'z/folder.yaml': 'variables:\n  month: "3"\n',
      'z/first.yaml': round('{"roundId": 1, "logMonth": {{month}}}', 'expect:\n  - path: /data/logMonth\n    equals: "3"\n'),
    });
    const server64 = await listen(({ body }, response) => {
      // Numbers as they are, which JSON.parse would round.
      response.end(`{"code":0,"message":"ok","data":${/"data":(\{.*?\})/.exec(body.toString('utf8'))?.[1] ?? 'null'}}`);
    });
    const exact = await environment(server64);
    expect(states((await run(directory, { environmentId: id })).requests)[0]).toBe('z/first passed');
    const before = performance.now();
    const { runId, requests, report } = await run(directory, { environmentId: exact.id });
    expect(states(requests)).toEqual(['z/first passed', 'b passed', 'a passed']);
    // One after the other: a run takes as long as its calls and no longer than everything around it.
    expect(report.durationMs).toBeGreaterThan(Math.floor(requests.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)));
    expect(report.durationMs).toBeLessThan(performance.now() - before);
    expect(report.totals).toMatchObject({ requests: 3, passed: 3, checks: 3, checksPassed: 3 });
    const { calls } = await client.call('calls.list', { filter: { collectionRun: runId } });
    expect(calls.map(({ id: callId }) => callId)).toEqual(requests.map(({ callId }) => callId).reverse());
    expect(calls.map(({ collectionRun }) => collectionRun)).toEqual(['a', 'b', 'z/first'].map((path) => ({ id: runId, path })));
    const last = await client.call('calls.get', { id: calls[0]?.id ?? 0 });
    expect(last.request.hashInput?.dataJson).toBe('{"roundId":9007199254740993,"logMonth":0}');
    expect(last.collectionRun).toEqual({ id: runId, path: 'a' });
    const { runs } = await client.call('runs.list', {});
    expect(runs.map(({ state, planned }) => ({ state, planned }))).toEqual([
      { state: 'finished', planned: 3 },
      { state: 'finished', planned: 3 },
    ]);
    expect(runs[0]?.runId).toBe(runId);
  });

  it('numbers its calls in the order in which they left, where some need no key and so are made sooner', async () => {
    const left: string[] = [];
    const server = await listen((received, response) => {
      left.push(/"roundId":"([^"]*)"/.exec(received.body.toString('utf8'))?.[1] ?? '');
      response.end(accepted);
    });
    const { environment, run, client } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': round('{"roundId": "{{n}} a", "logMonth": 0}'),
      'b.yaml': round('{"roundId": "{{n}} b", "logMonth": 0}', 'overrides:\n  hash: wrong-hash\n'),
      'c.yaml': round('{"roundId": "{{n}} c", "logMonth": 0}'),
      'd.yaml': round('{"roundId": "{{n}} d", "logMonth": 0}', 'overrides:\n  omit: [hash]\n'),
    });
    const text = Array.from({ length: 20 }, (_, index) => `{"n": "${index}"}`).join('\n');
    const { runId, requests } = await run(directory, { environmentId: id, options: { data: { format: 'jsonl', text } } });
    const { calls } = await client.call('calls.list', { filter: { collectionRun: runId }, limit: 100 });
    const oldestFirst = calls.toReversed();
    const names = await Promise.all(
      oldestFirst.map(async (call) => {
        const { request } = await client.call('calls.get', { id: call.id });
        return /"roundId":"([^"]*)"/.exec(request.bodyText)?.[1];
      }),
    );
    expect(left).toHaveLength(80);
    expect(names).toEqual(left);
    expect(requests.map(({ callId }) => callId)).toEqual(oldestFirst.map((call) => call.id));
    const times = oldestFirst.map(({ sentAt }) => sentAt);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  it('tells its requests in the order in which they were done, those that were never sent among them', async () => {
    const server = await listen(echo);
    const { environment, run, progress, client } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': round('{"roundId": 1, "logMonth": 0}'),
      'b.yaml': round('{"roundId": {{nobody}}, "logMonth": 0}'),
      'c.yaml': round('{"roundId": 3, "logMonth": 0}'),
      'd.yaml': round('{"roundId": {{nobody}}, "logMonth": 0}'),
    });
    const { runId } = await run(directory, { environmentId: id });
    const told = progress.flatMap(({ finished }) => finished.map(({ request }) => request.path));
    expect(told).toEqual(['a', 'b', 'c', 'd']);
    const { requests } = await client.call('runs.requests', { runId });
    expect(requests.map(({ request }) => request.path)).toEqual(told);
  });

  it('of a folder or of one request runs these alone', async () => {
    const server = await listen((_, response) => response.end(accepted));
    const { environment, run } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': 'operation: gameList\n',
      'f/b.yaml': 'operation: gameList\n',
      'f/g/c.yaml': 'operation: gameList\n',
    });
    const name = basename(directory);
    const parts: [path: string, title: string, states: string[]][] = [
      ['', name, ['a passed', 'f/b passed', 'f/g/c passed']],
      ['f', `${name}/f`, ['f/b passed', 'f/g/c passed']],
      ['f/g', `${name}/f/g`, ['f/g/c passed']],
      ['f/g/c.yaml', `${name}/f/g/c`, ['f/g/c passed']],
      ['a.yaml', `${name}/a`, ['a passed']],
    ];
    for (const [path, title, found] of parts) {
      const { report, requests } = await run(directory, { path, environmentId: id });
      expect([report.collection, states(requests).toSorted()]).toEqual([title, found]);
    }
  });

  it('does not take an older value where the latest request that sets it failed', async () => {
    let count = 0;
    const server = await listen((_, response) => response.end((count += 1) === 2 ? accepted : '{"code":0,"data":{"id":5}}'));
    const { environment, run } = await open();
    const { id } = await environment(server);
    const take = 'take:\n  x: /data/id\n';
    const directory = await collection({
      'collection.yaml': 'variables:\n  x: "1"\n',
      'a.yaml': round('{"roundId": 1, "logMonth": 0}', take),
      'b.yaml': round('{"roundId": 1, "logMonth": 0}', take),
      'c.yaml': round('{"roundId": {{x}}, "logMonth": 0}'),
    });
    expect(states((await run(directory, { environmentId: id })).requests)).toEqual(['a passed', 'b failed', 'c error']);
  });

  it('gives a variable any name that there is', async () => {
    const server = await listen(echo);
    const { environment, run } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': round('{"roundId": 7, "logMonth": 0}', 'take:\n  hasOwnProperty: /data/roundId\n  constructor: /data/logMonth\n'),
      'b.yaml': round(
        '{"roundId": {{hasOwnProperty}}, "logMonth": {{constructor}}}',
        'expect:\n  - path: /data/roundId\n    equals: "7"\n',
      ),
    });
    expect(states((await run(directory, { environmentId: id })).requests)).toEqual(['a passed', 'b passed']);
  });
});

describe('an outcome that the history does not take', () => {
  /** Refuses the outcome of each call whose response holds a word, as a full disk does. */
  function refuseOutcomes(home: string, word: string): void {
    const history = new DatabaseSync(join(home, 'history.sqlite'));
    history.exec(
      `CREATE TRIGGER full BEFORE INSERT ON call_responses WHEN instr(NEW.body, '${word}') > 0 BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    );
    history.close();
  }

  it('is told with its request, counted, and in each report', async () => {
    const server = await listen(echo);
    const { environment, run, client, home } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': round('{"roundId": "kept", "logMonth": 0}', 'expect:\n  - code: "0"\n'),
      'b.yaml': round('{"roundId": "lost", "logMonth": 0}', 'expect:\n  - code: "0"\n'),
      'c.yaml': round('{"roundId": "lost", "logMonth": 0}', 'expect:\n  - code: "8"\n'),
      'd.yaml': round('{"roundId": "kept", "logMonth": 0}'),
    });
    await run(directory, { environmentId: id, path: 'a.yaml' });
    refuseOutcomes(home, 'lost');
    const { requests, last, runId, report } = await run(directory, { environmentId: id });
    expect(states(requests)).toEqual(['a passed', 'b passed', 'c failed', 'd passed']);
    expect(report.totals).toMatchObject({ requests: 4, passed: 3, failed: 1, unrecorded: 2, unchecked: 1 });
    expect(last.totals).toEqual(report.totals);
    const [a, b, c, d] = requests;
    expect([a?.unrecorded, d?.unrecorded]).toEqual(['', '']);
    expect(b?.unrecorded).toContain(`The outcome of call ${b?.callId} could not be written to the history.`);
    expect(b?.unrecorded).toContain('no room');
    expect((await client.call('calls.get', { id: b?.callId ?? 0 })).state).toBe('pending');
    expect((await client.call('calls.get', { id: d?.callId ?? 0 })).state).toBe('answered');
    const { text: junit } = await client.call('runs.export', { runId, as: 'junit' });
    expect(junit).toContain('tests="4" failures="1" errors="1" skipped="0"');
    expect(junit).toContain('<property name="outcomes not in the history" value="2"/>');
    expect(junit.split(`The outcome of call ${c?.callId} could not be written`)).toHaveLength(2);
    const { text: page } = await client.call('runs.export', { runId, as: 'html' });
    expect(page).toContain('1 failed, of 4 requests, 2 outcomes are not in the history');
    expect(page).toContain(`The outcome of call ${b?.callId} could not be written`);
    const { runs } = await client.call('runs.list', {});
    expect(runs[0]?.totals.unrecorded).toBe(2);
  });

  it('takes no other with it that is written together with it', async () => {
    const server = await listen(echo);
    const { environment, run, home } = await open();
    const { id } = await environment(server);
    const directory = await collection({ 'a.yaml': round('{"roundId": "{{n}}", "logMonth": 0}') });
    await run(directory, { environmentId: id, options: { variables: { n: 'kept' } } });
    refuseOutcomes(home, 'lost');
    const text = Array.from({ length: 60 }, (_, index) => `{"n": "${index % 7 === 3 ? 'lost' : 'kept'} ${index}"}`).join('\n');
    const { requests } = await run(directory, { environmentId: id, options: { parallel: 4, data: { format: 'jsonl', text } } });
    const lost = requests.flatMap(({ unrecorded }, index) => (unrecorded === '' ? [] : [index]));
    expect(lost).toEqual(Array.from({ length: 60 }, (_, index) => index).filter((index) => index % 7 === 3));
  });
});

describe('passes', () => {
  it('are repeated, each with its data row, and share named ids within one of them only', async () => {
    const seen: string[] = [];
    const server = await listen((received, response) => {
      seen.push((JSON.parse(received.body.toString('utf8')) as { data: { roundId: string } }).data.roundId);
      echo(received, response);
    });
    const { environment, run } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': round('{"roundId": "{{name}} {{$uniqueId:one}}", "logMonth": 0}'),
      'b.yaml': round('{"roundId": "{{name}} {{$uniqueId:one}}", "logMonth": 0}'),
    });
    const { report } = await run(directory, {
      environmentId: id,
      options: { repeat: 2, variables: { name: 'none' }, data: { format: 'csv', text: 'name\n0042\n"é, {{x}}"\n' } },
    });
    expect(report.iterations.map(({ number, row }) => [number, row])).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
      [4, 2],
    ]);
    const names = seen.map((text) => text.slice(0, text.lastIndexOf(' ')));
    expect(names).toEqual(['0042', '0042', 'é, {{x}}', 'é, {{x}}', '0042', '0042', 'é, {{x}}', 'é, {{x}}']);
    expect(new Set(seen).size).toBe(4);
  });

  it('refuse bad data before anything is sent', async () => {
    let count = 0;
    const server = await listen((_, response) => {
      count += 1;
      response.end(accepted);
    });
    const { environment, start } = await open();
    const { id } = await environment(server);
    const directory = await collection({ 'a.yaml': 'operation: gameList\n' });
    const data = { format: 'csv' as const, text: 'a,b\n1,2\n1\n' };
    await expect(start(directory, { environmentId: id, options: { data } })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('Line 3') as string,
    });
    expect(count).toBe(0);
  });

  it('that failed can be run again, with what they depend on', async () => {
    let broken = true;
    const server = await listen((received, response) => {
      const { data } = JSON.parse(received.body.toString('utf8')) as { data: { roundId: string } };
      if (broken && data.roundId === 'bad') response.end('{"code":7,"message":"no","data":null}');
      else echo(received, response);
    });
    const { environment, run, start } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': round('{"roundId": 5, "logMonth": 0}', 'take:\n  five: /data/roundId\n'),
      'b.yaml': round('{"roundId": 1, "logMonth": 0}'),
      'c.yaml': round('{"roundId": "{{name}}", "logMonth": {{five}}}'),
    });
    const options = { data: { format: 'jsonl' as const, text: '{"name":"good"}\n{"name":"bad"}\n{"name":"good"}\n' } };
    const first = await run(directory, { environmentId: id, options });
    expect(first.report.totals).toMatchObject({ requests: 9, passed: 8, failed: 1 });
    broken = false;
    const second = await run(directory, { environmentId: id, options: { ...options, failedOf: first.runId } });
    expect(second.report.iterations).toMatchObject([{ number: 2, row: 2 }]);
    expect(states(second.requests)).toEqual(['a passed', 'c passed']);
    await expect(start(directory, { environmentId: id, options: { ...options, failedOf: second.runId } })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(start(directory, { environmentId: id, options: { failedOf: first.runId } })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('at once', () => {
  it('runs what does not wait for another, in the number that is asked for, and each pass has its own values', async () => {
    let inside = 0;
    let most = 0;
    const held: (() => void)[] = [];
    const server = await listen((received, response) => {
      inside += 1;
      most = Math.max(most, inside);
      const go = () => {
        inside -= 1;
        echo(received, response);
      };
      held.push(go);
      // Answered in the wrong order, five at a time.
      if (held.length === 5) for (const answer of held.splice(0).reverse()) answer();
    });
    const { environment, run } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': round('{"roundId": "{{name}}", "logMonth": 0}', 'take:\n  mine: /data/roundId\n'),
      'b.yaml': round('{"roundId": "{{mine}}", "logMonth": 0}', 'expect:\n  - path: /data/roundId\n    equals: "{{name}}"\n'),
    });
    const rows = Array.from({ length: 50 }, (_, index) => `{"name":"n${index}"}`).join('\n');
    const { report } = await run(directory, {
      environmentId: id,
      options: { parallel: 5, data: { format: 'jsonl', text: rows } },
    });
    expect(report.totals).toMatchObject({ requests: 100, passed: 100 });
    expect(most).toBe(5);
  });

  it('gives each request the values of the latest one before it, whichever answers first', async () => {
    const held = new Map<string, () => void>();
    const server = await listen((received, response) => {
      const { data } = JSON.parse(received.body.toString('utf8')) as { data: { roundId: string } };
      held.set(data.roundId, () => echo(received, response));
      // The second setter first, then who uses the first.
      if (held.size >= 2 && held.has('one') && held.has('two')) {
        held.get('two')?.();
        held.get('one')?.();
        held.clear();
      } else if (data.roundId.startsWith('uses')) echo(received, response);
    });
    const { environment, run } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': round('{"roundId": "one", "logMonth": 0}', 'take:\n  v: /data/roundId\n'),
      'b.yaml': round('{"roundId": "uses {{v}}", "logMonth": 0}', 'expect:\n  - path: /data/roundId\n    equals: uses one\n'),
      'c.yaml': round('{"roundId": "two", "logMonth": 0}', 'take:\n  v: /data/roundId\n'),
      'd.yaml': round('{"roundId": "uses {{v}}", "logMonth": 0}', 'expect:\n  - path: /data/roundId\n    equals: uses two\n'),
    });
    const { report } = await run(directory, { environmentId: id, options: { parallel: 4 } });
    expect(report.totals).toMatchObject({ requests: 4, passed: 4 });
  });
});

describe('an environment that is changed during a run', () => {
  it('is used as it was when the run began', async () => {
    let change = async () => {};
    let count = 0;
    const server = await listen((_, response) => {
      count += 1;
      void change().then(() => response.end(accepted));
    });
    const { environment, run, client } = await open();
    const made = await environment(server);
    change = async () => {
      change = async () => {};
      await client.call('environments.save', { environment: { ...made, baseUrl: 'https://localhost:1' } });
    };
    const directory = await collection({ 'a.yaml': 'operation: gameList\n', 'b.yaml': 'operation: gameList\n' });
    const { report } = await run(directory, { environmentId: made.id });
    expect(report.totals).toMatchObject({ requests: 2, passed: 2 });
    expect(count).toBe(2);
    expect((await client.call('environments.list', {})).environments[0]?.baseUrl).toBe('https://localhost:1');
  });
});

describe('a run that ends early', () => {
  it('stops at the first failure where that is asked for', async () => {
    let count = 0;
    const server = await listen((_, response) => response.end((count += 1) === 3 ? '{"code":1,"message":"no"}' : accepted));
    const { environment, run } = await open();
    const { id } = await environment(server);
    const directory = await collection({ 'a.yaml': 'operation: gameList\n', 'b.yaml': 'operation: gameList\n' });
    const { report, requests } = await run(directory, { environmentId: id, options: { bail: true, repeat: 4 } });
    expect(report.totals).toMatchObject({ requests: 8, passed: 2, failed: 1, skipped: 5 });
    expect(requests[3]?.reason).toBe('The run was stopped: a did not pass.');
    expect(count).toBe(3);
  });

  it('leaves nothing in the history of what was made ready and did not leave', async () => {
    let count = 0;
    const server = await listen((_, response) => response.end((count += 1) === 40 ? '{"code":1,"message":"no"}' : accepted));
    const { environment, run, client } = await open();
    const { id } = await environment(server);
    const directory = await collection({ 'a.yaml': 'operation: gameList\n' });
    const { runId, report } = await run(directory, { environmentId: id, options: { bail: true, repeat: 100 } });
    expect(report.totals).toMatchObject({ requests: 100, passed: 39, failed: 1, skipped: 60 });
    const { calls, total } = await client.call('calls.list', { filter: { collectionRun: runId }, limit: 100 });
    expect([count, total, calls.filter(({ state }) => state === 'answered').length]).toEqual([40, 40, 40]);
  });

  it('is cancelled: what is under way is recorded so, the rest is skipped', async () => {
    let count = 0;
    const server = await listen((_, response) => {
      count += 1;
      if (count <= 4) response.end(accepted);
    });
    const { environment, start, client, saw, ended } = await open();
    const { id } = await environment(server);
    const directory = await collection({ 'a.yaml': 'operation: gameList\n' });
    const { runId, planned } = await start(directory, { environmentId: id, options: { repeat: 20, parallel: 3 } });
    await saw(({ totals, underWay }) => totals.passed === 4 && underWay === 3);
    expect((await client.call('runs.list', {})).runs[0]).toMatchObject({ runId, state: 'running' });
    expect(await client.call('runs.cancel', { runId })).toEqual({ cancelled: true });
    const last = await ended(runId);
    expect(last).toMatchObject({ state: 'cancelled', planned, underWay: 0, waiting: 0 });
    expect(last.totals).toMatchObject({ requests: 20, passed: 4, cancelled: 3, skipped: 13 });
    const { calls } = await client.call('calls.list', { filter: { collectionRun: runId } });
    expect(calls.map(({ state }) => state).sort()).toEqual([
      ...Array<string>(4).fill('answered'),
      ...Array<string>(3).fill('cancelled'),
    ]);
    expect((await client.call('runs.list', {})).runs[0]).toMatchObject({ runId, state: 'cancelled', totals: last.totals });
    expect(await client.call('runs.cancel', { runId })).toEqual({ cancelled: false });
  });

  it('is reported up to where the program ended, and is interrupted for the next one', async () => {
    const asked = Promise.withResolvers<void>();
    const server = await listen(() => asked.resolve());
    const home = await mkdtemp(join(tmpdir(), 'croupier-runs-'));
    opened.push({ close: () => rm(home, { recursive: true, force: true }) });
    const directory = await collection({ 'a.yaml': 'operation: gameList\n' });
    const first = await open({ home });
    const { id } = await first.environment(server);
    const { runId } = await first.start(directory, { environmentId: id, options: { repeat: 3 } });
    const seenByOther: TestApp = await open({ home });
    expect((await seenByOther.client.call('runs.list', {})).runs[0]).toMatchObject({ runId, state: 'running' });
    // A request that was not sent yet is skipped.
    await asked.promise;
    await first.app.close();
    expect((await seenByOther.client.call('runs.list', {})).runs[0]).toMatchObject({
      state: 'cancelled',
      totals: { requests: 3, cancelled: 1, skipped: 2 },
    });
    // As a killed process leaves it.
    const start = {
      runId: '0-0',
      collectionId: 'c',
      collection: 'C',
      path: '',
      environmentId: id,
      environment: 'E',
      startedAt: 0,
      planned: 9,
      process: 'f'.repeat(24),
      repeat: 1,
      hasData: false,
    };
    await writeFile(join(home, 'collection-runs', '0-0.jsonl'), `${JSON.stringify({ start })}\n{"index":0,"requ`);
    expect((await seenByOther.client.call('runs.list', {})).runs.at(-1)).toMatchObject({ runId: '0-0', state: 'interrupted' });
    expect((await reportOf(seenByOther, '0-0')).iterations).toEqual([]);
  });
});

describe('a run is refused', () => {
  it('where files cannot be read, each named with its place; or reports them as errors', async () => {
    const server = await listen((_, response) => response.end(accepted));
    const { environment, run, start } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': 'operation: gameList\n',
      'b.yaml': 'operation: [\n',
      'f/folder.yaml': 'variables: 5\n',
      'f/c.yaml': 'operation: gameList\n',
    });
    await expect(start(directory, { environmentId: id })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/2 files cannot be read.*b\.yaml, line \d+.*f\/folder\.yaml, line 1/) as string,
    });
    const { requests } = await run(directory, { environmentId: id, options: { unreadable: 'report' } });
    expect(states(requests)).toEqual(['a passed', 'b error', 'f/c error']);
    expect(requests[1]?.operation).toBeNull();
  });

  it('where a name in a file is mistyped: nothing is sent, the file is left as it is, and all of them are named', async () => {
    let count = 0;
    const server = await listen((_, response) => {
      count += 1;
      response.end(accepted);
    });
    const { environment, start, client } = await open();
    const { id } = await environment(server);
    const typo = 'operation: gameList\nexpects:\n  - code: "8"\n';
    const directory = await collection({
      'a.yaml': 'operation: gameList\n',
      'b.yaml': typo,
      'f/folder.yaml': 'variabels:\n  a: "1"\n',
      'f/c.yaml': 'operation: gameList\n',
      'f/d.yaml': 'operation: gameList\nexpect:\n  - path: /a\n    equels: 1\n',
    });
    const refusal = await start(directory, { environmentId: id }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'invalid_input',
      details: {
        problems: [
          'b.yaml, line 2, column 1: expects is not a field of a request file. Did you mean expect?',
          'f/folder.yaml, line 1, column 1: variabels is not a field of a settings file. Did you mean variables?',
        ],
      },
    });
    await writeFile(join(directory, 'f/folder.yaml'), '');
    await expect(start(directory, { environmentId: id })).rejects.toMatchObject({
      details: {
        problems: [expect.anything(), expect.stringMatching(/^f\/d\.yaml, line 4, column 5: equels .*Did you mean equals\?$/)],
      },
    });
    expect(count).toBe(0);
    const opening = await client.call('collections.open', { directory });
    const { nodes } = await client.call('collections.tree', { id: opening.id });
    expect(nodes.find(({ path }) => path === 'b.yaml')?.problem).toMatchObject({ line: 2, column: 1, excerpt: 'expects:' });
    await expect(
      client.call('collections.save', { id: opening.id, path: 'b.yaml', revision: '', request: { operation: 'win' } }),
    ).rejects.toThrow();
    expect(await readFile(join(directory, 'b.yaml'), 'utf8')).toBe(typo);
  });

  it('where a request has no check of its own and each is to have one', async () => {
    const server = await listen((_, response) => response.end(accepted));
    const { environment, start, run } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': 'operation: gameList\nexpect:\n  - code: 0\n',
      'b.yaml': 'operation: gameList\n',
      'f/c.yaml': 'operation: gameList\nexpect: []\n',
    });
    const options = { requireChecks: true };
    await expect(start(directory, { environmentId: id, options })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('2 of 3 requests have no check of their own') as string,
      details: { problems: ['b.yaml', 'f/c.yaml'] },
    });
    expect((await run(directory, { environmentId: id, path: 'a.yaml', options })).report.totals.unchecked).toBe(0);
    const { report, requests } = await run(directory, { environmentId: id, options: { repeat: 2 } });
    expect(report.totals).toMatchObject({ requests: 6, unchecked: 4 });
    expect(requests.map(({ unchecked }) => unchecked)).toEqual([false, true, true, false, true, true]);
  });

  it('that is in its report by now is not exported, and runs are listed by their collection', async () => {
    const server = await listen((_, response) => response.end('{"code":7,"message":"a-key-stored-later","data":null}'));
    const { environment, run, client, app } = await open();
    const { id } = await environment(server);
    const one = await collection({ 'a.yaml': 'operation: gameList\nexpect:\n  - path: /message\n    equals: ok\n' });
    const other = await collection({ 'a.yaml': 'operation: gameList\n' });
    const { runId } = await run(one, { environmentId: id });
    const later = await run(other, { environmentId: id });
    await app.useKey(id, 'a-key-stored-later');
    await expect(client.call('runs.export', { runId, as: 'junit' })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('Nothing was exported') as string,
      details: { environmentId: id },
    });
    const { runs } = await client.call('runs.list', {});
    expect(runs.map((found) => found.runId)).toEqual([later.runId, runId]);
    for (const { collectionId, runId: own } of runs)
      expect((await client.call('runs.list', { collectionId })).runs.map((found) => found.runId)).toEqual([own]);
  });

  it('where a variable, a row, the name of either or a file holds the key', async () => {
    const server = await listen((_, response) => response.end(accepted));
    const { environment, start } = await open();
    const { id } = await environment(server, {}, 'the-private-key-0123456789');
    const directory = await collection({ 'a.yaml': 'operation: gameList\n' });
    const refused = (what: string) => ({
      code: 'refused',
      message: `Nothing was run: ${what} contain the private key of an environment. Remove it; Croupier signs without it.`,
    });
    const value = 'x the-private-key-0123456789 y';
    await expect(start(directory, { environmentId: id, options: { variables: { other: value } } })).rejects.toMatchObject(
      refused('the variables'),
    );
    const named = start(directory, { environmentId: id, options: { variables: { 'the-private-key-0123456789': 'a' } } });
    await expect(named).rejects.toMatchObject(refused('the variables'));
    for (const row of [{ other: value }, { 'the-private-key-0123456789': 'a' }]) {
      const data = { format: 'jsonl' as const, text: `${JSON.stringify(row)}\n` };
      await expect(start(directory, { environmentId: id, options: { data } })).rejects.toMatchObject(refused('the data rows'));
    }
    const bad = await collection({ 'a.yaml': `operation: bet\ndata: |\n  {"x": "${value}"}\n` });
    await expect(start(bad, { environmentId: id })).rejects.toMatchObject(refused('the files'));
  });

  it('that would be more than a million requests', async () => {
    const { environment, start, client } = await open();
    const { id } = await environment({ baseUrl: 'https://localhost:1' });
    const directory = await collection({ 'a.yaml': 'operation: gameList\n', 'b.yaml': 'operation: gameList\n' });
    await expect(start(directory, { environmentId: id, options: { repeat: 500_001 } })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'This would be more than 1,000,000 requests. Run fewer at once.',
    });
    expect(await client.call('runs.list', {})).toEqual({ runs: [] });
  });

  it('in production until it is confirmed, and without a key', async () => {
    const server = await listen((_, response) => response.end(accepted));
    const { environment, start, run, client } = await open();
    const { id } = await environment(server, { production: true });
    const directory = await collection({ 'a.yaml': 'operation: gameList\n' });
    await expect(start(directory, { environmentId: id })).rejects.toMatchObject({
      code: 'refused',
      details: { reason: 'production_unconfirmed' },
    });
    expect((await run(directory, { environmentId: id, confirmed: true })).report.totals.passed).toBe(1);
    // Reading is confirmed for the session; what moves money is not.
    expect((await run(directory, { environmentId: id })).report.totals.passed).toBe(1);
    const session = await collection({
      'a.yaml': 'operation: bet\ntake:\n  won: $.code\ndata: |\n  {"amount": {{stake}}, "currency": "EUR"}\n',
      'b.yaml': 'operation: win\ndata: |\n  {"amount": {{won}}, "currency": "EUR"}\n',
      'c.yaml': 'operation: bet\ndata: |\n  {"amount": {{nowhere}}}\n',
      'd.yaml': 'operation: gameList\n',
      'e.yaml':
        'operation: freeRounds\nform: multi\ndata: |\n  {"playerIds": ["{{$uniqueId}}", "{{$uniqueId}}"], "numberOfFreeRounds": 5}\n',
    });
    const options = { repeat: 3, variables: { stake: '0.1' } };
    await expect(start(session, { environmentId: id, options })).rejects.toMatchObject({
      details: {
        question: {
          call: null,
          run: {
            requests: 15,
            sums: [
              { kind: 'takes', calls: 3, money: [{ amount: '0.3', currency: 'EUR' }], unknown: 0, unstated: 0 },
              { kind: 'pays', calls: 3, money: [], unknown: 3 },
              { kind: 'grants', calls: 3, money: [], rounds: '30', unknown: 0, unstated: 0 },
            ],
          },
        },
      },
    });
    const { report } = await run(session, { environmentId: id, options, confirmed: true });
    expect(report.totals).toMatchObject({ passed: 12, errored: 3 });
    await expect(start(session, { environmentId: id, options })).rejects.toMatchObject({ code: 'refused' });
    const { id: keyless } = await client.call('environments.create', {
      environment: { name: 'keyless', baseUrl: server.baseUrl, ca: server.ca, platform: 1, partnerId: 1, production: false },
    });
    await expect(start(directory, { environmentId: keyless })).rejects.toMatchObject({ code: 'key_missing' });
    await expect(start(directory, { path: 'nowhere', environmentId: id })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the starter collections', () => {
  it('are written as the program writes them, so that saving one changes only what was meant', async () => {
    const folder = fileURLToPath(new URL('../../../../starter-collections', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
    expect(files.length).toBeGreaterThan(20);
    for (const name of files) {
      const text = await readFile(join(folder, name), 'utf8');
      const again =
        basename(name) === 'collection.yaml'
          ? settingsForm.print(settingsForm.read(text).value)
          : requestForm.print(requestForm.read(text).value);
      expect(again, name).toBe(text);
    }
  });
});

describe('what nothing reads', () => {
  it('stops no run, and is told with its place when it begins, in the list and in each report', async () => {
    const server = await listen(echo);
    const { environment, start, ended, client } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'collection.yaml': 'owner: me\norder: [b.yaml, aa.yaml]\nvariables:\n  amount: "1"\n',
      'a.yaml': round('{"roundId": {{amount}}, "logMonth": {{month}}}', 'team: [x]\ntake:\n  balanse: /data\n'),
      'b.yaml': round('{"roundId": {{amount}}, "logMonth": 0}', 'take:\n  month: /data/logMonth\n'),
      'collection.yml': 'variables: {}\n',
    });
    const left = join(directory, '.a.yaml.0123456789abcdef.tmp');
    await writeFile(left, 'half');
    await utimes(left, 1, 1);
    const data = { format: 'csv' as const, text: 'amuont,amount\n5,6\n' };
    const options = { data, variables: { mont: '1' } };
    const { runId, warnings } = await start(directory, { environmentId: id, options });
    expect(warnings).toEqual([
      'collection.yml is not read: settings are in collection.yaml. Rename it if it contains them.',
      'collection.yaml, line 1, column 1: owner is not a field of a settings file, so Croupier ignores it. A newer version of Croupier may have written it.',
      'collection.yaml: `order` lists aa.yaml, which does not exist. Did you mean a.yaml?',
      'a.yaml, line 4, column 1: team is not a field of a request file, so Croupier ignores it. A newer version of Croupier may have written it.',
      'Never used: balanse (set by `take` in a.yaml).',
      'Never used: mont (a variable of this run). Did you mean month?',
      'Never used: amuont (a column of the data). Did you mean amount?',
    ]);
    await ended(runId);
    // What a killed save left there is removed.
    expect(readdirSync(directory)).not.toContain(basename(left));
    expect((await client.call('runs.list', {})).runs[0]?.warnings).toEqual(warnings);
    for (const as of ['junit', 'json', 'html'] as const) {
      const { text } = await client.call('runs.export', { runId, as });
      for (const warning of warnings) expect(text, as).toContain(warning);
    }
  });
});

describe('a report', () => {
  it('holds no token, of answers, variables and data alike', async () => {
    const server = await listen((_, response) =>
      response.end('{"code":3,"message":"bad token-abcdefgh","data":{"token":"token-abcdefgh"}}'),
    );
    const { environment, run, client } = await open();
    const { id } = await environment(server);
    const directory = await collection({
      'a.yaml': round(
        '{"externalToken": "{{externalToken}}"}',
        'take:\n  token: /data/token\nexpect:\n  - path: /data/token\n    equals: x\n  - path: /message\n    equals: "{{externalToken}}"\n',
      ),
      'b.yaml': round('{"roundId": {{token}}}'),
    });
    const { runId } = await run(directory, { environmentId: id, options: { variables: { externalToken: 'secret-session-1' } } });
    for (const as of ['junit', 'json', 'html'] as const) {
      const { text } = await client.call('runs.export', { runId, as });
      expect(text).not.toContain('secret-session-1');
      expect(text).not.toContain('token-abcdefgh');
    }
  });
});
