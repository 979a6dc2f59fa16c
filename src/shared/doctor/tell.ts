import { asSentId } from './data-texts.ts';
import type { Match, Way } from './search.ts';

/** Most explanations beside the first. */
const mostOthers = 3;

/** Says a match in sentences: the likeliest explanation, then others that give the same bytes. Ends in a full stop. */
export function tellMatch({ ways, isSent }: Match): string {
  const others = ways.filter((way) => !way.some(({ id }) => id === asSentId));
  const [first, ...rest] = others.length > 0 ? others : ways;
  const sentences = [
    ...(isSent ? ['The hash matches data as it was sent, but the signing rule requires another form.'] : []),
    ...(isSent && others.length === 0 ? [] : [tellWay(first ?? [])]),
    ...(rest.length === 0
      ? []
      : [`Other code that gives the same bytes: ${rest.slice(0, mostOthers).map(tellWay).join(' Or: ')}`]),
  ];
  return sentences.join(' ');
}

function tellWay(way: Way): string {
  return way.map(({ says }) => says).join(' ');
}
