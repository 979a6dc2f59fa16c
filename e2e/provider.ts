import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import type { TestServer } from '#testing/https-server.ts';
import { expect, type Workbench } from './fixtures.ts';
import type { EnvironmentsScreen } from './pages/environments.ts';
import type { Shell } from './pages/shell.ts';

/** Creates an environment for an https server of the test and its own authority, on the command line. It has no key yet. */
export async function addEnvironment(
  workbench: Workbench,
  server: Pick<TestServer, 'baseUrl' | 'ca'>,
  name: string,
  ...options: string[]
): Promise<void> {
  const address = ['--base-url', server.baseUrl, '--platform', '7', '--partner-id', '11', '--ca', '-'];
  const production = options.includes('--production') ? [] : ['--no-production'];
  const made = await workbench.cli(['env', 'set', name, ...address, ...production, ...options], { stdin: server.ca });
  expect(made).toMatchObject({ code: 0, stderr: '' });
}

/** Gives an environment its key, as a person does, and goes to it. */
export async function enterWithKey(
  { shell, environments }: { shell: Shell; environments: EnvironmentsScreen },
  name: string,
  key: string,
): Promise<void> {
  await shell.goTo('Environments');
  await environments.open(name);
  await environments.key.set(key);
  await shell.useEnvironment(name);
}

/** Creates an environment with a base URL alone; nothing listens at the default one. */
export async function addBareEnvironment(workbench: Workbench, name: string, baseUrl = 'https://localhost:1'): Promise<void> {
  const address = ['--base-url', baseUrl, '--platform', '1', '--partner-id', '2'];
  expect(await workbench.cli(['env', 'set', name, ...address, '--no-production'])).toMatchObject({ code: 0, stderr: '' });
}

/** Sends bodies to the built-in provider one after the other, as another program on this machine does. */
export async function sendFromOutside(workbench: Workbench, bodies: readonly string[]): Promise<void> {
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
