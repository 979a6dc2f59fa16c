import { app, BrowserWindow, WebContentsView, type WebContents, type WebPreferences } from 'electron';
import type { GameView, GameViewOptions, GameViews } from '#core/host/host.ts';
import { roundTripUrl } from '#core/network/game-proxy.ts';
import { within } from '#core/host/within.ts';
import { AppError } from '#shared/errors.ts';
import { createDrawing } from './game-drawing.ts';
import { followGame, type FollowedGame } from './game-events.ts';
import { takeSnapshot } from './game-snapshot.ts';
import { takePicture } from './game-picture.ts';
import type { GameSessions } from './game-session.ts';
import { followSight } from './game-sight.ts';
import { createSurroundings } from './game-surroundings.ts';
import type { Guards } from './guards.ts';
import { operatorUrl } from './operator-page.ts';
import { windowPreferences } from './window-preferences.ts';

/** Preferences of a game's page: no preload, no dialogs. Only its session is added. */
const gamePreferences: Readonly<WebPreferences> = Object.freeze({
  ...windowPreferences,
  disableDialogs: true,
  // As in a player's browser: sound after a gesture. A game's full screen fills its place, not the window.
  autoplayPolicy: 'document-user-activation-required',
  disableHtmlFullscreenWindowResize: true,
  // A game that goes to another page does not take the keyboard (electron/electron#42578).
  focusOnNavigation: false,
  // Its zoom must not apply to other views of the same host.
  zoomMode: 'isolated',
} satisfies WebPreferences);

