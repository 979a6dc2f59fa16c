import type { Call, CallFilter, CallSummary, Client, Input } from '#shared/ipc/index.ts';
import { CallOrigin, CallOutcome, CallState } from '#shared/ipc/calls.ts';
import { AppError } from '#shared/errors.ts';
import { searchCalls, type SearchedCalls } from '#shared/ipc/search-calls.ts';
import { findingText } from '#shared/provider/findings.ts';
import { otherRequest } from '#shared/provider/operations.ts';
import { packEnvironment } from '#shared/model/pack-environment.ts';
import { operationNames } from '#shared/model/operations.ts';
import { replacedText } from '#shared/calls/replaced.ts';
import { subjectText } from '#shared/calls/subject-words.ts';
import { signerWords } from '#shared/calls/key-words.ts';
import { departureText, originWords, gatewayWords, voucherWords } from '#shared/calls/sent-words.ts';
import { departureOf } from '#shared/calls/sent-request.ts';
import { sinceCall, type KnownEnvironments } from '#shared/calls/environment-words.ts';
import { bodyTextOf, rawMember, rawOf, rawRequestOf } from '../body-text.ts';
import { readWhole, suggestion, UsageError, type Arguments } from '../arguments.ts';
import { exits, tonedCode, type Command, type Context, type ExitCode } from '../command.ts';
import { explainRecorded, explanationDocument, explanationLines } from '../explain-call.ts';
import { packOption, withCalls } from '../pack.ts';
import type { Workbench } from '../workbench.ts';

const pageSize = 500;
const options = {
  limit: { value: 'N', help: 'Print at most N calls, newest first (default 50)' },
  before: { value: 'ID', help: 'Only calls older than the one with this ID' },
  operation: {
    value: 'NAME',
    multiple: true,
    help: 'Only calls of this operation (repeatable)',
  },
  env: { value: 'NAME', multiple: true, help: 'Only calls of this environment, by name or ID (repeatable)' },
  code: { value: 'N', multiple: true, help: 'Only calls with this code from the provider (repeatable)' },
  state: {
    value: 'STATE',
    multiple: true,
    help: `Only calls with this state (${CallState.options.join(', ')}) or outcome (${CallOutcome.options.filter((one) => one !== 'pending').join(', ')}; repeatable)`,
  },
  origin: {
    value: 'WHO',
    multiple: true,
    choices: CallOrigin.options,
    help: `Only calls from WHO: ${CallOrigin.options.join(', ')} (repeatable)`,
  },
  since: { value: 'TIME', help: 'Only calls since this time: 2026-11-20, 2026-11-20T10:15, or 30m, 12h, 7d ago' },
  until: { value: 'TIME', help: 'Only calls before this time, or up to the end of this day' },
  pinned: { help: 'Only pinned calls' },
  run: { value: 'ID', help: 'Only calls of this collection run' },
  ...packOption,
  json: { help: 'Print one JSON document' },
};

export const historyListCommand: Command = {
  spec: { name: 'history list', summary: 'Print the newest calls.', options },
  run: (args, context) => list(args, undefined, context),
};

export const historySearchCommand: Command = {
  spec: {
    name: 'history search',
    summary: 'Print the newest calls whose request or response contains a text.',
    positionals: ['TEXT'],
    options: {
      words: { help: 'Find words that start with the words of TEXT ("quoted" text: exactly)' },
      ...options,
    },
    notes: ['The search ignores case. Texts of one or two characters are searched only in the newest calls.'],
  },
  run: (args, context) => list(args, args.positionals[0], context),
};

