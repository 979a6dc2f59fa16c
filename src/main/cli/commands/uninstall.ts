import type { Traces } from '#core/app/tools.ts';
import { filesText } from '#shared/byte-size.ts';
import { AppError } from '#shared/errors.ts';
import { ownCacheFolder } from '../code-cache.ts';
import { exits, type Command } from '../command.ts';
import { requireYes } from '../questions.ts';

export const uninstallCommand: Command = {
  spec: {
    name: 'uninstall',
    summary: 'Remove what Croupier keeps on this computer: its home, its keychain entries and its caches.',
    options: {
      'dry-run': { help: 'List what would be removed' },
      yes: { help: 'Skip the confirmation' },
    },
    notes: [
      'Your collections, exported files and other files are kept. So is the program: uninstall it the way you installed it.',
      'There is no undo. First export what you still need.',
    ],
  },
  async run(args, context) {
    const { terminal, programs } = context;
    const { findTraces, removeTraces, resolveHome } = await import('#core/app/tools.ts');
    const cache = ownCacheFolder(terminal.env);
    const found = await findTraces(resolveHome(terminal.env), cache === null ? [] : [cache]);
    const { entries, outside, accounts } = found;
    // Other homes of this user share the key for fingerprints.
    const isOnlyHome = (terminal.env['CROUPIER_HOME'] ?? '') === '';
    for (const line of linesOf(found, isOnlyHome)) await terminal.line(line);
    const isClean = entries.length + outside.length + (accounts ?? []).length === 0;
    if (args.has('dry-run') || isClean) return exits.done;
    if (found.isInUse) throw new AppError('conflict', 'Nothing was removed: Croupier is running on this home. Close it first.');
    if (!args.has('yes'))
      await requireYes(
        "This can't be undone. Remove everything listed?",
        { declined: 'Nothing was removed.', unasked: 'Nothing was removed. To remove everything listed, add --yes.' },
        context,
      );
    const { createNodeHost } = await import('../../loopback/node-host.ts');
    const { keyAgent, readingWorker, exportWorker } = programs;
    const program = { name: 'Command line', version: programs.version(), keyAgent, readingWorker, exportWorker };
    // The process that alone may touch the keychain.
    const { secrets } = createNodeHost({ ...program, keys: 'keychain' });
    try {
      await removeTraces(found, secrets, isOnlyHome);
    } finally {
      await secrets.close();
    }
    await terminal.line('Removed.');
    return exits.done;
  },
};

function linesOf({ home, entries, outside, own, collections, accounts }: Traces, isOnlyHome: boolean): string[] {
  const sized = ({ name, bytes, files }: Traces['entries'][number]) => `  ${name}: ${filesText(bytes, files)}`;
  const inKeychain = (accounts ?? []).map((account) => `  ${account}`);
  const section = (title: string, lines: readonly string[]) => [title, ...(lines.length === 0 ? ['  nothing'] : lines)];
  return [
    ...section(`Home ${home}`, entries.map(sized)),
    ...section('Keychain, service Croupier', accounts === null ? ["  unknown: keys.json can't be read"] : inKeychain),
    ...(inKeychain.length === 0 ? [] : [isOnlyHome ? '  fingerprint-key' : '  (fingerprint-key stays: your other homes use it)']),
    ...section('Elsewhere', outside.map(sized)),
    ...section("Stays, because it's yours", [
      ...own.map((name) => `  ${name} in the home`),
      ...collections.map((directory) => `  the collection ${directory}`),
    ]),
  ];
}
