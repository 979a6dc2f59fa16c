import type { GameLook } from '../host/host.ts';
import { isStill, readPicture, type PictureFacts } from './picture-content.ts';
import type { Note } from './record.ts';
import { unansweredMs, type Traffic } from './traffic.ts';

/** Milliseconds from one look to the next: before and after the game is ready. */
const [lookMs, heartbeatMs] = [1_000, 5_000];
/** Milliseconds without a request before a game is ready. */
const quietMs = 1_000;
/** Milliseconds of quiet after which a picture of one plain colour is final. */
const blankMs = 4_000;
/** Milliseconds from the load after which a game that goes elsewhere does not do so as a part of its start. */
const startedMs = 3_000;
/** Frames per second that a game in motion draws. */
const movingFrames = 20;

export interface WatchOptions {
  /** Milliseconds from the opening until a game that is not ready is late. */
  readonly readyWithinMs: number;
  readonly look: (wanted: { readonly picture: boolean }) => Promise<GameLook>;
  readonly traffic: Traffic;
  readonly note: (note: Note) => void;
  readonly onFault: (error: unknown) => void;
  /** Returns the IDs of the games whose name is this title. */
  readonly gamesTitled: (title: string) => readonly string[];
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Returns whether the page of the exit is shown, which is not the game's. */
  readonly hasLeft: () => boolean;
}

/** Looks at an open game until it is stopped: whether it is ready, blank, hanging, and what it says about itself. */
export interface Watch {
  /** The main document has come, loaded, or gone. */
  follow(event: 'navigation' | 'document' | 'loaded'): void;
  /** True once the game was ready, or had loaded for some seconds: what loads next does not belong to its start. */
  readonly started: boolean;
  stop(): void;
}

