import { useEffectEvent, useLayoutEffect } from 'react';

const followed = ['style', 'data-state', 'class', 'hidden'];

/** Looks before anything is drawn, and again before the next frame after anything of the page changed or was resized. */
export function useLayout(look: () => void, enabled: boolean): void {
  const run = useEffectEvent(look);
  useLayoutEffect(() => {
    if (!enabled) return;
    let asked = 0;
    const now = () => {
      asked = 0;
      run();
    };
    const soon = () => {
      if (asked === 0) asked = requestAnimationFrame(now);
    };
    const changes = new MutationObserver(soon);
    changes.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: followed });
    const sized = new ResizeObserver(soon);
    sized.observe(document.documentElement);
    run();
    return () => {
      changes.disconnect();
      sized.disconnect();
      cancelAnimationFrame(asked);
    };
  }, [enabled]);
}
