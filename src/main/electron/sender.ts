import { isPageAddress } from './page-origin.ts';

/** The relevant part of the frame that sent a message. */
export interface Sender {
  readonly url: string;
  readonly parent: unknown;
}

/** Returns whether a frame may speak to core: the main frame, showing the page, of a window of Croupier. A removed frame is null and refused. */
export function maySpeak(frame: Sender | null, inWindow: boolean): boolean {
  return inWindow && frame !== null && frame.parent === null && isPageAddress(frame.url);
}
