/**
 * Whether an address is the exit address that was asked for. Scheme, host, port and path have to be the same, a slash at the path's end aside;
 * every parameter of the exit address has to be there with its value. What a game adds to the query, and any fragment, does not matter.
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
