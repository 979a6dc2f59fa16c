import { beforeEach, describe, expect, it } from 'vitest';
import { CollectionRequest } from '#shared/collections/model.ts';
import { AppError } from '#shared/errors.ts';
import { printReason, reasonHeader } from '#shared/explanation/provider-reason.ts';
import { Environment, type Call } from '#shared/ipc/index.ts';
import type { AnnouncedCall, RunCall } from '../calls/calls.ts';
import { takersIn } from '#shared/variables/takers.ts';
import { evaluateJob } from '../collections/checks/evaluate-response.ts';
import { createEvaluation } from '../collections/checks/response-evaluation.ts';
import { readyRequest, type RequestDeps, type RequestInput } from './request.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const environment = Environment.parse({
  id: 'sandbox',
  name: 'Built-in',
  baseUrl: 'https://localhost:8443',
  platform: 1,
  partnerId: 2,
});
const token = 'token-of-the-player';
const evaluateWithThread = createEvaluation({ run: async (_, subject) => evaluateJob(subject as never) as never });
const evaluate = createEvaluation({ run: () => Promise.reject(new Error('No thread is asked')) });

let now: number;
let session: Record<string, string>;
/** Steps of the calls: announced, sent, withdrawn. */
let log: string[];
let announced: RunCall[];
/** Result of the call. */
let delivered: { call: Partial<Call>; body?: string } | Error;
let refusal: Error | null;
let faults: unknown[];
beforeEach(() => {
  [now, session, log, announced, refusal, faults] = [noon, {}, [], [], null, []];
  delivered = { call: {}, body: '{"code":0,"message":"ok","data":{"balance":5}}' };
});

async function announce(request: RunCall): Promise<AnnouncedCall> {
  if (refusal !== null) throw refusal;
  announced.push(request);
  return {
    sentAt: noon,
    async send() {
      log.push('send');
      if (delivered instanceof Error) throw delivered;
      const { operation } = request.draft;
      const call = {
        id: 7,
        environmentId: 'sandbox',
        url: 'https://localhost:8443/serviceApi.php',
        operation,
        state: 'answered',
        status: 200,
        code: 0,
        durationMs: 5,
        failure: null,
        findings: [],
        request: { bodyText: request.draft.text, hashInput: null },
        response: { status: 200, headers: [], truncated: false },
        ...delivered.call,
      } as unknown as Call;
      return { call, body: Buffer.from(delivered.body ?? ''), raw: Buffer.alloc(0), recorded: Promise.resolve(null) };
    },
    async withdraw() {
      log.push('withdraw');
    },
  } as AnnouncedCall;
}

function ready(request: object | null, input: Partial<RequestInput> = {}, deps: Partial<RequestDeps> = {}) {
  const planned = {
    path: 'folder/Bet',
    request: request === null ? null : CollectionRequest.parse({ operation: 'bet', ...request }),
    problem: request === null ? 'The file is broken.' : '',
    folders: [],
  };
  return readyRequest(
    {
      runId: 'run-1',
      environment,
      session: () => session,
      games: () => null,
      takersFor: async (own) => takersIn([{ path: 'first/Login.yaml', takes: ['late'] }], own),
      announce,
      evaluate,
      stopped: new AbortController().signal,
      now: () => now,
      newId: () => 'id',
      onFault: (error) => void faults.push(error),
      ...deps,
    },
    {
      planned,
      collection: {},
      variables: {},
      answers: {},
      missing: new Map(),
      namedIds: new Map(),
      ticket: 'run-1:1',
      inTurn: (write) => write(),
      ...input,
    },
  );
}

const outcome = async (...given: Parameters<typeof ready>) => (await ready(...given)).send();
const reported = async (...given: Parameters<typeof ready>) => (await outcome(...given)).reported;

