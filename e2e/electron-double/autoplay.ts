import type { CdpSession } from './cdp.ts';

/**
 * Imitates `autoplayPolicy`. Chromium has one policy for all its pages, in the double Electron's default, by which every page may
 * play. On a page whose preferences require a gesture, `play()` fails and an audio context stays suspended until somebody has
 * touched the page.
 */
export async function followAutoplay(cdp: CdpSession, { autoplayPolicy }: Electron.WebPreferences): Promise<void> {
  if (autoplayPolicy === undefined || autoplayPolicy === 'no-user-gesture-required') return;
  const source = `(${String(needGesture)})()`;
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, runImmediately: true });
}

/** Runs in the page; sent there as source text. */
function needGesture(): void {
  const touched = () => navigator.userActivation.hasBeenActive;
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    if (touched() || this.muted || this.volume === 0) return play.call(this);
    return Promise.reject(new DOMException('The user did not interact with the document first.', 'NotAllowedError'));
  };
  const Native = window.AudioContext;
  window.AudioContext = class AudioContext extends Native {
    readonly #waiting: (() => void)[] = [];
    constructor(options?: AudioContextOptions) {
      super(options);
      if (!touched()) void super.suspend();
    }
    override async resume(): Promise<void> {
      if (!touched()) return new Promise((resolve) => this.#waiting.push(resolve));
      await super.resume();
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  };
}
