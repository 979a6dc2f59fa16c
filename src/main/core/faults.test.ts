import { expect, it, vi } from 'vitest';
import { AppError } from '#shared/errors.ts';
import type { Payload } from '#shared/ipc/index.ts';
import { createFaults } from './faults.ts';

function setUp(holdsKey: (text: string) => Promise<boolean> = async () => false) {
  const logged: unknown[] = [];
  const told: Payload<'app.faulted'>[] = [];
  const clock = { now: 0 };
  const faults = createFaults({
    log: (error) => void logged.push(error),
    tell: (fault) => void told.push(fault),
    holdsKey,
    where: 'Croupier 1.2.3, Test',
    now: () => clock.now,
  });
  return { faults, logged, told, clock };
}

it('logs everything, and tells the pages of faults alone', async () => {
  const { faults, logged, told } = setUp();
  const refusal = new AppError('storage', 'The disk is full.');
  const fault = new TypeError('x is not a function');
  faults.report(refusal);
  faults.report(fault);
  faults.report(new AppError('internal', 'Fault 1 in app.info', { fault: 'a1' }, { cause: new RangeError('too deep') }));
  await vi.waitFor(() => expect(told).toHaveLength(2));
  expect(logged).toHaveLength(3);
  expect(told.map(({ message }) => message)).toEqual(['TypeError: x is not a function', 'RangeError: too deep']);
  expect(told[0]?.details).toMatch(
    /^Croupier 1\.2\.3, Test\nTypeError: x is not a function\n {4}at .*src\/main\/core\/faults\.test\.ts:\d+/,
  );
});

it('hides a message that holds a key, or of which that is not known', async () => {
  const { faults, told } = setUp((text) =>
    text.includes('ask') ? Promise.reject(new Error('no agent')) : Promise.resolve(true),
  );
  faults.report(new Error('held s3cret'));
  faults.report(new Error('ask s3cret'));
  await vi.waitFor(() => expect(told).toHaveLength(2));
  expect(JSON.stringify(told)).not.toContain('s3cret');
});

it('goes on after an uncaught error, and gives up after ten within a minute', async () => {
  const { faults, told, clock } = setUp();
  for (let count = 0; count < 9; count += 1) expect(faults.uncaught(new Error('once'))).toBe(true);
  clock.now += 60_000;
  for (let count = 0; count < 9; count += 1) expect(faults.uncaught(new Error('again'))).toBe(true);
  expect(faults.uncaught(new AppError('conflict', 'Nobody took it.'))).toBe(false);
  await vi.waitFor(() => expect(told).toHaveLength(19));
  expect(told.at(-1)?.message).toBe('AppError: Nobody took it.');
});

it('survives a log and a listener that throw', async () => {
  let told = 0;
  const faults = createFaults({
    log() {
      throw new Error('no log');
    },
    tell() {
      told += 1;
      faults.report(new Error('the listener failed'));
    },
    holdsKey: async () => false,
    where: 'Test',
    now: () => 0,
  });
  faults.report(new Error('first'));
  await vi.waitFor(() => expect(told).toBeGreaterThan(0));
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toBeLessThan(3);
});
