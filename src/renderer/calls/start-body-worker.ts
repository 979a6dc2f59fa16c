import { startWorker } from '#renderer/editor/worker.ts';
import type { BodyWorker } from './body-reader.ts';
import address from './response.worker.ts?worker&url';

/** Starts the worker that reads long responses. */
export function startBodyWorker(): BodyWorker {
  return startWorker(address);
}
