import { useLayoutEffect, useState, type RefObject } from 'react';
import type { Size } from '#shared/whole-pixels.ts';

/** Follows the inner size of an element; null until it is measured and while it is not drawn. */
export function useInnerSize(element: RefObject<HTMLElement | null>): Size | null {
  const [room, setRoom] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = box;
      // Out of sight it has no size; the game keeps the one it had.
      if (width === 0 || height === 0) return;
      setRoom((before) => (before?.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const sized = new ResizeObserver(measure);
    sized.observe(box);
    return () => sized.disconnect();
  }, [element]);
  return room;
}
