/**
 * The thread that searches and keeps the index: a search that reads many calls, and the merging of the index, take tens of
 * milliseconds, which the thread that sends must not lose.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '#shared/errors.ts';
import { reasonOf } from '../files/disk-failures.ts';
import type { Control } from './find-calls.ts';
import type { HistoryFiles } from './search-engine.ts';
import type { SearchReply, SearchRequest } from './search-thread.ts';
import { createSearchWork } from './search-work.ts';

const port = parentPort;
if (port === null) throw new Error('This file runs as a thread of Croupier.');
const files = workerData as HistoryFiles;
const reply = (message: SearchReply) => port.postMessage(message);
const work = createSearchWork({ ...files, write: true, onDamage: (damage) => reply({ damage }) });
type Question = Extract<SearchRequest, { readonly id: number }>;
const stops = new Map<number, AbortController>();

async function handle({ id, name, input, stopped }: Question): Promise<void> {
  const stop = new AbortController();
  if (stopped) stop.abort();
  stops.set(id, stop);
  const control: Control = { stop: stop.signal, onProgress: (done, total) => reply({ id, done, total }) };
  try {
    reply({ id, value: await (work[name] as (input: unknown, control: Control) => Promise<unknown>)(input, control) });
  } catch (thrown) {
    const message = `The history ${files.historyPath} cannot be used: ${reasonOf(thrown)}.`;
    const error = thrown instanceof AppError ? thrown : new AppError('storage', message);
    reply({ id, error: { code: error.code, message: error.message, details: error.details } });
  } finally {
    stops.delete(id);
  }
}

port.on('message', (request: SearchRequest) => {
  if ('stop' in request) stops.get(request.stop)?.abort();
  else if ('id' in request) void handle(request);
  else {
    for (const stop of stops.values()) stop.abort();
    work.close();
    port.close();
  }
});
