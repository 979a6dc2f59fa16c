/** With it Node starts no debugger on a signal. */
export const withoutDebugger = '--disable-sigusr1';

/**
 * Takes SIGUSR1, with which any process of the user opens Node's debugger on 127.0.0.1 otherwise, where every account of the machine reaches
 * it. For programs that are started without `withoutDebugger`; there is no such signal on Windows.
 */
export function keepDebuggerClosed(): void {
  process.on('SIGUSR1', () => undefined);
}

/**
 * Why this process is not one to hold a key, null where it is: nothing but `withoutDebugger` among its own arguments, as every other option
 * may open a debugger, write the memory to a file or load other code; none that comes by the environment; no debugger that is open already.
 */
export function whyInspected(
  own: Pick<NodeJS.Process, 'execArgv' | 'env'> = process,
  debuggerAddress: string | undefined = openDebugger(),
): string | null {
  const option = own.execArgv.find((argument) => argument !== withoutDebugger);
  if (option !== undefined) return refusal(`with the option ${option.replace(/=.*/s, '')}`);
  if ((own.env['NODE_OPTIONS'] ?? '') !== '') return refusal('with NODE_OPTIONS');
  return debuggerAddress === undefined ? null : refusal('under a debugger');
}

/** Its address. A Node may be built without a debugger. */
function openDebugger(): string | undefined {
  return process.features.inspector ? process.getBuiltinModule('node:inspector').url() : undefined;
}

function refusal(how: string): string {
  return `The process that holds the keys was started ${how}, which could show its memory to others, so it takes no key. Start Croupier without it.`;
}
