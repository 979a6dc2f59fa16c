import { resolve } from 'node:path';
import { amount } from '#shared/amount.ts';
import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import { unrecordedText, walletCollection } from '#shared/collections/run-words.ts';
import type { Client, Environment, FinishedRequest, Output } from '#shared/ipc/index.ts';
import { recordedAnswer } from '#shared/provider/recorded-answers.ts';
import { changeText, compareRuns, latencies, movedMoney, verdictsText, type CountedVerdict } from '#shared/wallet/run-facts.ts';
import { moneyText, readMoney, type Money } from '#shared/wallet/money.ts';
import { caseChecks, caseGroups } from '#shared/wallet/wallet-case.ts';
import { usageError, type Arguments, type OptionSpec } from '../arguments.ts';
import { envHelp } from '../chosen-environment.ts';
import type { Command, Context } from '../command.ts';
import { exits } from '../exit-codes.ts';
import { takeKey } from '../key-variable.ts';
import { confirming, confirmProduction, noteLikeness, productionNote, requireTyped, shellWord } from '../production.ts';
import { namedEnvironment, readyEnvironment, startSandbox } from '../sandbox-environment.ts';
import { withWorkbench } from '../workbench.ts';
import type { Tone } from '../../process/terminal.ts';
import { createSkipped, tookText, type FinishedRun, type Line } from './run-lines.ts';
import { reportFiles, reportOptions, writeReports, type ReportFile } from './run-output.ts';
import { runNamed, runToEnd, type RunView } from './run-to-end.ts';

type Plan = Output<'wallet.plan'>;

/** Tones of verdicts. */
const tones = {
  holds: 'good',
  fails: 'bad',
  warns: 'open',
  observed: 'good',
  waiting: 'open',
  skipped: 'open',
  'not run': 'open',
} as const satisfies Record<CountedVerdict, Tone>;

const keyed: Readonly<Record<string, OptionSpec>> = {
  'key-env': { value: 'VAR', help: 'Read the key from this environment variable, not the keychain' },
};
const tokens: Readonly<Record<string, OptionSpec>> = {
  token: { value: 'TOKEN', multiple: true, help: 'Use this session token; a second one is of another player' },
  'token-env': { value: 'VAR', multiple: true, help: 'Read a session token from this environment variable' },
};
const choice: Readonly<Record<string, OptionSpec>> = {
  only: { value: 'NAME', multiple: true, help: 'Take only this case or group, such as retries-01 or retries' },
  stake: { value: 'N', help: "Risk at most this amount of the players' currency in the whole run (default 20)" },
  collection: { value: 'DIR', help: "Also take the cases of this collection's wallet-cases.yaml" },
};

