import { describe, expect, it } from 'vitest';
import { createSteadyConnection } from '#renderer/api/connection.ts';
import { Environment, type Client, type OpenedWorkspace } from '#shared/ipc/index.ts';
import { createWorkbench } from './workbench.ts';

function setUp(kept: Partial<OpenedWorkspace> = {}) {
  const sandbox = Environment.parse({
    id: 'sandbox',
    name: 'sandbox',
    baseUrl: 'https://localhost:1',
    platform: 1,
    partnerId: 42,
  });
  const written: unknown[] = [];
  const client = {
    async call(name: string, input: unknown) {
      if (name === 'environments.list') return { environments: [sandbox], broken: [] };
      if (name === 'settings.read') return { values: {} };
      if (name === 'workspaces.open') return { id: 'w', list: null, tabs: [], left: [], newer: [], problem: null, ...kept };
      if (name === 'workspaces.list') return {};
      if (name === 'workspaces.write') {
        written.push(input);
        return { again: false, masked: false };
      }
      if (name === 'settings.write') {
        written.push(input);
        return { masked: false };
      }
      // A keychain that asks its user, who is away.
      return new Promise(() => undefined);
    },
    on: () => () => undefined,
    body: () => new Promise(() => undefined),
  } as unknown as Client;
  const planned: (() => void)[] = [];
  let ids = 0;
  const workbench = createWorkbench(client, createSteadyConnection(), {
    now: () => 0,
    newId: () => `id-${++ids}`,
    later: (run) => (planned.push(run), () => undefined),
    copy: async () => undefined,
    narrow: () => false,
    place: { take: () => null, put: () => undefined },
    onLook: () => undefined,
    saveText: () => undefined,
    gatherFile: () => ({ add: () => undefined, save: () => undefined }),
    openPicture: () => null,
    startBodyWorker: () => ({ postMessage: () => undefined, onmessage: null }) as never,
  });
  return { workbench, written, wait: () => planned.splice(0).forEach((run) => run()) };
}

describe('the workbench at its start', () => {
  it('opens the first request without waiting for the keychain', async () => {
    const { workbench } = setUp();
    await workbench.start();
    expect(workbench.requests.getState().tabs.map(({ operation }) => operation)).toEqual(['gameList']);
  });

  it('puts back what was open, and remembers what is typed, without waiting for the keychain', async () => {
    const first = setUp();
    await first.workbench.start();
    first.workbench.requests.getState().openOperation('bet');
    first.wait();
    expect(first.written).toContainEqual(expect.objectContaining({ text: expect.stringContaining('bet') }));

    const tabs = (first.written as { tab: string; text: string }[]).map(({ tab: id, text }) => ({
      id,
      characters: text.length,
      text,
    }));
    const second = setUp({ tabs });
    await second.workbench.start();
    expect(second.workbench.requests.getState().tabs.map(({ operation }) => operation)).toEqual(['gameList', 'bet']);
  });
});
