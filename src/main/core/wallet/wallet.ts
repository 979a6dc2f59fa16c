import type { ReportedFinding, ReportedRequest } from '#shared/collections/reported-request.ts';
import { walletCollection } from '#shared/collections/run-words.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, Confirmed, Environment, Output, ParsedInput } from '#shared/ipc/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { membersOf } from '#shared/json/values.ts';
import { parseJson } from '#shared/json/parse.ts';
import { walletNames, type WalletName } from '#shared/model/operations.ts';
import { allCases, inOrder } from '#shared/wallet/cases/all-cases.ts';
import { moneyText, readMoney, stakeProblem, type Money } from '#shared/wallet/money.ts';
import { effectOf, exposureOf, obstacleOf, termsOf } from '#shared/wallet/terms.ts';
import { caseGroups, type WalletCase } from '#shared/wallet/wallet-case.ts';
import type { Calls } from '../calls/calls.ts';
import type { Confirmations } from '../calls/confirmations.ts';
import { maskOf } from '../collections/checks/evaluate-response.ts';
import type { EvaluateResponse } from '../collections/checks/response-evaluation.ts';
import { prepareIterations } from '../runs/iterations.ts';
import { readyValue, type ReadyRequest } from '../runs/request.ts';
import { reportedCall } from '../runs/reported-call.ts';
import type { Runs } from '../runs/runs.ts';
import { createWalletRun, type EarlierRequest, type RanCase, type WalletRun } from './case-run.ts';
import type { Answer } from './answer.ts';

export interface WalletDeps {
  readonly environment: (id: string) => Environment;
  readonly calls: Pick<Calls, 'announce'>;
  readonly confirmations: Pick<Confirmations, 'requireEach'>;
  readonly runs: Pick<Runs, 'begin'>;
  readonly evaluate: EvaluateResponse;
  /** Returns the tokens that are given, or session tokens of an environment, at most two of two players. Fails as a token command does. */
  readonly sessionTokens: (environmentId: string, given: readonly string[]) => Promise<SessionTokens>;
  /** Returns the cases of a collection for an environment. Fails with `invalid_input`, with `refused` if they contain a private key. */
  readonly ownCases: (
    where: { collectionId?: string; directory?: string },
    environmentId: string,
  ) => Promise<readonly WalletCase[]>;
  /** Yields the calls of a run in the order in which they left, with the bodies of their responses. */
  readonly callsOf: (runId: string) => AsyncIterable<{ readonly call: Call; readonly body: Uint8Array }>;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly monotonic: () => number;
}

/** Session tokens for a test. `giveBack` takes them when it is over, in their order: some replaced others. */
export interface SessionTokens {
  readonly tokens: readonly string[];
  readonly giveBack: (present: readonly string[]) => void;
}

type Asked = Omit<ParsedInput<'wallet.start'>, 'confirmed' | 'retryOf'>;