describe('a request that cannot leave', () => {
  it('is an error with what is wrong with its file, and has no row', async () => {
    const request = await ready(null);
    expect(await request.send()).toMatchObject({
      reported: {
        path: 'folder/Bet',
        operation: null,
        state: 'error',
        reason: 'The file is broken.',
        callId: null,
        code: null,
        status: null,
        durationMs: null,
        checks: [],
        findings: [],
        unchecked: false,
        unrecorded: '',
      },
      taken: {},
    });
    expect(request.isFresh()).toBe(true);
    await request.withdraw();
    expect(announced).toEqual([]);
  });

  it('names each variable that has no value, and the response that did not give one', async () => {
    const data = '{"a":"{{nobody}}",\n"b":"{{late}}"}';
    const { state, reason } = await reported(
      { data },
      { missing: new Map([['late', 'folder/Login']]), collection: { late: 'of a scope further out' } },
    );
    expect(state).toBe('error');
    expect(reason).toMatch(/^folder\/Bet\.yaml, data, line 1, column 7: .*nobody/);
    expect(reason).toContain(
      "folder/Bet.yaml, data, line 2, column 6: late comes from the response of folder/Login, which didn't contain it.",
    );
    const taken = await reported({ data: '"{{late}}"' });
    expect(taken.reason).toBe(
      'folder/Bet.yaml, data, line 1, column 2: There is no variable late yet. first/Login.yaml sets it from its response. Run it first.',
    );
    const many = Array.from({ length: 12 }, (_, at) => `"{{n${at}x}}"`).join();
    const first = await reported({ data: `[${many}]` });
    expect(first.reason).toContain('n9x');
    expect(first.reason).not.toContain('n10x');
  });

  it('says why it was refused, without a token of its values, and withdraws nothing', async () => {
    refusal = new AppError('refused', `The text ${token} is wrong.`, { line: 3, column: 9 });
    expect(await reported({ data: '{}' }, { variables: { externalToken: token } })).toMatchObject({
      state: 'error',
      reason: expect.stringMatching(/^folder\/Bet\.yaml, data, line 3, column 9: The text (?!token-of)/),
    });
    refusal = new AppError('refused', 'Not now.', { line: 3 });
    expect(await reported({ data: '{}' })).toMatchObject({ reason: 'folder/Bet.yaml: Not now.' });
    refusal = new AppError('cancelled', 'Cancelled.');
    expect(await reported({ data: '{}' })).toMatchObject({ state: 'cancelled', reason: 'Cancelled.' });
    refusal = new TypeError('a fault');
    await expect(ready({ data: '{}' })).rejects.toThrow('a fault');
    expect(log).toEqual([]);
  });
});

