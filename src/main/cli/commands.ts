import type { Command } from './command.ts';

interface Entry {
  /** One or two words, as they are typed. */
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command; each is loaded when it is used, so that `hash` starts fast. */
export const commands: readonly Entry[] = [
  {
    name: 'call',
    summary: 'Send one operation and print the response',
    load: async () => (await import('./commands/call.ts')).callCommand,
  },
  {
    name: 'run',
    summary: 'Run the requests of a collection and check the responses',
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  {
    name: 'report merge',
    summary: 'Merge the parts of a run into one report',
    load: async () => (await import('./commands/report-merge.ts')).reportMergeCommand,
  },
  {
    name: 'hash',
    summary: 'Print the hash of key, time and data',
    load: async () => (await import('./commands/hash.ts')).hashCommand,
  },
  {
    name: 'doctor',
    summary: 'Find out why a provider rejects hashes',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'operations',
    summary: 'List the operations, their fields and open points',
    load: async () => (await import('./commands/operations.ts')).operationsCommand,
  },
  { name: 'env list', summary: 'List the environments', load: async () => (await import('./commands/env.ts')).envListCommand },
  { name: 'env show', summary: 'Print one environment', load: async () => (await import('./commands/env.ts')).envShowCommand },
  {
    name: 'env set',
    summary: 'Create or change an environment',
    load: async () => (await import('./commands/env.ts')).envSetCommand,
  },
  {
    name: 'env default',
    summary: 'Print or choose the environment of commands without --env',
    load: async () => (await import('./commands/env-default.ts')).envDefaultCommand,
  },
  {
    name: 'env remove',
    summary: 'Remove an environment',
    load: async () => (await import('./commands/env.ts')).envRemoveCommand,
  },
  {
    name: 'env export',
    summary: 'Write an environment into a collection',
    load: async () => (await import('./commands/env-collection.ts')).envExportCommand,
  },
  {
    name: 'env import',
    summary: 'Take an environment of a collection into this home',
    load: async () => (await import('./commands/env-collection.ts')).envImportCommand,
  },
  {
    name: 'env diff',
    summary: 'Compare an environment with that of a collection',
    load: async () => (await import('./commands/env-collection.ts')).envDiffCommand,
  },
  {
    name: 'key set',
    summary: 'Store a key, read from standard input',
    load: async () => (await import('./commands/key.ts')).keySetCommand,
  },
  {
    name: 'key status',
    summary: 'Say whether a key is stored',
    load: async () => (await import('./commands/key.ts')).keyStatusCommand,
  },
  {
    name: 'key choose',
    summary: 'Decide which of two keys signs',
    load: async () => (await import('./commands/key.ts')).keyChooseCommand,
  },
  {
    name: 'key discard',
    summary: 'Remove one of two keys',
    load: async () => (await import('./commands/key.ts')).keyDiscardCommand,
  },
  { name: 'key remove', summary: 'Remove a key', load: async () => (await import('./commands/key.ts')).keyRemoveCommand },
  {
    name: 'sandbox',
    summary: 'Run the built-in provider',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  },
  {
    name: 'serve',
    summary: 'Run the workbench for a browser',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  {
    name: 'history list',
    summary: 'List the newest calls',
    load: async () => (await import('./commands/history.ts')).historyListCommand,
  },
  {
    name: 'history search',
    summary: 'Find calls whose request or response contains a text',
    load: async () => (await import('./commands/history.ts')).historySearchCommand,
  },
  {
    name: 'history show',
    summary: 'Print one call exactly as sent and received',
    load: async () => (await import('./commands/history.ts')).historyShowCommand,
  },
  {
    name: 'history diff',
    summary: 'Compare two calls, hash input first',
    load: async () => (await import('./commands/history-diff.ts')).historyDiffCommand,
  },
  {
    name: 'history repeat',
    summary: 'Send the recorded bytes of a call again: old time, old hash',
    load: async () => (await import('./commands/history-repeat.ts')).historyRepeatCommand,
  },
  {
    name: 'history save',
    summary: 'Save the request of a call into a collection',
    load: async () => (await import('./commands/history-save.ts')).historySaveCommand,
  },
  {
    name: 'history export',
    summary: 'Write calls as HAR, programs, JSON lines or a support pack',
    load: async () => (await import('./commands/history-export.ts')).historyExportCommand,
  },
  {
    name: 'history open',
    summary: 'Open a support pack to read',
    load: async () => (await import('./commands/history-open.ts')).historyOpenCommand,
  },
  {
    name: 'history forget',
    summary: 'Remove everything that names a player, for good',
    load: async () => (await import('./commands/history-forget.ts')).historyForgetCommand,
  },
  {
    name: 'history status',
    summary: 'Print the state of the history, its limits, and waiting removals',
    load: async () => (await import('./commands/history-limits.ts')).historyStatusCommand,
  },
  {
    name: 'history limits',
    summary: 'Set the limits of the history; shows first what they remove',
    load: async () => (await import('./commands/history-limits.ts')).historyLimitsCommand,
  },
  {
    name: 'history compact',
    summary: 'Return the free space of the history to the disk now',
    load: async () => (await import('./commands/history-compact.ts')).historyCompactCommand,
  },
  {
    name: 'history clean',
    summary: 'Erase deleted calls from the files of the history',
    load: async () => (await import('./commands/history-clean.ts')).historyCleanCommand,
  },
  {
    name: 'evidence verify',
    summary: 'Check that evidence of a launch is as it was signed',
    load: async () => (await import('./commands/evidence.ts')).evidenceVerifyCommand,
  },
  {
    name: 'evidence key',
    summary: 'Print the public key that signs the evidence of this home',
    load: async () => (await import('./commands/evidence.ts')).evidenceKeyCommand,
  },
  {
    name: 'import',
    summary: 'Import requests from cURL, Postman, Insomnia, HAR, Bruno or OpenAPI',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  {
    name: 'export',
    summary: 'Export requests to Postman, Bruno, HAR or a program that signs',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    name: 'diagnostics',
    summary: 'Print facts for a report of a fault',
    load: async () => (await import('./commands/diagnostics.ts')).diagnosticsCommand,
  },
  {
    name: 'uninstall',
    summary: 'Remove what Croupier keeps on this computer',
    load: async () => (await import('./commands/uninstall.ts')).uninstallCommand,
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands in a shell',
    load: async () => (await import('./commands/completion.ts')).createCompletionCommand(loadAll),
  },
  {
    name: 'man',
    summary: 'Print the manual page of croupier',
    load: async () => (await import('./commands/man.ts')).createManCommand(loadAll),
  },
];

function loadAll(): Promise<Command[]> {
  return Promise.all(commands.map(({ load }) => load()));
}

/** Finds the command that the first words name, and the arguments after them; null if there is none. */
export function findCommand(words: readonly string[]): { entry: Entry; rest: string[] } | null {
  for (const length of [2, 1]) {
    const entry = commands.find(({ name }) => name === words.slice(0, length).join(' ') && name.split(' ').length === length);
    if (entry !== undefined) return { entry, rest: words.slice(length) };
  }
  return null;
}
