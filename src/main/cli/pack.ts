import { existsSync } from 'node:fs';
import type { OpenPack } from '#core/app/tools.ts';
import { maskedInPack } from '#shared/calls/pack-words.ts';
import type { Client, Input, Output } from '#shared/ipc/index.ts';
import type { Arguments, OptionSpec } from './arguments.ts';
import type { Context } from './command.ts';
import { readInputFile } from './read-input.ts';
import { withWorkbench, type Workbench } from './workbench.ts';

/** The option of each command that looks into a support pack. */
export const packOption: Readonly<Record<'pack', OptionSpec>> = {
  pack: { value: 'FILE', help: 'Read this support pack (its JSON) instead of the history' },
};

/** Opens a support pack and the page beside it, and says on standard error what is masked or does not fit. `-` is standard input. */
export async function openPack(path: string, context: Context): Promise<OpenPack> {
  const json = await readInputFile('input.pack', path, context);
  const beside = path.replace(/\.json$/i, '.html');
  const page = path !== '-' && beside !== path && existsSync(beside) ? await readInputFile('input.pack', beside, context) : null;
  const { openPackFile } = await import('#core/app/tools.ts');
  const pack = await openPackFile(json, page);
  for (const warning of warningsOf(pack.facts, beside)) context.terminal.note(`croupier: ${warning}`);
  return pack;
}

function warningsOf(facts: OpenPack['facts'], beside: string): string[] {
  const masked = maskedInPack(facts);
  return [
    ...(masked === null ? [] : [masked]),
    ...(facts.page === 'different'
      ? [`${beside} doesn't belong to this pack, or was changed. Only the JSON is shown here.`]
      : []),
  ];
}

/** Opens core for one piece of work with the calls of the history, or with those of the pack that `--pack` names. */
export async function withCalls<T>(
  args: Arguments,
  context: Context,
  work: (workbench: Workbench, pack: OpenPack | null) => Promise<T>,
): Promise<T> {
  const path = args.value('pack');
  if (path === undefined) return withWorkbench(context, { keys: 'keychain' }, (workbench) => work(workbench, null));
  const pack = await openPack(path, context);
  try {
    return await withWorkbench(context, { keys: 'process' }, ({ app, client }) =>
      work({ app, client: packClient(client, pack) }, pack),
    );
  } finally {
    await pack.close();
  }
}

/** A client that reads calls from a pack, and everything else from the home. */
function packClient(client: Client, pack: OpenPack): Client {
  return {
    ...client,
    async call(name, input) {
      if (name === 'calls.list') {
        const { limit = 50, match = 'anywhere', filter = {}, ...query } = input as Input<'calls.list'>;
        return (await pack.list({ limit, match, filter, ...query })) satisfies Output<'calls.list'> as never;
      }
      if (name === 'calls.get') return pack.get((input as Input<'calls.get'>).id) satisfies Output<'calls.get'> as never;
      return client.call(name, input);
    },
    body: async (id, part) => pack.body(id, part),
  };
}
