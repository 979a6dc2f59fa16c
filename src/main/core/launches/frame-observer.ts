import type { FrameObservation } from '#shared/ipc/index.ts';
import { parseJson } from '#shared/json/parse.ts';
import { textAt } from '#shared/provider/launcher-url.ts';
import type { Note } from './record.ts';

/** Sentences for the user about what the record of a framed game lacks. */
export const unobservedInFrame: readonly string[] = [
  "In a browser, Croupier can't see the game's console, requests, redirects or response headers, nor tell the game from the browser's error page.",
  'The browser silently blocks dialogs, downloads, new windows and permission requests. It allows games sound, full screen and a wake lock.',
  "When the game goes to another URL, Croupier sees only the origin, and only while the frame is kept on the launch's origin.",
  "Croupier can't take screenshots of a game on another origin.",
];

/** Turns the page's observations of one framed game into entries of its record. */
export function createFrameObserver(options: {
  note: (note: Note) => void;
  /** Called for each arrival at the exit. */
  exited: (detail: string) => void;
  exitURL: string;
  /** The launch's own origin. */
  origin: string | null;
}): (observation: FrameObservation) => void {
  const exit = URL.parse(options.exitURL)?.origin ?? null;
  let stopped = false;
  return (observation) => {
    const wasStopped = stopped;
    stopped = false;
    switch (observation.event) {
      case 'loaded':
        // What loads after a stop is the browser's page that says so.
        if (!wasStopped)
          options.note({
            kind: 'loaded',
            group: 'navigation',
            level: 'info',
            title: 'Something loaded in the frame',
            detail: "The browser doesn't say whether it is the game or an error page.",
          });
        return;
      case 'browser':
        return options.note({
          kind: 'page',
          group: 'navigation',
          level: 'info',
          title: 'User agent of the browser around the frame',
          detail: observation.userAgent,
        });
      case 'left': {
        stopped = true;
        const detail = `The browser reports only the origin: ${observation.origin}`;
        // An exit on the game's own origin is inside the frame's limits, and looks like any other page there.
        if (exit !== null && exit !== options.origin && exit === URL.parse(observation.origin)?.origin)
          return options.exited(detail);
        const title = 'Stopped: the game was about to leave its origin';
        return options.note({
          kind: 'navigation',
          group: 'blocked',
          level: 'blocked',
          title,
          detail,
          signal: { type: 'elsewhere' },
        });
      }
      case 'message':
        // A stopped frame stays stopped.
        stopped = wasStopped;
        return messageNote(observation, options);
      case 'failed':
        options.note({
          kind: 'note',
          group: 'navigation',
          level: 'error',
          title: 'The frame did not load',
          detail: observation.message,
        });
    }
  };
}

/** Notes a message that a game posted to the page around it: one that asks to leave is the exit. */
export function messageNote(
  { origin, data }: { readonly origin: string; readonly data: string },
  { note, exited }: { readonly note: (note: Note) => void; readonly exited: (detail: string) => void },
): void {
  if (isExitMessage(data)) return exited(`The game posted ${data}`);
  note({ kind: 'message', group: 'other', level: 'info', title: `Message from ${origin}`, detail: data });
}

/**
 * Returns whether a message of a game says that the player wants to leave, as far as providers agree: a text, or the type, event,
 * action, name or message of an object, that is a word for leaving.
 */
export function isExitMessage(data: string): boolean {
  const word =
    /^(?:game|player|on)?[-_:. /]?(?:exit|close|quit|leave|lobby|home|(?:back|go|return)[-_ ]?to[-_ ]?(?:lobby|casino|home))(?:[-_ ]?(?:game|request|requested|clicked|pressed))?$/i;
  if (word.test(data.trim())) return true;
  const parsed = parseJson(data);
  if (!parsed.ok) return false;
  const root = parsed.root;
  if (root.kind === 'string') return word.test(root.value.trim());
  return ['type', 'event', 'action', 'name', 'message', 'method', 'cmd', 'command'].some((name) =>
    word.test(textAt(root, [name])?.trim() ?? ''),
  );
}
