/** Option with which Node starts no debugger on a signal. */
export const withoutDebugger = '--disable-sigusr1';
/** Options of Croupier's programs. The single file has them in itself, and so in each process. */
const ownOptions = [withoutDebugger, '--min-semi-space-size=8', '--max-semi-space-size=8'];

/**
 * Takes SIGUSR1, with which any process of the user otherwise opens Node's debugger on 127.0.0.1, where every account of the
 * machine reaches it. For programs that are started without `withoutDebugger`; Windows has no such signal.
 */
export function keepDebuggerClosed(): void {
  process.on('SIGUSR1', () => undefined);
}

/**
 * Returns why this process must not hold a key; null if it may. It may have nothing but options of Croupier's own among its arguments,
 * because every other option may open a debugger, write the memory to a file or load other code; no option from the environment;
 * and no open debugger.
 */
export function whyInspected(
  own: Pick<NodeJS.Process, 'execArgv' | 'env'> = process,
  debuggerAddress: string | undefined = openDebugger(),
): string | null {
  const option = own.execArgv.find((argument) => !ownOptions.includes(argument));
  if (option !== undefined) return refusal(`with the option ${option.replace(/=.*/s, '')}`);
  if ((own.env['NODE_OPTIONS'] ?? '') !== '') return refusal('with NODE_OPTIONS');
  return debuggerAddress === undefined ? null : refusal('under a debugger');
}

/** Returns its address. A Node may be built without a debugger. */
function openDebugger(): string | undefined {
  return process.features.inspector ? process.getBuiltinModule('node:inspector').url() : undefined;
}

function refusal(how: string): string {
  return `The key agent accepts no key: it was started ${how}, which could expose its memory. Start Croupier without that.`;
}
