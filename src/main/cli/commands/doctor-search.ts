import { randomUUID } from 'node:crypto';
import { AppError } from '#shared/errors.ts';
import type { DoctorReport, Environment, Input, PastedRequest, Payload, Recognition } from '#shared/ipc/index.ts';
import { differenceWords, firstChoice, otherReadings } from '#shared/doctor/readings.ts';
import { notHere, seenIn } from '#shared/doctor/seen.ts';
import { isPastSingles, probablyKey, stageWords } from '#shared/doctor/words.ts';
import { unexaminable } from '#shared/calls/pack-words.ts';
import type { Language } from '#shared/doctor/model.ts';
import type { Fidelity } from '#shared/model/fidelity.ts';
import { UsageError, type Arguments, type OptionSpec } from '../arguments.ts';
import { exits, type Context, type ExitCode } from '../command.ts';
import { givenKey } from '../key-variable.ts';
import { openPack } from '../pack.ts';
import { readTextFile } from '../read-input.ts';
import { withEnvironment } from '../sandbox-environment.ts';
import { hideKey, type Workbench } from '../workbench.ts';
import { readCount } from './history.ts';
import { printReport, printSeen } from './doctor-report.ts';

/** The options of `croupier doctor` that say what the hash was made of. */
export const searchOptions: Readonly<Record<string, OptionSpec>> = {
  hash: { value: 'HASH', help: 'Examine this hash from your backend' },
  time: { value: 'TIME', help: "Use this text as time, such as '20-11-2026 10:15:30'" },
  data: { value: 'TEXT', help: 'Use this text as data' },
  'data-file': { value: 'FILE', help: 'Read data from this file (- for standard input)' },
  deep: { help: 'Also try combinations of three mistakes; this can take a minute' },
  call: { value: 'ID', help: 'Examine the call with this ID in FILE, a support pack' },
};

type Search = Input<'doctor.search'> & {
  readonly fidelity: Fidelity;
  readonly missing: readonly string[];
  readonly deep: boolean;
  readonly language: Language | null;
};

/** The doctor of the home, or of one key alone. */
interface Consulted {
  readonly environmentId: string;
  recognise(text: string): Promise<Recognition>;
  search(question: Search): Promise<DoctorReport>;
  cancel(ticket: string): void;
}

/** Most readings of a pasted text that are searched, one after the other, until a hash fits. */
const mostReadings = 3;

/** Finds the mistake in a hash and prints it. Ends with 0 if the hash is right, with 1 if it is not. */
export async function search(args: Arguments, context: Context): Promise<ExitCode> {
  const { terminal } = context;
  const [file] = args.positionals;
  const given = await givenParts(args, context);
  const call = args.value('call');
  if (call !== undefined && file === undefined) throw new UsageError('--call needs FILE, the JSON of a support pack.');
  const text =
    file === undefined
      ? null
      : call === undefined
        ? await readTextFile('input.pasted', file, context)
        : await sentInPack(file, readCount(call, '--call'), context);
  if (text === null && (given.hash === undefined || given.time === undefined))
    throw new UsageError('Name a file with the request (- for standard input), or use --hash and --time.');
  return consult(args, context, async (doctor) => {
    const wanted = text === null ? [null] : readingsOf(await doctor.recognise(text), terminal);
    for (const [at, recognised] of wanted.entries()) {
      const request = complete(recognised, given);
      const missing = stillMissing(recognised, given);
      if (!args.has('json')) await printSeen(recognised, seenIn({ ...request, missing }), terminal);
      const { fidelity = 'exact', language = null } = recognised ?? {};
      const question = { request, fidelity, language, missing, deep: args.has('deep') };
      const report = await follow(doctor, question, context);
      if (report.verdict === 'none' && at < wanted.length - 1) continue;
      if (args.has('json')) await terminal.result(JSON.stringify({ recognised, report }));
      else await printReport(report, terminal);
      return report.verdict === 'rule' ? exits.done : exits.checksFailed;
    }
    throw new Error('There was no reading.');
  });
}

/** Returns the body of a request in a support pack. Fails with `refused` where it is not what was hashed. */
async function sentInPack(file: string, id: number, context: Context): Promise<string> {
  const pack = await openPack(file, context);
  try {
    const call = pack.get(id);
    const refusal = unexaminable(call);
    if (refusal !== null) throw new AppError('refused', refusal);
    return call.request.bodyText;
  } finally {
    await pack.close();
  }
}

interface Given {
  readonly hash: string | undefined;
  readonly time: string | undefined;
  readonly dataText: string | undefined;
}

async function givenParts(args: Arguments, context: Context): Promise<Given> {
  const [data, file] = [args.value('data'), args.value('data-file')];
  if (data !== undefined && file !== undefined) throw new UsageError('Use --data or --data-file, not both.');
  const read = file === undefined ? data : await readTextFile('input.pasted', file, context);
  return { hash: args.value('hash'), time: args.value('time'), dataText: read };
}

