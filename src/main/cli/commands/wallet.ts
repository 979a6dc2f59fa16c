import { resolve } from 'node:path';
import { amount } from '#shared/amount.ts';
import type { CaseOutcome } from '#shared/collections/case-outcome.ts';
import { unrecordedText, walletCollection } from '#shared/collections/run-words.ts';
import type { ReportedRequest } from '#shared/collections/reported-request.ts';
import type { Client, Environment, Output, RunSummary } from '#shared/ipc/index.ts';
import { recordedAnswer } from '#shared/provider/recorded-answers.ts';
import {
  caseName,
  changesSince,
  countsText,
  isZero,
  moveText,
  movedMoney,
  runFacts,
  shownAs,
  stepTexts,
} from '#shared/wallet/run-facts.ts';
import { UsageError, type Arguments, type OptionSpec } from '../arguments.ts';
import { envHelp } from '../chosen-environment.ts';
import { exits, type Command, type Context } from '../command.ts';
import { givenKey } from '../key-variable.ts';
import { checkTarget, confirming, confirmProduction, productionNote, shellWord } from '../production.ts';
import { readyEnvironment, startSandbox, withEnvironment } from '../sandbox-environment.ts';
import { withWorkbench } from '../workbench.ts';
import { createSkipped, endText, tones, type Line } from './run-lines.ts';
import { reportFiles, reportOptions, writeReports, type ReportFile } from './run-output.ts';
import { runNamed, runToEnd, type RunView } from './run-to-end.ts';

type Plan = Output<'wallet.plan'>;

/** Options of a command that needs the sessions of players. */
const sessions: Readonly<Record<string, OptionSpec>> = {
  token: { value: 'TOKEN', multiple: true, help: 'Use this session token; a second one is of another player' },
  'token-env': { value: 'VAR', multiple: true, help: 'Read a session token from this environment variable' },
  'key-env': { value: 'VAR', help: 'Read the key from this environment variable, not the keychain' },
  ...confirmProduction,
};

