/**
 * Keeps URLs off standard error. Electron emits a warning with the whole URL of each page that fails to load, and a
 * launcher URL carries the player's session token; the launch's record reports the failure without it.
 */
export function silenceLoadWarnings(process: Pick<NodeJS.Process, 'emitWarning'>): void {
  const emitWarning = process.emitWarning.bind(process) as (...values: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (typeof warning !== 'string' || !/^Failed to load URL: https?:/.test(warning)) emitWarning(warning, ...rest);
  };
}
