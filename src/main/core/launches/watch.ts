import { errorTextIn, loadingTextIn } from '#shared/launches/page-texts.ts';
import { drawnSuffices, signsOf } from '#shared/model/ready-signs.ts';
import type { LaunchRules } from '#shared/ipc/index.ts';
import type { GameSnapshot } from '../host/host.ts';
import { isExitMessage } from './frame-observer.ts';
import { measureLag } from './lag.ts';
import { changedIn, readPicture, type PictureFacts } from './picture-content.ts';
import type { Note } from './record.ts';
import { pendingMs, type Traffic } from './traffic.ts';

/** Milliseconds from one snapshot to the next: before the game is ready, of one that went blank, and later. */
const [pollMs, blankPollMs, heartbeatMs] = [500, 1_000, 5_000];
/** Milliseconds before each of the snapshots until a ready game has been watched: uneven, so that what turns round is not seen at one place. */
const watchMs: readonly number[] = [700, 1_000, 1_300];
/** Milliseconds between pictures of a watched game, and later than a minute after it was ready. */
const [pictureMs, latePictureMs, minute] = [5_000, 30_000, 60_000];
/** Milliseconds without a request before a game is ready. */
const quietMs = 1_000;
/** Milliseconds of quiet after which a picture of one plain colour is final. */
const blankMs = 4_000;
/** Milliseconds from the load after which a game that goes elsewhere does not do so as a part of its start. */
const startedMs = 3_000;
/** Milliseconds in which Croupier could not run, and their part of all, from which on a launch says nothing. */
const [busyMs, busyPart] = [2_000, 0.2];
/** Milliseconds after an exit was pressed in which a message belongs to it. */
const exitMs = 15_000;
/** Parts of a canvas that have to change, and of the page that it has to fill, for the game to play by itself. */
const [movingPart, largePart] = [0.1, 0.2];

export interface WatchOptions {
  readonly rules: Pick<LaunchRules, 'readyWithin' | 'readySigns' | 'errorTexts'>;
  readonly snapshot: (wanted: { readonly picture: boolean; readonly selectors: readonly string[] }) => Promise<GameSnapshot>;
  /** Called with each picture that could be read. */
  readonly onPicture: (png: Uint8Array, content: PictureFacts['content']) => void;
  readonly traffic: Traffic;
  readonly note: (note: Note) => void;
  readonly onFault: (error: unknown) => void;
  /** Returns the IDs of the games whose name is this title. */
  readonly gamesTitled: (title: string) => readonly string[];
  /** Milliseconds of the record's clock. */
  readonly now: () => number;
  /** Returns whether the page of the exit is shown, which is not the game's. */
  readonly hasLeft: () => boolean;
}

/** Watches an open game until it is stopped: whether it is ready, blank, hanging, and what it says about itself. */
export type Watch = ReturnType<typeof createWatch>;

