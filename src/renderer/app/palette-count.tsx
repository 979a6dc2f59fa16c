import { useEffect } from 'react';
import { useCommandState } from 'cmdk';
import { announcer } from '#renderer/ui/announcer.ts';

/**
 * Says how many results the palette's text has: those that its filter keeps, and `always`, which others searched. A screen reader says
 * the first of them by itself.
 */
export function PaletteCount({ text, always }: { text: string; always: number }) {
  const count = useCommandState((state) => state.filtered.count) + always;
  useEffect(() => {
    if (text === '') return undefined;
    // While somebody types, the numbers of half a word are no news.
    const timer = setTimeout(
      () => announcer.say(count === 0 ? 'Nothing found' : `${count.toLocaleString('en')} ${count === 1 ? 'result' : 'results'}`),
      pauseMs,
    );
    return () => clearTimeout(timer);
  }, [text, count]);
  return null;
}

const pauseMs = 400;
