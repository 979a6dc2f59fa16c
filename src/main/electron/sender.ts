import { isPageAddress } from './page-origin.ts';

/** The frame that a message came from, as far as it decides. */
export interface Sender {
  readonly url: string;
  readonly parent: unknown;
}

/** Returns whether a frame may speak to core: the main frame, showing the page, of a window of ours. A frame that is gone is null, and refused. */
export function maySpeak(frame: Sender | null, inWindow: boolean): boolean {
  return inWindow && frame !== null && frame.parent === null && isPageAddress(frame.url);
}
