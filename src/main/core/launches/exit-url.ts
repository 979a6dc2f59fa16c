/**
 * Returns whether a URL is the requested exit URL. Scheme, host, port and path have to be the same, except for a slash at the
 * path's end; every parameter of the exit URL has to be there with its value. Parameters that a game adds, and any fragment, do not
 * matter.
 */
export function isExit(address: string, exitURL: string): boolean {
  if (exitURL === '') return false;
  const at = URL.parse(address);
  const exit = URL.parse(exitURL);
  if (at === null || exit === null) return false;
  if (at.protocol !== exit.protocol || at.host !== exit.host) return false;
  if (at.pathname.replace(/\/+$/, '') !== exit.pathname.replace(/\/+$/, '')) return false;
  return [...exit.searchParams].every(([name, value]) => at.searchParams.getAll(name).includes(value));
}