export const walletTestCommand: Command = {
  spec: {
    name: 'wallet test',
    summary: "Test the wallet at an environment's wallet URL as its provider would call it, and put the money back.",
    options: {
      env: { value: 'NAME', help: envHelp },
      ...sessions,
      only: { value: 'NAME', multiple: true, help: 'Take only this case or group, such as retries-01 or retries' },
      stake: { value: 'N', help: "Risk at most this amount of the players' currency in the whole run (default 20)" },
      collection: { value: 'DIR', help: "Also take the cases of this collection's wallet-cases.yaml" },
      game: { value: 'ID', help: 'Bet in this game (default 1)' },
      strict: { help: 'Count what is customary, and not required by the spec, as failed, too' },
      'retry-of': { value: 'RUN', help: 'Repeat the transactions of this earlier run (an ID, or "last")' },
      ...reportOptions,
      'dry-run': { help: 'Send nothing; list the cases, with their grade and what a faulty wallet could take in each' },
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
    const tokens = tokensIn(args, context);
    const files = args.has('dry-run') ? [] : await reportFiles(args);
    return withEnvironment(args, context, async ({ client }, environment) => {
      await checkTarget(client, environment, args, context);
      const directory = args.value('collection');
      const cases = {
        environmentId: environment.id,
        ...(directory === undefined ? {} : { directory: resolve(directory) }),
        stake: args.value('stake') ?? '',
        only: [...args.values('only')],
      };
      const plan = await client.call('wallet.plan', cases);
      const given =
        tokens.length === 0 ? `the session tokens of ${environment.name}` : amount(tokens.length, 'given session token');
      terminal.note(`croupier: ${stakeText(plan)}; players: those of ${given}.`);
      if (args.has('dry-run')) {
        for (const one of plan.cases)
          await (args.has('json') ? terminal.result(JSON.stringify(one)) : terminal.line(plannedText(one)));
        return exits.done;
      }
      const { runs } = await client.call('runs.list', { collectionId: walletCollection });
      const earlier = runs.filter(({ environmentId }) => environmentId === environment.id);
      const retryOf = runNamed(args.value('retry-of'), earlier);
      const input = { ...cases, tokens, gameId: args.value('game') ?? '', strict: args.has('strict'), retryOf };
      // Rather than with other cases, it is compared with the same ones, or with all.
      const before =
        [cases.only.join(' '), ''].flatMap((path) => earlier.find((run) => run.path === path) ?? [])[0] ?? earlier[0];
      const view = viewOf(client, environment, before, files, context);
      return runToEnd(client, (confirmed) => client.call('wallet.start', { ...input, confirmed }), view, args, context);
    });
  },
};

export const walletRestoreCommand: Command = {
  spec: {
    name: 'wallet restore',
    summary: 'Put back, by /win and /bet, what a wallet test left moved. Exits with 1 if something is left.',
    positionals: ['RUN'],
    options: sessions,
    notes: ['RUN is the ID at the end of the test, or "last". Nothing is sent if the test does not explain a balance.'],
  },
  async run(args, context) {
    const tokens = tokensIn(args, context);
    const key = givenKey(args, context.terminal);
    return withWorkbench(context, { keys: { given: key }, startSandbox }, async (workbench) => {
      const { client } = workbench;
      const { runs } = await client.call('runs.list', { collectionId: walletCollection });
      const runId = runNamed(args.positionals[0], runs) ?? '';
      const run = runs.find((one) => one.runId === runId);
      const asked = { keyVariable: args.value('key-env'), key };
      if (run !== undefined) await readyEnvironment(workbench, { name: run.environmentId, ...asked }, context);
      const { players } = await confirming(args, context, (confirmed) =>
        client.call('wallet.restore', { runId, tokens, confirmed }),
      );
      for (const { playerId, before, after, left } of players) {
        await context.terminal.line(`${playerId}: was ${before}, is ${after}${isZero(left) ? '' : `; ${left} is left moved`}`);
      }
      return players.every(({ left }) => isZero(left)) ? exits.done : exits.checksFailed;
    });
  },
};

function tokensIn(args: Arguments, { terminal: { env } }: Context): string[] {
  const named = args.values('token-env').map((variable) => {
    const token = env[variable] ?? '';
    delete env[variable];
    if (token !== '') return token;
    throw new UsageError('The environment variable that --token-env names is not set, or empty.');
  });
  const given = [...args.values('token'), ...named];
  if (given.length > 2) throw new UsageError('Give at most two session tokens, of two players.');
  return given;
}

/** Says what a faulty wallet could take: cases that could take more than the stake are not made. */
function stakeText({ cases, stake, most, currency }: Plan): string {
  const [, second = ''] = most.players;
  const ofSecond = isZero(second) ? '' : ` and ${second} of a second player`;
  return `${amount(cases.length, 'case')}; a faulty wallet could take at most ${stake} in all, ${most.all} in one case${ofSecond}, counted in ${currency}`;
}

function plannedText({ id, grade, risk, name, waits }: Plan['cases'][number]): string {
  return [id.padEnd(10), grade.padEnd(9), `at risk ${(risk ?? 'balance').padStart(8)}`, name, waits ?? ''].join('  ').trimEnd();
}

/** Shows the cases of a run, a line for each that was made, and its facts at the end. `before`: an earlier run in this environment. */
function viewOf(
  client: Client,
  { name, answers }: Environment,
  before: RunSummary | undefined,
  files: readonly ReportFile[],
  { terminal }: Context,
): RunView {
  const toRecord = `croupier env set ${shellWord(name)} --answer`;
  const said = ({ point, value, words }: NonNullable<CaseOutcome['answer']>) =>
    value === null ? `${point}: ${words}` : `${toRecord} ${shellWord(`${point}=${value}`)}  # ${words}`;
  const requests: ReportedRequest[] = [];
  const apart = createSkipped();
  return {
    finished({ request }) {
      const { path, state, reason, case: one } = request;
      requests.push(request);
      const id = caseName(path).split(' ')[0] ?? '';
      const answer = one?.answer ?? null;
      if (answer !== null && recordedAnswer(answer.point, answers).state !== 'valid') apart.add('answered', id, said(answer));
      if (state !== 'skipped' && state !== 'cancelled') return linesOfCase(request);
      apart.add(one?.verdict ?? 'not run', id, reason === '' ? 'The run was cancelled.' : reason);
      return [];
    },
    async ended(run) {
      const { runId, totals } = run;
      const cases = requests.flatMap((request) => request.case ?? []);
      const counted = amount(totals.requests, 'case');
      const lines: string[] = [];
      if (cases.some(({ verdict }) => verdict === 'waiting'))
        lines.push(`To record an answer: ${toRecord} POINT=TEXT, or Open points in the workbench.`);
      if (movedMoney(cases).some((one) => !isZero(one.left))) lines.push(`To put money back: croupier wallet restore ${runId}`);
      if (before !== undefined && cases.length > 0) lines.push(await changesLine(client, before, cases));
      return [
        ...apart.lines(),
        ...lines.map((line): Line => [line]),
        ...runFacts(requests).map((fact): Line => [`${fact.name.padEnd(17)}  ${fact.text}`, [fact.bad ? fact.text : '', 'bad']]),
        [
          endText(run, [`${counted}: ${countsText(requests)}`, unrecordedText(totals.unrecorded)]),
          [counted, totals.failed + totals.errored > 0 ? 'bad' : 'good'],
        ],
      ];
    },
    write: (runId) => writeReports(files, async (as) => (await client.call('runs.export', { runId, as })).text, terminal),
  };
}

function linesOfCase(request: ReportedRequest): Line[] {
  const { path, state, reason, durationMs, case: one } = request;
  const verdict = one?.verdict ?? state;
  const broken = verdict === 'observed' ? undefined : one?.steps.find(({ passed }) => !passed);
  const saw = broken === undefined ? (one?.saw ?? reason) : '';
  const took = durationMs === null ? '' : `${Math.round(durationMs)} ms`;
  const first = [verdict.padEnd(9), caseName(path), saw, ...(one?.moved ?? []).map(moveText), took];
  return [
    [first.filter((text) => text !== '').join('  '), [verdict, tones[shownAs(request)]]],
    ...(broken === undefined ? [] : Object.entries(stepTexts(broken))).map(([title, text]): Line => [
      `           ${title}: ${text}`,
    ]),
  ];
}

/** Compares cases with those of a run before. */
async function changesLine(client: Client, { runId, startedAt }: RunSummary, cases: readonly CaseOutcome[]): Promise<string> {
  const { requests } = await client.call('runs.requests', { runId });
  const changes = changesSince(
    requests.flatMap(({ request }) => request.case ?? []),
    cases,
  );
  const found = Array.from(
    Map.groupBy(changes, ([, change]) => change),
    ([change, changed]) => `${change}: ${changed.map(([id]) => id).join(', ')}`,
  );
  const when = `${new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `Since run ${runId} of ${when}: ${found.length === 0 ? 'nothing fixed, nothing failing' : found.join('; ')}.`;
}
