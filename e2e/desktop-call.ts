import type {} from '#renderer/api/bridge-transport.ts';
import type { CallName, Input, LaunchEntry, Output } from '#shared/ipc/index.ts';
import type { Workbench } from './fixtures.ts';

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

/** The record of a launch so far. */
export async function recorded(workbench: Workbench, id: string): Promise<LaunchEntry[]> {
  return (await call(workbench, 'launches.get', { id })).entries;
}
