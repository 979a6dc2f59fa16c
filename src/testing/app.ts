import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp, createLocalSecrets } from '#core/app/app.ts';
import type { App, SandboxStart } from '#core/app/app.ts';
import type { Host } from '#core/host/host.ts';
import { ownFolder } from '#core/host/own-folder.ts';
import { openRawEntrance } from '#sandbox/entrance.ts';
import { startSandbox } from '#sandbox/server.ts';
import { createClient } from '#shared/ipc/client.ts';
import type { Client, Environment, EnvironmentDraft, Input, RequestDraft } from '#shared/ipc/index.ts';
import { holdQuestions } from './held-questions.ts';

export interface TestApp {
  readonly app: App;
  readonly client: Client;
  readonly home: string;
  /** Faults that were shown to nobody: a test that expects none checks that it is empty. */
  readonly faults: unknown[];
  /** Creates an environment for a server, with the key `key` for this session. */
  readonly environment: (
    server: { baseUrl: string; ca?: string },
    draft?: Partial<EnvironmentDraft>,
    key?: string,
  ) => Promise<Environment>;
  /** Sends with a ticket of its own. */
  readonly send: (draft: Input<'calls.send'>['draft'], confirmed?: boolean) => ReturnType<typeof sendWith>;
  readonly close: () => Promise<void>;
}

export interface TestAppOptions {
  /** An existing home, which the end of the test does not remove. */
  readonly home?: string;
  /** Starts the real built-in provider on a free port. */
  readonly sandbox?: boolean | SandboxStart;
  readonly host?: Partial<Host>;
}

let tickets = 0;

function sendWith(client: Client, draft: Input<'calls.send'>['draft'], confirmed: boolean) {
  return client.call('calls.send', { draft, ticket: `test-${++tickets}`, confirmed });
}

/** Creates the real application on a home of its own, with keys held in this process. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const home = options.home ?? (await temporaryFolder());
  const faults: unknown[] = [];
  const app = await createApp({ home, host: testHost(options.host), onFault: (error) => faults.push(error) });
  const client = createClient(holdQuestions(app.transport));
  if (options.sandbox !== undefined && options.sandbox !== false) {
    await app.startSandbox({ port: 0, ...(options.sandbox === true ? {} : options.sandbox) });
  }
  let made = 0;
  return {
    app,
    client,
    home,
    faults,
    async environment({ baseUrl, ca = '' }, draft = {}, key = 'a-test-key') {
      const environment = await client.call('environments.create', {
        environment: { name: `test ${++made}`, baseUrl, ca, platform: 1, partnerId: 42, production: false, ...draft },
      });
      await app.useKey(environment.id, key);
      return environment;
    },
    send: (draft, confirmed = false) => sendWith(client, draft, confirmed),
    async close() {
      await app.close();
      if (options.home === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** Returns a host without a window and without a keychain. */
export function testHost(overrides: Partial<Host> = {}): Host {
  return {
    name: 'Test',
    version: '0.0.0',
    capabilities: { embedGame: false },
    secrets: createLocalSecrets(),
    startSandbox,
    openEntrance: openRawEntrance,
    readingWorker: fileURLToPath(new URL('../main/core/app/reading-worker.ts', import.meta.url)),
    exportWorker: fileURLToPath(new URL('../main/core/formats/exports/export-worker.ts', import.meta.url)),
    starters: ownFolder(fileURLToPath(new URL('../../starter-collections', import.meta.url))),
    licences: () => ownFolder(fileURLToPath(new URL('../..', import.meta.url))).read('LICENSE'),
    ...overrides,
  };
}

/** Returns a draft of an operation, with defaults for everything that a test does not care about. */
export function draftOf(environmentId: string, draft: Pick<RequestDraft, 'operation'> & Partial<RequestDraft>): RequestDraft {
  return { environmentId, form: 'default', text: '', overrides: {}, ...draft };
}

/** Creates a folder for one test. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'croupier-test-'));
}
