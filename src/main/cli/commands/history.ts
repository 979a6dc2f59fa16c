import type { Call, CallSummary, Client } from '#shared/ipc/index.ts';
import { decodeUtf8Leniently } from '#shared/json/utf8.ts';
import { usageError, type Arguments, type CommandSpec } from '../arguments.ts';
import type { Command, Context } from '../commands.ts';
import { exits, type ExitCode } from '../exit-codes.ts';
import { withWorkbench } from '../workbench.ts';

const pageSize = 500;
const options = {
  limit: { value: 'N', help: 'How many, newest first (50 without this option)' },
  json: { help: 'Print one JSON document' },
};

export const historyListCommand: Command = {
  spec: { name: 'history list', summary: 'Print the newest calls.', positionals: [], options },
  run: (args, context) => list(historyListCommand.spec, args, undefined, context),
};

export const historySearchCommand: Command = {
  spec: {
    name: 'history search',
    summary: 'Print the newest calls whose request or answer contains a text.',
    positionals: ['TEXT'],
    options,
  },
  run: (args, context) => list(historySearchCommand.spec, args, args.positionals[0], context),
};

export const historyShowCommand: Command = {
  spec: {
    name: 'history show',
    summary: 'Print one call exactly as it was sent and received.',
    positionals: ['ID'],
    options: { json: { help: 'Print one JSON document' } },
  },
  async run(args, context) {
    const id = readCount(historyShowCommand.spec, args.positionals[0] ?? '', 'ID');
    return withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
      const { terminal } = context;
      const call = await client.call('calls.get', { id });
      const bodyText = call.response === null ? null : decodeUtf8Leniently(await client.body(id)).text;
      if (args.has('json')) {
        const response = call.response === null ? null : { ...call.response, bodyText };
        await terminal.result(JSON.stringify({ ...call, response }, null, 2));
      } else {
        await terminal.result(report(call, bodyText).join('\n'));
      }
      return exits.done;
    });
  },
};

async function list(spec: CommandSpec, args: Arguments, text: string | undefined, context: Context): Promise<ExitCode> {
  const limit = readCount(spec, args.value('limit') ?? '50', '--limit');
  return withWorkbench(context, { keys: 'keychain' }, async ({ client }) => {
    const { terminal } = context;
    const { calls, total } = await newest(client, limit, text);
    if (args.has('json')) {
      await terminal.result(JSON.stringify({ calls, total }, null, 2));
      return exits.done;
    }
    for (const call of calls) await terminal.result(row(call));
    if (total > calls.length) terminal.note(`croupier: ${calls.length} of ${total}. --limit shows more.`);
    return exits.done;
  });
}

async function newest(client: Client, limit: number, text: string | undefined): Promise<{ calls: CallSummary[]; total: number }> {
  const calls: CallSummary[] = [];
  let total = 0;
  for (;;) {
    const before = calls.at(-1)?.id;
    const page = await client.call('calls.list', {
      limit: Math.min(pageSize, limit - calls.length),
      ...(before === undefined ? {} : { before }),
      ...(text === undefined ? {} : { text }),
    });
    if (calls.length === 0) total = page.total;
    calls.push(...page.calls);
    if (page.calls.length === 0 || calls.length >= limit) return { calls, total };
  }
}

function readCount(spec: CommandSpec, text: string, what: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value))
    throw usageError(spec, `${what} must be a whole number from 1.`);
  return value;
}

function row(call: CallSummary): string {
  const time = new Date(call.sentAt).toISOString().replace('T', ' ').slice(0, 19);
  return `${String(call.id).padStart(6)}  ${time}  ${call.operation.padEnd(16)}  ${call.environmentName.padEnd(12)}  ${outcome(call)}`;
}

/** What became of a call, in a few words. */
export function outcome(call: CallSummary): string {
  if (call.failure !== null) return call.failure.message;
  if (call.state !== 'answered') return call.state;
  const code = call.code === null ? 'no code' : `code ${call.code}`;
  return [code, call.message, `HTTP ${call.status ?? ''}`].filter((part) => part !== null && part !== '').join(', ');
}

function report(call: Call, bodyText: string | null): string[] {
  const headers = (list: readonly (readonly [string, string])[]) => list.map(([name, value]) => `${name}: ${value}`);
  const lines = [row(call).trim(), '', `POST ${call.url}`, ...headers(call.request.headers), '', call.request.bodyText];
  if (call.response !== null) {
    lines.push('', `HTTP ${call.response.status}`, ...headers(call.response.headers), '', bodyText ?? '');
  }
  if (call.failure !== null) lines.push('', call.failure.message, call.failure.hint);
  for (const finding of call.findings) lines.push(`${finding.severity}: ${finding.path} ${finding.message}`);
  return lines;
}