export const historyShowCommand: Command = {
  spec: {
    name: 'history show',
    summary: 'Print one call exactly as it was sent and received.',
    positionals: ['ID'],
    options: {
      ...packOption,
      raw: { help: 'Print only the bytes as received, if the call has them' },
      'raw-request': { help: 'Print only the request as the gateway received it, if the call has it' },
      json: { help: 'Print one JSON document' },
    },
  },
  async run(args, context) {
    const id = readCount(args.positionals[0] ?? '', 'ID');
    return withCalls(args, context, async ({ client }) => {
      const { terminal } = context;
      const call = await client.call('calls.get', { id });
      const [raw, rawRequest] = [await rawOf(client, call), await rawRequestOf(client, call)];
      const wanted = args.has('raw') ? raw : args.has('raw-request') ? rawRequest : undefined;
      if (wanted === null)
        throw new AppError(
          'not_found',
          `Call ${id} has no such bytes. Show it without ${args.has('raw') ? '--raw' : '--raw-request'}.`,
        );
      if (wanted !== undefined) {
        await terminal.resultBytes(wanted);
        return exits.done;
      }
      const bodyText = call.response === null ? null : bodyTextOf(await client.body(id));
      if (args.has('json')) {
        const response = call.response === null ? null : { ...call.response, bodyText };
        const explanation = explanationDocument(await explainRecorded(client, call, bodyText));
        const request = { ...call.request, ...rawMember(rawRequest) };
        await terminal.result(JSON.stringify({ ...call, request, response, ...rawMember(raw), explanation }, null, 2));
      } else {
        const explanation = await explainRecorded(client, call, bodyText);
        const meaning = explanation === null ? [] : ['', ...explanationLines(explanation, call)];
        const known = await client.call('environments.list', {});
        for (const line of [...report(call, bodyText, known), ...meaning]) await terminal.line(line);
      }
      return exits.done;
    });
  },
};

async function list(args: Arguments, text: string | undefined, context: Context): Promise<ExitCode> {
  const limit = readCount(args.value('limit') ?? '50', '--limit');
  const filter = readFilter(args, Date.now());
  const before = args.value('before');
  return withCalls(args, context, async (workbench, pack) => {
    const { terminal } = context;
    const { client } = workbench;
    const named = args.values('env');
    const environmentIds = pack === null ? await environmentsNamed(client, named) : named.map(packEnvironment);
    const { calls, total, totalIsExact, searchedFrom } = await newest(
      workbench,
      limit,
      {
        filter: { ...filter, ...(named.length === 0 ? {} : { environmentIds }) },
        match: args.has('words') ? 'words' : 'anywhere',
        ...(before === undefined ? {} : { before: readCount(before, '--before') }),
        ...(text === undefined ? {} : { text }),
      },
      context,
    );
    if (args.has('json')) {
      await terminal.result(JSON.stringify({ calls, total, totalIsExact, searchedFrom }, null, 2));
      return exits.done;
    }
    const known = await client.call('environments.list', {});
    for (const call of calls) await terminal.line(row(call, known), tonedCode(call.code));
    if (total > calls.length)
      terminal.note(
        `croupier: showing ${calls.length} of ${total}${totalIsExact ? '' : ' or more'} calls. To show more, use --limit.`,
      );
    if (searchedFrom !== null && searchedFrom > 1) {
      terminal.note(
        `croupier: only calls from ${searchedFrom} on were searched for this short text. Use three or more characters.`,
      );
    }
    return exits.done;
  });
}

type Query = Pick<Input<'calls.list'>, 'text' | 'match' | 'filter' | 'before'>;
type Found = Omit<SearchedCalls, 'searching'>;

/** Searches part by part, so that the user sees the progress and Ctrl+C ends it. */
async function newest({ client }: Workbench, limit: number, query: Query, { terminal, stop }: Context): Promise<Found> {
  const calls: CallSummary[] = [];
  let first: SearchedCalls | null = null;
  for (;;) {
    const before = calls.at(-1)?.id;
    let page: SearchedCalls | null = null;
    const asked = { limit: Math.min(pageSize, limit - calls.length), ...query, ...(before === undefined ? {} : { before }) };
    for await (page of searchCalls(client, asked)) {
      if (stop.aborted) {
        terminal.progress('');
        throw new AppError('cancelled', 'The search was stopped.');
      }
      if (page.searching !== null) terminal.progress(searchingText(page.searching, calls.length + page.calls.length));
    }
    terminal.progress('');
    if (page === null) throw new AppError('internal', 'A search has at least one part.');
    first ??= page;
    calls.push(...page.calls);
    const { total, totalIsExact, searchedFrom } = first;
    if (page.calls.length < asked.limit || calls.length >= limit) return { calls, total, totalIsExact, searchedFrom };
  }
}