export function createWatch(options: WatchOptions) {
  const { note, now, traffic, rules } = options;
  const { readySigns } = rules;
  /** A game whose team names signs is ready by one of them alone. */
  const drawnCounts = readySigns.length === 0 || drawnSuffices(readySigns);
  const selectors = signsOf(readySigns, 'selector');
  const texts = signsOf(readySigns, 'text');
  const said = { console: signsOf(readySigns, 'console'), message: signsOf(readySigns, 'message') };
  const lag = measureLag(now);
  /** The time at which the page began to load, and the lag until then. */
  let begun: number | null = null;
  let lagBefore = 0;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  let loadedAt: number | null = null;
  let hasDocument = false;
  let last: PictureFacts | null = null;
  let lastPictureAt = 0;
  /** The end of the wait for readiness, whichever it was. */
  let decided: 'ready' | 'late' | 'blank' | null = null;
  let readyAt = 0;
  /** Snapshots that are left until a ready game has been watched. */
  let snapshotsLeft = watchMs.length;
  let plays = false;
  let hangs = false;
  let stated = '';
  let shown: PictureFacts['content'] | null = null;
  /** The sign that was heard; empty before. */
  let heard = '';
  let errorText: string | null = null;
  let loadingText: string | null = null;
  let seenError: string | null = null;
  let lost = 0;
  let saidBusy = 0;
  let askedToLeave: number | null = null;
  /** The pixels of the canvas that have changed, and all of them. */
  const moved = new Set<number>();
  let ofCanvas = 0;

  /** Milliseconds in which the game was hidden, and the time of the last snapshot. */
  let unseen = 0;
  let seenAt = now();

  const busy = () => lag.ms() - lagBefore;
  /** Milliseconds since the page began to load in which nobody could see the game. */
  const blind = () => busy() + unseen;
  const elapsed = (at: number) => at - (begun ?? 0);

  function sayPage({ page }: GameSnapshot): void {
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

  function sayHang(replied: boolean): void {
    if (replied !== hangs) return;
    hangs = !replied;
    note({
      kind: 'hang',
      group: 'other',
      level: hangs ? 'error' : 'info',
      title: hangs ? 'The page does not respond' : 'The page responds again',
      detail: hangs ? 'It did not respond for 5 seconds.' : '',
      signal: { type: 'hang', over: !hangs },
    });
  }

  function sayPicture({ content }: PictureFacts): void {
    if (shown === content) return;
    shown = content;
    note({
      kind: 'picture',
      group: 'other',
      level: content === 'nothing' ? 'error' : content === 'little' ? 'warning' : 'info',
      title: pictureWords[content],
      detail: '',
      signal: { type: 'picture', content },
    });
  }

  function sayPending(): void {
    const common = { kind: 'request', group: 'requests', level: 'warning' } as const;
    const title = `Request without a response for ${pendingMs / 1_000} s`;
    for (const { method, url } of traffic.takePending())
      note({ ...common, title, detail: `${method} ${url}`, signal: { type: 'request', outcome: 'unanswered' } });
    for (const { method, url, ms } of traffic.takeLate()) {
      const came = `Response after ${(ms / 1_000).toFixed(1)} s`;
      note({ ...common, title: came, detail: `${method} ${url}`, signal: { type: 'request', outcome: 'answered late' } });
    }
  }

  function say(level: Note['level'], title: string, detail: string, signal: NonNullable<Note['signal']>): void {
    note({ kind: 'picture', group: 'other', level, title, detail, signal });
  }

  function sayBusy(): void {
    // What happens to a game that has been watched is not a matter of time.
    if (begun === null || (decided === 'ready' && snapshotsLeft === 0)) return;
    const ms = busy();
    if (ms < Math.max(busyMs, elapsed(now()) * busyPart, saidBusy * 2)) return;
    saidBusy = ms;
    const detail = "What happened in that time isn't evidence about the game.";
    say('warning', `Croupier could not run for ${(ms / 1_000).toFixed(1)} s`, detail, { type: 'busy', ms });
  }

  /** Says what the page shows and did that a rule looks at. */
  function sayTold({ text, lostContexts, stopped: policy, messages, deadExit }: NonNullable<GameSnapshot['page']>): void {
    const failed = errorTextIn(text, rules.errorTexts);
    // One that comes and goes, as while it connects again, is none.
    if (failed !== null && failed === seenError && errorText === null) {
      errorText = failed;
      say('error', 'The page says it failed', failed, { type: 'error text', over: false });
    } else if (failed === null && errorText !== null) {
      say('info', 'The page no longer says it failed', errorText, { type: 'error text', over: true });
      errorText = null;
    }
    seenError = failed;
    if (loadingText !== null && loadingTextIn(text) === null) {
      say('info', "The page no longer says it's loading", loadingText, { type: 'loading text', over: true });
      loadingText = null;
    }
    if (lostContexts > 0 !== lost > 0) {
      const over = lostContexts === 0;
      const title = over ? 'WebGL is back' : 'A canvas lost its WebGL context';
      say(over ? 'info' : 'error', title, '', { type: 'context lost', over });
    }
    lost = lostContexts;
    for (const { directive, url } of policy) {
      const code = /^(?:script|connect|worker|frame|child)-src/.test(directive);
      const title = `Blocked by its own policy: ${directive}`;
      note({ kind: 'request', group: 'blocked', level: 'error', title, detail: url, signal: { type: 'policy', code } });
    }
    for (const data of messages) {
      if (isExitMessage(data)) askedToLeave = now();
      hear('message', data);
    }
    if (deadExit === null) return;
    const followed = askedToLeave !== null && now() - askedToLeave < exitMs ? 'message' : 'nothing';
    say('warning', `"${deadExit}" was pressed`, '', { type: 'exit pressed', followed });
  }

  function sayLoading(page: GameSnapshot['page']): void {
    const text = page === null ? null : loadingTextIn(page.text);
    if (text === null || loadingText !== null) return;
    loadingText = text;
    say('warning', "The page still says it's loading", text, { type: 'loading text', over: false });
  }

  /** The game wrote a line on its console, or posted a message: either may be a sign. */
  function hear(kind: 'console' | 'message', text: string): void {
    const sign = said[kind].find((one) => text.includes(one));
    if (sign !== undefined && heard === '')
      heard = kind === 'console' ? `the console says "${sign}"` : `the message "${sign}" arrived`;
  }

  function signIn(page: GameSnapshot['page']): string {
    if (heard !== '' || page === null) return heard;
    if (page.found !== null) return `${page.found} appeared`;
    const shownText = page.text.toLowerCase();
    const text = texts.find((one) => shownText.includes(one.toLowerCase()));
    return text === undefined ? '' : `the text "${text}" appeared`;
  }

  function ready(by: 'sign' | 'drawn', detail: string, { page }: GameSnapshot): void {
    decided = 'ready';
    readyAt = now();
    const after = elapsed(readyAt);
    note({
      kind: 'ready',
      group: 'navigation',
      level: 'good',
      title: `${by === 'sign' ? 'Ready' : 'Drawn'} after ${(after / 1_000).toFixed(1)} s`,
      detail,
      signal: { type: 'ready', after, by, busy: blind(), ...(page?.times ?? noTimes) },
      at: readyAt,
    });
    sayLoading(page);
  }

  function late(picture: PictureFacts | null, quiet: number): void {
    const at = now();
    const after = elapsed(at);
    if (picture !== null && decided !== 'blank') sayPicture(picture);
    decided = 'late';
    note({
      kind: 'ready',
      group: 'navigation',
      level: 'error',
      title: `Not ready after ${(after / 1_000).toFixed(1)} s`,
      detail: whyLate(quiet),
      signal: { type: 'not ready', after },
      at,
    });
  }

  /** Decides whether a game that was not ready is ready, blank or late. */
  function decide(snapshot: GameSnapshot, picture: PictureFacts | null): void {
    const before = last;
    if (picture !== null) last = picture;
    const quiet = traffic.quietFor();
    const sign = signIn(snapshot.page);
    if (sign !== '') {
      ready('sign', `${sign.slice(0, 1).toUpperCase()}${sign.slice(1)}`, snapshot);
      if (picture !== null && picture.content !== 'nothing') sayPicture(picture);
      return;
    }
    if (loadedAt !== null && picture !== null && before !== null && quiet >= quietMs) {
      const isDrawn = picture.content !== 'nothing' && before.content !== 'nothing';
      if (isDrawn && drawnCounts) {
        ready('drawn', `loaded, drawn in two screenshots, ${(quiet / 1_000).toFixed(1)} s without requests`, snapshot);
        return sayPicture(picture);
      }
      const isBlank = picture.content === 'nothing' && before.content === 'nothing';
      if (isBlank && now() - loadedAt >= blankMs && quiet >= blankMs) {
        decided = 'blank';
        sayPicture(picture);
      }
    }
    if (elapsed(now()) - blind() >= rules.readyWithin * 1_000) late(picture, quiet);
  }

  /** Watches a game that is ready: whether it stays drawn, and how much of it moves. */
  function keepWatching(snapshot: GameSnapshot, picture: PictureFacts | null): void {
    const before = last;
    if (picture !== null) {
      last = picture;
      // Between two scenes a game may be blank for a moment.
      if (picture.content !== 'nothing' || before?.content === 'nothing') sayPicture(picture);
      const canvas = snapshot.page?.canvas ?? null;
      if (before !== null && canvas !== null && canvas.width * canvas.height >= largePart) {
        const { of, changed } = changedIn(canvas, before, picture);
        ofCanvas = of;
        for (const pixel of changed) moved.add(pixel);
      }
    }
    const host = URL.parse(snapshot.page?.url ?? '')?.hostname ?? '';
    if (!plays && ofCanvas > 0 && moved.size >= ofCanvas * movingPart && traffic.respondedFrom(host)) {
      plays = true;
      say('good', 'Its canvas moves, and its own requests were answered', '', { type: 'plays' });
    }
    if (snapshotsLeft === 0) return;
    if (picture !== null && picture.content !== 'nothing') snapshotsLeft -= 1;
    if (snapshotsLeft > 0) return;
    if (snapshot.page !== null && loadingText === null) sayLoading(snapshot.page);
    say('info', `Watched for ${((now() - readyAt) / 1_000).toFixed(1)} s after it was ready`, '', { type: 'watched' });
  }

  function whyLate(quiet: number): string {
    if (!hasDocument) return "The server didn't respond.";
    if (!drawnCounts) return "None of the environment's ready signs appeared.";
    const awaited = traffic.awaited();
    if (awaited !== null && quiet === 0) return `It is waiting for a response from ${awaited}`;
    if (loadedAt === null) return 'The page has not loaded.';
    if (quiet < quietMs) return 'It kept sending requests.';
    return last === null ? 'No screenshot could be taken.' : 'Its screenshot shows nothing.';
  }

  function wantsPicture(): boolean {
    if (decided === 'late') return false;
    if (decided !== 'ready' || snapshotsLeft > 0 || last?.content === 'nothing') return true;
    return now() - lastPictureAt >= (now() - readyAt < minute ? pictureMs : latePictureMs);
  }

  async function turn(): Promise<void> {
    const wanted = wantsPicture();
    if (wanted) lastPictureAt = now();
    const snapshot = await options.snapshot({ picture: wanted, selectors: decided === null ? selectors : [] });
    const picture = snapshot.png === null ? null : await readPicture(snapshot.png);
    if (stopped) return;
    if (picture !== null && snapshot.png !== null && !options.hasLeft()) options.onPicture(snapshot.png, picture.content);
    if (!snapshot.seen && begun !== null) unseen += now() - Math.max(seenAt, begun);
    seenAt = now();
    sayBusy();
    if (!options.hasLeft() && snapshot.seen) {
      if (snapshot.replied !== null) sayHang(snapshot.replied);
      sayPage(snapshot);
      if (snapshot.page !== null && hasDocument) sayTold(snapshot.page);
      if (decided === 'ready') keepWatching(snapshot, picture);
      else if (decided !== 'late') decide(snapshot, picture);
      // A game that was blank may draw something after all.
      if (decided === 'blank' && last !== null && last.content !== 'nothing') decided = null;
    }
    sayPending();
  }

  function pause(): number {
    if (decided === null || decided === 'blank') return pollMs;
    if (decided !== 'ready') return heartbeatMs;
    return watchMs[watchMs.length - snapshotsLeft] ?? (last?.content === 'nothing' ? blankPollMs : heartbeatMs);
  }

  function next(): void {
    if (stopped) return;
    timer = setTimeout(() => void turn().catch(options.onFault).finally(next), pause());
  }
  next();

  return {
    /** The page began to load at a time of the record's clock; the main document has come, or loaded. */
    follow(event: 'navigation' | 'document' | 'loaded', at: number = now()): void {
      if (event === 'document') hasDocument = true;
      if (event === 'loaded') loadedAt ??= now();
      if (event !== 'navigation') return;
      if (begun === null) [begun, lagBefore] = [at, lag.ms()];
      // What was seen before belongs to another page.
      if (decided === null) [loadedAt, last] = [null, null];
    },
    hear,
    /** True once the game was ready, or had loaded for some seconds: what loads next does not belong to its start. */
    get started(): boolean {
      return decided === 'ready' || (loadedAt !== null && now() - loadedAt >= startedMs);
    },
    stop(): void {
      stopped = true;
      lag.stop();
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
