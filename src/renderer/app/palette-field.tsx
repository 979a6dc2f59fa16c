import { useEffect, useRef } from 'react';
import { Command as Cmdk, useCommandState } from 'cmdk';
import { announcer } from '#renderer/ui/announcer.ts';

/**
 * The palette's field, a combobox over the list of what was found. It says how many results its text has, or `empty` for none. A screen
 * reader says the first of them by itself.
 */
export function PaletteField({
  text,
  empty,
  placeholder,
  onText,
}: {
  text: string;
  empty: string;
  placeholder: string;
  onText: (text: string) => void;
}) {
  const count = useCommandState((state) => state.filtered.count);
  const active = useCommandState(({ value, selectedItemId }) => `${value} ${selectedItemId}`);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The ready-made one names none if there is but one.
    const id = document.querySelector('[cmdk-item][aria-selected="true"]')?.id;
    if (id !== undefined) field.current?.setAttribute('aria-activedescendant', id);
  }, [active, count, text]);
  useEffect(() => {
    if (text === '') return undefined;
    // While somebody types, the numbers of half a word are no news.
    const timer = setTimeout(
      () => announcer.say(count === 0 ? empty : `${count.toLocaleString('en')} ${count === 1 ? 'result' : 'results'}`),
      pauseMs,
    );
    return () => clearTimeout(timer);
  }, [text, count, empty]);
  return (
    <Cmdk.Input asChild value={text} onValueChange={onText} placeholder={placeholder}>
      {/* The ready-made one says that it is expanded also while nothing is below it; the role comes from there. */}
      <input ref={field} {...{ 'aria-expanded': count > 0 }} />
    </Cmdk.Input>
  );
}

const pauseMs = 400;
