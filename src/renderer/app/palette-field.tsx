import { useEffect } from 'react';
import { Command as Cmdk, useCommandState } from 'cmdk';
import { announcer } from '#renderer/ui/announcer.ts';

/**
 * The palette's field, a combobox over the list of what was found. It says how many results its text has: those that the filter keeps,
 * and `always`, which others searched. A screen reader says the first of them by itself.
 */
export function PaletteField({
  text,
  always,
  placeholder,
  onText,
}: {
  text: string;
  always: number;
  placeholder: string;
  onText: (text: string) => void;
}) {
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
  return (
    <Cmdk.Input asChild value={text} onValueChange={onText} placeholder={placeholder}>
      {/* The ready-made one says that it is expanded also while nothing is below it; the role comes from there. */}
      <input {...{ 'aria-expanded': count > 0 }} />
    </Cmdk.Input>
  );
}

const pauseMs = 400;
