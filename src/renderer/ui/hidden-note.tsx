import { hiddenCharacters } from '#shared/json/hidden-characters.ts';

/** Names the characters of a value that its field cannot show, with their code points; draws nothing without such characters. */
export function HiddenNote({ text }: { readonly text: string }) {
  const names = hiddenCharacters(text);
  if (names.length === 0) return null;
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return <p className="warn tiny">{`Not visible in this value: ${shown}${more}.`}</p>;
}

const MOST_NAMED = 6;
