import { setAsideText } from '#shared/history/set-aside-words.ts';
import { AppError } from '#shared/errors.ts';
import { keptRule, keptText, keptTitle } from '#shared/history/kept-words.ts';
import { callsText, keepWaitingText, previewText, waitingText } from '#shared/history/retention-words.ts';
import { alwaysKept } from '#shared/model/limits.ts';
import type { Client, HistoryStatus, Kept, Retention } from '#shared/ipc/index.ts';
import { sizeText } from '#shared/byte-size.ts';
import { readNumber, readWhole, UsageError, type Arguments } from '../arguments.ts';
import { exits, printResult, type Command, type Context, type ExitCode } from '../command.ts';
import { requireYes } from '../questions.ts';
import { inHome, withWorkbench } from '../workbench.ts';

const megabyte = 1_000_000;

export const historyStatusCommand: Command = {
  spec: {
    name: 'history status',
    summary: 'Print the state of the history, its limits, and waiting removals.',
    options: { json: { help: 'Print one JSON document' } },
    notes: ["Exits with 70 if the history can't be used; standard output says why."],
  },
  run: inHome('process', async ({ client }, args, { terminal }) => {
    const status = await client.call('history.status', {});
    const { kept } = await client.call('history.kept', {});
    await printResult(args, terminal, { ...status, kept }, [...statusLines(status), ...keptLines(kept)]);
    return status.state === 'ready' ? exits.done : exits.fault;
  }),
};

export const historyLimitsCommand: Command = {
  spec: {
    name: 'history limits',
    summary: 'Show what new history limits would remove, then set them.',
    options: {
      days: { value: 'N', help: 'Remove calls older than N days, such as 30' },
      calls: { value: 'N', help: `Keep at most N calls (N is at least ${alwaysKept})` },
      megabytes: { value: 'N', help: 'Keep at most N MB of calls (N is at least 2)' },
      none: { help: 'Keep all calls' },
      'dry-run': { help: 'Print what these limits would remove' },
      'remove-waiting': { value: 'N', help: 'Start the waiting removal; N is the number of calls that "history status" shows' },
      'keep-waiting': { help: 'Keep the calls waiting for removal, and turn the limits off' },
      yes: { help: 'Skip the confirmation' },
      json: { help: 'Print one JSON document' },
    },
    notes: [
      "A limit that you don't set is off. Pinned calls stay and don't count; the newest 100 calls always stay.",
      'Without options, it prints the current limits.',
    ],
  },
  async run(args, context) {
    const wanted = readLimits(args);
    const answer = readAnswer(args);
    const changes = [wanted, answer].filter((one) => one !== null).length;
    if (changes > 1) throw new UsageError('Set limits or decide on the waiting removal, not both.');
    if (wanted === null && args.has('dry-run')) throw new UsageError('Name the limits to try, such as --days 30.');
    return withWorkbench(context, { keys: 'process' }, async ({ client }) => {
      if (answer !== null) {
        const calls = answer.calls ?? (await client.call('history.status', {})).waiting?.calls;
        if (calls === undefined) throw new AppError('conflict', 'Nothing was changed: no removal is waiting for confirmation.');
        await client.call('history.settle', { does: answer.does, calls });
      } else if (wanted !== null) {
        const done = await setLimits(client, wanted, args, context);
        if (done !== null) return done;
      }
      const status = await client.call('history.status', {});
      const { retention, waiting } = status;
      return printResult(args, context.terminal, { retention, waiting }, limitLines(status));
    });
  },
};

