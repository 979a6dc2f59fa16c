import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextUpTo, vouched, withLock, writeFileDurably } from '#core/app/app.ts';
import { z } from '#shared/model/schema.ts';

/** Most ports to remember, of hosts that ran at the same time. */
const mostPorts = 4;
const mostBytes = 10_000;
const Kept = z.object({ ports: z.array(z.int().check(z.gte(1), z.lte(65_535))) });

/**
 * Returns the last ports of the browser host on this home, newest first. A host that reuses one of them has the origin of pages that
 * are still open, so that they can go on. Two hosts of one home may swap ports, because they are the same to a page.
 */
export async function keptPorts(home: string): Promise<number[]> {
  try {
    const { ports } = Kept.parse(JSON.parse(readTextUpTo(fileIn(home), mostBytes)));
    return [...new Set(ports)].slice(0, mostPorts);
  } catch {
    // If the file is missing or damaged, any port will do.
    return [];
  }
}

/** Remembers a port. Fails with `storage`. */
export async function keepPort(home: string, port: number): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await withLock(fileIn(home), async () => {
    const others = (await keptPorts(home)).filter((other) => other !== port);
    await writeFileDurably(
      fileIn(home),
      vouched('home', 'own', `${JSON.stringify({ ports: [port, ...others].slice(0, mostPorts) })}\n`),
    );
  });
}

const fileIn = (home: string): string => join(home, 'browser-host.json');
