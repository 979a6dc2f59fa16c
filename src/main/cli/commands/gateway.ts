import { openBetsText, passedText, passedWords } from '#shared/calls/passed-words.ts';
import { passedVerdicts, type PassedVerdict } from '#shared/ipc/gateway.ts';
import type { Client, GatewayStatus, PassedCall } from '#shared/ipc/index.ts';
import { readPort, UsageError, type Arguments } from '../arguments.ts';
import { envHelp } from '../chosen-environment.ts';
import { exits, type Command, type Context, type ExitCode } from '../command.ts';
import { checkTarget, confirming, confirmProduction } from '../production.ts';
import { withEnvironment } from '../sandbox-environment.ts';
import { reportFiles, writeReports } from './run-output.ts';

/** Names of the verdicts, for `--fail-on`. */
const verdictNames: Readonly<Record<PassedVerdict, string>> = {
  stopped: 'stopped',
  failed: 'failed',
  wrongHash: 'wrong-hash',
  rejected: 'rejected',
  unclear: 'unclear',
  other: 'other',
  good: 'good',
};
const failures = passedVerdicts.filter((verdict) => verdict !== 'good').map((verdict) => verdictNames[verdict]);

export const gatewayCommand: Command = {
  spec: {
    name: 'gateway',
    summary:
      'Pass what your backend sends to its provider, keep it in the history and judge each hash. The first line shows its URL.',
    options: {
      env: { value: 'NAME', help: envHelp },
      'key-env': { value: 'VAR', help: 'Read the key from this environment variable, not the keychain' },
      port: { value: 'N', help: 'Listen on this port (default: a free one)' },
      wallet: { value: 'URL', help: "Pass the provider's requests to this wallet, too, on another port" },
      listen: { value: 'ADDRESS', help: 'Listen on this address, for other machines; needs --allow' },
      allow: { value: 'CIDR', multiple: true, help: 'With --listen: let this network connect, such as 10.1.0.0/16' },
      fault: {
        value: 'FAULT',
        multiple: true,
        help: 'Cause faults as the built-in provider does: bet=cut-after,1, win=delay:3000, all=drip; and bet=repeat:2000 (sent to the far side again)',
      },
      'own-names': {
        help: "Answer under the provider's own names, too, for a hosts file that leads them here: then Host passes as it is",
      },
      'any-partner': { help: 'Pass requests of other platforms and partners, too' },
      'until-idle': { value: 'TIME', help: 'End when nothing has passed for this time after the first exchange, such as 5s' },
      'fail-on': { value: 'VERDICTS', help: `Exit with 1 if there was one of these: ${failures.join(', ')}` },
      junit: { value: 'FILE', help: 'Write a JUnit XML report, in which the verdicts of --fail-on are failures' },
      ...confirmProduction,
      json: { help: 'Print one JSON line for each exchange' },
    },
    notes: [
      "Let your backend use the first line's baseUrl in place of its provider's, and trust the certificate in caFile.",
      'Everything passes byte for byte, except Host. What could not be recorded passes, too; the last line counts it.',
      'A production environment needs --env and a yes, or --confirm-production.',
    ],
  },
  async run(args, context) {
    const { terminal } = context;
    const failOn = readVerdicts(args);
    const idleMs = readIdle(args);
    const network = readNetwork(args);
    const port = readPort(args);
    const walletUrl = args.value('wallet');
    const reports = await reportFiles(args);
    return withEnvironment(args, context, async ({ client }, environment) => {
      await checkTarget(client, environment, args, context);
      client.on('gateway.passed', (call) => {
        // It comes again when its mistake is known.
        if (call.searching) return;
        if (args.has('json')) void terminal.result(JSON.stringify(call));
        else tell(call, context);
      });
      const start = {
        environmentId: environment.id,
        port,
        anyPartner: args.has('any-partner'),
        ownNames: args.has('own-names'),
        faults: [...args.values('fault')],
        ...(walletUrl === undefined ? {} : { walletUrl }),
        ...(network === null ? {} : { network }),
      };
      const started = await confirming(args, context, (confirmed) => client.call('gateway.start', { ...start, confirmed }));
      const { baseUrl, caFile } = started;
      const first = { environment: environment.name, baseUrl, walletUrl: started.walletUrl, caFile };
      await terminal.result(JSON.stringify(first));
      await untilEnd(client, idleMs, context);
      const status = await client.call('gateway.stop', {});
      const report = async () => (await client.call('gateway.report', { failOn: [...failOn] })).text;
      await writeReports(reports, report, terminal);
      return status === null ? exits.done : ending(status, failOn, context);
    });
  },
};