describe('a request that leaves', () => {
  it('has its variables put in, and names run, path and ticket', async () => {
    await outcome({ data: '{"amount":{{amount}}}' }, { variables: { amount: '1.50' }, answers: { amount: '2.50' } });
    expect(announced).toMatchObject([
      {
        draft: { environmentId: 'sandbox', operation: 'bet', text: '{"amount":2.50}' },
        ticket: 'run-1:1',
        collectionRun: { id: 'run-1', path: 'folder/Bet' },
      },
    ]);
    expect(log).toEqual(['send']);
  });

  it('is fresh for a second, and while the environment gives the same', async () => {
    session = { externalToken: 'one' };
    const request = await ready({ data: '{}' });
    now = noon + 1_000;
    expect(request.isFresh()).toBe(true);
    now = noon + 1_001;
    expect(request.isFresh()).toBe(false);
    now = noon;
    for (const other of [{ externalToken: 'two' }, {}, { externalToken: 'one', more: '1' }, { another: 'one' }]) {
      session = other as Record<string, string>;
      expect(request.isFresh(), JSON.stringify(other)).toBe(false);
    }
    session = { externalToken: 'one' };
    expect(request.isFresh()).toBe(true);
    await request.withdraw();
    expect(log).toEqual(['withdraw']);
  });

  it('passes or fails by its checks, and gives what it takes', async () => {
    const passed = await outcome({ expect: [{ code: '0' }], take: { balance: '/data/balance' } });
    expect(passed.reported).toMatchObject({
      state: 'passed',
      reason: '',
      callId: 7,
      code: 0,
      status: 200,
      durationMs: 5,
      unchecked: false,
    });
    expect({ ...passed.taken }).toEqual({ balance: '5' });
    expect(Object.getPrototypeOf(passed.taken)).toBeNull();
    const lacking = await outcome({ take: { balance: '/data/balance', more: '/data/more' } });
    expect(lacking).toMatchObject({ reported: { state: 'failed' }, taken: { balance: '5' } });
    expect('more' in lacking.taken).toBe(false);
    expect(await reported({ expect: [{ code: '1' }] })).toMatchObject({ state: 'failed', reason: '1 of 1 check failed.' });
    expect(await reported({ expect: [{ code: '1' }, { code: '0' }, { status: '500' }] })).toMatchObject({
      reason: '2 of 3 checks failed.',
    });
    expect(await reported({})).toMatchObject({ state: 'passed', unchecked: true });
  });

  it('that failed says why the built-in provider rejected it', async () => {
    const headers = (standsIn: boolean): [string, string][] => [
      [reasonHeader, printReason({ why: `No player has ${token}.`, standsIn, byte: null, isReason: false, mistake: false })],
    ];
    const response = (standsIn: boolean) => ({ status: 200, headers: headers(standsIn), bodyBytes: 0, truncated: false });
    const body = '{"code":3,"message":"no","data":null}';
    const input = { variables: { externalToken: token } };
    delivered = { call: { code: 3, response: response(false) }, body };
    expect((await reported({ expect: [{ code: '0' }] }, input)).reason).toMatch(
      /^1 of 1 check failed\. The built-in provider's reason: No player has (?!token-of)\S+$/,
    );
    delivered = { call: { code: 3, response: response(true) }, body };
    expect((await reported({ expect: [{ code: '0' }] }, input)).reason).toContain('The built-in provider uses code 3 here.');
    // One that failed as it should needs no reason.
    expect((await reported({ expect: [{ code: '3' }] }, input)).reason).toBe('');
    delivered = { call: { code: null, response: response(true) }, body };
    expect((await reported({ expect: [{ code: '0' }] }, input)).reason).not.toContain('uses code');
  });

  it('that did not pass holds its call, with every token masked; one that passed does not', async () => {
    const input = { variables: { externalToken: token } };
    const hashInput = { time: '01-01-2026 00:00:00', dataJson: `{"externalToken":"${token}"}`, dataOffset: 0, dataLength: 0 };
    const bodyText = `{"data":{"externalToken":"${token}"},"hash":"ab"}`;
    delivered = {
      call: { code: 3, request: { bodyText, hashInput, hash: 'ab' } } as unknown as Partial<Call>,
      body: `{"code":3,"message":"no ${token}","data":null}`,
    };
    const { call } = await reported({ expect: [{ code: '0' }] }, input);
    expect(call).toMatchObject({
      url: 'https://localhost:8443/serviceApi.php',
      requestBody: '{"data":{"externalToken":"[token]"},"hash":"ab"}',
      hashInput: '<PRIVATE_KEY>01-01-2026 00:00:00{"externalToken":"[token]"}',
      hash: 'ab',
      responseBody: '{"code":3,"message":"no [token]","data":null}',
    });
    expect(call?.verdict).not.toBe('');
    expect(JSON.stringify(call)).not.toContain(token);
    expect((await reported({ expect: [{ code: '3' }] }, input)).call).toBeUndefined();
    delivered = { ...delivered, body: `{"code":3,"text":"${'x'.repeat(20_000)}${token}"}` };
    expect((await reported({ expect: [{ code: '0' }] }, input)).call?.responseBody).toMatch(
      /^.{16384}… \(20,0\d\d characters\)$/,
    );
    delivered = { ...delivered, body: 'x'.repeat(1_000_001) };
    const { call: long } = await reported({ expect: [{ path: '/a', present: true }] }, input, { evaluate: evaluateWithThread });
    expect(long?.responseBody).toBe('(not shown: it has 1,000,001 bytes; a report has room for 1,000,000)');
    delivered = { call: { state: 'failed', failure: { message: `No ${token}.`, hint: '' }, response: null } as Partial<Call> };
    expect((await reported({}, input)).call).toMatchObject({ responseBody: null, verdict: '' });
  });

  it('stays failed if its call cannot be described, and says why the report lacks it', async () => {
    const fault = new RangeError('A mistake.');
    const stop = new AbortController();
    for (const [thrown, why] of [
      [new AppError('storage', 'The thread ended.'), 'The thread ended.'],
      [fault, 'An error in Croupier: A mistake.'],
      [null, 'The run was cancelled.'],
    ] as const) {
      // A report looks at five texts of a call, and at no check.
      const failing: typeof evaluate = async (subject, stopped) => {
        if (subject.sentences.length !== 5 || subject.expect.length > 0) return evaluate(subject, stopped);
        if (thrown === null) stop.abort();
        throw thrown ?? stop.signal.reason;
      };
      expect(await reported({ expect: [{ code: '1' }] }, {}, { evaluate: failing, stopped: stop.signal })).toMatchObject({
        state: 'failed',
        callId: 7,
        checks: [{ passed: false }],
        reason: `1 of 1 check failed. Call 7 is not in the report. ${why}`,
      });
    }
    expect(faults).toEqual([fault]);
  });

  it('without a response says what failed, and is cancelled or an error', async () => {
    const failure = { kind: 'timeout', phase: 'send', message: 'No answer.', hint: 'Try again.' };
    delivered = { call: { state: 'failed', failure, response: null } as Partial<Call> };
    expect(await reported({ data: '{}', expect: [{ code: '0' }] })).toMatchObject({
      state: 'error',
      callId: 7,
      checks: [],
      reason: 'No answer. Try again.',
    });
    delivered = { call: { state: 'cancelled', failure: { ...failure, hint: '' }, response: null } as Partial<Call> };
    expect(await reported({ data: '{}' })).toMatchObject({ state: 'cancelled', reason: 'No answer.' });
    delivered = { call: { response: null } };
    expect(await reported({ data: '{}' })).toMatchObject({ state: 'error', reason: 'There is no response.' });
    // A response that broke off was not checked.
    delivered = { call: { state: 'failed', failure } as Partial<Call>, body: '{"code":0}' };
    expect(await reported({ data: '{}', expect: [{ code: '0' }] })).toMatchObject({ state: 'error', checks: [] });
  });

  it('has findings of request and response, each in its order', async () => {
    const finding = { rule: 'of-response', severity: 'warning', path: '/x', start: 0, end: 0, message: `Has ${token}.` };
    delivered = { call: { findings: [finding] } as Partial<Call>, body: '{"code":0}' };
    const { findings } = await reported({ data: '{"amount":"x"}' }, { variables: { externalToken: token } });
    expect(findings.at(-1)).toEqual({
      about: 'response',
      rule: 'of-response',
      severity: 'warning',
      path: '/x',
      message: expect.stringMatching(/^Has (?!token-of)/),
    });
    expect(findings.length).toBeGreaterThan(1);
    expect(findings.slice(0, -1).every(({ about }) => about === 'request')).toBe(true);
  });

  it('is compared with the game list where it names a game', async () => {
    let asked = 0;
    const games = () => {
      asked += 1;
      return null;
    };
    await outcome({ operation: 'bet', data: '{}' }, {}, { games });
    expect(asked).toBe(0);
    await outcome({ operation: 'freeRounds', form: 'single', data: '{}' }, {}, { games });
    expect(asked).toBe(1);
  });

  it('that the program does not let go is withdrawn', async () => {
    delivered = new AppError('cancelled', 'The program is ending.');
    expect(await reported({ data: '{}' })).toMatchObject({ state: 'cancelled', reason: 'The program is ending.', callId: null });
    expect(log).toEqual(['send', 'withdraw']);
  });
});