export const walletTestCommand: Command = {
  spec: {
    name: 'wallet test',
    summary: "Test the wallet at an environment's wallet URL as its provider would call it, and put the money back.",
    positionals: [],
    options: {
      env: { value: 'NAME', help: envHelp },
      ...tokens,
      ...choice,
      game: { value: 'ID', help: 'Bet in this game (default 1)' },
      strict: { help: 'Count what is customary, and not required by the spec, as failed, too' },
      'retry-of': { value: 'RUN', help: 'Repeat the transactions of this earlier run (an ID, or "last")' },
      ...keyed,
      ...reportOptions,
      ...confirmProduction,
      json: { help: 'Print a JSON line per case, then one for the run' },
    },
    notes: [
      "Without a token, Croupier takes those of the built-in provider, of the environment's pool, or of its token command.",
      'A token in an argument is visible to other users of this computer; --token-env is not.',
      'Ctrl+C finishes the case under way, puts its money back, and still writes the reports.',
      productionNote,
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const given = tokensIn(args, context);
    const files = await reportFiles(args);
    const key = keyIn(args, context);
    return withWorkbench(context, { keys: { given: key }, startSandbox }, async (workbench) => {
      const { client } = workbench;
      const environment = await namedEnvironment(workbench, args, key, context);
      requireTyped(environment, args);
      await noteLikeness(client, environment, context);
      const wanted = casesIn(environment, args);
      const plan = await client.call('wallet.plan', wanted);
      const players =
        given.length > 0
          ? `those of ${amount(given.length, 'session token')} given`
          : `those of the session tokens of ${environment.name}`;
      terminal.note(`croupier: ${stakeText(plan)}; players: ${players}.`);
      const retryOf = await runNamed(client, args.value('retry-of'), ofWallet(environment.id));
      const more = { tokens: given, gameId: args.value('game') ?? '', strict: args.has('strict'), retryOf };
      const view = viewOf(client, environment, plan, files, context);
      return runToEnd(client, (confirmed) => client.call('wallet.start', { ...wanted, ...more, confirmed }), view, args, context);
    });
  },
};

export const walletRestoreCommand: Command = {
  spec: {
    name: 'wallet restore',
    summary: 'Put back, by /win and /bet, what a wallet test left moved. Exits with 1 if something is left.',
    positionals: ['RUN'],
    options: { ...tokens, ...keyed, ...confirmProduction },
    notes: ['RUN is the ID at the end of the test, or "last". Nothing is sent if the test does not explain a balance.'],
  },
  async run(args, context) {
    const given = tokensIn(args, context);
    const key = keyIn(args, context);
    return withWorkbench(context, { keys: { given: key }, startSandbox }, async (workbench) => {
      const { client } = workbench;
      const runId = (await runNamed(client, args.positionals[0], ofWallet())) ?? '';
      const run = (await client.call('runs.list', {})).runs.find((one) => one.runId === runId);
      if (run !== undefined)
        await readyEnvironment(workbench, {
          name: run.environmentId,
          keyVariable: args.value('key-env'),
          key,
          provider: 'any',
          terminal: context.terminal,
          stop: context.stop,
        });
      const { players } = await confirming(args, context, (confirmed) =>
        client.call('wallet.restore', { runId, tokens: given, confirmed }),
      );
      for (const { playerId, before, after, left } of players) {
        await context.terminal.line(`${playerId}: was ${before}, is ${after}${isZero(left) ? '' : `; ${left} is left moved`}`);
      }
      return players.every(({ left }) => isZero(left)) ? exits.done : exits.checksFailed;
    });
  },
};

export const walletCasesCommand: Command = {
  spec: {
    name: 'wallet cases',
    summary: 'List the cases of a wallet test: grade, what a faulty wallet could take, and the open point one waits for.',
    positionals: [],
    options: { env: { value: 'NAME', help: envHelp }, ...choice, json: { help: 'Print one JSON document' } },
  },
  run: (args, context) =>
    withWorkbench(context, { keys: 'keychain', startSandbox }, async (workbench) => {
      const { terminal } = context;
      const plan = await workbench.client.call(
        'wallet.plan',
        casesIn(await namedEnvironment(workbench, args, null, context), args),
      );
      if (args.has('json')) await terminal.result(JSON.stringify(plan, null, 2));
      else for (const line of caseLines(plan)) await terminal.line(line);
      return exits.done;
    }),
};

function tokensIn(args: Arguments, { terminal: { env } }: Context): string[] {
  const named = args.values('token-env').map((variable) => {
    const token = env[variable] ?? '';
    delete env[variable];
    if (token !== '') return token;
    throw usageError(walletTestCommand.spec, 'The environment variable that --token-env names is not set, or empty.');
  });
  const given = [...args.values('token'), ...named];
  if (given.length > 2) throw usageError(walletTestCommand.spec, 'Give at most two session tokens, of two players.');
  return given;
}

function keyIn(args: Arguments, { terminal }: Context): string | null {
  const variable = args.value('key-env');
  return variable === undefined ? null : takeKey(variable, terminal);
}

function casesIn(environment: Environment, args: Arguments) {
  const directory = args.value('collection');
  return {
    environmentId: environment.id,
    ...(directory === undefined ? {} : { directory: resolve(directory) }),
    stake: args.value('stake') ?? '',
    only: [...args.values('only')],
  };
}

function ofWallet(environmentId?: string) {
  return (run: Output<'runs.list'>['runs'][number]) =>
    run.collectionId === walletCollection && (environmentId === undefined || run.environmentId === environmentId);
}

const money = (text: string): Money => readMoney(text) ?? 0n;
const isZero = (text: string) => money(text) === 0n;

/** Says what a faulty wallet could take: those that could take more than the stake are not made. */
function stakeText({ cases, stake, currency }: Plan): string {
  const risks = cases.map(({ risk }) => money(risk ?? '0')).filter((risk) => risk <= money(stake));
  const most = moneyText(
    risks.reduce((larger, risk) => (risk > larger ? risk : larger), 0n),
    stake.split('.')[1]?.length ?? 0,
  );
  return `${amount(cases.length, 'case')}; a faulty wallet could take at most ${stake} in all and ${most} in one case, counted in ${currency}`;
}

function caseLines({ cases, stake, small, currency }: Plan): string[] {
  const idWidth = Math.max(...cases.map(({ id }) => id.length));
  const lines = Object.entries(caseGroups).flatMap(([group, title]) => {
    const own = cases.filter((one) => one.group === group);
    if (own.length === 0) return [];
    return [
      '',
      `${title} (--only ${group})`,
      ...own.map(({ id, grade, risk, name, waits }) => {
        const columns = [id.padEnd(idWidth), grade.padEnd(9), (risk ?? 'balance').padStart(8), name];
        return `  ${columns.join('  ')}${waits === null ? '' : `  waiting: ${waits}`}`;
      }),
    ];
  });
  const waiting = cases.filter(({ waits }) => waits !== null).length;
  const counts = `${amount(cases.length, 'case')}, ${waiting} waiting for an answer`;
  return [
    `${counts}. The third column is what a faulty wallet could take at most in ${currency}; the stake is ${stake}, a small bet ${small}.`,
    ...lines,
  ];
}

function viewOf(
  client: Client,
  environment: Environment,
  plan: Plan,
  files: readonly ReportFile[],
  { terminal }: Context,
): RunView {
  const outcomes: CaseOutcome[] = [];
  const made: { readonly grade: string; readonly verdict: CountedVerdict }[] = [];
  const [waiting, skipped, notRun] = [createSkipped(), createSkipped(), createSkipped()];
  return {
    finished({ index, request }) {
      const { path, state, reason, case: one } = request;
      made.push({ grade: one?.grade ?? plan.cases[index]?.grade ?? '', verdict: one?.verdict ?? 'not run' });
      const name = path.slice(path.indexOf('/') + 1);
      if (one !== undefined) outcomes.push(one);
      else if (state === 'error') return [[`${'error'.padEnd(9)}  ${name}  ${reason}`, ['error', 'bad']]];
      else notRun.add(name.split(' ')[0] ?? '', reason === '' ? 'The run was cancelled.' : reason);
      if (one?.verdict === 'waiting') waiting.add(one.id, one.saw);
      if (one?.verdict === 'skipped') skipped.add(one.id, one.saw);
      return one === undefined || one.verdict === 'waiting' || one.verdict === 'skipped' ? [] : caseLinesOf(one, name, request);
    },
    async ended(run) {
      const name = shellWord(environment.name);
      const before = await casesBefore(client, environment, run.runId);
      return [
        ...waiting.lines('waiting'),
        ...skipped.lines('skipped'),
        ...notRun.lines('not run'),
        ...(outcomes.some(({ verdict }) => verdict === 'waiting')
          ? [[`To record an answer: croupier env set ${name} --answer POINT=TEXT, or Open points in the workbench.`] as const]
          : []),
        ...observedLines(outcomes, environment),
        ...latencyLines(outcomes),
        ...ledgerLines(outcomes, run.runId),
        ...(before === null || outcomes.length === 0 ? [] : comparedLines(before, outcomes)),
        ...['required', 'customary', 'open'].flatMap((grade): Line[] => {
          const own = made.filter((one) => one.grade === grade).map(({ verdict }) => verdict);
          return own.length === 0 ? [] : [[`  ${grade.padEnd(9)}  ${verdictsText(own)}`]];
        }),
        lastLine(
          made.map(({ verdict }) => verdict),
          run,
        ),
      ];
    },
    write: (runId) => writeReports(files, async (as) => (await client.call('runs.export', { runId, as })).text, terminal),
  };
}

function caseLinesOf(one: CaseOutcome, name: string, { durationMs }: FinishedRequest['request']): Line[] {
  const moves = one.moved.map(
    ({ playerId, before, after, left }) =>
      `${playerId} ${changeText(before, after)}${isZero(left) ? ', put back' : `, ${left} left`}`,
  );
  const facts = [one.verdict === 'observed' ? one.saw : '', ...moves, `${Math.round(durationMs ?? 0)} ms`];
  const first = [one.verdict.padEnd(9), name, ...facts].filter((part) => part !== '').join('  ');
  const failed = one.verdict === 'observed' ? undefined : one.steps.find(({ passed }) => !passed);
  const wrong = one.verdict === 'fails' || one.verdict === 'warns';
  const lines = !wrong
    ? []
    : failed === undefined
      ? [one.saw]
      : [
          `Sent: ${failed.sent}`,
          `Expected: ${failed.expected}`,
          `Came: ${failed.came}`,
          `${failed.calls.length === 1 ? 'Call' : 'Calls'} ${failed.calls.join(', ')}`,
        ];
  return [[first, [one.verdict, tones[one.verdict]]], ...lines.map((line): Line => [`           ${line}`])];
}

/** Lists the answers that were seen and are not recorded yet, with the command that records one. */
function observedLines(outcomes: readonly CaseOutcome[], { name, answers }: Environment): Line[] {
  const seen = outcomes.flatMap(({ id, answer }) =>
    answer === null || recordedAnswer(answer.point, answers).state === 'valid' ? [] : [{ id, ...answer }],
  );
  const lines = [...Map.groupBy(seen, ({ point }) => point)].flatMap(([point, all]) => {
    const certain = all.filter(({ value }) => value !== null);
    const [first] = certain;
    const isOne = first !== undefined && certain.every(({ value }) => value === first.value);
    if (!isOne) return (certain.length === 0 ? all : certain).map(({ id, words }) => `  ${point} (${id}): ${words}`);
    const command = `croupier env set ${shellWord(name)} --answer ${shellWord(`${point}=${first.value}`)}`;
    return [`  ${command}   (${certain.map(({ id }) => id).join(', ')}: ${first.words})`];
  });
  return lines.length === 0
    ? []
    : ['Open points that this wallet answered, not recorded yet:', ...lines].map((line): Line => [line]);
}

function latencyLines(outcomes: readonly CaseOutcome[]): Line[] {
  const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ms`;
  const lines = latencies(outcomes).map(({ method, calls, median, ninetyFifth, worst }) => [
    `  /${method}`.padEnd(20),
    `${amount(calls, 'call')}: median ${ms(median)}, 95th ${ms(ninetyFifth)}, worst ${ms(worst)}`,
  ]);
  return lines.length === 0
    ? []
    : [[`Latency (expected: ${caseChecks.patience}):`], ...lines.map((parts): Line => [parts.join('')])];
}

/** Sums the moves of each player: each is at its case, too. */
function ledgerLines(outcomes: readonly CaseOutcome[], runId: string): Line[] {
  const sums = movedMoney(outcomes);
  const lines = sums.map(({ playerId, cases, moved, left }): Line => {
    const end = isZero(left) ? 'and was put back' : `and ${left} is left`;
    return [`  ${playerId}: ${moved} moved in ${amount(cases, 'case')} ${end}.`, isZero(left) ? undefined : [end, 'bad']];
  });
  if (lines.length === 0) return [];
  const restore = sums.every(({ left }) => isZero(left)) ? [] : [[`  To put it back: croupier wallet restore ${runId}`] as const];
  return [['Money:'], ...lines, ...restore];
}

/** Returns the cases of the run before, in the same environment; null if there is none. */
async function casesBefore(client: Client, { id }: Environment, runId: string) {
  const runs = (await client.call('runs.list', {})).runs.filter(ofWallet(id));
  const run = runs[runs.findIndex((one) => one.runId === runId) + 1];
  if (run === undefined) return null;
  const { requests } = await client.call('runs.requests', { runId: run.runId, limit: 1_000 });
  return { run, cases: requests.flatMap(({ request }) => request.case ?? []) };
}

function comparedLines(
  { run, cases }: NonNullable<Awaited<ReturnType<typeof casesBefore>>>,
  now: readonly CaseOutcome[],
): Line[] {
  const { fixed, brokenSince, stillFailing, firstFailing } = compareRuns(cases, now);
  const parts = [
    ['fixed', fixed],
    ['broken since', brokenSince],
    ['still failing', stillFailing],
    ['failing, not made then', firstFailing],
  ] as const;
  const found = parts
    .filter(([, list]) => list.length > 0)
    .map(([words, list]) => `${words}: ${list.map(({ id }) => id).join(', ')}`);
  const when = `${new Date(run.startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [[`Since run ${run.runId} of ${when}: ${found.length === 0 ? 'no case changed' : found.join('; ')}.`]];
}

function lastLine(made: readonly CountedVerdict[], { state, totals, durationMs, runId }: FinishedRun): Line {
  const how = state === 'cancelled' ? 'Cancelled. ' : state === 'interrupted' ? 'Interrupted. ' : '';
  const said = [verdictsText(made), unrecordedText(totals.unrecorded), tookText(durationMs)].filter((text) => text !== '');
  return [
    `${how}${amount(totals.requests, 'case')}: ${said.join('; ')}; run ${runId}`,
    [amount(totals.requests, 'case'), totals.failed + totals.errored > 0 ? 'bad' : 'good'],
  ];
}