export function createWatch(options: WatchOptions): Watch {
  const { note, now, traffic } = options;
  const opened = now();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let loadedAt: number | null = null;
  let hasDocument = false;
  let last: PictureFacts | null = null;
  /** The end of the wait for readiness, whichever it was. */
  let decided: 'ready' | 'late' | 'blank' | null = null;
  let hangs = false;
  let stated = '';
  let shown: PictureFacts['content'] | null = null;

  function sayPage({ page }: GameLook): void {
    if (page === null || !hasDocument) return;
    const query = new URLSearchParams(URL.parse(page.url)?.search ?? '');
    const facts = {
      lang: page.lang.slice(0, 100),
      title: page.title.slice(0, 200),
      titled: page.title === '' ? [] : [...options.gamesTitled(page.title)].slice(0, 20),
      urlGameId: query.get('gameId')?.slice(0, 100) ?? '',
      urlGameMode: query.get('gameMode')?.slice(0, 100) ?? '',
      urlLang: query.get('lang')?.slice(0, 100) ?? '',
    };
    const text = JSON.stringify([facts, page.surroundings]);
    if (text === stated) return;
    stated = text;
    const said = [
      facts.title === '' ? 'no title' : `title ${facts.title}`,
      facts.lang === '' ? 'no language' : `language ${facts.lang}`,
    ];
    note({
      kind: 'page',
      group: 'navigation',
      level: 'info',
      title: `The page states: ${said.join(', ')}`,
      detail: page.surroundings,
      signal: { type: 'page', ...facts },
    });
  }

  function sayHang(answered: boolean): void {
    if (answered !== hangs) return;
    hangs = !answered;
    note({
      kind: 'hang',
      group: 'other',
      level: hangs ? 'error' : 'info',
      title: hangs ? 'The page does not respond' : 'The page responds again',
      detail: hangs ? 'It did not answer for 5 seconds.' : '',
      signal: { type: 'hang', over: !hangs },
    });
  }

  function sayPicture(picture: PictureFacts): void {
    if (shown === picture.content) return;
    shown = picture.content;
    note({
      kind: 'picture',
      group: 'other',
      level: shown === 'nothing' ? 'error' : shown === 'little' ? 'warning' : 'info',
      title: pictureWords[shown],
      detail: '',
      signal: { type: 'picture', content: shown },
    });
  }

  function sayUnanswered(): void {
    const common = { kind: 'request', group: 'requests', level: 'warning' } as const;
    const title = `Request without a response for ${unansweredMs / 1_000} s`;
    for (const { method, url } of traffic.takeUnanswered())
      note({ ...common, title, detail: `${method} ${url}`, signal: { type: 'request', outcome: 'unanswered' } });
    for (const { method, url, ms } of traffic.takeLate()) {
      const came = `Response after ${(ms / 1_000).toFixed(1)} s`;
      note({ ...common, title: came, detail: `${method} ${url}`, signal: { type: 'request', outcome: 'answered late' } });
    }
  }

  function decide(look: GameLook, picture: PictureFacts | null): void {
    const after = Math.round(now() - opened);
    const before = last;
    if (picture !== null) last = picture;
    const quiet = traffic.quietFor();
    if (loadedAt !== null && picture !== null && quiet >= quietMs) {
      const still = before !== null && isStill(before, picture);
      const moves = (look.page?.framesPerSecond ?? 0) >= movingFrames;
      if (picture.content !== 'nothing' && (still || moves)) {
        decided = 'ready';
        const why = still ? 'two still pictures' : `${look.page?.framesPerSecond ?? 0} frames per second`;
        note({
          kind: 'ready',
          group: 'navigation',
          level: 'good',
          title: `Ready after ${(after / 1_000).toFixed(1)} s`,
          detail: `${why}, ${(quiet / 1_000).toFixed(1)} s without requests`,
          signal: { type: 'ready', after, ...(look.page?.times ?? noTimes) },
        });
        return sayPicture(picture);
      }
      if (picture.content === 'nothing' && before?.content === 'nothing' && now() - loadedAt >= blankMs && quiet >= blankMs) {
        decided = 'blank';
        sayPicture(picture);
      }
    }
    if (after < options.readyWithinMs || decided === 'ready') return;
    const blank = decided === 'blank';
    decided = 'late';
    if (picture !== null && !blank) sayPicture(picture);
    note({
      kind: 'ready',
      group: 'navigation',
      level: 'error',
      title: `Not ready after ${(after / 1_000).toFixed(1)} s`,
      detail: whyLate(quiet),
      signal: { type: 'not ready', after },
    });
  }

  function whyLate(quiet: number): string {
    if (!hasDocument) return 'The server did not answer.';
    if (loadedAt === null) return 'The page has not loaded.';
    const awaited = traffic.awaited();
    if (awaited !== null) return `It waits for the response of ${awaited}`;
    if (quiet < quietMs) return 'Its requests did not come to rest.';
    return last === null ? 'No picture could be taken.' : 'Its picture shows nothing, or it neither moves nor stands still.';
  }

  async function turn(): Promise<void> {
    const wantsPicture = decided === null || decided === 'blank';
    const look = await options.look({ picture: wantsPicture });
    const picture = look.png === null ? null : await readPicture(look.png);
    if (stopped) return;
    if (!options.hasLeft() && look.seen) {
      if (look.answered !== null) sayHang(look.answered);
      sayPage(look);
      if (wantsPicture) decide(look, picture);
      // A game that was blank may draw something after all.
      if (decided === 'blank' && last !== null && last.content !== 'nothing') decided = null;
    }
    sayUnanswered();
  }

  function next(): void {
    if (stopped) return;
    timer = setTimeout(
      () => void turn().catch(options.onFault).finally(next),
      decided === null || decided === 'blank' ? lookMs : heartbeatMs,
    );
  }
  next();

  return {
    follow(event) {
      if (event === 'document') hasDocument = true;
      if (event === 'loaded') loadedAt ??= now();
      if (event === 'navigation' && decided === null) loadedAt = null;
    },
    get started() {
      return decided === 'ready' || (loadedAt !== null && now() - loadedAt >= startedMs);
    },
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

const noTimes = { firstByte: null, firstPaint: null, load: null };

const pictureWords: Readonly<Record<PictureFacts['content'], string>> = {
  nothing: 'The game shows one plain colour',
  little: 'The game shows little',
  enough: 'The game shows a picture',
};
