import type { ReportedFinding, ReportedRequest } from '#shared/collections/reported-request.ts';
import { walletCollection } from '#shared/collections/run-words.ts';
import { AppError } from '#shared/errors.ts';
import type { Call, Confirmed, Environment, Output, ParsedInput } from '#shared/ipc/index.ts';
import { isTokenName } from '#shared/provider/tokens.ts';
import { walletNames, type WalletName } from '#shared/model/operations.ts';
import { allCases, inOrder } from '#shared/wallet/cases/all-cases.ts';
import { moneyText, readMoney, sizeOf, stakeProblem, type Money } from '#shared/wallet/money.ts';
import { effectOf, exposureOf, obstacleOf, termsOf } from '#shared/wallet/terms.ts';
import { caseGroups } from '#shared/wallet/run-facts.ts';
import type { WalletCase } from '#shared/wallet/wallet-case.ts';
import type { Calls } from '../calls/calls.ts';
import type { Confirmations } from '../calls/confirmations.ts';
import { maskOf } from '../collections/checks/evaluate-response.ts';
import type { EvaluateResponse } from '../collections/checks/response-evaluation.ts';
import { prepareIterations } from '../runs/iterations.ts';
import { readyValue } from '../runs/request.ts';
import { reportedCall } from '../runs/reported-call.ts';
import type { Runs } from '../runs/runs.ts';
import { kindOf, readBody, type Answer } from './answer.ts';
import {
  createWalletRun,
  type RanCase,
  type RecordedBalance,
  type Unopened,
  type WalletRun,
  type WalletRunSettings,
} from './case-run.ts';
import { jsonOf } from './requests.ts';

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
  /** Yields the calls of a run in the order in which they left, with the bodies of their responses. Fails with `not_found` if there is none. */
  readonly callsOf: (runId: string) => AsyncIterable<{ readonly call: Call; readonly body: Uint8Array }>;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly monotonic: () => number;
}

/** Session tokens for a test. `giveBack` takes them when it is over, in their order: some replaced others. */
export interface SessionTokens {
  readonly tokens: readonly string[];
  readonly giveBack: (present: readonly string[]) => void;
}

