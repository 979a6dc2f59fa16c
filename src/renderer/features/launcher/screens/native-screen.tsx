import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { ViewBounds } from '#shared/ipc/index.ts';
import type { PageSettings } from '#shared/model/device.ts';
import type { Size } from '#shared/whole-pixels.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { Drawing } from '../device.ts';
import type { Shown } from '../tabs/launch-tab.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import { useCovered } from './overlays.ts';
import styles from './game-screen.module.css';

/**
 * The hole in the page that the host lays a game's view over. It reports the hole's bounds to the host on every change of the
 * layout, and hides the view while anything of the page has to be seen there. Before a game is opened it keeps the room free.
 */
export function NativeScreen({
  store,
  launchId,
  shown,
  page,
  title,
  drawing,
  instead,
}: {
  store: LauncherStore;
  launchId: string;
  shown: Shown;
  page: PageSettings;
  title: string;
  drawing: Drawing;
  /** Size to draw if the drawing does not fit; else null. Nothing clips a view, so it would cover what is around the hole. */
  instead: Size | null;
}) {
  const hole = useRef<HTMLDivElement>(null);
  const isView = shown.state === 'view';
  const covered = useCovered(hole, isView);
  const visible = instead === null && !covered;
  const { viewport } = drawing;
  const drawn = instead ?? drawing.drawn;

  const place = useEffectEvent(() => {
    const bounds = hole.current === null ? null : boundsOf(hole.current);
    if (bounds === null) return;
    if (shown.state === 'waiting') startWork(store.getState().open(launchId, bounds));
    else if (isView) store.getState().place(launchId, bounds, window.devicePixelRatio);
  });

  // After every draw: a neighbour that grew moves the hole without changing its size.
  useLayoutEffect(() => place());

  useEffect(() => {
    const box = hole.current;
    if (box === null) return;
    const follow = () => place();
    const sized = new ResizeObserver(follow);
    for (let element: Element | null = box; element !== null; element = element.parentElement) sized.observe(element);
    window.addEventListener('resize', follow);
    window.addEventListener('scroll', follow, { capture: true, passive: true });
    return () => {
      sized.disconnect();
      window.removeEventListener('resize', follow);
      window.removeEventListener('scroll', follow, { capture: true });
    };
  }, []);

  const { width, height } = viewport;
  useEffect(() => {
    if (isView) store.getState().setPage(launchId, { width, height }, page);
  }, [store, launchId, isView, width, height, page]);

  useEffect(() => {
    if (isView) store.getState().setVisible(launchId, visible);
  }, [store, launchId, isView, visible]);

  // The hole left the page, for example for another tab: no view may stay over it.
  useEffect(() => () => store.getState().setVisible(launchId, false), [store, launchId]);

  return (
    <div
      ref={hole}
      className={styles.hole}
      role="group"
      aria-label={title}
      data-game={launchId}
      data-native-view=""
      data-covered={!visible || undefined}
      style={{ width: drawn.width, height: drawn.height }}
    >
      <span>{!isView ? 'Opening the game' : instead !== null ? noRoom : covered ? hidden : ''}</span>
    </div>
  );
}

const hidden = 'The game is hidden while something covers it.';
const noRoom = 'No room for the game. Enlarge the window, or choose Desktop (fit window).';

/** Returns the bounds of an element in whole pixels, clipped to the window; null while it is out of sight. */
function boundsOf(element: Element): ViewBounds | null {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const { clientWidth, clientHeight } = element.ownerDocument.documentElement;
  const x = Math.round(Math.max(0, left));
  const y = Math.round(Math.max(0, top));
  const width = Math.round(Math.min(right, clientWidth)) - x;
  const height = Math.round(Math.min(bottom, clientHeight)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