/** Returns the ways to read one request, and says which one of several it is. */
function readingsOf({ requests, leftOff, hashes, problem }: Recognition, { note }: Context['terminal']): PastedRequest[] {
  const chosen = firstChoice(requests);
  const first = requests[chosen];
  if (first !== undefined) {
    const readings = [chosen, ...otherReadings(requests, chosen)];
    const others = requests.filter((_, at) => !readings.includes(at));
    const [other] = others;
    const all = 1 + others.length + leftOff;
    if (other !== undefined && all === 2)
      note(`The text has two requests; this is number ${chosen + 1}. ${differenceWords(first, other)}`);
    else if (all > 1) note(`The text has ${all} requests; this is number ${chosen + 1}. Paste the others separately.`);
    // A digest that stands beside a request without one is its hash.
    return readings.slice(0, mostReadings).flatMap((at) => {
      const request = requests[at];
      return request === undefined ? [] : { ...request, hash: request.hash ?? hashes[0] ?? null };
    });
  }
  if (hashes.length > 0)
    throw new AppError('invalid_input', 'The text has a hash but no request. Use --hash, --time and --data.');
  throw new AppError('invalid_input', problem ?? 'No request was recognised.');
}

/** Adds what the command line gives to what was read, if anything was; fails if the search would lack something. */
function complete(reading: PastedRequest | null, given: Given): Search['request'] {
  const [time, hash] = [given.time ?? reading?.time ?? null, given.hash ?? reading?.hash ?? null];
  for (const [name, value] of [
    ['time', time],
    ['hash', hash],
  ] as const) {
    if (value !== null) continue;
    throw new AppError('invalid_input', `${notHere(name, reading?.missing.includes(name) ?? false)} Give it with --${name}.`);
  }
  return {
    action: reading?.action ?? '',
    platform: reading?.platform ?? '',
    partnerId: reading?.partnerId ?? '',
    time: time ?? '',
    dataText: given.dataText ?? reading?.dataText ?? null,
    hash: hash ?? '',
  };
}

/** Returns the fields of the text that it hides and the command line does not give. */
function stillMissing(reading: PastedRequest | null, { hash, time, dataText }: Given): string[] {
  return (reading?.missing ?? []).filter((field) => (field === 'hash' ? hash : field === 'time' ? time : dataText) === undefined);
}

/** Runs `work` with the doctor of the environment, or of the key that `--key-env` names without one. */
async function consult(args: Arguments, context: Context, work: (doctor: Consulted) => Promise<ExitCode>): Promise<ExitCode> {
  const { terminal } = context;
  const name = args.value('env');
  const key = givenKey(args, terminal);
  if (key !== null && name === undefined) {
    const { createKeyDoctor, createRedaction } = await import('#core/app/tools.ts');
    hideKey(key, terminal, { createRedaction });
    const doctor = await createKeyDoctor(key, 'php', createShow(context));
    const recognise = async (text: string) => doctor.recognise(text);
    return work({ environmentId: 'key', recognise, search: doctor.search, cancel: doctor.cancel });
  }
  const ofHome = async ({ client }: Workbench, environment: Environment) => {
    const unlisten = client.on('doctor.progressed', createShow(context));
    try {
      return await work({
        environmentId: environment.id,
        recognise: (text) => client.call('doctor.recognise', { text }),
        search: (question) => client.call('doctor.search', question),
        cancel: (ticket) => void client.call('doctor.cancel', { ticket }),
      });
    } finally {
      unlisten();
    }
  };
  return withEnvironment(args, context, ofHome, key);
}

/** Searches until the end, or until the user stops it: then it fails with `cancelled`. */
async function follow(
  doctor: Consulted,
  question: Omit<Search, 'environmentId' | 'ticket'>,
  context: Context,
): Promise<DoctorReport> {
  const { stop, terminal } = context;
  const ticket = randomUUID();
  const cancel = () => doctor.cancel(ticket);
  stop.addEventListener('abort', cancel);
  try {
    const report = await doctor.search({ environmentId: doctor.environmentId, ticket, ...question });
    if (report.verdict === 'cancelled') throw new AppError('cancelled', report.says);
    return report;
  } finally {
    stop.removeEventListener('abort', cancel);
    terminal.progress('');
  }
}

/** Shows how far a search is, and says once what it means that no single mistake was found. */
function createShow({ terminal }: Context): (progress: Payload<'doctor.progressed'>) => void {
  let isSaid = false;
  return ({ stages, perSecond }) => {
    if (!isSaid && isPastSingles(stages)) {
      isSaid = true;
      terminal.progress('');
      terminal.note(`${probablyKey} No single mistake gives this hash. Still searching.`);
    }
    const last = stages.at(-1);
    if (last === undefined) return;
    const part = last.total === 0 ? '' : ` ${Math.floor((last.tried / last.total) * 100)} %`;
    terminal.progress(`${stageWords[last.stage]}${part}, ${perSecond.toLocaleString('en')} a second`);
  };
}
