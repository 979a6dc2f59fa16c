import { parseArgs } from 'node:util';
import { AppError } from '#shared/errors.ts';
import { locatePrograms } from './programs.ts';
import { serve } from './serve.ts';

/** The browser host as a program of its own, for `npm start`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      'no-open': { type: 'boolean', default: false },
      log: { type: 'boolean', default: false },
    },
  });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  await serve({
    port: values.port === undefined ? null : Number(values.port),
    open: !values['no-open'],
    log: values.log,
    env: process.env,
    stdin: process.stdin,
    print: (line) => process.stdout.write(`${line}\n`),
    note: (line) => process.stderr.write(`${line}\n`),
    programs: locatePrograms(import.meta.filename),
    stop: stop.signal,
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`croupier: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof AppError ? 2 : 70;
});
