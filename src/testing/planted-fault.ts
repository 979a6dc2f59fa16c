/** Returns an environment by which Node runs `code` before a program: it plants faults in programs as they ship. */
export function planted(code: string): Record<string, string> {
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
}

/** Throws as soon as the program handles uncaught errors. */
export const atStart = `process.on('newListener', (name) => {
  if (name === 'unhandledRejection') setImmediate(() => { throw new TypeError("planted with 'a value of the user'"); });
});`;

/** SIGUSR2 throws once, SIGWINCH rejects once, SIGIO throws ten times. */
export const onSignals = `process.on('SIGUSR2', () => { throw new TypeError("planted with 'a value of the user'"); });
process.on('SIGWINCH', () => { Promise.reject(new RangeError('planted rejection')); });
process.on('SIGIO', () => { for (let i = 0; i < 10; i += 1) setImmediate(() => { throw new Error('planted ' + i); }); });`;

/** Throws twice while the application is being created, which then never finishes. */
export const whileStarting = `import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
fs.mkdir = () => {
  for (const name of ['first', 'second']) setImmediate(() => { throw new TypeError(name + ' planted'); });
  return new Promise(() => undefined);
};
syncBuiltinESMExports();`;

/** The disk does not answer while the application is being created: the program says `hangs` and waits. */
export const hangsWhileStarting = `import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
fs.mkdir = () => {
  process.stdout.write('hangs\\n');
  setInterval(() => undefined, 1_000_000);
  return new Promise(() => undefined);
};
syncBuiltinESMExports();`;

/** No server reports that it is closed, and a thread is in a statement of SQLite forever: `process.exit` waits for it. */
export const nothingCloses = `import net from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';
net.Server.prototype.close = function () { return this; };
if (isMainThread && /serve|loopback/.test(process.argv.join(' '))) new Worker(\`
  const { DatabaseSync } = require('node:sqlite');
  new DatabaseSync(':memory:').exec('WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n');
\`, { eval: true, execArgv: [], env: {} });`;
