import type { TestServer } from '#testing/https-server.ts';
import { expect, type Workbench } from './fixtures.ts';

/** Makes an environment over an https server of the test and its own authority, on the command line. It has no key yet. */
export async function addEnvironment(
  workbench: Workbench,
  server: Pick<TestServer, 'baseUrl' | 'ca'>,
  name: string,
  ...options: string[]
): Promise<void> {
  const address = ['--base-url', server.baseUrl, '--platform', '7', '--partner-id', '11', '--ca', '-'];
  const made = await workbench.cli(['env', 'set', name, ...address, ...options], { stdin: server.ca });
  expect(made).toMatchObject({ code: 0, stderr: '' });
}