/** Creates what tests operators' wallets. Its members are those of the inside contract. */
export function createWallet(deps: WalletDeps) {
  const { environment: environmentOf, runs } = deps;

  /** Returns the cases that are asked for. Fails with `invalid_input`, also for the stake. */
  async function casesFor(asked: ParsedInput<'wallet.plan'>): Promise<readonly WalletCase[]> {
    const { environmentId, stake, only, collectionId, directory } = asked;
    const invalid = (message: string, field?: 'stake') =>
      new AppError('invalid_input', message, field === undefined ? {} : { field });
    const problem = stakeProblem(stake);
    if (problem !== null) throw invalid(problem, 'stake');
    const where = collectionId !== undefined ? { collectionId } : directory !== undefined ? { directory } : null;
    const own = where === null ? [] : await deps.ownCases(where, environmentId);
    const twice = own.find(({ id }) => allCases().some((one) => one.id === id));
    if (twice !== undefined)
      throw invalid(`${twice.id} is the ID of one of Croupier's own cases. Choose another in wallet-cases.yaml.`);
    const all = inOrder([...allCases(), ...own]);
    const unknown = only.find((name) => !all.some(({ id, group }) => id === name || group === name));
    if (unknown !== undefined)
      throw invalid(`There is no case or group ${JSON.stringify(unknown)}. List them with croupier wallet test --dry-run.`);
    return only.length === 0 ? all : all.filter(({ id, group }) => only.includes(id) || only.includes(group));
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

  const runOf = (environment: Environment, settings: WalletRunSettings) =>
    createWalletRun(settings, {
      environment,
      announce: deps.calls.announce,
      later: deps.later,
      monotonic: deps.monotonic,
      mask: (text, answers) =>
        maskOf(
          () => answers.flatMap(({ sent, delivered }) => [sent.body, Buffer.from(delivered.body).toString('utf8')]),
          (name) => isTokenName(name, environment.answers),
        ).text(text),
    });

  return {
    async plan(input: ParsedInput<'wallet.plan'>): Promise<Output<'wallet.plan'>> {
      const { answers, defaults } = environmentOf(input.environmentId);
      const cases = await casesFor(input);
      const terms = termsOf({ currency: defaults.currency, answers, stake: input.stake, fractions: true });
      const scene = { answers, terms, balances: null, hasEarlierRun: false, lost: 0n };
      const listed = cases.map((one) => {
        const { steps: _steps, needs: _needs, waitsFor: _waitsFor, observes: _observes, special: _special, ...about } = one;
        const obstacle = obstacleOf(one, scene);
        const exposure = exposureOf(one, terms, null);
        return {
          ...about,
          // What hangs on the player shows when it is asked for.
          waits: obstacle?.verdict === 'waiting' ? obstacle.why : null,
          point: obstacle?.point ?? null,
          risk: exposure === null ? null : moneyText(exposure, terms.digits),
        };
      });
      const text = (money: Money) => moneyText(money, terms.digits);
      const made = cases.filter((one) => (exposureOf(one, terms, null) ?? terms.stake + 1n) <= terms.stake);
      const most = (player?: number) => {
        const risks = made.map((one) => exposureOf(one, terms, null, player) ?? 0n);
        return text(risks.reduce((larger, risk) => (risk > larger ? risk : larger), 0n));
      };
      return {
        cases: listed,
        stake: text(terms.stake),
        most: { all: most(), players: [most(1), most(2)] },
        small: text(terms.small),
        currency: terms.currency,
      };
    },
    async start(input: ParsedInput<'wallet.start'>): Promise<Output<'wallet.start'>> {
      const { environmentId, stake, gameId, strict, retryOf, confirmed } = input;
      const environment = environmentOf(environmentId);
      const cases = await casesFor(input);
      const terms = termsOf({ currency: environment.defaults.currency, answers: environment.answers, stake, fractions: true });
      confirm(environment, `${moneyText(terms.stake, terms.digits)} ${terms.currency}`, cases.length, confirmed);
      const earlier = retryOf === null ? null : await earlierOf(retryOf, environment);
      const paths = cases.map(({ id, group, name }) => `${caseGroups[group]}/${id} ${name.replaceAll('/', ' ')}`);
      const iterations = await prepareIterations({ repeat: 1, variables: {}, data: null }, () => Promise.resolve());
      const { tokens, giveBack } = await deps.sessionTokens(environmentId, input.tokens);
      let run: WalletRun | null = null;
      const begun = runs.begin(
        {
          job: {
            environment,
            plan: {
              requests: paths.map((path) => ({ path, request: null, problem: '', folders: [] })),
              needs: cases.map(() => new Map()),
            },
            iterations,
            only: null,
            options: { delayMs: 0, parallel: 1, bail: false },
          },
          facts: {
            collectionId: walletCollection,
            collection: 'Wallet',
            path: input.only.join(' '),
            repeat: 1,
            hasData: false,
            warnings: [],
          },
          part: null,
          onEnd: () => giveBack(run?.sessions.map(({ token }) => token) ?? []),
        },
        (runId) => {
          const own = runOf(environment, { runId, tokens, stake, gameId: gameId || usualGame, strict, earlier });
          run = own;
          return ({ index }) =>
            Promise.resolve(
              readyValue(async () => {
                const path = paths[index] ?? '';
                const one = cases[index] as WalletCase;
                const ran = await own.run(one, index, path).catch((error: unknown): Unopened => {
                  if (!(error instanceof AppError)) throw error;
                  const left = `What this case moved was not put back: croupier wallet restore ${runId} does it.`;
                  return { problem: `${error.message} ${left}`, answer: null };
                });
                if ('problem' in ran) return unmade(path, ran);
                return {
                  reported: await reportOf(ran, one, path, environment),
                  taken: {},
                  recorded: recordedOf(ran),
                  ...(ran.ends === undefined ? {} : { stops: ran.ends }),
                };
              }),
            );
        },
      );
      // Without a run nobody used them.
      begun.catch(() => giveBack(tokens));
      return begun;
    },
    /** Puts back what an ended run left moved. Fails with `not_found`, and with `refused` if the run does not explain the difference. */
    async restore({ runId, tokens: given, confirmed }: ParsedInput<'wallet.restore'>): Promise<Output<'wallet.restore'>> {
      const begun = new Map<string, RecordedBalance>();
      let environmentId = '';
      for await (const { call, body } of deps.callsOf(runId)) {
        if (environmentId === '' && call.collectionRun?.path !== '')
          throw new AppError('refused', `The history no longer has the first calls of run ${runId}. Nothing was put back.`);
        environmentId ||= call.environmentId;
        if (call.operation === 'playerInfo') {
          const { member } = readBody(Buffer.from(body).toString('utf8'));
          const [playerId, balance] = [member('playerId'), readMoney(member('balance') ?? '')];
          if (playerId === null || balance === null) continue;
          const { before = balance, moved = 0n, open = [] } = begun.get(playerId) ?? {};
          begun.set(playerId, { before, last: balance, moved, open: open.filter(({ until }) => until > call.sentAt) });
          continue;
        }
        const { member } = readBody(call.request.bodyText);
        const playerId = member('playerId') ?? '';
        const player = begun.get(playerId);
        if (player === undefined) continue;
        const money = sizeOf(readMoney(member('amount') ?? '') ?? 0n);
        const took = call.failure === null ? call.durationMs : null;
        const until = Math.floor(call.sentAt + (took ?? Number.POSITIVE_INFINITY));
        begun.set(playerId, { ...player, moved: player.moved + money, open: [...player.open, { money, until }] });
      }
      const environment = environmentOf(environmentId);
      confirm(environment, '', 0, confirmed);
      const { tokens, giveBack } = await deps.sessionTokens(environmentId, given);
      const run = runOf(environment, { runId, tokens, stake: '', gameId: usualGame, strict: false, earlier: null });
      try {
        const unopened = await run.open();
        if (unopened !== null) throw new AppError('refused', unopened.problem);
        return { players: await run.restore(begun) };
      } finally {
        giveBack(tokens);
      }
    },
  };

  /** Returns the transactions of a run in this environment that were booked, each once, without what would not be repeated as it was. */
  async function earlierOf(runId: string, { id: environmentId, name }: Environment): Promise<WalletRunSettings['earlier']> {
    const found = new Map<string, NonNullable<WalletRunSettings['earlier']>[number]>();
    for await (const { call, body } of deps.callsOf(runId)) {
      if (call.environmentId !== environmentId) throw new AppError('refused', `Run ${runId} was not made in ${name}.`);
      const method = transactions.find((one) => one === call.operation);
      const { bodyText } = call.request;
      const { object } = readBody(bodyText);
      if (method === undefined || object === null || kindOf(call, readBody(Buffer.from(body).toString('utf8'))) !== 'booked')
        continue;
      const members = object.members.map(({ key, value }) => [key, bodyText.slice(value.start, value.end)] as const);
      const id = `${method} ${jsonOf(members, 'transactionId') ?? ''}`;
      if (!found.has(id)) found.set(id, { method, members });
    }
    return [...found.values()];
  }

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
    const isBad = verdict === 'fails' || verdict === 'warns';
    const state = verdict === 'fails' ? 'failed' : verdict === 'waiting' || verdict === 'skipped' ? 'skipped' : 'passed';
    const checks = steps
      .filter(({ passed }) => passed || state === 'failed')
      .map(({ sent, expected, came, passed }) => ({ check: sent, passed, expected, actual: came, message: passed ? '' : harm }));
    const warning: ReportedFinding = { rule: `wallet.${grade}`, severity: 'warning', path: '', message: saw, about: 'response' };
    const took = answers.reduce((sum, { from, to }) => sum + to - from, 0);
    return {
      ...reported(path, state, failed ?? answers.at(-1) ?? null, state === 'passed' ? '' : saw),
      durationMs: answers.length === 0 ? null : Math.round(took * 1_000) / 1_000,
      checks,
      findings: verdict === 'warns' ? [warning] : [],
      case: isBad ? { ...outcome, about: { why, harm, cause } } : outcome,
      ...(failed === null || !isBad
        ? {}
        : {
            call: await reportedCall(
              { environment, evaluate: deps.evaluate, stopped: never },
              { ...failed.delivered, known: [failed.sent.body] },
            ),
          }),
    };
  }
}

const never = new AbortController().signal;
const usualGame = '1';

/** Returns a request of the run's report that a response stands for. */
function reported(path: string, state: ReportedRequest['state'], answer: Answer | null, reason: string): ReportedRequest {
  const { id: callId = null, code = null, status = null } = answer?.delivered.call ?? {};
  const nothing = { durationMs: null, checks: [], unchecked: false, unrecorded: '', findings: [] };
  return { path, operation: answer?.sent.method ?? null, state, reason, callId, code, status, ...nothing };
}

function unmade(path: string, { problem, answer }: Unopened) {
  return { reported: reported(path, 'error', answer, problem), taken: {}, recorded: Promise.resolve(null), stops: problem };
}

const transactions: readonly WalletName[] = walletNames.filter((name) => effectOf(name, 1n) !== 0n && name !== 'cancel');