/** Creates what tests operators' wallets. Its members are those of the inside contract. */
export function createWallet(deps: WalletDeps) {
  const { environment: environmentOf, runs, monotonic, later } = deps;

  /** Returns the cases that are asked for. Fails with `invalid_input`. */
  async function casesFor({
    environmentId,
    only,
    collectionId,
    directory,
  }: Pick<Asked, 'environmentId' | 'only' | 'collectionId' | 'directory'>): Promise<readonly WalletCase[]> {
    const where = collectionId !== undefined ? { collectionId } : directory !== undefined ? { directory } : null;
    const own = where === null ? [] : await deps.ownCases(where, environmentId);
    const twice = own.find(({ id }) => allCases().some((one) => one.id === id));
    if (twice !== undefined)
      throw new AppError(
        'invalid_input',
        `${twice.id} is the ID of one of Croupier's own cases. Choose another in wallet-cases.yaml.`,
      );
    const all = inOrder([...allCases(), ...own]);
    const unknown = only.find((name) => !all.some(({ id, group }) => id === name || group === name));
    if (unknown !== undefined)
      throw new AppError(
        'invalid_input',
        `There is no case or group ${JSON.stringify(unknown)}. List them with croupier wallet cases.`,
      );
    return only.length === 0 ? all : all.filter(({ id, group }) => only.includes(id) || only.includes(group));
  }

  function checkStake(stake: string): void {
    const problem = stakeProblem(stake);
    if (problem !== null) throw new AppError('invalid_input', problem, { field: 'stake' });
  }

  function confirm(environment: Environment, stake: string, cases: number, confirmed: Confirmed): void {
    const ask = () => ({
      url: environment.walletUrl === '' ? environment.baseUrl : environment.walletUrl,
      call: null,
      run: null,
      wallet: { stake, cases },
    });
    deps.confirmations.requireEach(environment, ask, confirmed);
  }

  const maskFor = (environment: Environment) => (text: string, answers: readonly Answer[]) =>
    maskOf(
      () => answers.flatMap(({ sent, delivered }) => [sent.body, Buffer.from(delivered.body).toString('utf8')]),
      (name) => isTokenName(name, environment.answers),
    ).text(text);

  const runDeps = (environment: Environment) => ({
    environment,
    announce: deps.calls.announce,
    later,
    monotonic,
    mask: maskFor(environment),
  });

  return {
    async plan(input: ParsedInput<'wallet.plan'>): Promise<Output<'wallet.plan'>> {
      checkStake(input.stake);
      const { answers, defaults } = environmentOf(input.environmentId);
      const cases = await casesFor(input);
      const terms = termsOf({ currency: defaults.currency, answers, stake: input.stake, fractions: true });
      const scene = { answers, terms, balances: null, players: 2, hasEarlierRun: false, lost: 0n };
      const listed = cases.map((one) => {
        const obstacle = obstacleOf(one, scene);
        const exposure = exposureOf(one, terms, null);
        const { id, group, name, why, harm, cause, grade, section } = one;
        const risk = exposure === null ? null : moneyText(exposure, terms.digits);
        // What hangs on the player shows when it is asked for.
        const waits = obstacle?.verdict === 'waiting' ? obstacle.why : null;
        const point = obstacle?.point ?? null;
        return { id, group, name, why, harm, cause, grade, section, waits, point, risk };
      });
      const [stake, small] = [terms.stake, terms.small].map((money) => moneyText(money, terms.digits));
      return { cases: listed, stake: stake ?? '', small: small ?? '', currency: terms.currency };
    },
    async start(input: ParsedInput<'wallet.start'>): Promise<Output<'wallet.start'>> {
      const { environmentId, stake, gameId, strict, retryOf, confirmed } = input;
      checkStake(stake);
      const environment = environmentOf(environmentId);
      const cases = await casesFor(input);
      const terms = termsOf({ currency: environment.defaults.currency, answers: environment.answers, stake, fractions: true });
      confirm(environment, `${moneyText(terms.stake, terms.digits)} ${terms.currency}`, cases.length, confirmed);
      const earlier = retryOf === null ? null : await earlierOf(deps.callsOf(retryOf));
      const paths = cases.map(({ id, group, name }) => `${caseGroups[group]}/${id} ${name.replaceAll('/', ' ')}`);
      const requests = paths.map((path) => ({ path, request: null, problem: '', folders: [] }));
      let run: WalletRun | null = null;
      const facts = {
        collectionId: walletCollection,
        collection: 'Wallet',
        path: input.only.join(' '),
        repeat: 1,
        hasData: false,
        warnings: [],
      };
      const iterations = await prepareIterations({ repeat: 1, variables: {}, data: null }, () => Promise.resolve());
      const { tokens, giveBack } = await deps.sessionTokens(environmentId, input.tokens);
      const begun = runs.begin(
        {
          job: {
            environment,
            plan: { requests, needs: cases.map(() => new Map()) },
            iterations,
            only: null,
            options: { delayMs: 0, parallel: 1, bail: false },
          },
          facts,
          part: null,
          onEnd: () => giveBack(run?.sessions.map(({ token }) => token) ?? []),
        },
        (runId) =>
          async (turn): Promise<ReadyRequest> => {
            run ??= createWalletRun({ runId, tokens, stake, gameId: gameId || usualGame, strict, earlier }, runDeps(environment));
            const own = run;
            const one = cases[turn.index] as WalletCase;
            const path = paths[turn.index] ?? '';
            return readyValue(async () => {
              const problem = await own.open();
              if (problem !== null) return unmade(path, problem, own.lastOpened());
              const ran = await own.run(one, turn.index, path);
              return {
                reported: await reportOf(ran, one, path, environment),
                taken: {},
                recorded: recordedOf(ran),
                ...(ran.ends === undefined ? {} : { stops: ran.ends }),
              };
            });
          },
      );
      // Without a run nobody used them.
      begun.catch(() => giveBack(tokens));
      return begun;
    },
    /** Puts back what an ended run left moved. Fails with `not_found`, and with `refused` if the run does not explain the difference. */
    async restore({ runId, tokens: given, confirmed }: ParsedInput<'wallet.restore'>): Promise<Output<'wallet.restore'>> {
      const begun = new Map<string, { before: Money; moved: Money }>();
      let environmentId: string | null = null;
      for await (const { call, body } of deps.callsOf(runId)) {
        environmentId ??= call.environmentId;
        const told = membersIn(Buffer.from(body).toString('utf8'));
        if (call.operation === 'playerInfo') {
          const [playerId, balance] = [told.get('playerId'), readMoney(told.get('balance') ?? '')];
          if (playerId !== undefined && balance !== null && !begun.has(playerId))
            begun.set(playerId, { before: balance, moved: 0n });
          continue;
        }
        const asked = membersIn(call.request.bodyText);
        const money = readMoney(asked.get('amount') ?? '') ?? 0n;
        const player = begun.get(asked.get('playerId') ?? '');
        if (player !== undefined) player.moved += money < 0n ? -money : money;
      }
      if (environmentId === null) throw new AppError('not_found', `The history has no calls of run ${runId}.`);
      const environment = environmentOf(environmentId);
      confirm(environment, '', 0, confirmed);
      const { tokens, giveBack } = await deps.sessionTokens(environmentId, given);
      const run = createWalletRun(
        { runId, tokens, stake: '', gameId: usualGame, strict: false, earlier: null },
        runDeps(environment),
      );
      try {
        const problem = await run.open();
        if (problem !== null) throw new AppError('refused', problem);
        return { players: await run.restore(begun) };
      } finally {
        giveBack(tokens);
      }
    },
  };

  function recordedOf({ answers }: RanCase): Promise<string | null> {
    return Promise.all(answers.map(({ delivered }) => delivered.recorded)).then(
      (problems) => problems.find((one) => one !== null) ?? null,
    );
  }

  async function reportOf(
    { outcome, answers, failed }: RanCase,
    { why, harm, cause }: WalletCase,
    path: string,
    environment: Environment,
  ): Promise<ReportedRequest> {
    const { verdict, saw, steps, grade } = outcome;
    const first = failed ?? answers.at(-1) ?? null;
    const isBad = verdict === 'fails' || verdict === 'warns';
    const state = verdict === 'fails' ? 'failed' : verdict === 'waiting' || verdict === 'skipped' ? 'skipped' : 'passed';
    const checks = steps
      .filter(({ passed }) => passed || state === 'failed')
      .map(({ sent, expected, came, passed }) => ({ check: sent, passed, expected, actual: came, message: passed ? '' : harm }));
    const warning: ReportedFinding = { rule: `wallet.${grade}`, severity: 'warning', path: '', message: saw, about: 'response' };
    const call = failed === null ? null : failed.delivered;
    return {
      path,
      operation: first === null ? null : first.sent.method,
      state,
      reason: state === 'passed' ? '' : saw,
      callId: first?.delivered.call.id ?? null,
      code: first?.delivered.call.code ?? null,
      status: first?.delivered.call.status ?? null,
      durationMs:
        answers.length === 0 ? null : Math.round(answers.reduce((sum, { from, to }) => sum + to - from, 0) * 1_000) / 1_000,
      checks,
      unchecked: false,
      unrecorded: '',
      findings: verdict === 'warns' ? [warning] : [],
      case: isBad ? { ...outcome, about: { why, harm, cause } } : outcome,
      ...(call === null || !isBad
        ? {}
        : {
            call: await reportedCall(
              { environment, evaluate: deps.evaluate, stopped: never },
              { ...call, known: [failed?.sent.body ?? ''] },
            ),
          }),
    };
  }
}

