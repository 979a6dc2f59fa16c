import { app, BrowserWindow, WebContentsView, type WebContents, type WebPreferences } from 'electron';
import type { GameView, GameViewOptions, GameViews } from '#core/host/host.ts';
import { within } from '#core/time/within.ts';
import { AppError } from '#shared/errors.ts';
import type { Size } from '#shared/whole-pixels.ts';
import { followGame, type FollowedGame } from './game-events.ts';
import { lookAt } from './game-look.ts';
import { takePicture } from './game-picture.ts';
import { placeInWindow } from './game-place.ts';
import type { GameSessions } from './game-session.ts';
import { followSight } from './game-sight.ts';
import type { Guards } from './guards.ts';
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
      // The method of the page's last own request.
      let method = 'GET';
      const watch: GameViewOptions = {
        ...options,
        onEvent(event) {
          if (event.type === 'headers') method = event.method;
          options.onEvent(event);
        },
      };
      const own = await sessions.take(options.trust, watch);
      const [window] = BrowserWindow.getAllWindows();
      if (window === undefined) {
        await own.release(true);
        throw new AppError('unsupported', 'There is no window for the game.');
      }
      const view = new WebContentsView({
        webPreferences: { ...gamePreferences, devTools: !app.isPackaged, partition: own.partition },
      });
      const contents = view.webContents;
      guards.admit(contents, createNavigationRule(options));
      contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
      const followed = followGame(contents, options);

      const sight = followSight(window, view, options.onEvent);
      // A workbench page that reloads does not know the game's position.
      const hide = (details: { isMainFrame: boolean; isSameDocument: boolean }) => {
        if (details.isMainFrame && !details.isSameDocument) sight.setVisible(false);
      };
      const hideAlways = () => sight.setVisible(false);
      window.webContents.on('did-start-navigation', hide);
      window.webContents.on('render-process-gone', hideAlways);
      let hole = options.bounds;
      let viewport: Size | null = null;
      const place = () => placeInWindow(hole, viewport, window.isDestroyed() ? 1 : window.webContents.getZoomFactor());
      view.setBounds(place().bounds);
      window.contentView.addChildView(view);
      // `did-fail-load` reports errors.
      const load = () => void contents.loadURL(options.url).catch(() => undefined);
      load();

      let closing = false;
      let wantsKeyboard = false;
      const alive = (work: () => void) => {
        if (!contents.isDestroyed()) work();
      };
      const lay = () =>
        alive(() => {
          const { bounds, zoom } = place();
          view.setBounds(bounds);
          contents.setZoomFactor(zoom);
        });
      // Electron drops a zoom that is set before the first page exists (electron/electron#53225).
      contents.on('did-navigate', lay);
      contents.on('did-fail-load', lay);
      let fromForm = false;
      contents.on('did-navigate', (_event, _url, status) => (fromForm = status > 0 && method === 'POST'));
      contents.once('destroyed', () => {
        if (!closing) options.onEvent({ type: 'gone' });
      });
      const game: GameView = {
        setBounds(bounds) {
          hole = bounds;
          lay();
        },
        setViewport(size) {
          viewport = size;
          lay();
        },
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
            options.onEvent({ type: 'sound', muted });
          }),
        reload: () =>
          alive(() => {
            // In these two cases Electron does nothing and reports nothing.
            if (contents.getURL() === '') load();
            else if (fromForm) options.onEvent({ type: 'note', message: notReloaded });
            else contents.reload();
          }),
        goBack: () =>
          alive(() => {
            if (contents.navigationHistory.canGoBack()) contents.navigationHistory.goBack();
          }),
        async capture() {
          const { bounds } = place();
          if (!sight.isSeen() || bounds.width === 0 || bounds.height === 0) return { failure: 'hidden' };
          return takePicture(contents, bounds, viewport ?? bounds);
        },
        async look({ picture }) {
          const { bounds } = place();
          const seen = sight.isSeen() && bounds.width > 0 && bounds.height > 0;
          return lookAt(contents, seen, picture ? bounds : null);
        },
        async close() {
          closing = true;
          sight.stop();
          if (!window.isDestroyed()) {
            window.webContents.off('did-start-navigation', hide);
            window.webContents.off('render-process-gone', hideAlways);
            window.contentView.removeChildView(view);
          }
          await own.release(await endPage(contents, followed));
        },
      };
      return game;
    },
  };
}

const notReloaded = 'Not reloaded: the page came from a form, which would be sent a second time.';

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
