import { strict } from './strict.ts';

interface Known {
  readonly number: number;
  /** Chromium's ID of the frame that holds it; null for the main frame of a page. */
  parentId: string | null;
}

/** Chromium's frames by its IDs: the double's number of each is its routing ID, in one process for all. */
const frames = new Map<string, Known>();

/** The process of every frame of the double. */
export const frameProcess = 1;

/** Remembers a frame and the frame that holds it. */
export function noteFrame(frameId: string, parentId: string | null): void {
  const known = frames.get(frameId);
  if (known === undefined) frames.set(frameId, { number: frames.size + 1, parentId });
  else known.parentId = parentId ?? known.parentId;
}

/** Returns the routing ID of a frame. */
export function frameNumber(frameId: string): number {
  noteFrame(frameId, null);
  return frames.get(frameId)?.number ?? 0;
}

/** Returns Electron's object of a frame. */
export function frameObject(frameId: string): object {
  const parentId = frames.get(frameId)?.parentId ?? null;
  return strict('WebFrameMain', { parent: parentId === null ? null : frameObject(parentId) });
}

/** Electron's `webFrameMain` module. */
export const webFrameMain = strict('webFrameMain', {
  fromId(processId: number, routingId: number): object | undefined {
    if (processId !== frameProcess) return undefined;
    for (const [frameId, { number }] of frames) if (number === routingId) return frameObject(frameId);
    return undefined;
  },
});
