import type { Frame, Page } from '@playwright/test';
import type {} from '#renderer/api/bridge-transport.ts';
import type { CallName, Input, Launch, LaunchEntry, Output } from '#shared/ipc/index.ts';
import { expect, type Workbench } from './fixtures.ts';

/** A call as the page makes it. */
export async function call<K extends CallName>({ page }: Workbench, name: K, input: Input<K>): Promise<Output<K>> {
  const reply = (await page.evaluate(([wanted, value]) => window.croupier?.call(wanted, value), [name, input] as const)) as {
    ok: boolean;
    value: Output<K>;
    error?: { message: string };
  };
  if (!reply.ok) throw new Error(`${name}: ${reply.error?.message}`);
  return reply.value;
}

/** Returns whether a launch has no verdict because this computer was busy, for which neither the game nor a rule is to blame. */
export function wasTooBusy({ verdict }: Pick<Launch, 'verdict'>): boolean {
  return verdict.state === 'unfinished' && verdict.results[0]?.message.startsWith('This computer was too busy') === true;
}

/** Names launches without a verdict in the output of the tests: on an idle computer there are none. */
export function sayBusy(launches: readonly string[]): void {
  if (launches.length > 0) process.stdout.write(`Unfinished, this computer was too busy: ${launches.join(', ')}\n`);
}

type Prepared = Input<'launches.prepare'>;

/** Launches a game in its own view, in fun mode by default. Returns the launch's ID. */
export async function openLaunch(
  workbench: Workbench,
  fields: Pick<Prepared, 'environmentId' | 'gameId' | 'exitURL' | 'ticket'> & Partial<Prepared>,
  how: Partial<Omit<Input<'launches.open'>, 'id'>> = {},
): Promise<string> {
  const player = { playerId: 'player-1', country: 'DE', ip: '203.0.113.9' };
  const { id, problem } = await call(workbench, 'launches.prepare', { gameMode: 'fun', lang: 'en', ...player, ...fields });
  expect(problem).toBeNull();
  const bounds = { x: 0, y: 60, width: 390, height: 700 };
  expect(await call(workbench, 'launches.open', { id, bounds, ...how })).toEqual({ kind: 'view' });
  return id;
}

/** Returns the record of a launch so far. */
export async function recorded(workbench: Workbench, id: string): Promise<LaunchEntry[]> {
  return (await call(workbench, 'launches.get', { id })).entries;
}

/** Lets a game close its own page, once the page's process has heard that it is the only one of its history. */
export async function closeItself(game: Frame | Page): Promise<void> {
  await game
    .evaluate(async () => {
      while (history.length > 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      window.close();
    })
    .catch(() => undefined);
}
