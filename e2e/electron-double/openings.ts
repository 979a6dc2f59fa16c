import { inside } from './addresses.ts';
import type { CdpSession } from './cdp.ts';

type Details = Electron.HandlerDetails;

/** The windows that a page asked for and that the app has not answered yet. */
export class Openings {
  readonly #asked: Pick<Details, 'url' | 'frameName' | 'disposition'>[] = [];

  follow(cdp: CdpSession): void {
    cdp.on('Page.windowOpen', ({ url, windowName, windowFeatures }) => {
      const sized = windowFeatures.some((feature) => feature.startsWith('width='));
      const frameName = windowName === '_blank' ? '' : windowName;
      this.#asked.push({ url: inside(url), frameName, disposition: sized ? 'new-window' : 'foreground-tab' });
    });
    // A click with the middle button, Ctrl or Shift opens no window of the page's, but the app is asked about it all the same.
    cdp.on('Page.frameRequestedNavigation', ({ url, disposition }) => {
      if (disposition === 'newTab') this.#asked.push({ url: inside(url), frameName: '', disposition: 'background-tab' });
      if (disposition === 'newWindow') this.#asked.push({ url: inside(url), frameName: '', disposition: 'new-window' });
    });
  }
  get any(): boolean {
    return this.#asked.length > 0;
  }
  /** Takes the oldest of them. Its features are not doubled. */
  next(referrer: string): Details {
    const asked = this.#asked.shift() ?? { url: '', frameName: '', disposition: 'other' };
    return { ...asked, features: '', referrer: { url: referrer, policy: 'default' } };
  }
}
