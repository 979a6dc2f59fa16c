/**
 * Keeps addresses of the network off standard error. Electron emits a warning with the whole address of each page that does not load, and a
 * launch's carries the player's session token; the launch's record says the same without it.
 */
export function silenceLoadWarnings(process: Pick<NodeJS.Process, 'emitWarning'>): void {
  const emitWarning = process.emitWarning.bind(process) as (...values: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (typeof warning !== 'string' || !/^Failed to load URL: https?:/.test(warning)) emitWarning(warning, ...rest);
  };
}