/** Sets the limits and returns null; returns the exit code if it only showed or refused them. */
async function setLimits(client: Client, wanted: Retention, args: Arguments, context: Context): Promise<ExitCode | null> {
  const preview = await client.call('history.preview', wanted);
  if (args.has('dry-run')) return printResult(args, context.terminal, preview, [previewText(preview, wanted)]);
  if (preview.calls > 0 && !args.has('yes')) {
    const text = previewText(preview, wanted);
    const unasked = `Nothing was changed. ${text} To set these limits, add --yes.`;
    const agreement = { lines: [text], declined: 'Nothing was changed.', unasked };
    await requireYes(`Set these limits and remove ${callsText(preview.calls)}?`, agreement, context);
  }
  await client.call('history.retain', { retention: wanted, removes: preview.calls });
  return null;
}

/** Returns the limits of the options; null if none is given. */
function readLimits(args: Arguments): Retention | null {
  const maxAgeDays = readNumber(args, 'days', 1, 100_000) ?? null;
  const maxCalls = readNumber(args, 'calls', alwaysKept, 1_000_000_000) ?? null;
  const megabytes = readNumber(args, 'megabytes', 2, 1_000_000_000);
  const limits = { maxAgeDays, maxCalls, maxBytes: megabytes === undefined ? null : megabytes * megabyte };
  const some = Object.values(limits).some((limit) => limit !== null);
  if (some && args.has('none')) throw new UsageError('Use --none or a limit, not both.');
  return some || args.has('none') ? limits : null;
}

function readAnswer(args: Arguments): { does: 'remove' | 'keep'; calls: number | null } | null {
  const text = args.value('remove-waiting');
  if (text !== undefined && args.has('keep-waiting')) throw new UsageError('Use --remove-waiting or --keep-waiting, not both.');
  if (args.has('keep-waiting')) return { does: 'keep', calls: null };
  if (text === undefined) return null;
  const message = '--remove-waiting must be the number of calls that "croupier history status" prints.';
  return { does: 'remove', calls: readWhole(text, message, 0, 999_999_999_999) };
}

function keptLines(kept: readonly Kept[]): string[] {
  const found = kept.filter(({ count }) => count > 0);
  if (found.length === 0) return [];
  return ['Other stored data:', ...found.map((one) => `  ${keptTitle(one)}: ${keptText(one)}. ${keptRule(one)}`)];
}

function statusLines(status: HistoryStatus): string[] {
  const { calls, pinned, deleted, bytes, path, message, remains, stuck, setAside } = status;
  const more = [
    ...(pinned === 0 ? [] : [`${pinned.toLocaleString('en')} pinned`]),
    ...(deleted === 0 ? [] : [`${deleted.toLocaleString('en')} deleted that can be restored`]),
  ];
  const disk = bytes.database + bytes.wal + bytes.index;
  return [
    ...(message === null ? [] : [message]),
    `${[callsText(calls), ...more].join(', ')}. ${sizeText(disk)} on disk, ${sizeText(bytes.free)} of it free for new calls.`,
    path,
    ...limitLines(status),
    ...(remains === null ? [] : [remains]),
    ...(stuck === null ? [] : [stuck]),
    ...setAside.map(setAsideText),
  ];
}

function limitLines({ retention, waiting }: Pick<HistoryStatus, 'retention' | 'waiting'>): string[] {
  const { maxAgeDays, maxCalls, maxBytes } = retention;
  const limits = [
    ...(maxAgeDays === null ? [] : [`calls of the last ${maxAgeDays.toLocaleString('en')} ${maxAgeDays === 1 ? 'day' : 'days'}`]),
    ...(maxCalls === null ? [] : [`at most ${callsText(maxCalls)}`]),
    ...(maxBytes === null ? [] : [`at most ${sizeText(maxBytes)} of calls`]),
  ];
  const line = limits.length === 0 ? 'Keeps all calls.' : `Keeps ${limits.join(', ')}, pinned calls, and the newest 100.`;
  if (waiting === null) return [line];
  return [
    line,
    waitingText(waiting),
    `  croupier history limits --remove-waiting ${waiting.calls}    removes them permanently`,
    `  croupier history limits --keep-waiting    keeps them. ${keepWaitingText}`,
  ];
}
