import type { WebContents } from 'electron';
import { replyWithin } from '#core/time/within.ts';
import type { GameLook } from '#core/host/host.ts';
import type { Pictured } from './game-drawing.ts';
import type { Surroundings } from './game-surroundings.ts';

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

/** The game as it is drawn. */
interface Looked {
  readonly seen: boolean;
  /** Null if no picture is wanted. */
  readonly picture: Pictured | null;
  /** The protocol's ID of the game's frame; null if the game is the page. */
  readonly target: string | null;
}

/**
 * Looks at a game's page once by Chromium's protocol, which reaches a page while it loads; Electron's own way to run a script waits
 * until it has loaded. The page notices nothing but the script's timer.
 */
export async function lookAt(
  contents: Pick<WebContents, 'debugger' | 'isDestroyed' | 'isCrashed' | 'getURL'>,
  surroundings: Pick<Surroundings, 'picture'>,
  { seen, picture, target }: Looked,
): Promise<GameLook> {
  const nothing = { seen, answered: null, page: null, png: null };
  // The timers of a hidden page are too slow to ask it anything.
  if (!seen || contents.isDestroyed() || contents.isCrashed() || contents.getURL() === '') return nothing;
  if (!contents.debugger.isAttached()) return nothing;
  const { debugger: line } = contents;
  const values = { expression: question, awaitPromise: true, returnByValue: true };
  const asked =
    target === null ? line.sendCommand('Runtime.evaluate', values) : line.sendCommand('Runtime.evaluate', values, target);
  // A page that goes elsewhere takes the question along: it is not hanging.
  const answer = await replyWithin(
    answeredMs,
    asked.then(readPage, () => 'gone' as const),
  );
  if (answer === null) return { ...nothing, answered: false };
  const page = answer === 'gone' ? null : answer;
  const png = picture === null ? null : await smallPicture(surroundings, picture);
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

async function smallPicture(surroundings: Pick<Surroundings, 'picture'>, { size, scale }: Pictured): Promise<Uint8Array | null> {
  // The pictured screen may have several pixels for one of the page.
  const longest = Math.max(1, size.width * scale, size.height * scale);
  const taken = surroundings.picture({ x: 0, y: 0, ...size, scale: scale * Math.min(1, longestSide / longest) });
  const png = await replyWithin(
    answeredMs,
    taken.catch(() => ''),
  );
  return png === null || png === '' ? null : Buffer.from(png, 'base64');
}
