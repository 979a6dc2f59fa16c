import type { FrameObservation } from '#shared/ipc/index.ts';
import type { Note } from './record.ts';

/** Sentences for the user about what the record of a framed game lacks. */
export const unobservedInFrame: readonly string[] = [
  'The console, requests, redirects and response headers of the game are not seen in this host.',
  'Dialogs, downloads, new windows and permissions are refused by the browser without a note. A game gets sound, full screen and a screen that stays awake.',
  "Of a URL that the game goes to, only the origin is seen, and only while the frame is kept on the launch's own origin.",
  'No screenshot can be taken of a game on another origin.',
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
          options.note({ kind: 'loaded', group: 'navigation', level: 'good', title: 'The frame loaded a page', detail: '' });
        return;
      case 'left': {
        stopped = true;
        const detail = `The browser reports only the origin: ${observation.origin}`;
        // An exit on the game's own origin is inside the frame's limits, and looks like any other page there.
        if (exit !== null && exit !== options.origin && exit === URL.parse(observation.origin)?.origin)
          return options.exited(detail);
        const title = 'Stopped: the game was about to leave its origin';
        return options.note({ kind: 'navigation', group: 'blocked', level: 'blocked', title, detail });
      }
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
