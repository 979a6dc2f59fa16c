import { startDeadline } from '../time/deadline.ts';

/** What the program runs on, for whoever looks into a fault: `Node 24.21.0, linux x64`. */
export function runtimeName(): string {
  const { electron, node } = process.versions;
  return `${electron === undefined ? '' : `Electron ${electron}, `}Node ${node}, ${process.platform} ${process.arch}`;
}

/** For what ends something that others do: what they have sent is read before. */
export function laterAwake(work: () => void, milliseconds: number): () => void {
  const deadline = startDeadline(milliseconds, work, { unref: true });
  return () => deadline.clear();
}

/** Work that can wait does not keep the program alive. */
export function later(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
}
