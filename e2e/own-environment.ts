import { expect } from '@playwright/test';
import type { TestServer } from '#testing/https-server.ts';
import type { Workbench } from './fixtures.ts';
import type { EnvironmentsScreen } from './pages/environments.ts';
import type { Shell } from './pages/shell.ts';

/** Creates an environment for an https server of the test and its own authority, on the command line. It has no key yet. */
export async function addEnvironment(
  workbench: Pick<Workbench, 'cli'>,
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
export async function addBareEnvironment(
  workbench: Pick<Workbench, 'cli'>,
  name: string,
  baseUrl = 'https://localhost:1',
): Promise<void> {
  const address = ['--base-url', baseUrl, '--platform', '1', '--partner-id', '2'];
  expect(await workbench.cli(['env', 'set', name, ...address, '--no-production'])).toMatchObject({ code: 0, stderr: '' });
}
