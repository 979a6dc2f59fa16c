/**
 * Decides after each crash of a page's process whether to start it again or to give up. Creates a limit of three crashes within a
 * minute. Times are in milliseconds.
 */
export function createCrashLimit() {
  let recent: number[] = [];
  return {
    mayReload(now: number): boolean {
      recent = [...recent.filter((time) => now - time < 60_000), now];
      return recent.length <= 3;
    },
  };
}
