import { app, BrowserWindow, WebContentsView, type WebContents, type WebPreferences } from 'electron';
import type { GameView, GameViewOptions, GameViews } from '#core/host/host.ts';
import { within } from '#core/time/within.ts';
import { AppError } from '#shared/errors.ts';
import type { Size } from '#shared/whole-drawing.ts';
import { followGame, type FollowedGame } from './game-events.ts';
import { takePicture } from './game-picture.ts';
import { placeInWindow } from './game-place.ts';
import type { GameSessions } from './game-session.ts';
import { followSight } from './game-sight.ts';
import type { Guards } from './guards.ts';
import { windowPreferences } from './window-preferences.ts';

/** A game gets no preload and no dialogs; nothing is added to these but its session. */
export const gamePreferences: Readonly<WebPreferences> = Object.freeze({
  ...windowPreferences,
  disableDialogs: true,
  // As in a player's browser: sound after a gesture, and a game's own full screen fills its place, not the whole window.
  autoplayPolicy: 'document-user-activation-required',
  disableHtmlFullscreenWindowResize: true,
  // A game that goes to another page does not take the keyboard (electron/electron#42578).
  focusOnNavigation: false,
  // Its zoom is its own, and not that of every view of its host.
  zoomMode: 'isolated',
} satisfies WebPreferences);

/** Shows game pages over the window, each in a session of its own that is forgotten when it closes. */
export function createGameViews(guards: Pick<Guards, 'admit'>, sessions: GameSessions): GameViews {
  return {
    async open(options) {
      // What came last from the network for the page itself.
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
        throw new AppError('unsupported', 'There is no window to show the game in.');
      }
      const view = new WebContentsView({
        webPreferences: { ...gamePreferences, devTools: !app.isPackaged, partition: own.partition },
      });
      const contents = view.webContents;
      guards.admit(contents, createNavigationRule(options));
      contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
      const followed = followGame(contents, options);

      const sight = followSight(window, view, options.onEvent);
      // A page of ours that is loaded anew does not know where the game lay.
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
      // What goes wrong is told by `did-fail-load`.
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
      // Electron drops a zoom that is set before the first page is there (electron/electron#53225).
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
            // A page that is hidden takes no keyboard; what was chosen in the palette waits until that is gone.
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
            // In these two cases Electron does nothing, and says nothing.
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

const notReloaded = 'Not loaded again: the page came from a form, which would be sent a second time.';

/** How long a page may take to leave before its process is ended. */
const leavingMs = 2_000;

/** Ends a page, one that hangs too. Whether it is gone. */
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

/** Where a game may go: to https addresses; the session judges each of them again. Inside it, to what it made itself. */
function createNavigationRule({ onEvent }: GameViewOptions): (address: string, isMainFrame: boolean) => boolean {
  return (address, isMainFrame) => {
    const protocol = URL.parse(address)?.protocol ?? '';
    const inert = ['about:', 'blob:', 'data:'];
    if (protocol === 'https:' || (!isMainFrame && inert.includes(protocol))) return true;
    // A navigation that is refused is not asked about again.
    onEvent({ type: 'refused', url: address, message: 'A game page goes to https addresses only.', local: false });
    return false;
  };
}
