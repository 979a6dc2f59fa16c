/** Decides after each crash of a page's process whether to start it again or to give up. */
export interface CrashLimit {
  mayReload(now: number): boolean;
}

/** Creates a limit of three crashes within a minute. Times are in milliseconds. */
export function createCrashLimit(): CrashLimit {
  let recent: number[] = [];
  return {
    mayReload(now) {
      recent = [...recent.filter((time) => now - time < 60_000), now];
      return recent.length <= 3;
    },
  };
}
