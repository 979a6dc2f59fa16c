import type { LaunchEntry } from '#shared/ipc/index.ts';
import type { LaunchVerdict } from '#shared/model/launch-verdict.ts';
import { ruleTitle } from '#shared/launches/rules.ts';
import type { GamePicture } from '../host/host.ts';
import { within } from '../host/within.ts';
import type { PictureFacts } from './picture-content.ts';

/** Failures of one opening of which a picture is kept. */
const mostFailures = 6;
/** Most milliseconds that the end of a game waits for its last picture. */
const lastPictureMs = 500;

export interface FilmOptions {
  /** Takes a small picture of the game. Ends within seconds. */
  readonly take: () => Promise<GamePicture>;
  readonly keep: (takenAt: number, image: Uint8Array, moment: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

/** Keeps a picture of each moment of a game that tells something, though nobody asks for one. */
export type Film = ReturnType<typeof createFilm>;

/** A game that draws nothing more, as one that crashed, gives no picture: then the last look's stands in, with its own time. */
export function createFilm({ take, keep, now, onFault }: FilmOptions) {
  let last: { readonly at: number; readonly png: Uint8Array } | null = null;
  let hasFirst = false;
  let failures = 0;
  let ended = false;
  let taken: Promise<unknown> = Promise.resolve();
  /** Moments whose picture has not come. */
  const waiting = new Set<{ readonly moment: string }>();

  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      // A picture that cannot be kept does not stop the game.
      onFault(error);
    }
  }

  function keepLast(moment: string): void {
    const picture = last;
    if (picture !== null) guarded(() => keep(picture.at, picture.png, moment));
  }

  function picture(moment: string): void {
    const wanted = { moment };
    waiting.add(wanted);
    taken = taken
      .then(async () => {
        if (ended) return;
        const at = now();
        const shot = await take();
        if (!waiting.delete(wanted)) return;
        if ('image' in shot) guarded(() => keep(at, shot.image, moment));
        else keepLast(moment);
      })
      .catch(onFault);
  }

  return {
    /** A look took a picture, by which Croupier decides whether the game is blank. */
    saw(png: Uint8Array, content: PictureFacts['content']): void {
      last = { at: now(), png };
      if (content === 'nothing' || hasFirst) return;
      hasFirst = true;
      picture('First picture');
    },
    /** The record has new entries, by which the verdict changed. */
    follow(entries: readonly LaunchEntry[], before: LaunchVerdict, after: LaunchVerdict): void {
      if (ended) return;
      if (entries.some(({ signal }) => signal?.type === 'ready')) {
        keepLast('Not blank');
        picture('Ready');
      }
      const had = new Set(before.results.flatMap(({ rule, state }) => (state === 'failed' ? [rule] : [])));
      const failed = after.results.filter(({ rule, state }) => state === 'failed' && !had.has(rule));
      if (failed.length === 0 || failures >= mostFailures) return;
      failures += 1;
      picture(`Failed: ${failed.map(({ rule }) => ruleTitle(rule)).join(', ')}`);
    },
    /** Keeps the last picture; `waits`: for one that is taken now. */
    async end(waits: boolean): Promise<void> {
      const at = now();
      // A picture that is asked of a page while it closes keeps it from closing.
      const shot =
        waits && !ended
          ? await within(
              lastPictureMs,
              taken.then(() => (ended ? null : take())),
            )
          : null;
      if (ended) return;
      ended = true;
      for (const { moment } of waiting) keepLast(moment);
      waiting.clear();
      if (shot !== null && 'image' in shot) guarded(() => keep(at, shot.image, 'Last picture'));
      else keepLast('Last picture');
    },
  };
}
