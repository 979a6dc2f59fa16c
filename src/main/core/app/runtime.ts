import { setTimeout } from 'node:timers/promises';
import { startDeadline } from '../host/deadline.ts';

/** Returns the runtime, such as `Node 24.21.0, linux x64`, for reports of faults. */
export function runtimeName(): string {
  const { electron, node } = process.versions;
  return `${electron === undefined ? '' : `Electron ${electron}, `}Node ${node}, ${process.platform} ${process.arch}`;
}

/** Runs work later, for whatever ends others' work: messages that they have sent are read before. */
export function laterAwake(work: () => void, milliseconds: number): () => void {
  const deadline = startDeadline(milliseconds, work, { unref: true });
  return () => deadline.clear();
}

/** Resolves after so many milliseconds, or when the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Work that can wait does not keep the program alive. */
export function later(work: () => void, milliseconds: number): () => void {
  const timer = globalThis.setTimeout(work, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}
