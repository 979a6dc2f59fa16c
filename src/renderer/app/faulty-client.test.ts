import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Client } from '#shared/ipc/index.ts';
import { listenToFaults } from '#renderer/faults/faults.ts';
import { createQuietWorkbench } from '#testing/quiet-workbench.ts';

const reported: unknown[] = [];
let stop = () => {};
beforeEach(() => {
  reported.length = 0;
  stop = listenToFaults((error) => void reported.push(error));
});
afterEach(() => stop());

/** A workbench whose every call ends with a fault of the page, such as a reply that is not JSON. */
function setUp() {
  const fail = () => Promise.reject(new TypeError('planted'));
  const client = { call: fail, on: () => () => undefined, body: fail, picture: fail } as unknown as Client;
  return createQuietWorkbench(client);
}

type Workbench = ReturnType<typeof setUp>;

/** Loads that begin, and the part of the state that shows each. */
const loads: readonly [string, (workbench: Workbench) => Promise<unknown> | void, (workbench: Workbench) => unknown][] = [
  ['environments', (w) => w.environments.getState().load(), (w) => w.environments.getState().list],
  ['a key', (w) => w.environments.getState().loadKey('e'), (w) => w.environments.getState().keys['e']],
  ['history', (w) => w.history.getState().load(), (w) => w.history.getState().list],
  ['provider log', (w) => w.providerLog.getState().load(), (w) => w.providerLog.getState().log],
  [
    'games',
    (w) => w.games.getState().enter({ id: 'e', defaults: { currency: '' } } as never),
    (w) => w.games.getState().snapshots,
  ],
  ['a list of games', (w) => w.games.getState().showSnapshot(1), (w) => w.games.getState().shown],
  ['a comparison of lists', (w) => w.games.getState().compare(1, 2), (w) => w.games.getState().comparing?.result],
  ['collections', (w) => w.collections.getState().load(), (w) => w.collections.getState().list],
  ['a comparison of calls', (w) => w.comparison.getState().open(1, 2, null as never), (w) => w.comparison.getState().calls],
  ['a response', (w) => w.responses.getState().open(1), (w) => w.responses.getState().bodies.get(1)],
  ['runs', (w) => w.runs.getState().load(), (w) => w.runs.getState().list],
  ['starters', (w) => w.starters.getState().load(), (w) => w.starters.getState().list],
  ['games of the launcher', (w) => w.launcher.getState().loadGames('e'), (w) => w.launcher.getState().games],
  ['a repeat', (w) => w.repeats.getState().repeat(1), (w) => w.repeats.getState().job],
];

it.each(loads)('a fault leaves no %s loading, and is reported', async (_name, begin, seen) => {
  const workbench = setUp();
  await begin(workbench);
  await expect.poll(() => seen(workbench)).toMatchObject({ state: expect.stringMatching(/^(failed|refused)$/) as string });
  expect(reported[0]).toEqual(new TypeError('planted'));
});

it('a page whose every call fails starts with a request to type in, and says why once', async () => {
  const workbench = setUp();
  stop = listenToFaults(workbench.showFault);
  await workbench.start();
  expect(workbench.requests.getState().tabs).toHaveLength(1);
  const faults = workbench.shell.getState().notices.filter(({ id }) => id === 'fault');
  expect(faults).toHaveLength(1);
  expect(faults[0]?.text).toMatch(/TypeError: planted \(\d+ times\)/);
});
