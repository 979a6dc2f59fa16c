/** Decides, each time a page's process is gone, whether it is started again or has failed too often. */
export interface CrashLimit {
  mayReload(now: number): boolean;
}

/** Three times within a minute; a page that crashes more often would do it for ever. Times are in milliseconds. */
export function createCrashLimit(): CrashLimit {
  let recent: number[] = [];
  return {
    mayReload(now) {
      recent = [...recent.filter((time) => now - time < 60_000), now];
      return recent.length <= 3;
    },
  };
}
