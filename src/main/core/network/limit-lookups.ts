import type { Resolve } from './address-policy.ts';

/**
 * Looks up only so many names at once, and no name twice at a time. The system has two threads for lookups, which the calls of the
 * workbench share: a page that asks for thousands of names must not come before them.
 */
export function limitLookups(resolve: Resolve, most: number): Resolve {
  const running = new Map<string, Promise<readonly string[]>>();
  const waiting: (() => void)[] = [];
  let free = most;

  async function lookUp(host: string): Promise<readonly string[]> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolved) => waiting.push(resolved));
    try {
      return await resolve(host);
    } finally {
      running.delete(host);
      // The next one takes over the slot.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  }

  return (host) => {
    const known = running.get(host) ?? lookUp(host);
    running.set(host, known);
    return known;
  };
}
