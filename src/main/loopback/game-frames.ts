import { createHash, randomBytes } from 'node:crypto';
import type { GameFrame, GameFrames } from '#core/host/host.ts';
import { gameFrameAllow } from '#shared/page-policy.ts';

/** A page that frames one game, and its content security policy. */
export interface FramePage {
  readonly html: string;
  readonly policy: string;
}

/** Pages that frame games: offered by core, each handed out once. */
export interface Frames extends GameFrames {
  /** Returns the page of a ticket; null for one that is wrong, used or too old. */
  take(ticket: string): FramePage | null;
}

const lifetimeMs = 60_000;
const openLimit = 32;

const style = 'html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0;overflow:clip;background:#000}';

/**
 * Reports to the surrounding page that the game loaded something, the origin to which it was about to leave, and what it posted to its parent.
 * The game has another origin, so this script cannot read it, and it cannot call this script.
 */
const script = `'use strict';
const frame = document.querySelector('iframe');
const tell = (message) => parent.postMessage({ croupier: 'frame', ...message }, location.origin);
document.addEventListener('securitypolicyviolation', (event) => {
  if (event.effectiveDirective === 'frame-src') tell({ event: 'left', origin: event.blockedURI });
});
frame.addEventListener('load', () => tell({ event: 'loaded' }));
addEventListener('message', (event) => {
  if (event.source !== frame.contentWindow) return;
  let data = '';
  try {
    data = typeof event.data === 'string' ? event.data : JSON.stringify(event.data) ?? '';
  } catch {}
  tell({ event: 'message', origin: event.origin, data: data.slice(0, 2000) });
});
frame.src = frame.dataset.src;
`;

/**
 * Creates the pages between the workbench's page and a game's in the browser host. The workbench's policy is fixed when it loads and names no
 * game; a frame page is made for one launch and allows only frames of that launch's origin (or of any https URL, if the launch was opened so).
 * It holds only the launcher URL, needs no session, and is served once for an unguessable ticket. `now` returns milliseconds of a monotonic clock.
 */
export function createFrames(now: () => number): Frames {
  const offers = new Map<string, { frame: GameFrame; expires: number }>();
  return {
    offer(frame) {
      for (const [ticket, { expires }] of offers) {
        if (expires <= now() || offers.size >= openLimit) offers.delete(ticket);
      }
      const ticket = randomBytes(32).toString('base64url');
      offers.set(ticket, { frame, expires: now() + lifetimeMs });
      return `/frame/${ticket}`;
    },
    take(ticket) {
      const offer = offers.get(ticket);
      offers.delete(ticket);
      return offer === undefined || offer.expires <= now() ? null : framePage(offer.frame);
    },
  };
}

function framePage({ url, redirects }: GameFrame): FramePage {
  const sources = redirects === 'https' ? 'https:' : new URL(url).origin;
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    `frame-src ${sources}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  // Without top navigation, popups, modals and downloads; same-origin is safe because the game's origin is never this host's.
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Game</title><style>${style}</style></head>
<body><iframe title="Game" sandbox="allow-scripts allow-same-origin allow-forms allow-pointer-lock" allow="${gameFrameAllow}" referrerpolicy="no-referrer" data-src="${escapeHtml(url)}"></iframe><script>${script}</script></body>
</html>
`;
  return { html, policy };
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
