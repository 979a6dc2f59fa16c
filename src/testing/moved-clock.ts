/**
 * Preloaded (`--import`) into a program of a test: moves its `Date` by the milliseconds in the file named by `CROUPIER_TEST_CLOCK`,
 * which may change at any moment. The machine's clock and the monotonic one stay as they are.
 */
import { readFileSync } from 'node:fs';

const file = process.env['CROUPIER_TEST_CLOCK'] ?? '';
const TrueDate = Date;

function movedNow(): number {
  return TrueDate.now() + Number(readFileSync(file, 'utf8'));
}

class MovedDate extends TrueDate {
  constructor(...args: readonly number[]) {
    super(...((args.length === 0 ? [movedNow()] : args) as [number]));
  }

  static override now(): number {
    return movedNow();
  }
}

globalThis.Date = MovedDate as DateConstructor;
