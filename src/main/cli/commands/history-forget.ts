import { namedLines, stepText } from '#shared/forget/words.ts';
import type { Client, ForgetReport } from '#shared/ipc/index.ts';
import { UsageError } from '../arguments.ts';
import { exits, type Command, type Context, type ExitCode } from '../command.ts';
import { requireYes } from '../questions.ts';
import { withWorkbench } from '../workbench.ts';

export const historyForgetCommand: Command = {
  spec: {
    name: 'history forget',
    summary: 'Permanently remove everything in this home that mentions a given player.',
    options: {
      player: { value: 'ID', help: 'Forget this player, exactly as in playerId (12 is not 1234)' },
      'dry-run': { help: 'List what would be removed and what would stay' },
      'set-aside': { help: "Also remove damaged histories, which Croupier set aside and can't search" },
      yes: { help: 'Skip the confirmation' },
      json: { help: 'Print one JSON document' },
    },
    notes: [
      'It removes everything that mentions the player: calls of all environments, including production, launches, run reports, evidence and ' +
        "examples in open collections. It lists what it can't reach, such as git and exported files. There is no undo.",
      'Exits with 70 if a file still contains parts of removed calls; standard error says which, and why.',
    ],
  },
  async run(args, context) {
    const player = args.value('player') ?? '';
    if (player === '') throw new UsageError('Name the player with --player ID.');
    const setAside = args.has('set-aside');
    return withWorkbench(context, { keys: 'process' }, async ({ client }) => {
      const found = await forget(client, { player, dryRun: true, setAside }, context);
      if (args.has('dry-run') || found.cancelled) return report(found, args.has('json'), context);
      const lines = namedLines(found);
      if (lines.length > 0 && !args.has('yes')) {
        const unasked = `Nothing was removed. These mention ${JSON.stringify(player)}: ${lines.join('; ')}. To remove them permanently, add --yes.`;
        const question = `This can't be undone. Forget the player ${JSON.stringify(player)}?`;
        await requireYes(question, { lines, declined: 'Nothing was removed.', unasked }, context);
      }
      return report(await forget(client, { player, dryRun: false, setAside }, context), args.has('json'), context);
    });
  },
};

/** Forgets a player in core, which the user can stop; shows the progress on a terminal. */
async function forget(
  client: Client,
  question: { player: string; dryRun: boolean; setAside: boolean },
  { terminal, stop }: Context,
): Promise<ForgetReport> {
  const ticket = `forget-${question.dryRun ? 'look' : 'do'}`;
  let told = '';
  const quiet = client.on('history.forgetting', ({ step, done, total }) => {
    // One line for each tenth of a step.
    const tenth = `${step} ${total === 0 ? 0 : Math.floor((done / total) * 10)}`;
    if (terminal.interactive && tenth !== told) terminal.note(`${stepText(step, done, total)}.`);
    told = tenth;
  });
  const cancel = () => void client.call('history.cancelForget', { ticket });
  stop.addEventListener('abort', cancel, { once: true });
  try {
    return await client.call('history.forget', { ...question, ticket });
  } finally {
    stop.removeEventListener('abort', cancel);
    quiet();
  }
}

async function report(done: ForgetReport, json: boolean, { terminal }: Context): Promise<ExitCode> {
  const { player, dryRun, cancelled, exampleFiles, left, remains } = done;
  const named = namedLines(done);
  if (json) await terminal.result(JSON.stringify(done, null, 2));
  else {
    const found = dryRun
      ? `Found for the player ${JSON.stringify(player)}:`
      : `Removed for the player ${JSON.stringify(player)}:`;
    const heading = named.length === 0 ? `Croupier found nothing that mentions the player ${JSON.stringify(player)}.` : found;
    for (const line of [heading, ...named.map((one) => `  ${one}`), ...exampleFiles.map((file) => `    ${file}`)]) {
      await terminal.line(line);
    }
    if (left.length > 0) await terminal.line('Not removed:');
    for (const { text, files } of left) {
      await terminal.line(`  ${text}`);
      for (const file of files) await terminal.line(`    ${file}`);
    }
  }
  if (remains !== null) terminal.note(`croupier: ${remains}`);
  if (cancelled) {
    terminal.note('croupier: stopped. Removals so far are final; the rest is still there.');
    return exits.noAnswer;
  }
  return remains === null ? exits.done : exits.fault;
}
