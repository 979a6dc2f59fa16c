import { useEffect, useLayoutEffect, useRef } from 'react';
import type { FrameObservation } from '#shared/ipc/index.ts';
import { gameFrameAllow } from '#shared/page-policy.ts';
import { startWork } from '#renderer/faults/faults.ts';
import type { Drawing } from '../device.ts';
import type { LauncherStore } from '../tabs/launcher-store.ts';
import styles from './game-screen.module.css';

/** A game in a frame of the page, at the size of its device and scaled to its area. The frame's messages are passed on. */
export function FrameScreen({
  store,
  launchId,
  src,
  title,
  drawing,
}: {
  store: LauncherStore;
  launchId: string;
  src: string;
  title: string;
  drawing: Drawing;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { viewport, drawn, scale } = drawing;

  useEffect(() => {
    store.getState().noteFrame(launchId, { event: 'browser', userAgent: navigator.userAgent.slice(0, 1_000) });
  }, [store, launchId]);

  useEffect(() => {
    const onMessage = (event: MessageEvent<unknown>) => {
      // Only messages of the page between ours and the game's count, and only while it is of our own origin.
      if (event.source !== frame.current?.contentWindow || event.origin !== location.origin) return;
      const told = readTold(event.data);
      if (told?.event === 'loaded' || told?.event === 'message') store.getState().noteFrame(launchId, told);
      if (told?.event === 'left') startWork(store.getState().noteLeft(launchId, told.origin));
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, [store, launchId]);

  useLayoutEffect(() => {
    const element = frame.current;
    // Of a frame that goes away with the keyboard, browsers report nothing: as of any other element, it was left.
    return () => {
      if (element !== null && document.activeElement === element)
        element.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    };
  }, []);

  return (
    <div className={styles.clip} style={{ width: drawn.width, height: drawn.height }} data-game={launchId}>
      <iframe
        ref={frame}
        src={src}
        title={title}
        allow={gameFrameAllow}
        className={styles.frame}
        style={{ width: viewport.width, height: viewport.height, transform: `scale(${scale})` }}
      />
    </div>
  );
}

type Told = Exclude<FrameObservation, { event: 'failed' | 'browser' }>;

function readTold(data: unknown): Told | null {
  if (typeof data !== 'object' || data === null || !('croupier' in data) || data.croupier !== 'frame') return null;
  if (!('event' in data)) return null;
  if (data.event === 'loaded') return { event: 'loaded' };
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, 2_000) : '');
  const origin = 'origin' in data ? text(data.origin) : '';
  if (data.event === 'message') return { event: 'message', origin, data: 'data' in data ? text(data.data) : '' };
  return data.event === 'left' ? { event: 'left', origin } : null;
}
