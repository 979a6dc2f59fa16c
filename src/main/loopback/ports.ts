import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock, writeFileDurably } from '#core/app/app.ts';
import { z } from '#shared/model/schema.ts';

/** Of hosts that ran at the same time. */
const mostPorts = 4;
const Kept = z.object({ ports: z.array(z.int().check(z.gte(1), z.lte(65_535))) });

/**
 * Returns the ports that the browser host had last on this home, the newest first. A host that takes one of them again has the origin of the pages that
 * are still open, and they can go on. Two hosts of one home may take each other's: to a page they are the same.
 */
export async function keptPorts(home: string): Promise<number[]> {
  try {
    const { ports } = Kept.parse(JSON.parse(await readFile(fileIn(home), 'utf8')));
    return [...new Set(ports)].slice(0, mostPorts);
  } catch {
    // Missing or damaged: any port is as good.
    return [];
  }
}

/** Fails with `storage`. */
export async function keepPort(home: string, port: number): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await withLock(fileIn(home), async () => {
    const others = (await keptPorts(home)).filter((other) => other !== port);
    await writeFileDurably(fileIn(home), `${JSON.stringify({ ports: [port, ...others].slice(0, mostPorts) })}\n`);
  });
}

const fileIn = (home: string): string => join(home, 'browser-host.json');
