import { bidiControls } from './bidi.ts';
import { hiddenPattern, shortCharacterName } from './hidden-characters.ts';

/*
 * Draws a text of unknown origin so that it neither reorders nor hides anything: on the page, in HTML files, and in lines for people.
 */

/** Letters that are read from right to left. */
const letter = '\\u0590-\\u061b\\u061d-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';
/**
 * Most marks above and below one letter. No language writes more, and a browser lays out each with all before it, so that ten thousand
 * block the page for seconds. Further marks are split off in groups of this size.
 */
const mostMarks = 30;
const alone = `(${hiddenPattern})|((?=\\p{M})(?<=\\p{M}{${mostMarks}})\\p{M}{1,${mostMarks}})`;
const hidden = new RegExp(`(${hiddenPattern})`, 'gu');
const partsOfLetters = new RegExp(alone, 'gu');
const special = new RegExp(`${hiddenPattern}|[${letter}]|\\p{M}{${mostMarks + 1}}`, 'u');
/** Matches an invisible character, or a run of right-to-left letters up to the last one before other letters, digits or a control. */
const parts = new RegExp(`${alone}|[${letter}](?:[^A-Za-z0-9\\u00c0-\\u058f${bidiControls}]*[${letter}])?`, 'gu');
/** Matches everything special and more, as a fast first test: most texts on the page have only European letters. */
const suspicious = /[^\t\n\r -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]/;

/** A part of a text: left-to-right text, right-to-left letters (which may hold others), one invisible character with its name, or excess marks on a letter. */
export type SeenPart =
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'marks'; readonly text: string }
  | { readonly kind: 'rightToLeft'; readonly text: string; readonly parts: readonly SeenPart[] }
  | { readonly kind: 'hidden'; readonly text: string; readonly name: string };

/** Returns whether a text could reorder the text around it, is not shown in the order of its characters, or holds an invisible character. */
export function isSpecial(text: string): boolean {
  return suspicious.test(text) && special.test(text);
}

/** Divides a text so that each part can be isolated from the others; joined, the parts are the text. */
export function seenParts(text: string): SeenPart[] {
  return divide(text, parts, (run) => ({ kind: 'rightToLeft', text: run, parts: divide(run, partsOfLetters) }));
}

/** Replaces each invisible character with its name, as in `user[RLO]nimda[NBSP]1`, for places that cannot show parts. */
export function withNames(text: string): string {
  return suspicious.test(text) ? text.replace(hidden, (character) => `[${nameOf(character)}]`) : text;
}

/** Divides a text by an expression: its first group is an invisible character, the second excess marks; any other match is a run of letters. */
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
