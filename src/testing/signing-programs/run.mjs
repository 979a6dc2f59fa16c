// Runs programs that sign, a case a line, on the clock of the case: `Date` is the case's own. Prints a line for each.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

let clock = [];
const moment = () => 1_000 * (clock.length > 1 ? clock.shift() : clock[0]);

class CaseDate extends Date {
  constructor(...parts) {
    super(...(parts.length === 0 ? [moment()] : parts));
  }

  static now() {
    return moment();
  }
}

/** Whole numbers that a number cannot hold are BigInts, as databases give them. */
function valuesOf(text) {
  return JSON.parse(text, (_, value, { source }) =>
    typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? BigInt(source) : value,
  );
}

function run({ program, key, data, zone, action, platform, partnerId, clock: times }) {
  clock = [...times];
  process.env.TZ = zone;
  process.env.PRIVATE_KEY = key;
  const values = data === null ? null : valuesOf(data);
  const names = {
    createHash,
    createHmac,
    Date: CaseDate,
    Buffer,
    URLSearchParams,
    btoa,
    process,
    data: values,
    action,
    platform,
    partnerId,
  };
  const { hash, time } = runInNewContext(`(() => {\n${program}\nreturn { hash, time };\n})()`, names);
  return { hash: Buffer.from(hash, hash.length === 32 ? 'latin1' : 'utf8').toString('base64'), time };
}

const print = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

for (const line of readFileSync(0, 'utf8').trimEnd().split('\n')) {
  try {
    print(run(JSON.parse(line)));
  } catch (error) {
    print({ error: String(error) });
  }
}
