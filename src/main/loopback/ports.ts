import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readHomeFile, vouched, withLock, writeFileDurably } from '#core/app/app.ts';
import { keepUnknown } from '#shared/json/keep-unknown.ts';
import { z } from '#shared/model/schema.ts';

/** Most ports to remember, of hosts that ran at the same time. */
const mostPorts = 4;
const Kept = z.object({ ports: z.array(z.int().check(z.gte(1), z.lte(65_535))) });

/**
 * Returns the last ports of the browser host on this home, newest first. A host that reuses one of them has the origin of pages that
 * are still open, so that they can go on. Two hosts of one home may swap ports, because they are the same to a page.
 */
export function keptPorts(home: string): number[] {
  try {
    return portsIn(home).ports;
  } catch {
    // If the file cannot be read, any port will do.
    return [];
  }
}

/** Remembers a port. Fails as `readHomeFile` does. */
export async function keepPort(home: string, port: number): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await withLock(fileIn(home), async () => {
    const { raw, ports } = portsIn(home);
    const now = [port, ...ports.filter((other) => other !== port)].slice(0, mostPorts);
    const text = `${JSON.stringify(keepUnknown(raw, { ports }, { ports: now }))}\n`;
    await writeFileDurably(fileIn(home), vouched('home', 'own', text));
  });
}

function portsIn(home: string): { raw: unknown; ports: number[] } {
  const path = fileIn(home);
  const found = readHomeFile({ kind: 'home.ports', path, schema: Kept, holds: 'lists ports', onDamaged: () => undefined });
  return { raw: found?.raw ?? {}, ports: [...new Set(found?.value.ports)].slice(0, mostPorts) };
}

const fileIn = (home: string): string => join(home, 'browser-host.json');
