import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import type { Workbench } from './fixtures.ts';

/** Sends bodies to the built-in provider one after the other, as another program on this machine does. */
export async function sendFromOutside(workbench: Pick<Workbench, 'cli' | 'home'>, bodies: readonly string[]): Promise<void> {
  const { stdout } = await workbench.cli(['env', 'list', '--json']);
  const origin = /https:\/\/localhost:\d+/.exec(stdout)?.[0] ?? '';
  const agent = new Agent({ keepAlive: true, ca: await readFile(join(workbench.home, 'sandbox', 'ca.pem')) });
  const headers = { 'content-type': 'application/json' };
  try {
    for (const body of bodies) {
      await new Promise<void>((resolve, reject) => {
        const sent = request(`${origin}/serviceApi.php`, { method: 'POST', agent, headers }, (response) => {
          response.on('end', resolve).resume();
        });
        sent.on('error', reject).end(body);
      });
    }
  } finally {
    agent.destroy();
  }
}
