import type { Command } from './command.ts';

interface Entry {
  /** One or two words, as they are typed. */
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command; each is loaded when it is asked for, so that `hash` pays for nothing else. */
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
    name: 'hash',
    summary: 'The hash of key, time and data',
    load: async () => (await import('./commands/hash.ts')).hashCommand,
  },
  {
    name: 'operations',
    summary: 'The operations, their fields and what the spec leaves open',
    load: async () => (await import('./commands/operations.ts')).operationsCommand,
  },
  { name: 'env list', summary: 'The environments', load: async () => (await import('./commands/env.ts')).envListCommand },
  { name: 'env show', summary: 'One environment', load: async () => (await import('./commands/env.ts')).envShowCommand },
  {
    name: 'env set',
    summary: 'Create or change an environment',
    load: async () => (await import('./commands/env.ts')).envSetCommand,
  },
  {
    name: 'env remove',
    summary: 'Remove an environment',
    load: async () => (await import('./commands/env.ts')).envRemoveCommand,
  },
  {
    name: 'key set',
    summary: 'Store a key, read from standard input',
    load: async () => (await import('./commands/key.ts')).keySetCommand,
  },
  {
    name: 'key status',
    summary: 'Whether a key is stored',
    load: async () => (await import('./commands/key.ts')).keyStatusCommand,
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
    summary: 'The newest calls',
    load: async () => (await import('./commands/history.ts')).historyListCommand,
  },
  {
    name: 'history search',
    summary: 'Calls whose request or response contains a text',
    load: async () => (await import('./commands/history.ts')).historySearchCommand,
  },
  {
    name: 'history show',
    summary: 'One call exactly as sent and received',
    load: async () => (await import('./commands/history.ts')).historyShowCommand,
  },
  {
    name: 'history diff',
    summary: 'What differs between two calls, hash input first',
    load: async () => (await import('./commands/history-diff.ts')).historyDiffCommand,
  },
  {
    name: 'history repeat',
    summary: 'Send the recorded bytes of a call again: old time, old hash',
    load: async () => (await import('./commands/history-repeat.ts')).historyRepeatCommand,
  },
  {
    name: 'history export',
    summary: 'Calls as HAR, programs, JSON lines or a support pack',
    load: async () => (await import('./commands/history-export.ts')).historyExportCommand,
  },
  {
    name: 'history forget',
    summary: 'Remove everything that names a player, for good',
    load: async () => (await import('./commands/history-forget.ts')).historyForgetCommand,
  },
  {
    name: 'history status',
    summary: 'What the history holds, what it keeps, and what waits',
    load: async () => (await import('./commands/history-limits.ts')).historyStatusCommand,
  },
  {
    name: 'history limits',
    summary: 'Set what the history keeps, and see first what that removes',
    load: async () => (await import('./commands/history-limits.ts')).historyLimitsCommand,
  },
  {
    name: 'history compact',
    summary: 'Give the free space of the history back to the disk now',
    load: async () => (await import('./commands/history-compact.ts')).historyCompactCommand,
  },
  {
    name: 'history clean',
    summary: 'Take what was deleted earlier out of the files',
    load: async () => (await import('./commands/history-clean.ts')).historyCleanCommand,
  },
  {
    name: 'import',
    summary: 'Make requests of a collection from those of curl, Postman, HAR or Bruno',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  {
    name: 'export',
    summary: 'Write requests of a collection for Postman, curl or HAR',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
];

/** The command that the first words name, and the arguments after them; null where there is none. */
export function findCommand(words: readonly string[]): { entry: Entry; rest: string[] } | null {
  for (const length of [2, 1]) {
    const entry = commands.find(({ name }) => name === words.slice(0, length).join(' ') && name.split(' ').length === length);
    if (entry !== undefined) return { entry, rest: words.slice(length) };
  }
  return null;
}