/** Waits until the user stops it, or nothing has passed for so long after the first exchange. */
async function untilEnd(client: Client, idleMs: number | null, { stop }: Context): Promise<void> {
  await new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | null = null;
    const look = async (): Promise<void> => {
      const status = await client.call('gateway.status', {});
      if (status?.underWay === 0) resolve();
      else wait();
    };
    function wait(): void {
      if (idleMs === null) return;
      if (timer !== null) clearTimeout(timer);
      timer = setTimeout(() => void look(), idleMs);
    }
    client.on('gateway.passed', wait);
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve());
  });
}

function ending(
  { counts, missing, missingWhy, openBets }: GatewayStatus,
  failOn: ReadonlySet<PassedVerdict>,
  { terminal }: Context,
): ExitCode {
  terminal.note(`croupier: ${passedText(counts)}.`);
  if (missing > 0) terminal.note(`croupier: ${missing} of them could not be recorded. ${missingWhy ?? ''}`);
  const bets = openBets === null ? null : openBetsText(openBets, true);
  if (bets !== null) terminal.note(`croupier: ${bets}`);
  const isFailed = Object.values(counts).some((row) => [...failOn].some((verdict) => (row[verdict] ?? 0) > 0));
  return isFailed ? exits.checksFailed : exits.done;
}

function tell(call: PassedCall, { terminal }: Context): void {
  terminal.note(lineOf(call), [passedWords[call.verdict], call.verdict === 'good' ? 'good' : 'bad']);
  const changes = (call.fix?.lines ?? []).filter(({ change }) => change !== 'same');
  for (const { change, text } of changes) terminal.note(`    ${change === 'added' ? '+' : '-'} ${text}`);
}

function lineOf({ sentAt, from, operation, request, status, code, verdict, why, totalMs, callId }: PassedCall): string {
  const time = new Date(sentAt).toISOString();
  const answer = [status === null ? '' : `HTTP ${status}`, code === null ? '' : `code ${code}`].filter((text) => text !== '');
  const call = callId === null ? 'not recorded' : `call ${callId}`;
  const words = [time, from, operation ?? request, ...answer, passedWords[verdict], why, `(${Math.round(totalMs)} ms, ${call})`];
  return words.filter((text) => text !== '').join('  ');
}

function readVerdicts(args: Arguments): ReadonlySet<PassedVerdict> {
  const names = (args.value('fail-on') ?? '').split(',').filter((name) => name !== '');
  return new Set(
    names.map((name) => {
      const found = passedVerdicts.find((verdict) => verdictNames[verdict] === name && verdict !== 'good');
      if (found === undefined) throw new UsageError(`--fail-on does not know ${name}. Use ${failures.join(', ')}.`);
      return found;
    }),
  );
}

/** Milliseconds of each unit. */
const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

function readIdle(args: Arguments): number | null {
  const text = args.value('until-idle');
  if (text === undefined) return null;
  const [, number = '', unit = ''] = /^(\d{1,6})(ms|s|m)$/.exec(text) ?? [];
  const ms = Number(number) * (units[unit] ?? 0);
  if (ms === 0) throw new UsageError('--until-idle must be a time such as 5s, 500ms or 2m.');
  return ms;
}

function readNetwork(args: Arguments): { readonly address: string; readonly allow: string[] } | null {
  const [address, allow] = [args.value('listen'), args.values('allow')];
  if (address === undefined && allow.length === 0) return null;
  if (address === undefined) throw new UsageError('--allow needs --listen: without it, only this computer can connect.');
  if (allow.length === 0) throw new UsageError('--listen needs --allow: name the networks that may connect.');
  return { address, allow: [...allow] };
}
