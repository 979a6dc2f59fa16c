// Loaded before a program: SIGUSR2 moves its clock on to the next of `CROUPIER_TEST_JUMPS`, hours from the machine's own.
const jumps = (process.env['CROUPIER_TEST_JUMPS'] ?? '').split(',').map(Number);
const machine = Date.now.bind(Date);
let at = -1;
const now = () => machine() + (jumps[at] ?? 0) * 3_600_000;

globalThis.Date = class extends Date {
  constructor(...given) {
    if (given.length === 0) super(now());
    else super(...given);
  }
  static now() {
    return now();
  }
};
process.on('SIGUSR2', () => (at = (at + 1) % jumps.length));
