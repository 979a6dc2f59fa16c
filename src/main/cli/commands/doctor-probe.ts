import type { Toned } from '../../process/terminal.ts';
import { randomUUID } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { Client, Environment, ProbePlan, ProbeReport, ProbeStep } from '#shared/ipc/index.ts';
import { withProbed } from '#shared/probes/recorded.ts';
import { questionIn } from '#shared/production/question.ts';
import { questionWords } from '#shared/production/words.ts';
import type { Arguments, OptionSpec } from '../arguments.ts';
import { exits, type Context, type ExitCode } from '../command.ts';
import { checkTarget } from '../production.ts';
import { requireYes } from '../questions.ts';
import { withEnvironment } from '../sandbox-environment.ts';

/** The options of `croupier doctor` that belong to `--probe`. */
export const probeOptions: Readonly<Record<string, OptionSpec>> = {
  probe: { help: 'Find out how the provider checks hashes, with calls that only read' },
  'moved-times': { help: 'With --probe: also try other time zones and clock offsets (takes up to two minutes)' },
  record: { help: 'With --probe: record the answers in the environment' },
  'confirm-production': { help: 'With --probe: send to production without asking' },
};

/** Shows the plan, sends it, and prints what it shows. Ends with 0 if nothing is wrong, with 1 if something is. */
export async function probe(args: Arguments, context: Context): Promise<ExitCode> {
  return withEnvironment(args, context, async ({ client }, environment) => {
    await checkTarget(client, environment, args, context);
    const plan = await client.call('probes.plan', { environmentId: environment.id });
    showPlan(plan, args.has('moved-times'), context);
    const report = await send(client, environment, args, context);
    const recorded = args.has('record') && (await record(client, report, context));
    if (args.has('json')) await context.terminal.result(JSON.stringify({ ...report, recorded }));
    else await print(report, recorded, environment, context);
    if (report.state !== 'done') return exits.noAnswer;
    return report.findings.every(({ kind }) => kind === 'fact') ? exits.done : exits.checksFailed;
  });
}

function showPlan({ environmentName, url, probes, calls, callsMoved }: ProbePlan, moved: boolean, { terminal }: Context): void {
  const most = moved ? callsMoved : calls;
  terminal.note(`Plan: up to ${most} read-only calls to ${environmentName} (${url}), one per second.`);
  for (const { when, question, sends } of probes) {
    if (when === 'moved' && !moved) continue;
    terminal.note(`  ${question} Sends ${sends}${when === 'ifNeeded' ? ', if needed' : ''}.`);
  }
}

/** Sends the plan, after a question on a terminal. Fails with `refused` if the user says no, and for production without a terminal. */
async function send(client: Client, environment: Environment, args: Arguments, context: Context): Promise<ProbeReport> {
  const { terminal, stop } = context;
  const ticket = randomUUID();
  const request = { environmentId: environment.id, ticket, moved: args.has('moved-times') };
  const target = `${environment.name}${environment.production ? ' (production)' : ''}`;
  if (!args.has('confirm-production'))
    await requireYes(`Send these calls to ${target} now?`, { declined: 'Nothing was sent.' }, context);
  const cancel = () => void client.call('probes.cancel', { ticket });
  stop.addEventListener('abort', cancel);
  const unlisten = client.on('probes.progressed', ({ step }) => terminal.note(stepLine(step)));
  try {
    return await client.call('probes.start', { ...request, confirmed: terminal.interactive || args.has('confirm-production') });
  } catch (error) {
    const question = error instanceof AppError ? questionIn(error) : null;
    if (question === null) throw error;
    const { title, consequences } = questionWords(question);
    const advice = 'Nothing was sent. To send it without asking, add --confirm-production.';
    throw new AppError('refused', [title, ...consequences, advice].join(' '));
  } finally {
    unlisten();
    stop.removeEventListener('abort', cancel);
  }
}

function stepLine({ callId, code, question, answer, follows }: ProbeStep): string {
  return `  call ${callId}, code ${code ?? 'none'}: ${question} ${answer === 'unclear' ? '' : `${answer}. `}${follows}`;
}

/** Records the answers in the environment as it is now; returns false if there are none, or the plan did not end. */
async function record(client: Client, { environmentId, state, answers }: ProbeReport, { terminal }: Context): Promise<boolean> {
  if (state !== 'done') terminal.note('croupier: the probe did not finish, so nothing was recorded.');
  if (state !== 'done' || answers.length === 0) return false;
  const { environments } = await client.call('environments.list', {});
  const environment = environments.find(({ id }) => id === environmentId);
  if (environment === undefined) throw new AppError('not_found', 'Nothing was recorded: the environment was removed.');
  await client.call('environments.save', { environment: withProbed(environment, answers) });
  return true;
}

const marks: Readonly<Record<ProbeReport['findings'][number]['kind'], Toned>> = {
  fault: ['wrong', 'bad'],
  fact: ['known', 'good'],
  open: ['open', 'open'],
};

async function print(report: ProbeReport, recorded: boolean, { name }: Environment, { terminal }: Context): Promise<void> {
  const { findings, answers, message } = report;
  if (message !== null) await terminal.line(message);
  for (const { kind, text, fix, calls } of findings) {
    const [mark] = marks[kind];
    await terminal.line(
      `${mark}  ${text}${fix === null ? '' : ` ${fix}`} (${calls.length === 1 ? 'call' : 'calls'} ${calls.join(', ')})`,
      marks[kind],
    );
  }
  for (const { point, value, label, before } of answers) {
    const was = before === null || before === value ? '' : `, recorded before: ${before}`;
    await terminal.line(`${recorded ? 'recorded' : 'answer'}  ${point}: ${label} (${value})${was}`);
  }
  if (answers.length > 0 && !recorded && report.state === 'done') {
    terminal.note(`croupier: to record these answers in ${name}, add --record.`);
  }
}
