import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/errors.ts';
import { Environment, type Client, type OpenedWorkspace } from '#shared/ipc/index.ts';
import { createQuietWorkbench } from '#testing/quiet-workbench.ts';

function setUp(
  kept: Partial<OpenedWorkspace> = {},
  values: Readonly<Record<string, string>> = {},
  problem?: AppError,
  listed: Promise<void> = Promise.resolve(),
) {
  const sandbox = Environment.parse({
    id: 'sandbox',
    name: 'sandbox',
    baseUrl: 'https://localhost:1',
    platform: 1,
    partnerId: 42,
  });
  const written: unknown[] = [];
  const asked: string[] = [];
  const clock = { now: new Date(2026, 10, 23, 12).getTime(), use: () => {} };
  const client = {
    async call(name: string, input: unknown) {
      asked.push(name);
      if (name === 'environments.list') return listed.then(() => ({ environments: [sandbox], broken: [] }));
      if (name === 'settings.read') return { values, unknown: ['collections.json'] };
      if (name === 'workspaces.open') return { id: 'w', list: null, tabs: [], left: [], newer: [], problem: null, ...kept };
      if (name === 'workspaces.list') return {};
      if (name === 'workspaces.write' && problem !== undefined) throw problem;
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
  const workbench = createQuietWorkbench(client, {
    now: () => clock.now,
    newId: () => `id-${++ids}`,
    later: (run) => (planned.push(run), () => undefined),
    onUse: (listener) => (clock.use = listener),
  });
  return { workbench, written, asked, clock, wait: () => planned.splice(0).forEach((run) => run()) };
}

describe('the workbench at its start', () => {
  it('says which files hold what this version does not know, and nothing of what it wrote itself', async () => {
    const { workbench } = setUp({}, { layout: '{"area":"games","later":1}' });
    await workbench.start();
    expect(workbench.unknownFiles.getState().names).toEqual(['collections.json', 'settings.json']);
    const { workbench: other } = setUp();
    await other.start();
    other.settings.flush();
    const texts = {
      layout: '{"area":"games","sidebar":true,"environmentId":null,"grouping":"session"}',
      appearance: '{"theme":"dark"}',
      providerLog: other.providerLog.getState().exportView(),
      collections: other.collections.getState().exportView(),
      environmentForms: other.environments.getState().exportForms(),
      launcher: other.launcher.getState().exportText(),
    };
    const { workbench: same } = setUp({}, texts);
    await same.start();
    expect(same.unknownFiles.getState().names).toEqual(['collections.json']);
  });

  it('asks before it leaves what was typed and could not be written, and not for a tab that nobody typed in', async () => {
    const { workbench, wait } = setUp({}, {}, new AppError('key_unavailable', 'The key process ended.'));
    await workbench.start();
    wait();
    await expect.poll(() => workbench.keeper.store.getState().problems.size).toBe(1);
    expect(workbench.leave()).toBe(false);
    const { activeId, setText } = workbench.requests.getState();
    setText(activeId ?? '', '{"currency": "SEK"}');
    expect(workbench.leave()).toBe(true);
  });

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

it('a half-written environment comes back with the next page', async () => {
  const first = setUp();
  await first.workbench.start();
  first.workbench.environments.getState().change('sandbox', { name: 'half wri' });
  expect(first.workbench.leave()).toBe(false);
  const write = (first.written as { name?: string; value?: string }[]).find(({ name }) => name === 'environmentForms');
  const second = setUp({}, { environmentForms: write?.value ?? '' });
  await second.workbench.start();
  expect(second.workbench.environments.getState().editing['sandbox']?.edited.name).toBe('half wri');
});

it('a choice is remembered that is made while the environments are not known yet', async () => {
  const listed = Promise.withResolvers<void>();
  const { workbench, written } = setUp({}, {}, undefined, listed.promise);
  const started = workbench.start();
  await expect.poll(() => workbench.unknownFiles.getState().names).toEqual(['collections.json']);
  expect(workbench.environments.getState().list.state).toBe('loading');
  workbench.shell.getState().choose({ contrast: 'more' });
  workbench.leave();
  listed.resolve();
  await started;
  expect(written).toContainEqual(expect.objectContaining({ name: 'appearance', value: expect.stringContaining('more') }));
});

it('a page in which no form is open writes over no form of another page', async () => {
  const { workbench, written, wait } = setUp();
  await workbench.start();
  workbench.environments.getState().open('another');
  wait();
  expect(written.filter((write) => (write as { name?: string }).name === 'environmentForms')).toEqual([]);
});

it('a list of the calls of today is read again once it is another day', async () => {
  const { workbench, asked, clock } = setUp();
  await workbench.start();
  const shown = {
    state: 'ready',
    calls: [],
    total: 0,
    totalIsExact: true,
    newestOnly: false,
    more: 'end',
    search: null,
  } as const;
  const reads = () => asked.filter((name) => name === 'calls.list').length;
  workbench.history.setState({ list: shown });
  clock.now += 86_400_000;
  clock.use();
  expect(reads()).toBe(0);
  workbench.history.setState(({ choice }) => ({ choice: { ...choice, time: 'today' } }));
  clock.use();
  expect(reads()).toBe(0);
  clock.now += 86_400_000;
  clock.use();
  expect(reads()).toBe(1);
});
