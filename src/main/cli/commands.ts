import type { CommandSpec } from './arguments.ts';
import type { Command } from './command.ts';

interface Entry {
  /** One or two words, as they are typed. */
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Returns the commands of a file, each by its name and summary: one that is left out does not compile. */
function commandsOf<Module extends object>(
  load: () => Promise<Module>,
  named: {
    readonly [Name in keyof Module as Module[Name] extends Command ? Name : never]: readonly [name: string, summary: string];
  },
): Entry[] {
  return Object.entries<readonly [string, string]>(named).map(([member, [name, summary]]) => ({
    name,
    summary,
    load: async () => (await load())[member as keyof Module] as Command,
  }));
}

/** Every command; each is loaded when it is used, so that `hash` starts fast. */
export const commands: readonly Entry[] = [
  ...commandsOf(() => import('./commands/call.ts'), { callCommand: ['call', 'Send one operation and print the response'] }),
  ...commandsOf(() => import('./commands/run.ts'), {
    runCommand: ['run', 'Run the requests of a collection and check the responses'],
  }),
  ...commandsOf(() => import('./commands/report-merge.ts'), {
    reportMergeCommand: ['report merge', 'Merge the parts of a run into one report'],
  }),
  ...commandsOf(() => import('./commands/hash.ts'), { hashCommand: ['hash', 'Print the hash of key, time and data'] }),
  ...commandsOf(() => import('./commands/doctor.ts'), { doctorCommand: ['doctor', 'Find out why a provider rejects hashes'] }),
  ...commandsOf(() => import('./commands/operations.ts'), {
    operationsCommand: ['operations', 'List the operations, their fields, and what the spec leaves open'],
  }),
  ...commandsOf(() => import('./commands/env.ts'), {
    envListCommand: ['env list', 'List the environments'],
    envShowCommand: ['env show', 'Print one environment'],
    envSetCommand: ['env set', 'Create or change an environment'],
    envDefaultCommand: ['env default', 'Print or choose the default environment'],
    envRemoveCommand: ['env remove', 'Remove an environment'],
  }),
  ...commandsOf(() => import('./commands/env-certificate.ts'), {
    envCertificateCommand: ['env certificate', 'Print or set a client certificate'],
  }),
  ...commandsOf(() => import('./commands/env-collection.ts'), {
    envExportCommand: ['env export', 'Write an environment into a collection'],
    envImportCommand: ['env import', "Add a collection's environment to this home (Croupier's data folder)"],
    envDiffCommand: ['env diff', 'Compare an environment with the one in a collection'],
  }),
  ...commandsOf(() => import('./commands/key.ts'), {
    keySetCommand: ['key set', 'Store a key, read from standard input'],
    keyStatusCommand: ['key status', 'Show whether a key is stored'],
    keyChooseCommand: ['key choose', "Choose which of an environment's two keys signs its calls"],
    keyDiscardCommand: ['key discard', "Remove one of an environment's two keys"],
    keyRemoveCommand: ['key remove', 'Remove a key'],
  }),
  ...commandsOf(() => import('./commands/proxy.ts'), {
    proxyLoginCommand: ['proxy login', 'Store the user name and password of a proxy'],
    proxyLogoutCommand: ['proxy logout', 'Remove the login of a proxy'],
  }),
  ...commandsOf(() => import('./commands/sandbox.ts'), {
    sandboxCommand: ['sandbox', 'Run the built-in provider (the sandbox)'],
  }),
  ...commandsOf(() => import('./commands/gateway.ts'), {
    gatewayCommand: ['gateway', 'Pass and judge what your backend sends to its provider'],
  }),
  ...commandsOf(() => import('./commands/wallet.ts'), {
    walletTestCommand: ['wallet test', "Test an operator's wallet as its provider would call it"],
    walletRestoreCommand: ['wallet restore', 'Put back what a wallet test left moved'],
  }),
  ...commandsOf(() => import('./commands/schemas.ts'), {
    schemasCommand: ['schemas', "Write the schemas of a collection's files, for editors"],
  }),
  ...commandsOf(() => import('./commands/mcp.ts'), {
    mcpCommand: ['mcp', 'Serve agents and editors (Model Context Protocol)'],
  }),
  ...commandsOf(() => import('./commands/serve.ts'), { serveCommand: ['serve', 'Run the workbench for a browser'] }),
  ...commandsOf(() => import('./commands/history.ts'), {
    historyListCommand: ['history list', 'List the newest calls'],
    historySearchCommand: ['history search', 'Find calls whose request or response contains a text'],
    historyShowCommand: ['history show', 'Print one call exactly as sent and received'],
  }),
  ...commandsOf(() => import('./commands/history-diff.ts'), {
    historyDiffCommand: ['history diff', 'Compare two calls, hash input first'],
  }),
  ...commandsOf(() => import('./commands/history-repeat.ts'), {
    historyRepeatCommand: ['history repeat', "Resend a call's recorded bytes, with the old time and hash"],
  }),
  ...commandsOf(() => import('./commands/history-save.ts'), {
    historySaveCommand: ['history save', "Save a call's request to a collection"],
  }),
  ...commandsOf(() => import('./commands/history-export.ts'), {
    historyExportCommand: ['history export', 'Write calls as HAR, programs, JSON lines or a support pack'],
  }),
  ...commandsOf(() => import('./commands/history-open.ts'), {
    historyOpenCommand: ['history open', 'Open a support pack'],
  }),
  ...commandsOf(() => import('./commands/history-forget.ts'), {
    historyForgetCommand: ['history forget', 'Permanently remove everything that mentions a given player'],
  }),
  ...commandsOf(() => import('./commands/history-limits.ts'), {
    historyStatusCommand: ['history status', 'Print the state of the history, its limits, and waiting removals'],
    historyLimitsCommand: ['history limits', 'Show what new history limits would remove, then set them'],
  }),
  ...commandsOf(() => import('./commands/history-compact.ts'), {
    historyCompactCommand: ['history compact', 'Compact the history to free disk space'],
    historyCleanCommand: ['history clean', 'Erase leftovers of deleted calls from the history files'],
  }),
  ...commandsOf(() => import('./commands/evidence.ts'), {
    evidenceVerifyCommand: ['evidence verify', "Check that a launch's evidence is unchanged since it was signed"],
    evidenceKeyCommand: ['evidence key', "Print the public key that verifies this home's evidence"],
  }),
  ...commandsOf(() => import('./commands/import.ts'), {
    importCommand: ['import', 'Import requests from cURL, Postman, Insomnia, HAR, Bruno or OpenAPI'],
  }),
  ...commandsOf(() => import('./commands/export.ts'), {
    exportCommand: ['export', 'Export requests to Postman, Bruno, HAR or a program that signs'],
  }),
  ...commandsOf(() => import('./commands/diagnostics.ts'), {
    diagnosticsCommand: ['diagnostics', 'Print facts for a bug report'],
  }),
  ...commandsOf(() => import('./commands/uninstall.ts'), {
    uninstallCommand: ['uninstall', 'Remove what Croupier keeps on this computer'],
  }),
  {
    name: 'completion',
    summary: 'Print a shell completion script',
    load: async () => (await import('./commands/completion.ts')).createCompletionCommand(allSpecs),
  },
  {
    name: 'man',
    summary: 'Print the manual page of croupier',
    load: async () => (await import('./commands/man.ts')).createManCommand(allSpecs),
  },
];

async function allSpecs(): Promise<CommandSpec[]> {
  return (await Promise.all(commands.map(({ load }) => load()))).map(({ spec }) => spec);
}

/** Finds the command that the first words name, and the arguments after them; null if there is none. */
export function findCommand(words: readonly string[]): { entry: Entry; rest: string[] } | null {
  for (const length of [2, 1]) {
    const entry = commands.find(({ name }) => name === words.slice(0, length).join(' ') && name.split(' ').length === length);
    if (entry !== undefined) return { entry, rest: words.slice(length) };
  }
  return null;
}