const never = new AbortController().signal;
const usualGame = '1';

function unmade(path: string, problem: string, opened: Answer | null) {
  const call = opened?.delivered.call;
  const [callId, code, status] = [call?.id ?? null, call?.code ?? null, call?.status ?? null];
  const nothing = { durationMs: null, checks: [], unchecked: false, unrecorded: '', findings: [] };
  const operation = opened?.sent.method ?? null;
  const reported: ReportedRequest = { path, operation, state: 'error', reason: problem, callId, code, status, ...nothing };
  return { reported, taken: {}, recorded: Promise.resolve(null), stops: problem };
}

/** Returns the members of an object as the source text of their values; a text as its characters. */
function membersIn(text: string): ReadonlyMap<string, string> {
  const parsed = parseJson(text);
  if (!parsed.ok || parsed.root.kind !== 'object') return new Map();
  return new Map(
    [...membersOf(parsed.root)].map(([name, node]) => [
      name,
      node.kind === 'string' ? node.value : text.slice(node.start, node.end),
    ]),
  );
}

const transactions: readonly WalletName[] = walletNames.filter((name) => effectOf(name, 1n) !== 0n && name !== 'cancel');

/** Returns the transactions of a run that were booked, each once, without what would not be repeated as it was. */
async function earlierOf(calls: AsyncIterable<{ readonly call: Call; readonly body: Uint8Array }>): Promise<EarlierRequest[]> {
  const found = new Map<string, EarlierRequest>();
  for await (const { call, body } of calls) {
    const method = transactions.find((name) => name === call.operation);
    const parsed = parseJson(call.request.bodyText);
    const code = membersIn(Buffer.from(body).toString('utf8')).get('code') ?? '0';
    if (method === undefined || call.status !== 200 || code !== '0' || !parsed.ok || parsed.root.kind !== 'object') continue;
    const members = parsed.root.members.map(
      ({ key, value }) => [key, call.request.bodyText.slice(value.start, value.end)] as const,
    );
    const id = members.find(([name]) => name === 'transactionId')?.[1] ?? '';
    if (!found.has(`${method} ${id}`)) found.set(`${method} ${id}`, { method, members });
  }
  return [...found.values()];
}
