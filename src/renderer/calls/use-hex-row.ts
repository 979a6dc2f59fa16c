import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { HexRow } from './hex-text.ts';

/** Width that a row of sixteen bytes needs, in pixels: 75 characters of the code font and the edge before them. */
const SIXTEEN = 560;

/** Returns the number of bytes in a row of an element, by its width. */
export function useHexRow<E extends HTMLElement>(): readonly [RefObject<E | null>, HexRow] {
  const box = useRef<E>(null);
  const [row, setRow] = useState<HexRow>(16);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const take = () => setRow(element.clientWidth < SIXTEEN ? 8 : 16);
    const sizes = new ResizeObserver(take);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return [box, row];
}
