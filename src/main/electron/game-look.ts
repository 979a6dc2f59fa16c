import type { Rectangle, WebContents } from 'electron';
import { within } from '#core/time/within.ts';
import type { GameLook } from '#core/host/host.ts';

/** Most milliseconds for a page to answer: a page that is busy for longer hangs. */
const answeredMs = 5_000;
/** Longest side of the small picture in pixels. */
const longestSide = 160;

/** Counts frames for half a second; the timer is its end, because a page may draw none. */
const question = `new Promise((resolve) => {
  let frames = 0;
  let counts = true;
  const tick = () => { if (counts) { frames += 1; requestAnimationFrame(tick); } };
  requestAnimationFrame(tick);
  setTimeout(() => {
    counts = false;
    const { documentElement, title } = document;
    const [navigation] = performance.getEntriesByType('navigation');
    const [paint] = performance.getEntriesByName('first-paint');
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    resolve({
      url: location.href,
      title,
      lang: documentElement?.lang ?? '',
      framesPerSecond: frames * 2,
      surroundings: [innerWidth + ' x ' + innerHeight, 'pixel ratio ' + devicePixelRatio, navigator.language, zone, navigator.userAgent].join(', '),
      times: { firstByte: navigation?.responseStart, firstPaint: paint?.startTime, load: navigation?.loadEventEnd },
    });
  }, 500);
})`;

/**
 * Looks at a game's page once by Chromium's protocol, which reaches a page while it loads; Electron's own way to run a script waits
 * until it has loaded. The page notices nothing but the script's timer.
 */
export async function lookAt(
  contents: Pick<WebContents, 'debugger' | 'isDestroyed' | 'isCrashed' | 'getURL'>,
  seen: boolean,
  bounds: Rectangle | null,
): Promise<GameLook> {
  const nothing = { seen, answered: null, page: null, png: null };
  // The timers of a hidden page are too slow to ask it anything.
  if (!seen || contents.isDestroyed() || contents.isCrashed() || contents.getURL() === '') return nothing;
  if (!contents.debugger.isAttached()) return nothing;
  const { debugger: line } = contents;
  const asked = line.sendCommand('Runtime.evaluate', { expression: question, awaitPromise: true, returnByValue: true });
  // A page that goes elsewhere takes the question along: it is not hanging.
  const answer = await within(
    answeredMs,
    asked.then(readPage, () => 'gone' as const),
  );
  if (answer === null) return { ...nothing, answered: false };
  const page = answer === 'gone' ? null : answer;
  const png = bounds === null ? null : await smallPicture(line, bounds);
  return { seen, answered: true, page, png };
}

function readPage(told: unknown): GameLook['page'] | 'gone' {
  const value = (told as { result?: { value?: unknown } }).result?.value;
  if (typeof value !== 'object' || value === null) return 'gone';
  const { url, title, lang, framesPerSecond, surroundings, times } = value as Record<string, unknown>;
  const text = (part: unknown) => (typeof part === 'string' ? part : '');
  // The page could give anything. 0 is a time that has not come.
  const time = (name: string) => {
    const ms = (times as Record<string, unknown> | undefined)?.[name];
    return typeof ms === 'number' && ms > 0 ? Math.round(ms) : null;
  };
  return {
    url: text(url),
    title: text(title),
    lang: text(lang),
    framesPerSecond: typeof framesPerSecond === 'number' ? framesPerSecond : null,
    surroundings: text(surroundings).slice(0, 1_000),
    times: { firstByte: time('firstByte'), firstPaint: time('firstPaint'), load: time('load') },
  };
}

async function smallPicture(line: WebContents['debugger'], { width, height }: Rectangle): Promise<Uint8Array | null> {
  const scale = Math.min(1, longestSide / Math.max(1, width, height));
  const clip = { x: 0, y: 0, width, height, scale };
  const taken = line.sendCommand('Page.captureScreenshot', { format: 'png', clip });
  const got = (await within(
    answeredMs,
    taken.catch(() => null),
  )) as { readonly data: string } | null;
  return got === null || got.data === '' ? null : Buffer.from(got.data, 'base64');
}