/** Shows game pages over the window, each in a session of its own that is forgotten when it closes. */
export function createGameViews(guards: Pick<Guards, 'admit'>, sessions: GameSessions): GameViews {
  return {
    async open(options) {
      const operator = options.embedding === null ? null : operatorUrl(options.embedding);
      // The method of the page's last own request.
      let method = 'GET';
      // The empty page, on which Chromium takes its settings, is not the game's.
      let begun = false;
      const watch: GameViewOptions = {
        ...options,
        // No request for the operator's page leaves, and the proxy itself answers the other.
        admits: async (url) => (url === operator || url === roundTripUrl ? { ok: true, addresses: [] } : options.admits(url)),
        onEvent(event) {
          if (event.type === 'headers') method = event.method;
          if (begun) options.onEvent(event);
        },
      };
      const own = await sessions.take(options.trust, watch);
      const [window] = BrowserWindow.getAllWindows();
      if (window === undefined) {
        await own.release(true).catch(() => undefined);
        throw new AppError('unsupported', 'There is no window for the game.');
      }
      const view = new WebContentsView({
        webPreferences: { ...gamePreferences, devTools: !app.isPackaged, partition: own.partition },
      });
      const contents = view.webContents;
      guards.admit(contents, createNavigationRule(watch));
      contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
      const surroundings = createSurroundings(contents.debugger, watch);
      const followed = followGame(contents, { onEvent: watch.onEvent, operator, onAttached: surroundings.renew });

      const sight = followSight(window, view, options.onEvent);
      const drawing = createDrawing(window, view, surroundings, options);
      window.contentView.addChildView(view);
      // `did-fail-load` reports errors.
      const load = () => void contents.loadURL(operator ?? options.url).catch(() => undefined);

      let closing = false;
      let wantsKeyboard = false;
      const alive = (work: () => void) => {
        if (!contents.isDestroyed()) work();
      };
      const lay = () => alive(drawing.lay);
      // Electron drops a zoom that is set before the first page exists (electron/electron#53225).
      contents.on('did-navigate', lay);
      contents.on('did-fail-load', lay);
      let fromForm = false;
      contents.on('did-navigate', (_event, _url, status) => (fromForm = status > 0 && method === 'POST'));
      contents.once('destroyed', () => {
        // Electron crashes if the view leaves the window while it is in this event (electron/electron#38842).
        if (!closing) setImmediate(() => watch.onEvent({ type: 'gone' }));
      });
      const game: GameView = {
        setBounds: (bounds) => alive(() => drawing.setBounds(bounds)),
        setPage: (viewport, page) => alive(() => drawing.setPage(viewport, page)),
        setVisible: (visible) =>
          alive(() => {
            sight.setVisible(visible);
            if (wantsKeyboard) game.focus();
          }),
        focus: () =>
          alive(() => {
            // A hidden page takes no keyboard, so the palette's command waits until the game is visible.
            wantsKeyboard = !sight.isSeen();
            if (!wantsKeyboard) contents.focus();
          }),
        setMuted: (muted) =>
          alive(() => {
            if (contents.isAudioMuted() === muted) return;
            contents.setAudioMuted(muted);
            watch.onEvent({ type: 'sound', muted });
          }),
        reload: () =>
          alive(() => {
            // In these two cases Electron does nothing and reports nothing.
            if (contents.getURL() === emptyPage) load();
            else if (fromForm) watch.onEvent({ type: 'note', message: notReloaded });
            else contents.reload();
          }),
        goBack: () =>
          alive(() => {
            if (contents.navigationHistory.canGoBack()) contents.navigationHistory.goBack();
          }),
        async capture(size) {
          if (closing) return { failure: 'gone' };
          const picture = drawing.picture();
          return sight.isSeen() && picture !== null ? takePicture(contents, surroundings, picture, size) : { failure: 'hidden' };
        },
        async snapshot(wanted) {
          const picture = drawing.picture();
          const target = surroundings.frame();
          // Where the game has no target of its own, the page that would answer is the operator's.
          const seen = sight.isSeen() && picture !== null && (operator === null || target !== null);
          return takeSnapshot(contents, surroundings, { ...wanted, seen, picture: wanted.picture ? picture : null, target });
        },
        async close() {
          closing = true;
          sight.stop();
          if (!window.isDestroyed()) window.contentView.removeChildView(view);
          await own.release(await endPage(contents, followed));
        },
      };
      try {
        const measured = await surroundings.prepare(() => contents.loadURL(emptyPage));
        begun = true;
        watch.onEvent({ type: 'prepared', ...measured });
      } catch (error) {
        // The reason is that of the opening, whatever its end has to say.
        await game.close().catch(() => undefined);
        throw error instanceof AppError
          ? error
          : new AppError('internal', "The game's page did not start. Open the game again.", undefined, { cause: error });
      }
      // The way back does not lead to the empty page.
      contents.once('did-navigate', () => contents.navigationHistory.clear());
      load();
      return game;
    },
  };
}

const emptyPage = 'about:blank';
const notReloaded = 'The page was not reloaded because that would submit its form again.';

/** Most milliseconds for a page to close before its process is ended. */
const leavingMs = 2_000;

/** Ends a page, even one that hangs. Returns whether it ended. */
async function endPage(contents: WebContents, followed: FollowedGame): Promise<boolean> {
  if (contents.isDestroyed()) return true;
  const gone = new Promise<true>((resolve) => contents.once('destroyed', () => resolve(true)));
  followed.release();
  contents.close();
  if (await within(leavingMs, gone)) return true;
  if (contents.isDestroyed()) return true;
  contents.forcefullyCrashRenderer();
  contents.close();
  return (await within(leavingMs, gone)) ?? false;
}

/** Creates the rule for a game's navigations: https URLs, which its session judges again, and in frames also its own blobs and documents. */
function createNavigationRule({ onEvent }: GameViewOptions): (address: string, isMainFrame: boolean) => boolean {
  return (address, isMainFrame) => {
    const protocol = URL.parse(address)?.protocol ?? '';
    const inert = ['about:', 'blob:', 'data:'];
    if (protocol === 'https:' || (!isMainFrame && inert.includes(protocol))) return true;
    // Electron does not ask about a refused navigation again.
    onEvent({ type: 'refused', url: address, message: 'A game page may only navigate to https URLs.', local: false });
    return false;
  };
}