function searchingText({ looked, of }: NonNullable<SearchedCalls['searching']>, found: number): string {
  return `Searching: ${looked.toLocaleString('en')} of ${of.toLocaleString('en')} calls, ${found.toLocaleString('en')} found`;
}

function readFilter(args: Arguments, now: number): CallFilter {
  const operations = args.values('operation').map((name) => {
    if (operationNames.some((one) => one === name)) return name as (typeof operationNames)[number];
    throw new UsageError(`There is no operation ${JSON.stringify(name)}.${suggestion(name, operationNames)}`);
  });
  const codes = args.values('code').map((code) => readWhole(code, '--code must be a whole number.'));
  const origins = args.values('origin').map((who) => {
    const origin = CallOrigin.options.find((one) => one === who);
    if (origin !== undefined) return origin;
    throw new UsageError(`--origin must be ${CallOrigin.options.join(', ')}.${suggestion(who, CallOrigin.options)}`);
  });
  const words = args.values('state');
  const states = CallState.options.filter((state) => words.includes(state));
  const outcomes = CallOutcome.options.filter((one) => one !== 'pending' && words.includes(one));
  const unknown = words.find((word) => ![...states, ...outcomes].some((one) => one === word));
  if (unknown !== undefined) {
    throw new UsageError(
      `There is no state ${JSON.stringify(unknown)}.${suggestion(unknown, [...CallState.options, ...CallOutcome.options])}`,
    );
  }
  if (states.length > 0 && outcomes.length > 0) {
    throw new UsageError(`Use --state with states (${CallState.options.join(', ')}) or with outcomes, not both.`);
  }
  const [since, until, run] = [args.value('since'), args.value('until'), args.value('run')];
  return {
    ...(operations.length === 0 ? {} : { operations }),
    ...(codes.length === 0 ? {} : { codes }),
    ...(states.length === 0 ? {} : { states }),
    ...(outcomes.length === 0 ? {} : { outcomes }),
    ...(origins.length === 0 ? {} : { origins }),
    ...(since === undefined ? {} : { since: readTime('--since', since, now) }),
    ...(until === undefined ? {} : { until: readTime('--until', until, now) }),
    ...(args.has('pinned') ? { pinned: true } : {}),
    ...(run === undefined ? {} : { collectionRun: run }),
  };
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns milliseconds since the epoch of a day or time in this machine's zone, or of an age such as 7d. */
function readTime(option: string, text: string, now: number): number {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * units[unit as keyof typeof units];
  const dayAlone = /^\d{4}-\d{2}-\d{2}$/.test(text);
  // JavaScript would read a bare day as UTC.
  const date = new Date(dayAlone ? `${text}T00:00` : text);
  if (dayAlone && option === '--until') date.setDate(date.getDate() + 1);
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}.*)?$/.test(text) || Number.isNaN(date.getTime())) {
    throw new UsageError(
      `${option} must be a day or time such as 2026-11-20 or 2026-11-20T10:15, or an age such as 30m, 12h or 7d.`,
    );
  }
  return date.getTime();
}

/** Returns the IDs of environments by name; a name without an environment counts as an ID, since its calls still exist. */
async function environmentsNamed(client: Client, wanted: readonly string[]): Promise<string[]> {
  if (wanted.length === 0) return [];
  const { environments } = await client.call('environments.list', {});
  return wanted.flatMap((name) => {
    const found = environments.filter((environment) => environment.name === name || environment.id === name);
    return found.length === 0 ? [name] : found.map(({ id }) => id);
  });
}

