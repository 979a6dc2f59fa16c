import { parentPort } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import type { JobReply, JobRequest, JobResult, JobTable } from './messages.ts';

/** Does the jobs of a table in this thread, one after the other, as they are asked for. */
export function serveJobs(table: JobTable): void {
  const port = parentPort;
  if (port === null) throw new Error('This file runs as a thread of Croupier.');
  port.on('message', ({ name, input }: JobRequest) => {
    const begin = () => port.postMessage({ begun: true } satisfies JobReply);
    void reply(table, name, input, begin).then((result) => port.postMessage(result, transferable(result)));
  });
}

async function reply(table: JobTable, name: string, input: unknown, begin: () => void): Promise<JobResult> {
  try {
    const load = Object.hasOwn(table, name) ? table[name] : undefined;
    if (load === undefined) throw new Error(`There is no job ${name}.`);
    const job = await load();
    begin();
    return { value: await (job as (input: unknown) => unknown)(input) };
  } catch (error) {
    if (error instanceof AppError) {
      const { code, message, details } = error;
      return { error: { code, message, ...(details === undefined ? {} : { details }) } };
    }
    if (error instanceof RangeError) return { exceeded: true };
    const isError = error instanceof Error;
    return { fault: isError ? error.message : String(error), stack: isError ? (error.stack ?? '') : '' };
  }
}

/** A result that is bytes alone goes without a copy. */
function transferable(result: JobResult): ArrayBuffer[] {
  const value = 'value' in result ? result.value : null;
  if (!(value instanceof Uint8Array) || value.byteLength !== value.buffer.byteLength) return [];
  return value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
}
