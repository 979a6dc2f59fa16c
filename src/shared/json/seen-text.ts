import { bidiControls } from './bidi.ts';
import { hiddenPattern, shortCharacterName } from './characters.ts';

/*
 * How a text of somebody else's is drawn, so that it reorders nothing and hides nothing: on the page, in HTML files, and in lines for a person.
 */

/** Letters that are read from right to left. */
const letter = '\\u0590-\\u061b\\u061d-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';
/**
 * Marks above and below one letter: of more than so many, which no language writes, a browser lays out each with all before it, and ten thousand
 * hold the page for seconds. The rest of them stands apart, so many at a time.
 */
const mostMarks = 30;
const alone = `(${hiddenPattern})|((?=\\p{M})(?<=\\p{M}{${mostMarks}})\\p{M}{1,${mostMarks}})`;
const hidden = new RegExp(`(${hiddenPattern})`, 'gu');
const partsOfLetters = new RegExp(alone, 'gu');
const special = new RegExp(`${hiddenPattern}|[${letter}]|\\p{M}{${mostMarks + 1}}`, 'u');
/** A character that shows nothing itself, or everything from one letter read from right to left to the last one before other letters, digits or a control. */
const parts = new RegExp(`${alone}|[${letter}](?:[^A-Za-z0-9\\u00c0-\\u058f${bidiControls}]*[${letter}])?`, 'gu');
/** All that is special and more: nearly every text on the page has letters of Europe alone and goes on after one look at its UTF-16 units. */
const suspicious = /[^\t\n\r -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]/;

/** A part of a text: as it is read from left to right, letters read from right to left, which may hold others, or one character that shows nothing, with its name, or some of too many marks on one letter. */
export type SeenPart =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'marks'; readonly text: string }
  | { readonly kind: 'rightToLeft'; readonly text: string; readonly parts: readonly SeenPart[] }
  | { readonly kind: 'hidden'; readonly text: string; readonly name: string };

/** Whether a text could change the order of what stands around it, is not shown in the order of its characters, or holds one that shows nothing. */
export function isSpecial(text: string): boolean {
  return suspicious.test(text) && special.test(text);
}

/** Divides a text so that each part can be isolated from the others; joined, the parts are the text. */
export function seenParts(text: string): SeenPart[] {
  return divide(text, parts, (run) => ({ kind: 'rightToLeft', text: run, parts: divide(run, partsOfLetters) }));
}

/** Writes the name of each character that shows nothing in its place, as in `user[RLO]nimda[NBSP]1`, for where a text cannot be divided. */
export function withNames(text: string): string {
  return suspicious.test(text) ? text.replace(hidden, (character) => `[${nameOf(character)}]`) : text;
}

/** The first group of `by` is a character that shows nothing, the second some of too many marks; all else that it finds is a run of letters. */
function divide(text: string, by: RegExp, run?: (letters: string) => SeenPart): SeenPart[] {
  const found: SeenPart[] = [];
  let at = 0;
  for (const match of text.matchAll(by)) {
    if (match.index > at) found.push({ kind: 'plain', text: text.slice(at, match.index) });
    const [part, character, marks] = match;
    if (marks !== undefined) found.push({ kind: 'marks', text: marks });
    else found.push((character === undefined ? run?.(part) : undefined) ?? { kind: 'hidden', text: part, name: nameOf(part) });
    at = match.index + part.length;
  }
  if (at < text.length) found.push({ kind: 'plain', text: text.slice(at) });
  return found;
}

function nameOf(character: string): string {
  return shortCharacterName(character.codePointAt(0) ?? 0);
}