/** Reads a whole number from 1. */
export function readCount(text: string, what: string): number {
  return readWhole(text, `${what} must be a whole number from 1.`, 1);
}

/** Writes a call as a row of a list. */
export function row(call: CallSummary, known: KnownEnvironments): string {
  const elsewhere = call.instead?.baseUrl === true ? ' (another URL)' : '';
  const passed = call.origin === undefined ? '' : ` (${originWords[call.origin]})`;
  const environment = `${call.environmentName}${elsewhere}${sinceCall(call, known)}${passed}`;
  const time = new Date(call.sentAt).toISOString().replace('T', ' ').slice(0, 19);
  const subject = subjectText(call.subject ?? []);
  return `${String(call.id).padStart(6)}${call.pinned ? '*' : ' '} ${time}  ${(call.operation ?? otherRequest).padEnd(16)}  ${environment.padEnd(12)}  ${outcome(call)}${subject === '' ? '' : `  ${subject}`}`;
}

/** Describes the outcome of a call in a few words. */
function outcome(call: CallSummary): string {
  if (call.failure !== null) return call.failure.message;
  if (call.state !== 'answered') return call.state;
  const code = call.code === null ? 'no readable code' : `code ${call.code}`;
  return [code, call.doubt ?? call.message, `HTTP ${call.status ?? ''}`]
    .filter((part) => part !== null && part !== '')
    .join(', ');
}

function report(call: Call, bodyText: string | null, known: KnownEnvironments): string[] {
  const headers = (list: readonly (readonly [string, string])[]) => list.map(([name, value]) => `${name}: ${value}`);
  const departure = departureOf(call);
  const unsent = departureText({ departure, from: call.origin ?? null });
  const signer = signerWords(call.request.keyFingerprint, null);
  const replaced = replacedText(call);
  const marks = [
    ...(replaced === null ? [] : [replaced]),
    ...(call.pinned ? ['pinned'] : []),
    ...(call.maskedParts === undefined ? [] : [`masked in the pack: ${call.maskedParts.join(', ')}`]),
    ...(call.note === '' ? [] : [`note: ${call.note}`]),
    ...(signer === null ? [] : [`signed with the ${signer}`]),
    ...(call.timings?.trust === undefined ? [] : [`certificate trusted by ${voucherWords[call.timings.trust]}`]),
    ...(call.timings?.gateway === undefined ? [] : [gatewayWords(call.timings.gateway)]),
    ...(call.collectionRun === null ? [] : [`request ${call.collectionRun.path} in run ${call.collectionRun.id}`]),
    ...(call.repeats === null
      ? []
      : [
          `${departure === 'answered' ? 'sent exactly as' : 'an exact repeat of'} call ${call.repeats}: its bytes, old time and old hash`,
        ]),
  ];
  const lines = [
    row(call, known).trim(),
    ...marks,
    ...(unsent === null ? [] : ['', unsent]),
    '',
    // Of another request, the method is in its bytes alone.
    call.operation === null ? call.url : `POST ${call.url}`,
    ...headers(call.request.headers),
    '',
    ...call.request.bodyText.split('\n'),
  ];
  if (call.response !== null) {
    lines.push('', `HTTP ${call.response.status}`, ...headers(call.response.headers), '', ...(bodyText ?? '').split('\n'));
  }
  if (call.failure !== null) lines.push('', call.failure.message, call.failure.hint);
  if (call.request.rawBytes !== undefined)
    lines.push(
      '',
      `The request has ${call.request.rawBytes.toLocaleString('en')} bytes as received. To print them, add --raw-request.`,
    );
  if (call.rawBytes !== undefined)
    lines.push('', `The response has ${call.rawBytes.toLocaleString('en')} bytes as received. To print them, add --raw.`);
  if (call.findings.length > 0) lines.push('', ...call.findings.map(findingText));
  return lines;
}
