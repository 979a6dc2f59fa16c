import type { WebContents } from 'electron';
import { replyWithin } from '#core/host/within.ts';
import type { Area, GameSnapshot } from '#core/host/host.ts';
import type { Pictured } from './game-drawing.ts';
import { scaledTo } from './game-picture.ts';
import { snapshotQuestion, sensesWorld } from './game-senses.ts';
import type { Surroundings } from './game-surroundings.ts';

/** Most milliseconds for a page to answer: a page that is busy for longer hangs. */
const replyMs = 5_000;
/** Longest side of the small picture in pixels. */
const longestSide = 160;

/** The game as it is drawn. */
interface SnapshotOptions {
  readonly seen: boolean;
  /** Null if no picture is wanted. */
  readonly picture: Pictured | null;
  /** The protocol's ID of the game's frame; null if the game is the page. */
  readonly target: string | null;
  /** Elements to look for. */
  readonly selectors: readonly string[];
}

/**
 * Takes the state of a game's page by Chromium's protocol, which reaches a page while it loads; Electron's own way to run a script waits
 * until it has loaded. The question runs in a world of its own, so that the page notices nothing, and wraps nothing that it uses.
 */
export async function takeSnapshot(
  contents: Pick<WebContents, 'debugger' | 'isDestroyed' | 'isCrashed' | 'getURL'>,
  surroundings: Pick<Surroundings, 'picture'>,
  { seen, picture, target, selectors }: SnapshotOptions,
): Promise<GameSnapshot> {
  const empty = { seen, replied: null, page: null, png: null };
  // The timers of a hidden page are too slow to ask it anything.
  if (!seen || contents.isDestroyed() || contents.isCrashed() || contents.getURL() === '') return empty;
  if (!contents.debugger.isAttached()) return empty;
  const { debugger: line } = contents;
  const send = (method: string, values: object) =>
    target === null ? line.sendCommand(method, values) : line.sendCommand(method, values, target);
  const ask = async () => {
    const { frameTree } = (await send('Page.getFrameTree', {})) as { frameTree: { frame: { id: string } } };
    const world = { frameId: frameTree.frame.id, worldName: sensesWorld };
    const { executionContextId: contextId } = (await send('Page.createIsolatedWorld', world)) as { executionContextId: number };
    return send('Runtime.evaluate', { expression: snapshotQuestion(selectors), contextId, returnByValue: true });
  };
  // A page that goes elsewhere takes the question along: it is not hanging.
  const reply = await replyWithin(
    replyMs,
    ask().then(readPage, () => 'gone' as const),
  );
  if (reply === null) return { ...empty, replied: false };
  const page = reply === 'gone' ? null : reply;
  const png = picture === null ? null : await smallPicture(surroundings, picture);
  return { seen, replied: true, page, png };
}

function readPage(told: unknown): GameSnapshot['page'] | 'gone' {
  const value = (told as { result?: { value?: unknown } }).result?.value;
  if (typeof value !== 'object' || value === null) return 'gone';
  const stated = value as Record<string, unknown>;
  const text = (part: unknown) => (typeof part === 'string' ? part : '');
  const list = (part: unknown) => (Array.isArray(part) ? (part as unknown[]) : []);
  // The page could give anything. 0 is a time that has not come.
  const time = (name: string) => {
    const ms = (stated['times'] as Record<string, unknown> | undefined)?.[name];
    return typeof ms === 'number' && ms > 0 ? Math.round(ms) : null;
  };
  return {
    url: text(stated['url']),
    title: text(stated['title']),
    lang: text(stated['lang']),
    surroundings: text(stated['surroundings']).slice(0, 1_000),
    times: { firstByte: time('firstByte'), firstPaint: time('firstPaint'), load: time('load') },
    text: text(stated['text']),
    found: typeof stated['found'] === 'string' ? stated['found'] : null,
    canvas: areaOf(stated['canvas']),
    lostContexts: typeof stated['lostContexts'] === 'number' ? stated['lostContexts'] : 0,
    stopped: list(stated['stopped']).map((one) => {
      const { directive, url } = one as Record<string, unknown>;
      return { directive: text(directive), url: text(url) };
    }),
    messages: list(stated['messages']).map(text),
    deadExit: typeof stated['deadExit'] === 'string' ? stated['deadExit'] : null,
  };
}

function areaOf(value: unknown): Area | null {
  if (typeof value !== 'object' || value === null) return null;
  const { x, y, width, height } = value as Record<string, unknown>;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof width !== 'number' || typeof height !== 'number') return null;
  return { x, y, width, height };
}

async function smallPicture(surroundings: Pick<Surroundings, 'picture'>, { size, scale }: Pictured): Promise<Uint8Array | null> {
  const taken = surroundings.picture(scaledTo(longestSide, { x: 0, y: 0, ...size, scale }));
  const png = await replyWithin(
    replyMs,
    taken.catch(() => ''),
  );
  return png === null || png === '' ? null : Buffer.from(png, 'base64');
}
